"""Extremes of the f16 of a lane, chosen before they are widened: a maximum or a minimum is one of its
operands, and two f16 fill a register.

    lane_reduce[op=max](max(convert(a), convert(b))) -> f32
    becomes convert(lane_reduce[op=max](max(a, b))) -> f32

A value that other statements read as f32 is still widened.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from asmgen.graph import ops as graph
from asmgen.ir.program import Attribute, Module, Statement, Value, with_regions
from asmgen.ir.types import F16, F32, LaneType
from asmgen.lanewise.math.definitions import Definitions
from asmgen.lanewise.records import Reduction
from asmgen.lanewise.reduction_ops import LANE_REDUCE

_EXTREMES = frozenset({graph.MAX, graph.MIN})


def choose_narrow(module: Module) -> Module:
    """The module with extremes of f16 in place of those of widened f16; the same module if it has none."""
    definitions = Definitions(module)
    narrow: dict[Value, Value] = {}
    for statement in module.walk():
        if statement.op is LANE_REDUCE and Reduction.of(statement).op in ("max", "min"):
            _ = _note(statement.result, statement, definitions, narrow)
    if not narrow:
        return module
    return Module(module.name, tuple(_chosen(module.statements, narrow)))


def _note(
    value: Value, statement: Statement | None, definitions: Definitions, narrow: dict[Value, Value]
) -> bool:
    """Whether a value is a widened f16, or an extreme of such values, and its f16 in `narrow`."""
    if value in narrow:
        return True
    if statement is None or value.type.element is not F32:
        return False
    if statement.op is graph.CONVERT:
        (source,) = statement.operands
        if source.type.element is F16:
            narrow[value] = source
        return value in narrow
    if statement.op is not LANE_REDUCE and statement.op not in _EXTREMES:
        return False
    if not all(_note(each, definitions.of.get(each), definitions, narrow) for each in statement.operands):
        return False
    assert isinstance(value.type, LaneType)
    narrow[value] = Value(f"{value.name}_narrow", LaneType(F16, value.type.lanes))
    return True


def _chosen(statements: tuple[Statement, ...], narrow: dict[Value, Value]) -> Iterator[Statement]:
    """The statements with each extreme of `narrow` computed in f16, and widened."""
    for statement in statements:
        if statement.regions:
            yield with_regions(statement, lambda inner: _chosen(inner, narrow))
        elif statement.op is graph.CONVERT or len(statement.results) != 1 or statement.result not in narrow:
            yield statement
        else:
            operands = tuple([narrow[operand] for operand in statement.operands])
            chosen, place = narrow[statement.result], statement.place
            yield replace(statement, operands=operands, results=(chosen,))
            widened: dict[str, Attribute] = {"target_type": F32.name}
            yield Statement(graph.CONVERT, (chosen,), statement.results, widened, (), place)
