"""Windows beside instructions with a single start: by hand. tests/property/test_exact_orders.py tries all orders."""

from __future__ import annotations

from asmgen.passes.schedule.modulo.beside_fixed import Part, Uses, windows_beside_fixed
from asmgen.passes.schedule.modulo.problem import Resource
from asmgen.passes.schedule.modulo.windows import Window

SLOT = Part(0, 1, 2)


def issue(*parts: Part) -> Uses:
    return [(Resource.ISSUE, parts or (SLOT,))]


def test_an_instruction_leaves_the_slots_of_the_fixed_and_moves_others() -> None:
    """0 and 1 issue at 0 and 4 of 8 slots. 2 may not start at 4, and 3 comes 2 slots after it: not at 4 or 8 either."""
    uses, fixed = [issue()] * 4, {(0, 1): 4, (1, 0): -4}
    distances = {**fixed, (0, 2): 2, (2, 3): 2, (3, 0): -8}
    assert windows_beside_fixed(uses, distances, 0, 8) == [Window(0, 0), Window(4, 4), Window(2, 5), Window(5, 7)]


def test_only_an_instruction_that_uses_the_resource_leaves_its_slots() -> None:
    distances = {(0, 1): 1, (1, 0): -8}
    assert windows_beside_fixed([issue(), issue()], {**distances, (0, 1): 0}, 0, 8) == [Window(0, 0), Window(1, 7)]
    assert windows_beside_fixed([issue(), []], {**distances, (0, 1): 0}, 0, 8) == [Window(0, 0), Window(0, 8)]
    assert windows_beside_fixed([issue(), [(Resource.LDS, (SLOT,))]], distances, 0, 8) == [Window(0, 0), Window(1, 8)]


def test_windows_that_end_at_a_single_slot_are_taken_too() -> None:
    """2 has the slots 4 and 5, and 4 is taken. Then 3, which had 5 and 6, has only 6."""
    distances = {(0, 1): 4, (1, 0): -4, (0, 2): 4, (2, 0): -5, (0, 3): 5, (3, 0): -6}
    windows = [Window(0, 0), Window(4, 4), Window(5, 5), Window(6, 6)]
    assert windows_beside_fixed([issue()] * 4, distances, 0, 8) == windows


def test_uses_of_several_slots_and_of_halves_have_room() -> None:
    """0 issues for a slot and a half."""
    half, distances = Part(0, 1, 1), {(0, 1): -3, (1, 0): -3}
    first = issue(SLOT, Part(1, 1, 1))
    assert windows_beside_fixed([first, issue(half)], distances, 0, 4) == [Window(0, 0), Window(-3, 3)]
    assert windows_beside_fixed([first, issue()], distances, 0, 4) == [Window(0, 0), Window(-2, 3)]
    assert windows_beside_fixed([first, issue(Part(0, 2, 2))], distances, 0, 4) == [Window(0, 0), Window(-2, 2)]
    assert windows_beside_fixed([first, issue(Part(0, 3, 2))], distances, 0, 4) is None, "it fits nowhere"
    wide = {(0, 1): -5, (1, 0): -5}
    assert windows_beside_fixed([first, issue(Part(0, 2, 2))], wide, 0, 4) == [Window(0, 0), Window(-2, 2)]
    assert windows_beside_fixed([issue(), issue(Part(1, 1, 2))], wide, 0, 4) == [Window(0, 0), Window(-4, 5)]
    assert windows_beside_fixed([issue(), issue(Part(2, 1, 2))], distances, 0, 4) == [Window(0, 0), Window(-3, 3)]


def test_rules_that_contradict_each_other_leave_no_windows() -> None:
    both = {(0, 1): 4, (1, 0): -4}
    assert windows_beside_fixed([issue()] * 2, both, 0, 4) is None, "they issue in the same slot of the interval"
    assert windows_beside_fixed([issue(), []], both, 0, 4) == [Window(0, 0), Window(4, 4)]
    assert windows_beside_fixed([issue()] * 2, {(0, 1): 3, (1, 0): -2}, 0, 4) is None
    late = {(0, 1): 4, (1, 0): -4, (0, 2): 4, (2, 0): -4}
    assert windows_beside_fixed([issue()] * 3, late, 0, 8) is None, "its only slot is taken"
