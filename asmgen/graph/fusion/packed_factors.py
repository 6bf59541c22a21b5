"""Second factors of matrix products that are computed from fewer bytes than they have, such as weights of 4
bits with scales.

If a product has few rows, each of its workgroups needs a part of the second factor that no other needs. The
kernel of the product then computes the factor as it reads it, so that memory moves the packed bytes alone.
For a product of many rows the factor would be computed once for each row of tiles, and has a kernel of its
own.
"""

from __future__ import annotations

from collections.abc import Mapping

from asmgen.graph.ops import (
    ADD,
    BIT_CAST,
    BITWISE_AND,
    BITWISE_OR,
    BITWISE_XOR,
    CONVERT,
    DEQUANTIZELINEAR,
    LEFT_SHIFT,
    LITERAL,
    MUL,
    MULTIBROADCAST,
    PARAM,
    RESHAPE,
    RIGHT_SHIFT,
    SUB,
    TRANSPOSE,
    UNPACK,
    UNSQUEEZE,
)
from asmgen.graph.rounded import WIDEN
from asmgen.index.size import at_most
from asmgen.ir.program import Statement, Value, tensor_type
from asmgen.ir.types import HALVES

FEW_ROWS = 64
_MATRIX = 2  # axes
_CHEAP = frozenset(
    {
        ADD, BIT_CAST, BITWISE_AND, BITWISE_OR, BITWISE_XOR, CONVERT, DEQUANTIZELINEAR, LEFT_SHIFT, MUL,
        MULTIBROADCAST, RESHAPE, RIGHT_SHIFT, SUB, TRANSPOSE, UNPACK, UNSQUEEZE, WIDEN,
    }
)  # fmt: skip


def packed_bytes(defined: Mapping[Value, Statement], dot: Statement) -> float:
    """The bytes in memory of an element of the second factor if the product computes it; otherwise 0."""
    a, b = [tensor_type(operand) for operand in dot.operands[:2]]
    if min(a.rank, b.rank) < _MATRIX or b.element not in HALVES:
        return 0
    if not at_most(a.dims[-2], FEW_ROWS).is_shown:
        return 0
    leaves = _leaves(defined, dot.operands[1])
    if leaves is None or not isinstance(b.elements, int):
        return 0
    sizes = [tensor_type(leaf).elements for leaf in leaves]
    whole = [size * tensor_type(leaf).element.bytes for leaf, size in zip(leaves, sizes, strict=True)]
    read = sum([size for size in whole if isinstance(size, int)])
    is_fewer = len(leaves) > 1 and 0 < read < b.elements * b.element.bytes
    return read / b.elements if is_fewer and all(isinstance(size, int) for size in whole) else 0


def _leaves(defined: Mapping[Value, Statement], root: Value) -> list[Value] | None:
    """The parameters and literals of which a value is made by few instructions; None if there are others."""
    leaves: dict[Value, None] = {}
    pending, seen = [root], set[Value]()
    while pending:
        value = pending.pop()
        if value in seen:
            continue
        seen.add(value)
        statement = defined[value]
        if statement.op in (PARAM, LITERAL):
            leaves[value] = None
        elif statement.op in _CHEAP:
            pending += statement.operands
        else:
            return None
    return list(leaves)
