"""Copies of statements: with other operands, other values of loop counters, and names of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from asmgen.blockwise import actions as ops
from asmgen.blockwise.actions import Action, substituted
from asmgen.blockwise.program import Kernel, TileRegion, TileStatement, TileValue
from asmgen.blockwise.types import Type
from asmgen.index import Index, Symbol
from asmgen.index.expression import only
from asmgen.ir.builder import StatementBuilder
from asmgen.ir.program import Region, Value

Values = Mapping[TileValue, TileValue]
Counters = Mapping[Symbol, Index]


class Names:
    """The names of a kernel that are taken: of values, ids, dims and counters."""

    def __init__(self, kernel: Kernel) -> None:
        taken = {symbol.name for symbol in (*kernel.grid, *kernel.dims)}
        for statement in kernel.walk():
            values = [
                *statement.results,
                *[value for region in statement.regions for value in region.parameters],
            ]
            taken.update([value.name for value in values])
            if isinstance(statement.op, ops.For):
                taken.add(statement.op.counter.name)
        self._builder = StatementBuilder[Action, Type](taken)

    def fresh(self, hint: str) -> str:
        return self._builder.fresh(hint)

    def another(self, value: TileValue) -> TileValue:
        """A value of the same type under a new name."""
        return Value(self.fresh(value.name), value.type)


def copied(
    statement: TileStatement,
    values: Values,
    counters: Counters,
    names: Names,
    results: tuple[TileValue, ...] | None = None,
) -> TileStatement:
    """The statement on other operands and counters. Its results have new names if they are not given."""
    action = substituted(statement.op, counters)
    if isinstance(action, ops.For):
        # its counter has other bounds if they depend on a counter that has another value
        action = ops.counted(action.counter.name, action.start, action.stop, action.step, action.staggered)
        assert isinstance(statement.op, ops.For)
        counters = {**counters, statement.op.counter: only(action.counter)}
    regions: list[TileRegion] = []
    for region in statement.regions:
        parameters = tuple([names.another(value) for value in region.parameters])
        inside = {**values, **dict(zip(region.parameters, parameters, strict=True))}
        regions.append(Region(parameters, _all_copied(region.statements, inside, counters, names)))
    operands = tuple([values.get(operand, operand) for operand in statement.operands])
    if results is None:
        results = tuple([names.another(value) for value in statement.results])
    return replace(statement, op=action, operands=operands, results=results, regions=tuple(regions))


def _all_copied(
    statements: Sequence[TileStatement], values: dict[TileValue, TileValue], counters: Counters, names: Names
) -> tuple[TileStatement, ...]:
    """The statements of a region; `values` grows by their results."""
    copies: list[TileStatement] = []
    for statement in statements:
        made = copied(statement, values, counters, names)
        values.update(zip(statement.results, made.results, strict=True))
        copies.append(made)
    return tuple(copies)


def reading(statement: TileStatement, values: Values) -> TileStatement:
    """The statement on other operands, those of its regions too. Names stay."""
    if not values:
        return statement
    regions = [
        Region(region.parameters, tuple([reading(inner, values) for inner in region.statements]))
        for region in statement.regions
    ]
    operands = tuple([values.get(operand, operand) for operand in statement.operands])
    return replace(statement, operands=operands, regions=tuple(regions))
