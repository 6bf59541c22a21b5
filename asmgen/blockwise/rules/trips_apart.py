"""Whether two accesses of a loop, some trips apart, have an element in common.

    lds_store[slot=(k floordiv 64) mod 2], and lds_load[slot=(k floordiv 64) mod 2] two trips before
    the same slot for k = 128 and k = 0

An access is a box of elements: an index and a size along each axis. The answer is for all ids, trips and
coordinates (`asmgen.index.search`).
"""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.blockwise.actions import For
from asmgen.blockwise.program import TileValue
from asmgen.blockwise.rules.access import is_reserved
from asmgen.index import Index, Symbol, symbol
from asmgen.index.expression import as_symbol
from asmgen.index.search import Conditions, first_values
from isa.named_tuple import NamedTuple


class Access(NamedTuple):
    memory: TileValue
    writes: bool
    first: tuple[Index, ...]
    sizes: Sequence[int]


class Counters(NamedTuple):
    """The loop's counter in the trips of two accesses."""

    later: int
    earlier: int


def common_trips(
    later: Access, earlier: Access, loop: For, inner: frozenset[Symbol], distance: int
) -> Counters | None:
    """Trips that are `distance` apart, in which both access an element and one of them writes it; None if
    there are none. `inner` are the counters of the loops inside.

    Raises `asmgen.index.search.TooManyParts` if that is not decided.
    """
    span = loop.stop - loop.start
    last = (span - 1).high // loop.step
    if later.memory is not earlier.memory or not (later.writes or earlier.writes) or last < distance:
        return None
    trip = symbol(f"{loop.counter.name}#", 0, last - distance)
    counter = loop.start + trip * loop.step
    ahead = counter + distance * loop.step
    least: list[Index] = []
    for first, second, size, length in zip(
        later.first, earlier.first, later.sizes, earlier.sizes, strict=True
    ):
        difference = _in_trip(first, loop, ahead, inner, "'") - _in_trip(second, loop, counter, inner, "")
        least += [difference + size - 1, -difference + length - 1]
    found = first_values(Conditions((), tuple(least), (loop.stop - ahead - 1,)), lambda values: True)
    if found is None:
        return None
    values = {used: used.low for used in (counter.symbols | {as_symbol(trip)})} | found
    return Counters(ahead.evaluate(values, 0), counter.evaluate(values, 0))


def _in_trip(index: Index, loop: For, counter: Index, inner: frozenset[Symbol], mark: str) -> Index:
    """The index in a trip, with coordinates, data and inner counters of its own. Of a counter, each multiple
    of its step is a number.
    """
    values = {loop.counter: counter}
    for used in index.symbols:
        if used is not loop.counter and (is_reserved(used.name) or used in inner or used.multiple > 1):
            name = f"{used.name}{mark}" if is_reserved(used.name) or used in inner else f"{used.name}#"
            step = used.multiple
            values[used] = symbol(name, -(-used.low // step), used.high // step) * step
    return index.substitute(values)
