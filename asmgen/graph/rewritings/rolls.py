"""Makes a roll of the two parts of a value that change places.

    a = slice[axes={1}, starts={1000}, ends={1024}](x)
    b = slice[axes={1}, starts={0}, ends={1000}](x)      becomes    y = roll[axes={1}, shifts={24}](x)
    y = concat[axis=1](a, b)

A roll has an index for each element, and a concat has conditions on which of its operands has the element.
"""

from __future__ import annotations

from collections.abc import Mapping

from asmgen.graph.ops import CONCAT, ROLL, SLICE
from asmgen.index.size import Dim, Size
from asmgen.ir.program import Attribute, Module, Statement, Value, definitions, tensor_type
from asmgen.ir.slices import ends_of
from isa.named_tuple import NamedTuple


def with_rolls(module: Module) -> Module:
    """The module with a roll for each such concat."""
    defined = definitions(module)
    return Module(module.name, tuple([_simpler(statement, defined) for statement in module.statements]))


def _simpler(statement: Statement, defined: Mapping[Value, Statement]) -> Statement:
    if statement.op is not CONCAT or len(statement.operands) != 2:
        return statement
    dims, given = tensor_type(statement.result).dims, statement.attributes["axis"]
    assert isinstance(given, int), "the parser reads an integer"
    axis = given % len(dims)
    first, last = [_part(defined[operand], axis) for operand in statement.operands]
    if first is None or last is None or first.of is not last.of:
        return statement
    size = tensor_type(first.of).dims[axis]
    begin = first.start
    if isinstance(size, Size) or isinstance(begin, Size):
        return statement
    if (first.end, last.start, last.end) != (size, 0, begin):
        return statement
    attributes: dict[str, Attribute] = {"axes": (axis,), "shifts": (size - begin,)}
    return Statement(ROLL, (first.of,), (statement.result,), attributes, (), statement.place)


class _Part(NamedTuple):
    """The elements of a value from `start` to `end` along an axis."""

    of: Value
    start: Dim
    end: Dim


def _part(statement: Statement, axis: int) -> _Part | None:
    """The part of a value that a slice along the axis alone is."""
    if statement.op is not SLICE:
        return None
    (of,) = statement.operands
    dims = tensor_type(of).dims
    axes, starts, ends = [_listed(statement.attributes[name]) for name in ("axes", "starts", "ends")]
    size = dims[axis]
    if len(axes) != 1 or axes[0] % len(dims) != axis or isinstance(size, Size):
        return None
    return _Part(of, *ends_of(size, starts[0], ends[0])) if starts and ends else None


def _listed(value: Attribute) -> tuple[int, ...]:
    """The integers of a list; a size that only the launch knows is left out."""
    return tuple(
        [number for number in (value if isinstance(value, tuple) else (value,)) if type(number) is int]
    )
