"""Whether conditions on indices hold, as bools of a lane; those that bounds decide are known."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from asmgen.blockwise.actions import Below
from asmgen.blockwise.lowering.atoms import WORD
from asmgen.blockwise.lowering.conditions import Range, canonical, range_of
from asmgen.blockwise.lowering.indices import Indices
from asmgen.ir.program import Value
from asmgen.ir.types import U32


def all_below(indices: Indices, conditions: Sequence[Below | bool]) -> list[Value | bool]:
    """Whether each condition holds. Two that say between which numbers an index is are one: what is below
    the first of them is a large u32 where that is taken away.
    """
    left = [one if isinstance(one, bool) else canonical(one) for one in conditions]
    left = [True if one in indices.assumed else one for one in left]
    found: list[Value | bool] = []
    while left:
        one = left.pop(0)
        pair = None if isinstance(one, bool) else next(filter(None, map(partial(range_of, one), left)), None)
        if isinstance(one, bool) or pair is None:
            found.append(one if isinstance(one, bool) else _below(indices, one))
            continue
        left.remove(pair.other)
        found.append(_within(indices, pair))
    return found


def _below(indices: Indices, condition: Below) -> Value | bool:
    """Whether a condition holds: known from its bounds, or a value."""
    known = canonical(condition)
    if isinstance(known, bool):
        return known
    if known in indices.assumed:
        return True
    opposite = canonical(Below(known.right - 1, known.left))
    if isinstance(opposite, Below) and indices.is_known(opposite):
        return indices.once(known, lambda: indices.builder.logical_not(_less(indices, opposite)))
    return _less(indices, known)


def _less(indices: Indices, known: Below) -> Value:
    left, right = known
    lift = max(0, -min(left.low, right.low))
    return indices.once(
        known, lambda: indices.builder.less(indices.value(left + lift), indices.value(right + lift))
    )


def _within(indices: Indices, pair: Range) -> Value:
    """Whether an index is at least `first`, and less than `first + length`."""
    builder, moved = indices.builder, pair.of - pair.first

    def less() -> Value:
        whole = indices.value(pair.of)
        start = indices.once(moved, lambda: builder.add(whole, builder.constant(-pair.first & WORD, U32)))
        return builder.less(start, builder.constant(pair.length, U32))

    return indices.once((moved, pair.length), less)
