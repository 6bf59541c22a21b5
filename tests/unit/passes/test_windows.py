"""The slots between which instructions of a loop start."""

from __future__ import annotations

from asmgen.passes.schedule.modulo.windows import Window, windows


def test_distances_leave_windows_around_the_anchor() -> None:
    """1 starts at least 3 slots after 0, and 2 at least 2 after 1 and at most 10 after 0."""
    distances = {(0, 1): 3, (1, 2): 2, (2, 0): -10}
    assert windows(3, distances, 0) == [Window(0, 0), Window(3, 8), Window(5, 10)]
    assert windows(3, distances, 2) == [Window(-10, -5), Window(-7, -2), Window(0, 0)]


def test_a_circuit_that_is_too_long_contradicts_itself() -> None:
    assert windows(2, {(0, 1): 3, (1, 0): -3}, 0) == [Window(0, 0), Window(3, 3)]
    assert windows(2, {(0, 1): 3, (1, 0): -2}, 0) is None
    assert windows(1, {(0, 0): 1}, 0) is None
