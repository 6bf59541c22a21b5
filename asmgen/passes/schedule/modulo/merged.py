"""Lives of registers in a loop: values that take over each other's registers are one life.

    v_mfma %a, %x, %y, %old;  v_mfma %b, %x, %z, %a;  loop(%b)      %b and %a: registers that are always live

If the only reader of a value makes a value of the same size, the second life begins at the end of the first.
A circuit of such values takes its registers all the time, in any order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from asmgen.passes.schedule.modulo.values import LoopValue, Reader
from isa.named_tuple import NamedTuple
from isa.registers import RegisterClass

VECTORS = frozenset({RegisterClass.VGPR, RegisterClass.AV})


class Life(NamedTuple):
    """So many `units` are live from the issue of the maker to the issue of the last reader, which reads
    `trips` trips later. It has the values of `length` successive instructions."""

    units: int
    maker: int
    readers: Sequence[Reader]
    length: int


class Lives(NamedTuple):
    """The units that are always live, and the lives of the others."""

    always: int
    lives: Sequence[Life]


def merged(values: Iterable[LoopValue], files: frozenset[RegisterClass] = VECTORS) -> Lives:
    """The lives of the values of some classes."""
    mine = [value for value in values if value.register_class in files]
    following = _following(mine)
    always = sum(value.units for value in mine if value.maker is None)
    later, lives = {at for at, _ in following.values()}, list[Life]()
    seen = set[int]()
    for first, value in enumerate(mine):
        if value.maker is not None and first not in later:
            lives.append(_life(mine, following, first, seen))
    for first, value in enumerate(mine):
        if value.maker is not None and first not in seen:
            always += value.units * _trips_around(following, first, seen)
    return Lives(always, lives)


def _following(values: Sequence[LoopValue]) -> dict[int, tuple[int, int]]:
    """By value, the value that takes over its registers, and the trips until it does. A value without readers
    takes over none: its life ends after the issue of its maker."""
    free: dict[tuple[int | None, RegisterClass, int], list[int]] = {}
    for number, value in enumerate(values):
        if value.readers:
            free.setdefault((value.maker, value.register_class, value.units), []).append(number)
    following: dict[int, tuple[int, int]] = {}
    for number, value in enumerate(values):
        if value.maker is None or len(value.readers) != 1:
            continue
        reader, trips = value.readers[0]
        successors = free.get((reader, value.register_class, value.units))
        if successors:
            following[number] = successors.pop(0), trips
    return following


def _life(
    values: Sequence[LoopValue], following: dict[int, tuple[int, int]], first: int, seen: set[int]
) -> Life:
    maker = values[first].maker
    assert maker is not None, "the caller checks"
    at, trips, length = first, 0, 1
    seen.add(at)
    while at in following:
        at, more = following[at]
        trips, length = trips + more, length + 1
        seen.add(at)
    readers = [Reader(number, trips + after) for number, after in values[at].readers]
    return Life(values[first].units, maker, readers, length)


def _trips_around(following: dict[int, tuple[int, int]], first: int, seen: set[int]) -> int:
    at, trips = first, 0
    while at not in seen:
        seen.add(at)
        at, more = following[at]
        trips += more
    return trips
