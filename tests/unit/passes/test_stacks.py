"""The least registers by lives that may begin anywhere: by hand. tests/property/test_exact_orders.py tries all orders."""

from __future__ import annotations

import pytest

from asmgen.passes.schedule.modulo.merged import Life, Lives
from asmgen.passes.schedule.modulo.stacks import least_by_stacks
from asmgen.passes.schedule.modulo.values import Reader
from asmgen.passes.schedule.modulo.windows import Window

SLOTS, ALWAYS = 10, 1
ANYWHERE = Window(-20, 20)


def least(certain: list[int], loose: list[tuple[int, int]], most: int = 100) -> int:
    """The registers of lives of 4 units in certain slots, and of others with units and a length."""
    windows, distances, lives = list[Window](), dict[tuple[int, int], int](), list[Life]()
    for slot in certain:
        windows += [Window(slot, slot), Window(slot + 1, slot + 1)]
        lives.append(Life(4, len(windows) - 2, (Reader(len(windows) - 1, 0),), 1))
    for units, length in loose:
        windows += [ANYWHERE, ANYWHERE]
        lives.append(Life(units, len(windows) - 2, (Reader(len(windows) - 1, 0),), 1))
        distances[len(windows) - 2, len(windows) - 1] = length
    return least_by_stacks(windows, distances, Lives(ALWAYS, lives), SLOTS, most)


# (slots with 4 registers, lives of other slots, registers besides the one that is always live)
CASES: tuple[tuple[list[int], list[tuple[int, int]], int], ...] = (
    ([], [], 0),
    ([3], [], 4),
    ([3, 3], [(4, 9)], 8),  # in the other slots
    ([3, 3], [(4, 10)], 12),
    ([], [(4, 4)] * 2, 4),  # after each other
    ([], [(4, 4)] * 3, 8),  # 12 slots of 10
    ([], [(4, 14)] * 2, 12),  # each once in all slots; their other 4 slots after each other
    ([0, 3, 6], [(4, 4)] * 3, 8),  # at 7, 1 and 4: each above one of the slots
    ([0, 3, 6], [(4, 4)] * 4, 12),  # none fits between the slots: two are above the same
    ([0, 3, 6], [(4, 3)] * 4, 8),  # at 7, between the slots 6 and 0, one is above none
    ([], [(2, 6), (2, 6), (4, 1)], 4),  # the longer two are above each other; units do not mix
)


@pytest.mark.parametrize(("certain", "loose", "registers"), CASES)
def test_lives_are_stacked_on_those_of_certain_slots(certain: list[int], loose: list[tuple[int, int]], registers: int) -> None:
    assert least(certain, loose) == ALWAYS + registers
    assert least(certain, loose, most=ALWAYS + registers) == ALWAYS + registers
    assert least(certain, loose, most=3) == min(3, ALWAYS + registers), "no more is asked"
