"""Concats of concats, and slices of concats, read the operands directly.

    a = concat[axis=0](x, y)                        x and y have 5 elements
    b = concat[axis=0](a, z)
    c = slice[axes={0}, starts={6}, ends={8}](a)

becomes

    b = concat[axis=0](x, y, z)
    c = slice[axes={0}, starts={1}, ends={3}](y)
"""

from __future__ import annotations

from collections.abc import Mapping

from asmgen.graph.ops import CONCAT, SLICE
from asmgen.graph.rewritings.retyped import RetypedCopy
from asmgen.index.size import Dim, Size, at_least, at_most
from asmgen.ir.program import Attribute, Module, Statement, Value, tensor_type
from asmgen.ir.slices import ends_of
from isa.named_tuple import NamedTuple


def with_whole_concats(module: Module) -> Module:
    """The module with these replacements."""
    copy = RetypedCopy(module)
    concats: dict[Value, _Concat] = {}
    for statement in module.statements:
        if statement.op is CONCAT:
            concats[statement.result] = _join(copy, statement, concats)
        elif statement.op is SLICE and statement.operands[0] in concats:
            _slice(copy, statement, concats[statement.operands[0]])
        else:
            copy.keep(statement)
    return copy.module()


def axis_of(concat: Statement) -> int:
    """The axis along which a concat joins its operands."""
    axis = concat.attributes["axis"]
    assert isinstance(axis, int), "the parser reads an integer"
    return axis % tensor_type(concat.result).rank


class _Concat(NamedTuple):
    axis: int
    operands: tuple[Value, ...]


def _join(copy: RetypedCopy, statement: Statement, concats: Mapping[Value, _Concat]) -> _Concat:
    axis, operands = axis_of(statement), list[Value]()
    for operand in statement.operands:
        inner = concats.get(operand)
        operands += inner.operands if inner is not None and inner.axis == axis else [operand]
    if len(operands) == len(statement.operands):
        copy.keep(statement)
    else:
        copy.write(statement, CONCAT, tuple(operands), statement.attributes)
    return _Concat(axis, tuple(operands))


def _slice(copy: RetypedCopy, statement: Statement, concat: _Concat) -> None:
    """A slice of a concat: of one of its operands, if it takes elements of that alone."""
    rank = tensor_type(statement.result).rank
    axes, starts, ends = [_dims(statement.attributes[name]) for name in ("axes", "starts", "ends")]
    at = next((number for number, axis in enumerate(axes) if axis % rank == concat.axis), None)
    sizes = [tensor_type(operand).dims[concat.axis] for operand in concat.operands]
    if at is not None:
        begin: Dim = 0
        first, last = ends_of(sum(sizes), starts[at], ends[at])
        for operand, size in zip(concat.operands, sizes, strict=True):
            is_inside = at_most(begin, first).is_shown and at_most(last, begin + size).is_shown
            if is_inside and at_least(last - first, 1).is_shown:
                starts[at], ends[at] = first - begin, last - begin
                attributes = statement.attributes | {"starts": tuple(starts), "ends": tuple(ends)}
                copy.write(statement, SLICE, (operand,), attributes)
                return
            begin += size
    copy.keep(statement)


def _dims(value: Attribute) -> list[Dim]:
    return [each for each in value if isinstance(each, int | Size)] if isinstance(value, tuple) else []
