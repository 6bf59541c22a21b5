"""If only the first elements of a sort are read, it becomes a sort for these elements alone.

    a = argsort[axis=1, descending=true](x)                     x is {4,33}
    y = take_along_axis[axis=1](x, a)
    f = slice[axes={1}, starts={0}, ends={3}](y)

becomes

    a = top_k_indices[k=3, axis=1](x)
    f = take_along_axis[axis=1](x, a)

A `top_k` of few elements compares fewer of them.
"""

from __future__ import annotations

from collections.abc import Mapping

from asmgen.graph.ops import (
    ARGSORT,
    CONVERT,
    IDENTITY,
    SLICE,
    SORT,
    TAKE_ALONG_AXIS,
    TOP_K,
    TOP_K_INDICES,
)
from asmgen.graph.rewritings.mirrors import numbers_of
from asmgen.graph.rewritings.retyped import RetypedCopy
from asmgen.index.size import Size
from asmgen.ir.program import Module, Op, Statement, Value, tensor_type
from asmgen.ir.slices import ends_of
from isa.named_tuple import NamedTuple

_FIRST_OF: Mapping[Op, Op] = {SORT: TOP_K, ARGSORT: TOP_K_INDICES}
_OF_EACH = frozenset({CONVERT, IDENTITY})


class _Part(NamedTuple):
    """The first elements along an axis."""

    axis: int
    size: int


def with_short_sorts(module: Module) -> Module:
    """The module in which such sorts, and their results, have only the elements that are read."""
    if not any(statement.op is SLICE for statement in module.statements):
        return module
    parts = _read_parts(module)
    copy = RetypedCopy(module)
    for statement in module.statements:
        part = parts.get(statement.results[0]) if statement.op in _FIRST_OF else None
        if part is None or part.axis != _sorted_axis(statement):
            copy.keep(statement)
        else:
            attributes = {"k": part.size, "axis": part.axis, "largest": statement.attributes["descending"]}
            copy.write(statement, _FIRST_OF[statement.op], statement.operands, attributes)
    return copy.module()


def _read_parts(module: Module) -> dict[Value, _Part | None]:
    """The part of each value that is read; None for a value that is read whole, or in parts along several
    axes."""
    parts: dict[Value, _Part | None] = {}
    for statement in reversed(module.statements):
        for operand, part in zip(statement.operands, _parts_of_operands(statement, parts), strict=True):
            other = parts.get(operand, part)
            is_along = part is not None and other is not None and part.axis == other.axis
            parts[operand] = max(part, other) if part is not None and other is not None and is_along else None
    return parts


def _parts_of_operands(statement: Statement, parts: Mapping[Value, _Part | None]) -> list[_Part | None]:
    """The part of each operand that a statement reads."""
    if statement.op is SLICE:
        return [_sliced(statement)]
    part = parts.get(statement.results[0]) if statement.results else None
    if statement.op in _OF_EACH:
        return [part]
    if statement.op is TAKE_ALONG_AXIS and part is not None:
        axis = statement.attributes["axis"]
        rank = tensor_type(statement.result).rank
        return [None, part if isinstance(axis, int) and axis % rank == part.axis else None]
    return [None] * len(statement.operands)


def _sorted_axis(statement: Statement) -> int:
    (axis,) = numbers_of(statement.attributes["axis"])
    return axis % tensor_type(statement.result).rank


def _sliced(statement: Statement) -> _Part | None:
    """The part of its operand that a slice takes, if it is the first elements along a single axis."""
    dims = tensor_type(statement.operands[0]).dims
    axes, starts, ends = [numbers_of(statement.attributes[name]) for name in ("axes", "starts", "ends")]
    if not len(axes) == len(starts) == len(ends) == 1:
        return None
    axis = axes[0] % len(dims)
    first, last = ends_of(dims[axis], starts[0], ends[0])
    if isinstance(first, Size) or isinstance(last, Size) or isinstance(dims[axis], Size):
        return None
    return _Part(axis, last) if first == 0 < last else None
