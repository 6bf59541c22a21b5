"""Combinations of a reduction's elements, and the division of a sum by their number."""

from __future__ import annotations

from asmgen.blockwise.actions import Combine
from asmgen.blockwise.builder import TileBuilder
from asmgen.blockwise.program import TileValue
from asmgen.blockwise.types import TileType
from asmgen.graph import ops
from asmgen.index.size import Dim, Size
from asmgen.ir.types import F32, U32


def combine_of(kind: str) -> Combine:
    """The combination of a kind of reduction. A mean is a sum until every element is in it."""
    return Combine("sum" if kind == "mean" else kind)


def divided(builder: TileBuilder, total: TileValue, count: Dim) -> TileValue:
    """A sum divided by the number of elements. A float is multiplied by the reciprocal."""
    type_ = total.type
    assert isinstance(type_, TileType)
    if isinstance(count, Size):
        return _by_size(builder, total, type_, count)
    if type_.element is F32:
        return builder.pointwise(ops.MUL, total, builder.fill(1.0 / count, type_))
    return builder.pointwise(ops.DIV, total, builder.fill(count, type_))


def _by_size(builder: TileBuilder, total: TileValue, type_: TileType, count: Size) -> TileValue:
    """A sum by a number that the launch knows: a float's times the reciprocal, rounded as a number in the
    code is.
    """
    number = builder.positions(count.expression, TileType(U32, type_.layout))
    divisor = number if type_.element is U32 else builder.convert(number, type_.element)
    if type_.element is not F32:
        return builder.pointwise(ops.DIV, total, divisor)
    reciprocal = builder.pointwise(ops.DIV, builder.fill(1.0, type_), divisor)
    return builder.pointwise(ops.MUL, total, reciprocal)
