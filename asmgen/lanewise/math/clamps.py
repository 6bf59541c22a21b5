"""Indices that are clamped to bounds, as the index of a gather is: a single instruction instead of two.

    a = max(i, 0); u = convert[target_type=u32](a); y = min(u, 999)
    m = med3(i, 0, 999); y = convert[target_type=u32](m)

Between the maximum and the conversion an element may be extracted from a vector.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from asmgen.graph import ops as graph
from asmgen.ir.program import Module, Statement, Value, with_regions
from asmgen.ir.types import I32, U32, LaneType
from asmgen.lanewise import ops
from asmgen.lanewise.records import splat_literal

_LARGEST = (1 << 31) - 1
_SCALAR = LaneType(U32)


def clamp(module: Module) -> Module:
    """The module with a median for each maximum and minimum of the kind above; the same module if it has
    none."""
    if not any(statement.op is graph.MIN and statement.result.type == _SCALAR for statement in module.walk()):
        return module
    defined = {result: statement for statement in module.walk() for result in statement.results}
    return Module(module.name, tuple(_clamped(module.statements, defined)))


def _clamped(statements: tuple[Statement, ...], defined: dict[Value, Statement]) -> Iterator[Statement]:
    for statement in statements:
        if statement.op is graph.MIN and statement.result.type == _SCALAR:
            yield from _median(statement, defined) or (statement,)
        else:
            yield with_regions(statement, lambda inner: _clamped(inner, defined))


def _median(statement: Statement, defined: dict[Value, Statement]) -> tuple[Statement, ...]:
    """The replacement of a minimum; nothing if its operands are different."""
    index, bound = statement.operands
    most, converted = _number(bound, defined), defined.get(index)
    if most is None or not 0 <= most <= _LARGEST or converted is None or converted.op is not graph.CONVERT:
        return ()
    taken = defined.get(converted.operands[0])
    whole = taken if taken is None or taken.op is not ops.EXTRACT else defined.get(taken.operands[0])
    if taken is None or whole is None or whole.op is not graph.MAX or whole.result.type.element is not I32:
        return ()
    source, least = whole.operands
    if _number(least, defined) != 0:
        return ()

    def value(role: str) -> Value:
        return Value(f"{statement.result.name}_{role}", LaneType(I32))

    made = list[Statement]()
    if taken is not whole:
        made.append(replace(taken, operands=(source,), results=(value("taken"),)))
        source = made[-1].result
    bounds = [(value("least"), 0), (value("most"), int(most))]
    made += [
        Statement(graph.LITERAL, (), (bounding,), {"values": (number,)}, (), None)
        for bounding, number in bounds
    ]
    inside = value("inside")
    sources = (source, *[bounding for bounding, _ in bounds])
    made.append(Statement(ops.MED3, sources, (inside,), {}, (), statement.place))
    return (*made, replace(converted, operands=(inside,), results=statement.results))


def _number(value: Value, defined: dict[Value, Statement]) -> int | float | None:
    statement = defined.get(value)
    return None if statement is None else splat_literal(statement)
