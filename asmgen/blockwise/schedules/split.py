"""Split: several workgroups share what is reduced, and later launches combine what each makes of its part.

    softmax of {1,16777216}, in 1,366 parts:
    the maximum of each part; their maximum; the sum of powers of each part; their sum; the quotients

A launch takes a part of each row, with the choice of the whole kernel. Its partial results have the dims of
the results, with the number of the part along the first reduced axis; the launch that combines them reduces
that axis, by a choice of its own. Results that later launches need are buffers too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import prod
from typing import NamedTuple

from asmgen.blockwise.program import Kernel
from asmgen.blockwise.schedules import column, pointwise, row
from asmgen.blockwise.schedules.body import computed
from asmgen.blockwise.schedules.choices import Column, Pointwise, Row
from asmgen.blockwise.schedules.choose import choose
from asmgen.blockwise.schedules.maps import tensor_of
from asmgen.blockwise.schedules.outputs import output_names
from asmgen.blockwise.schedules.reduction import Reduction
from asmgen.blockwise.schedules.work import Graph, work_of
from asmgen.graph import ops
from asmgen.ir.program import Module, Op, Statement, Value
from asmgen.ir.types import ElementType, tensor
from asmgen.lanewise.names import fresh_name
from asmgen.lanewise.reduction_ops import NARROW, REDUCTIONS
from isa.target import Target

Reducing = Row | Column
_SUM_OF_MEAN: dict[Op, Op] = {ops.REDUCE_MEAN: ops.REDUCE_SUM}


class Launch(NamedTuple):
    """One kernel of several. `partial` are the buffers of its parts' results, where it writes those."""

    graph: Graph
    choice: Pointwise | Reducing
    partial: tuple[str, ...] = ()

    def kernel(self, target: Target) -> Kernel:
        """The tile program."""
        if isinstance(self.choice, Pointwise):
            return pointwise.schedule(self.graph, self.choice, target)
        made = reduction(self.graph, self.choice, target)
        return made.partial_kernel(self.partial) if self.partial else made.kernel()


def reduction(graph: Graph, choice: Reducing, target: Target) -> Reduction:
    """What writes the kernel of a choice."""
    return (
        row.reduction(graph, choice, target)
        if isinstance(choice, Row)
        else column.reduction(graph, choice, target)
    )


def launches(graph: Graph, choice: Pointwise | Reducing, target: Target) -> list[Launch]:
    """The launches of a kernel, in order: one where the choice splits nothing."""
    if isinstance(choice, Pointwise) or choice.split == 1:
        return [Launch(graph, choice)]
    if reduction(graph, choice, target).parts == 1:
        return [Launch(graph, replace(choice, split=1))]
    return _Split(graph, choice, target).launches()


class _Split:
    def __init__(self, graph: Graph, choice: Reducing, target: Target) -> None:
        self._graph, self._choice, self._target = graph, choice, target
        self._outputs = output_names(graph)
        self._taken = {*self._outputs, *(value.name for value in graph.defined)}
        self._totals: dict[Value, str] = {}  # the results of reductions that are in buffers

    def launches(self) -> list[Launch]:
        found: list[Launch] = []
        graph = self._graph
        for number, level in enumerate(graph.levels):
            part = self._made([reduction.result for reduction in level], self._received(), f"part_{number}")
            partial = tuple([self._fresh(f"{graph.module.name}_parts") for _ in level])
            found.append(Launch(part, self._choice, partial))
            is_last = number == len(graph.levels) - 1 and not graph.whole
            found += self._combined(
                level, partial, reduction(part, self._choice, self._target).parts, is_last, number
            )
        return [*found, *self._final()] if graph.whole else found

    def _combined(
        self, level: list[Statement], partial: tuple[str, ...], parts: int, is_last: bool, number: int
    ) -> list[Launch]:
        """The launches that combine partial results; the last make the outputs of them."""
        replaced = self._received()
        for name, statement in zip(partial, level, strict=True):
            replaced[statement.result] = self._of_parts(name, statement, parts)
        if is_last:
            graph = self._made(self._graph.returns, replaced, f"combine_{number}", self._outputs)
        else:
            names = tuple([self._fresh(f"{self._graph.module.name}_total") for _ in level])
            wide = [self._wide(replaced[statement.result], statement) for statement in level]
            graph = self._made(wide, replaced, f"combine_{number}", names)
            self._totals.update(zip([statement.result for statement in level], names, strict=True))
        return launches(graph, choose(work_of(graph), self._target), self._target)

    def _final(self) -> list[Launch]:
        graph = self._made(self._graph.returns, self._received(), "outputs", self._outputs)
        return launches(graph, choose(work_of(graph), self._target), self._target)

    def _wide(self, statements: list[Statement], reduction: Statement) -> Value:
        """The result as it is computed, before it is taken as the graph's smaller type."""
        last = statements[-1]
        return last.operands[0] if last.op is NARROW else reduction.result

    def _received(self) -> dict[Value, list[Statement]]:
        """Earlier results, as parameters."""
        found: dict[Value, list[Statement]] = {}
        for value, name in self._totals.items():
            type_ = tensor_of(value)
            wide = Value(name, tensor(computed(type_.element), type_.dims))
            found[value] = _taken_as(wide, value, [Statement(ops.PARAM, (), (wide,), {"name": name})])
        return found

    def _of_parts(self, name: str, reduction: Statement, parts: int) -> list[Statement]:
        """A reduction of partial results in place of one of the rows."""
        type_, first = tensor_of(reduction.result), self._graph.axes[0]
        element = computed(type_.element)
        dims = tuple([parts if axis == first else dim for axis, dim in enumerate(type_.dims)])
        buffer = Value(name, tensor(element, dims))
        total = Value(self._fresh(f"{reduction.result.name}_of_parts"), tensor(element, type_.dims))
        op = _SUM_OF_MEAN.get(reduction.op, reduction.op)
        made = [
            Statement(ops.PARAM, (), (buffer,), {"name": name}),
            Statement(op, (buffer,), (total,), {"axes": (first,)}, (), reduction.place),
        ]
        if REDUCTIONS[reduction.op] == "mean":
            total = self._mean(made, total, element)
        return _taken_as(total, reduction.result, made)

    def _mean(self, made: list[Statement], total: Value, element: ElementType) -> Value:
        dims = tensor_of(total).dims
        count = prod([self._graph.dims[axis] for axis in self._graph.axes])
        one, all_of_it, mean = [
            Value(self._fresh(f"{total.name}_{word}"), tensor(element, size))
            for word, size in (("count", (1,) * len(dims)), ("counts", dims), ("mean", dims))
        ]
        number, op = (1.0 / count, ops.MUL) if element.is_float else (count, ops.DIV)
        made += [
            Statement(ops.LITERAL, (), (one,), {"values": (number,)}),
            Statement(ops.MULTIBROADCAST, (one,), (all_of_it,), {"out_lens": dims}),
            Statement(op, (total, all_of_it), (mean,)),
        ]
        return mean

    def _made(
        self,
        returns: Sequence[Value],
        replaced: Mapping[Value, list[Statement]],
        name: str,
        outputs: tuple[str, ...] = (),
    ) -> Graph:  # fmt: skip
        """The graph of what some values are made of, with other statements in the place of some."""
        defined = {**self._graph.defined, **{one.result: one for made in replaced.values() for one in made}}
        reached: dict[Value, None] = {}
        pending = list(returns)
        while pending:
            value = pending.pop()
            if value not in reached:
                reached[value] = None
                pending += defined[value].operands
        statements: list[Statement] = []
        for statement in self._graph.module.statements[:-1]:
            made = replaced.get(statement.result, [statement])
            statements += [one for one in made if one.result in reached]
        statements.append(Statement(ops.RETURN, tuple(returns)))
        return Graph(Module(f"{self._graph.module.name}_{name}", tuple(statements)), outputs)

    def _fresh(self, stem: str) -> str:
        return fresh_name(stem, self._taken)


def _taken_as(wide: Value, result: Value, made: list[Statement]) -> list[Statement]:
    """The statements, and one that gives `result`: of a smaller float as it is computed."""
    op = ops.IDENTITY if tensor_of(wide).element is tensor_of(result).element else NARROW
    return [*made, Statement(op, (wide,), (result,))]
