"""Wait states of an order that earlier instructions fill."""

from __future__ import annotations

from asmgen.passes.schedule.gaps import fill_gaps
from asmgen.passes.schedule.timing import Timing


def test_of_two_chains_the_gap_is_filled_that_shortens_both() -> None:
    """Two steps wait for two others, which a load lets begin at 100. In the gap of the second chain a filler
    would make it longer, since the first chain's wait has passed its time already; in the first it costs
    nothing."""
    filler, a, b, after_a, after_b = range(5)
    timing = Timing(
        before=[[], [], [], [(a, 12)], [(b, 12)]],
        issue=[4] * 5,
        arrival=[0, 100, 100, 0, 0],
        leaving=[4] * 5,
        loading=[0] * 5,
        gaps=[(a, after_a, 2), (b, after_b, 2)],
    )
    movable = [number == filler for number in range(5)]
    given = [filler, a, b, after_a, after_b]
    order, clocks = fill_gaps(given, timing.clocks(given), timing, movable)
    assert order == [a, b, filler, after_a, after_b]
    assert clocks == timing.clocks(order)


def test_a_gap_of_a_state_takes_a_single_filler() -> None:
    """Both instructions before the producer could move, and neither would make the order longer."""
    first, second, producer, consumer = range(4)
    timing = Timing(
        before=[[], [], [], [(producer, 4)]], issue=[4] * 4, arrival=[0] * 4, leaving=[4] * 4, loading=[0] * 4,
        gaps=[(producer, consumer, 1)],
    )  # fmt: skip
    given = [first, second, producer, consumer]
    order, _ = fill_gaps(given, timing.clocks(given), timing, [True, True, False, False])
    assert order == [first, producer, second, consumer]
