"""Whether two accesses may touch the same byte, by their footprints.

    ds_write_b64 slot trip_k mod 2              the later access in the same trip: never
    ds_read_b64  slot (trip_k + 1) mod 2        one trip later: it may

Accesses of different objects or of different slots never meet, nor do accesses of different bytes in all
lanes.
"""

from __future__ import annotations

from functools import cache, lru_cache
from math import gcd

from asmgen.index import Index, Symbol, constant, symbol
from asmgen.index.expression import as_symbol
from asmgen.index.text import index_of
from isa.footprint import Bytes, Footprint

MOST_EXTENTS = 4096  # expressions with remembered extents
MOST_TRIPS = 8  # after which a later access is looked for
_SAME = constant(0)


def may_meet(earlier: Footprint, later: Footprint, trips: int = 0) -> bool:
    """Whether two accesses may touch the same byte if the second runs so many trips of their loop later."""
    if earlier.object != later.object or earlier.space is not later.space:
        return False
    if trips and earlier.loop != later.loop:
        return True
    loop = later.loop if trips else ""
    is_like = earlier.slot == later.slot and not loop
    if not is_like:
        from asmgen.index.apart import differ  # kernels without several slots do not need it

        if differ(index_of(earlier.slot), _after(later.slot, loop, trips)):
            return False
    if earlier.bytes is None or later.bytes is None:
        return True
    if earlier.bytes.at == later.bytes.at and not loop:
        return _overlap(earlier.bytes, later.bytes, _SAME)
    return _overlap(
        earlier.bytes, later.bytes, _after(later.bytes.at, loop, trips) - index_of(earlier.bytes.at)
    )


def trips_between(earlier: Footprint, later: Footprint) -> int:
    """The fewest trips, at least 1, after which an access may meet an earlier access; 0 if it never does.
    An access that meets it after none of `MOST_TRIPS` may do so after one more, unless its bytes are beyond
    for good."""
    if earlier.object != later.object or earlier.space is not later.space:
        return 0
    if may_meet(earlier, later, 1):
        return 1
    if not _stay_apart(earlier, later):
        for trips in range(2, MOST_TRIPS + 1):
            if may_meet(earlier, later, trips):
                return trips
    return 0 if _is_beyond(earlier, later) else MOST_TRIPS + 1


def _stay_apart(earlier: Footprint, later: Footprint) -> bool:
    """Whether accesses of a loop touch different bytes, and no trip moves those of the later access."""
    a, b = earlier.bytes, later.bytes
    if a is None or b is None or earlier.loop != later.loop:
        return False
    at = index_of(b.at)
    return _trip(later.loop) not in at.symbols and not _overlap(a, b, at - index_of(a.at))


def _is_beyond(earlier: Footprint, later: Footprint) -> bool:
    """Whether accesses that do not meet after `MOST_TRIPS` meet after no more trips either."""
    texts = (earlier.slot, later.slot, *[one.bytes.at for one in (earlier, later) if one.bytes is not None])
    if not any(_trip(later.loop) in index_of(text).symbols for text in texts):
        return True
    a, b = earlier.bytes, later.bytes
    if a is None or b is None:
        return False
    between = _after(b.at, later.loop, MOST_TRIPS) - index_of(a.at)
    moved = _after(b.at, later.loop, 1) - index_of(b.at)
    is_ahead = moved.low >= 0 and a.last + a.width <= b.first + between.low
    return is_ahead or (moved.high <= 0 and b.last + between.high + b.width <= a.first)


def _overlap(a: Bytes, b: Bytes, between: Index) -> bool:
    """Whether bytes may overlap if those of `b` are counted from a byte that is `between` further on."""
    low, high, fixed, varying = _extent(between)
    if a.last + a.width <= b.first + low or b.last + high + b.width <= a.first:
        return False
    step = gcd(a.step if a.last > a.first else 0, b.step if b.last > b.first else 0, varying)
    if not step:
        return True
    ahead = (b.first + fixed - a.first) % step
    return ahead < a.width or step - ahead < b.width


@lru_cache(MOST_EXTENTS)
def _extent(index: Index) -> tuple[int, int, int, int]:
    """The bounds of an expression, its constant part, and a number that divides the rest."""
    return index.low, index.high, index.constant, (index - index.constant).multiple


def _after(text: str, loop: str, trips: int) -> Index:
    """An expression in a later trip."""
    index = index_of(text)
    return index.substitute({_trip(loop): symbol(loop) + trips}) if loop else index


@cache
def _trip(loop: str) -> Symbol:
    return as_symbol(symbol(loop))
