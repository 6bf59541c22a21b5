"""`index`: arithmetic of indices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from asmgen.graph import ops as graph
from asmgen.ir.types import BOOL, LaneType
from asmgen.mlir.dialects.conversions import index_cast
from asmgen.mlir.lowering.arithmetic import quotients, relations
from asmgen.mlir.lowering.arithmetic.index_builder import IndexBuilder
from asmgen.mlir.lowering.context import Lowering, rows
from asmgen.mlir.lowering.values import Index, Lowered
from asmgen.mlir.source import Operation


def _of_two(
    make: Callable[[IndexBuilder, Index, Index], Index],
) -> Callable[[Lowering, Operation], Sequence[Lowered]]:
    def rule(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
        a, b = (lower.index(operand) for operand in operation.operands)
        return (make(lower.indices, a, b),)

    return rule


def constant(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    return (lower.indices.constant(operation.integer("value")),)


def bool_constant(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    return (lower.builder.constant(bool(operation.attributes["value"]), LaneType(BOOL)),)


def compare(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    a, b = (lower.index(operand) for operand in operation.operands)
    return (relations.compare(lower.indices, operation.text("pred"), a, b),)


def size_of(lower: Lowering, operation: Operation) -> Sequence[Lowered]:
    """The bits of an index."""
    return (lower.indices.constant(64),)


ROWS = rows(
    {
        "index.constant": constant,
        "index.bool.constant": bool_constant,
        "index.add": _of_two(IndexBuilder.add),
        "index.sub": _of_two(IndexBuilder.sub),
        "index.mul": _of_two(IndexBuilder.mul),
        "index.divs": _of_two(quotients.divide),
        "index.divu": _of_two(lambda i, a, b: quotients.divide(i, a, b, signed=False)),
        "index.rems": _of_two(quotients.remainder),
        "index.remu": _of_two(lambda i, a, b: quotients.remainder(i, a, b, signed=False)),
        "index.ceildivs": _of_two(quotients.ceil_divide),
        "index.ceildivu": _of_two(quotients.ceil_divide_unsigned),
        "index.floordivs": _of_two(quotients.floor_divide),
        "index.maxs": _of_two(IndexBuilder.greatest),
        "index.maxu": _of_two(lambda i, a, b: i.greatest(a, b, signed=False)),
        "index.mins": _of_two(IndexBuilder.least),
        "index.minu": _of_two(lambda i, a, b: i.least(a, b, signed=False)),
        "index.and": _of_two(lambda i, a, b: i.bitwise(graph.BITWISE_AND, a, b)),
        "index.or": _of_two(lambda i, a, b: i.bitwise(graph.BITWISE_OR, a, b)),
        "index.xor": _of_two(lambda i, a, b: i.bitwise(graph.BITWISE_XOR, a, b)),
        "index.shl": _of_two(IndexBuilder.shift_left),
        "index.shrs": _of_two(lambda i, a, b: i.shift_right(a, b, signed=True)),
        "index.shru": _of_two(lambda i, a, b: i.shift_right(a, b, signed=False)),
        "index.casts": partial(index_cast, signed=True),
        "index.castu": partial(index_cast, signed=False),
        "index.cmp": compare,
        "index.sizeof": size_of,
    }
)
