"""The buffers that values read."""

from __future__ import annotations

import pytest

from asmgen.blockwise.schedules.elements import maps
from asmgen.blockwise.schedules.elements.indices import Conditions, Data, Indices
from asmgen.blockwise.schedules.kernel_graph import Graph
from asmgen.blockwise.schedules.work import Work
from asmgen.ir.program import Statement
from tests.unit.blockwise.schedules.graphs import graph_of


def chain(reductions: int) -> Graph:
    """Rows less their sums, again and again."""
    lines = ["x0 = @param:x -> f32, {64,100}"]
    for i in range(reductions):
        lines += [f"s{i} = reduce_sum[axes={{1}}](x{i})", f"x{i + 1} = sub(x{i}, s{i})"]
    return graph_of("\n".join([*lines, f"@return(x{reductions})\n"]))


def test_each_statement_of_a_chain_of_reductions_is_visited_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A visit of the whole chain for each reduction took a third of a compile with 250 of them."""
    visited: list[Statement] = []
    original = maps.operand_elements

    def counted(statement: Statement, at: Indices, data: Data, needed: Conditions = ()) -> tuple[maps.OperandElement, ...]:
        visited.append(statement)
        return original(statement, at, data, needed)

    monkeypatch.setattr(maps, "operand_elements", counted)
    graph = chain(20)
    assert isinstance(graph.work, Work)
    assert len(visited) <= 2 * len(graph.module.statements)
