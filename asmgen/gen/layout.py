"""How an op's operand is walked when its result is walked: the index side of the layout ops.

A pointwise op walks its operands as it walks its result; a layout op moves dims about and computes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from asmgen.gen.indexing import DimMap
from asmgen.graph.ops import BROADCAST, CONTIGUOUS, IDENTITY, MULTIBROADCAST
from asmgen.ir.program import Op, Statement, Value
from asmgen.ir.types import LaneType, TensorType
from asmgen.lanewise.reduction_ops import NARROW, WIDEN
from isa.diagnostics import InternalError

WalkOperand = Callable[[Statement, TensorType, DimMap], DimMap]


def _same(_statement: Statement, _operand: TensorType, where: DimMap) -> DimMap:
    return where


def _aligned_right(_statement: Statement, operand: TensorType, where: DimMap) -> DimMap:
    """As numpy broadcasts: the last dims correspond; a dim of size 1 does not move."""
    tail = where[len(where) - operand.rank :]
    return tuple(None if dim == 1 else target for dim, target in zip(operand.dims, tail, strict=True))


def _from_axis(statement: Statement, operand: TensorType, where: DimMap) -> DimMap:
    """The operand's dims correspond to those from `axis` on."""
    axis = statement.attributes["axis"]
    assert isinstance(axis, int)
    first = axis % len(where) if where else 0
    tail = where[first : first + operand.rank]
    return tuple(None if dim == 1 else target for dim, target in zip(operand.dims, tail, strict=True))


WALKS: dict[Op, WalkOperand] = {
    MULTIBROADCAST: _aligned_right,
    BROADCAST: _from_axis,
    CONTIGUOUS: _same,
    IDENTITY: _same,
    WIDEN: _same,
    NARROW: _same,
}


def is_layout(statement: Statement) -> bool:
    """Whether the statement only moves elements."""
    return statement.op in WALKS


def operand_map(statement: Statement, operand: Value, where: DimMap) -> DimMap:
    """How `operand` is walked where the statement's result is walked by `where`."""
    walk = WALKS.get(statement.op, _same if statement.op.pointwise else None)
    if walk is None or isinstance(operand.type, LaneType):
        raise InternalError("gen", f"{statement.op.name} at {statement.place}", "the op has no index map")
    return walk(statement, operand.type, where)


def is_walked(statement: Statement) -> bool:
    """Whether a lane makes the statement's value from its operands at the same place; a reduction's is made
    by a row."""
    return statement.op.pointwise or is_layout(statement)


def leaves(
    defined: dict[Value, Statement], root: Value, where: DimMap, seen: set[tuple[Value, DimMap]]
) -> Iterator[tuple[Value, DimMap]]:
    """Every buffer that `root` is made of without passing a reduction, with how it is walked; each pair of
    `seen` once."""
    stack = [(root, where)]
    while stack:
        value, walk = stack.pop()
        if (value, walk) in seen:
            continue
        seen.add((value, walk))
        statement = defined[value]
        if not statement.operands:
            yield value, walk
        elif is_walked(statement):
            stack.extend(
                (operand, operand_map(statement, operand, walk)) for operand in reversed(statement.operands)
            )
