"""Whether two accesses of a loop, some trips apart, may have an element in common.

    lds_store[slot=(k floordiv 64) mod 3] in the next trip, and lds_load[slot=(k floordiv 64) mod 3]
    (k floordiv 64 + 1) mod 3 and (k floordiv 64) mod 3 are different numbers

An access is a box of elements: its first element, an index along each axis, and its size along each axis. The
boxes are apart if the bounds of the difference of their first elements show it along an axis, or if both are
remainders by the same number of expressions that differ by a constant.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from asmgen.blockwise.actions import For
from asmgen.blockwise.program import TileValue
from asmgen.blockwise.rules.access import is_reserved
from asmgen.index import Index, Symbol, symbol
from asmgen.index.expression import Remainder, only
from asmgen.index.reach import reach


class Access(NamedTuple):
    memory: TileValue
    writes: bool
    first: tuple[Index, ...]
    sizes: Sequence[int]


def may_meet(
    later: Access, earlier: Access, loop: For, inner: frozenset[Symbol], distance: int
) -> bool:
    """Whether `later`, in the trip that is `distance` trips after that of `earlier`, may access an element
    that `earlier` accesses, and one of them writes. `inner` are the counters of the loops inside.
    """
    if later.memory is not earlier.memory or not (later.writes or earlier.writes):
        return False
    return not any(
        _are_apart(_ahead(ahead, loop, inner, distance), behind, size, length)
        for ahead, behind, size, length in zip(
            later.first, earlier.first, later.sizes, earlier.sizes, strict=True
        )
    )


def _ahead(index: Index, loop: For, inner: frozenset[Symbol], distance: int) -> Index:
    """The index in the later trip, with coordinates, data and inner counters of its own."""
    own = {
        used: symbol(f"{used.name}'", used.low, used.high, used.multiple)
        for used in index.symbols
        if is_reserved(used.name) or used in inner
    }
    return index.substitute({**own, loop.counter: only(loop.counter) + distance * loop.step})


def _are_apart(later: Index, earlier: Index, size: int, length: int) -> bool:
    low, high = reach(later - earlier)
    return low >= length or high <= -size or (size == length == 1 and _differ(later, earlier))


def _differ(left: Index, right: Index) -> bool:
    """Whether two remainders by one number are never the same."""
    one, other = _remainder(left), _remainder(right)
    if one is None or other is None or one.by != other.by:
        return False
    rest = one.inner - other.inner
    return rest.is_constant and rest.constant % one.by != 0


def _remainder(index: Index) -> Remainder | None:
    if index.constant or len(index.terms) != 1:
        return None
    ((atom, number),) = index.terms
    return atom if number == 1 and isinstance(atom, Remainder) else None
