"""Moves reshapes of results of reductions, or of products, behind the pointwise ops that read them, so that
the kernel that reduces or multiplies computes those too:

    s = reduce_sum[axes={1}](x)    {n,1}           s = reduce_sum[axes={1}](x)
    q = squeeze[axes={1}](s)       {n}             c = reshape[dims={n,1}](b)
    y = add(q, b)                  {n}             t = add(s, c)
                                                   y = reshape[dims={n}](t)

The other operands must be made without reductions or products, or be such reshapes themselves.
"""

from __future__ import annotations

from asmgen.graph.block_dots import PRODUCTS
from asmgen.graph.builder import GraphBuilder
from asmgen.graph.ops import REDUCTIONS, RESHAPE, SCANS, SORTS
from asmgen.ir.program import Module, Statement, Value, tensor_type
from asmgen.ir.shapes import Dims
from asmgen.ir.types import TensorType


def with_late_reshapes(module: Module) -> Module:
    """The module; results keep their names, and statements that become unused stay."""
    return _Mover(module).moved()


class _Mover:
    """`_made_of` has the values that are made of results of reductions, products, scans or sorts; `_rows` are
    those of them that have the dims of the results, and `_before` maps a reshape of such a value to its
    operand."""

    def __init__(self, module: Module) -> None:
        self._module = module
        names = [value.name for statement in module.statements for value in statement.results]
        self._builder = GraphBuilder(names)
        self._made_of: set[Value] = set()
        self._rows: set[Value] = set()
        self._before: dict[Value, Value] = {}
        self._reshaped: dict[tuple[Value, Dims], Value] = {}

    def moved(self) -> Module:
        for statement in self._module.statements:
            rows = self._rows_of(statement)
            if rows is None:
                self._builder.statements.append(statement)
            else:
                self._move(statement, rows)
            self._learn(statement)
        return Module(self._module.name, tuple(self._builder.statements))

    def _learn(self, statement: Statement) -> None:
        is_of_rows = statement.op in REDUCTIONS or statement.op in PRODUCTS
        is_other = statement.op in SCANS or statement.op in SORTS
        if not is_of_rows and not is_other and self._made_of.isdisjoint(statement.operands):
            return
        self._made_of.update(statement.results)
        if is_of_rows or (
            statement.op.pointwise and self._rows.issuperset(statement.operands)
        ):
            self._rows.update(statement.results)
        elif statement.op.keeps_order:
            (operand,) = statement.operands
            before = operand if operand in self._rows else self._before.get(operand)
            if before is not None:
                self._before[statement.result] = before

    def _rows_of(self, statement: Statement) -> Dims | None:
        """The dims of the results that a pointwise op reads reshaped; None if it is to stay."""
        if not statement.op.pointwise or self._before.keys().isdisjoint(statement.operands):
            return None
        found = {
            tensor_type(self._before[value]).dims for value in statement.operands if value in self._before
        }
        others = [value for value in statement.operands if value not in self._before]
        return found.pop() if len(found) == 1 and self._made_of.isdisjoint(others) else None

    def _move(self, statement: Statement, rows: Dims) -> None:
        operands = tuple(
            [self._before.get(value) or self._as_rows(value, rows) for value in statement.operands]
        )
        result, name = statement.result, self._builder.fresh(statement.result.name)
        made = self._builder.apply(statement.op, operands, statement.attributes, name, statement.place)
        dims = tensor_type(result).dims
        self._builder.statements.append(
            Statement(RESHAPE, (made,), (result,), {"dims": dims}, (), statement.place)
        )
        self._made_of.add(made)
        self._rows.add(made)
        self._before[result] = made

    def _as_rows(self, value: Value, rows: Dims) -> Value:
        """A value without reductions in the dims of results."""
        assert isinstance(value.type, TensorType)
        known = self._reshaped.get((value, rows))
        if known is None:
            name = self._builder.fresh(value.name)
            known = self._builder.apply(RESHAPE, (value,), {"dims": rows}, name)
            self._reshaped[value, rows] = known
        return known
