"""Whether accesses may meet, against the bytes themselves for every value of the symbols."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from asmgen.index import symbol
from asmgen.index.expression import as_symbol
from asmgen.index.text import index_of
from asmgen.passes.dependence import memory
from asmgen.passes.dependence.footprints import MOST_TRIPS, may_meet, trips_between
from isa.footprint import Bytes, Footprint, Space

LOOP = "trip"
TRIPS, ROWS = 24, 3  # more trips than `MOST_TRIPS`
PAIRS = 600
SLOTS = ("0", "1", "trip mod 2", "(trip + 1) mod 2", "trip mod 3", "(trip + 2) mod 3", "(trip floordiv 2) mod 2", "row mod 2")
STARTS = ("0", "0", "16*trip", "16*trip + 8", "-8*trip + 400", "32*row", "32*(trip mod 2)", "4*min(trip, 3)")

Places = set[tuple[int, int]]  # slot and byte


def drawn(random: Random) -> Footprint:
    step = random.choice((1, 4, 8, 16, 24))
    count = random.choice((1, 1, 2, 5))
    first = random.randrange(0, 40, 4)
    bytes_ = Bytes(random.choice(STARTS), first, first + step * (count - 1), step, random.choice((1, 4, 8, 12)))
    return Footprint(Space.LDS, "t", random.choice(SLOTS), None if random.random() < 0.1 else bytes_, LOOP)


def places(of: Footprint, trip: int, row: int) -> Places:
    """Every byte of a footprint, or all bytes of its slot."""
    known = {as_symbol(symbol("trip")): trip, as_symbol(symbol("row")): row}
    slot = index_of(of.slot).evaluate(known, 0)
    if of.bytes is None:
        return {(slot, byte) for byte in range(600)}
    start = index_of(of.bytes.at).evaluate(known, 0)
    begins = range(of.bytes.first, of.bytes.last + 1, of.bytes.step)
    return {(slot, start + begin + byte) for begin in begins for byte in range(of.bytes.width)}


def meet(earlier: Footprint, later: Footprint, trips: int) -> bool:
    """Whether the accesses meet at any values of the symbols."""
    return any(places(earlier, trip, row) & places(later, trip + trips, row) for trip, row in product(range(TRIPS), range(ROWS)))


def test_accesses_that_cannot_meet_never_do() -> None:
    random, apart = Random(11), 0
    for number in range(PAIRS):
        earlier, later, trips = drawn(random), drawn(random), random.choice((0, 0, 1, 2))
        if not may_meet(earlier, later, trips):
            apart += 1
            assert not meet(earlier, later, trips), f"pair {number}: {earlier} and {later}, {trips} trips later"
    assert apart > PAIRS // 4


@pytest.mark.parametrize(("gap", "meets"), [(0, False), (-1, True), (4, False)])
def test_accesses_next_to_each_other_do_not_meet(gap: int, meets: bool) -> None:
    """Two runs of bytes by the same lanes: 0 to 15 and, behind them or before them, 16 to 31."""
    one = Footprint(Space.LDS, "t", "0", Bytes("4*row", 0, 0, 1, 16), LOOP)
    other = Footprint(Space.LDS, "t", "0", Bytes("4*row", 16 + gap, 16 + gap, 1, 16), LOOP)
    assert may_meet(one, other, 0) is meets
    assert may_meet(other, one, 0) is meets


def test_no_access_meets_another_after_fewer_trips() -> None:
    random, never = Random(12), 0
    for number in range(PAIRS // 6):
        earlier, later = drawn(random), drawn(random)
        fewest = trips_between(earlier, later)
        never += not fewest
        for trips in range(1, fewest or TRIPS):
            assert not meet(earlier, later, trips), f"pair {number}: {earlier} and {later}, {trips} trips later"
    assert never


def test_a_meeting_is_found_where_it_is() -> None:
    """Most pairs that may meet do meet."""
    random, may, do = Random(13), 0, 0
    for _ in range(PAIRS // 4):
        earlier, later = drawn(random), drawn(random)
        if may_meet(earlier, later):
            may += 1
            do += meet(earlier, later, 0)
    assert do > may // 2, (do, may)


def test_the_extent_of_bytes() -> None:
    assert [Bytes("0", *drawn).extent for drawn in ((8, 8, 1, 16), (0, 512, 256, 4), (0, 504, 8, 8), (4, 36, 4, 16))] == [16, 12, 512, 48]


def test_bytes_that_advance_past_each_other_meet_once_or_never() -> None:
    ahead = Footprint(Space.LDS, "t", "0", Bytes("16*trip", 40, 40, 1, 4), LOOP)
    behind = Footprint(Space.LDS, "t", "0", Bytes("16*trip", 8, 8, 1, 4), LOOP)
    assert trips_between(ahead, behind) == 2
    assert trips_between(behind, ahead) == 0
    far = Footprint(Space.LDS, "t", "0", Bytes("16*trip", 800, 800, 1, 4), LOOP)
    assert trips_between(far, behind) == MOST_TRIPS + 1
    assert trips_between(behind, behind) == 0
    assert trips_between(behind, Footprint(Space.LDS, "u", loop=LOOP)) == 0


def test_bytes_that_go_back_are_met_at_last() -> None:
    """They are 512 bytes ahead after `MOST_TRIPS` trips, and meet 8 trips later."""
    back = Footprint(Space.LDS, "t", "0", Bytes("-64*trip + 8192", 0, 0, 1, 64), LOOP)
    ahead = Footprint(Space.LDS, "t", "0", Bytes("-64*trip + 9216", 0, 0, 1, 64), LOOP)
    assert trips_between(back, ahead) == MOST_TRIPS + 1
    assert trips_between(ahead, back) == 0


@pytest.mark.parametrize("most", [1, 3, 64])
def test_accesses_that_may_meet_are_in_order(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if there are too many of them to compare: an access comes after each that it may meet, or after an
    access that does."""
    monkeypatch.setattr(memory, "MOST_COMPARED", most)
    random = Random(most)
    for _ in range(20):
        touches = [memory.Touch(Space.LDS, drawn(random) if random.random() < 0.95 else None, random.random() < 0.4) for _ in range(20)]
        order, after = memory.MemoryOrder(), list[set[int]]()
        for number, touch in enumerate(touches):
            before = set(order.add(number, touch))
            after.append(before.union(*[after[earlier] for earlier in before]))
            for earlier in range(number):
                if may_touch_the_same(touches[earlier], touch):
                    assert earlier in after[number], f"{touches[earlier]} and {touch}"


def may_touch_the_same(one: memory.Touch, other: memory.Touch) -> bool:
    return (one.writes or other.writes) and (one.of is None or other.of is None or may_meet(one.of, other.of))


def test_a_slot_in_turn_is_met_after_as_many_trips() -> None:
    for count in (2, 3):
        in_turn = Footprint(Space.LDS, "t", f"trip mod {count}", loop=LOOP)
        assert trips_between(in_turn, in_turn) == count
