"""Fuse: a graph becomes kernels.

A pointwise graph is one kernel, with as many outputs as it returns. Reductions of the same dims over the same
axes are one kernel, also where one needs another's result, together with what is pointwise before and after
them. A reduction over other dims or axes that needs a result of theirs is a later kernel; what passes between
kernels is results of reductions, in buffers named `temporary_N`, and everything pointwise is computed again.

Invariant after it: every statement of a module feeds its `@return`. Parameters stay, used or not, since they
are the kernel's arguments; of several kernels the first has those that none uses.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from asmgen.gen.tiling import definitions, tensor_type
from asmgen.graph.decompose import decompose
from asmgen.graph.ops import PARAM, RETURN, check_supported
from asmgen.graph.simplify import without_trivial_reductions
from asmgen.ir.program import Module, Program, Statement, Value
from asmgen.ir.types import F16, F32, tensor
from asmgen.lanewise.names import fresh_name
from asmgen.lanewise.reduction_ops import NARROW, REDUCTIONS, WIDEN

TEMPORARY = "temporary"
Dims = tuple[int, ...]


class FusedKernel(NamedTuple):
    """A kernel's graph. `results` says of each returned value which result of the program it is; -1 - N for
    `temporary_N`."""

    module: Module
    results: tuple[int, ...]


class _Group(NamedTuple):
    """What reductions have in common that share a kernel: how many kernels come before, operand dims and
    result dims."""

    level: int
    dims: Dims
    row_dims: Dims


_POINTWISE = _Group(1 << 30, (), ())  # the kernel of what no reduction's kernel can make; it comes last


@dataclass(slots=True)
class _Part:
    """A kernel to be: what it returns, in order, and which result of the program, or temporary, each of it
    is."""

    returns: list[Value] = field(default_factory=list)
    results: list[int] = field(default_factory=list)


def fuse(program: Program) -> tuple[FusedKernel, ...]:
    """The kernels of a graph, in launch order. Raises `InputError` at the first op or type that does not
    reach the target."""
    check_supported(program)
    kernels: list[FusedKernel] = []
    results = temporaries = 0
    for module in program.modules:
        parts = Partition(without_trivial_reductions(decompose(module)), results, temporaries)
        kernels += parts.kernels()
        results += len(module.statements[-1].operands)
        temporaries = parts.temporaries
    return tuple(kernels)


class Partition:
    """Shares the statements of one graph out over kernels. `first_result` and `temporaries` count those of
    the graphs before."""

    def __init__(self, module: Module, first_result: int, temporaries: int) -> None:
        self.temporaries = temporaries
        self._module = module
        self._first_result = first_result
        self._defined = definitions(module)
        self._needs: dict[
            Value, tuple[Value, ...]
        ] = {}  # a value -> the results of reductions that it is made of
        self._group: dict[Value, _Group] = {}  # the result of a reduction -> its kernel
        for statement in module.statements:
            self._visit(statement)
        self._parts: dict[_Group, _Part] = {}
        self._temporary: dict[Value, int] = {}

    def kernels(self) -> list[FusedKernel]:
        return_ = self._module.statements[-1]
        for number, value in enumerate(return_.operands):
            part = self._parts.setdefault(self._home(value), _Part())
            part.returns.append(value)
            part.results.append(self._first_result + number)
        # a kernel only needs results of kernels of lower levels, which may be parts because of it alone
        for group in sorted(
            dict.fromkeys((*self._group.values(), _POINTWISE)), key=lambda group: -group.level
        ):
            if group in self._parts:
                self._require(group)
        order = sorted(self._parts, key=lambda group: group.level)
        return [
            FusedKernel(self._build(group, first=group is order[0]), tuple(self._parts[group].results))
            for group in order
        ]

    def _visit(self, statement: Statement) -> None:
        needs = tuple(dict.fromkeys(need for operand in statement.operands for need in self._needs[operand]))
        if statement.op in REDUCTIONS:
            dims, row_dims = tensor_type(statement.operands[0]).dims, tensor_type(statement.result).dims
            level = 0
            for need in needs:
                other = self._group[need]
                level = max(level, other.level + ((other.dims, other.row_dims) != (dims, row_dims)))
            self._group[statement.result] = _Group(level, dims, row_dims)
            needs = (statement.result,)
        self._needs.update((result, needs) for result in statement.results)

    def _home(self, value: Value) -> _Group:
        """The kernel that makes a returned value: the last of those it needs, if the value has that one's
        dims."""
        dims = tensor_type(value).dims
        groups = [self._group[need] for need in self._needs[value]]
        latest = max(groups, key=lambda group: group.level, default=_POINTWISE)
        early = all(group is latest or group == latest or group.level < latest.level for group in groups)
        return latest if early and dims in (latest.dims, latest.row_dims) else _POINTWISE

    def _require(self, group: _Group) -> None:
        """See to it that the kernels before this one return what it needs of them."""
        for need in self._outside(group):
            home = self._group[need]
            if need not in self._temporary:
                self._temporary[need] = self.temporaries
                self.temporaries += 1
                part = self._parts.setdefault(home, _Part())
                part.returns.append(need)
                part.results.append(-1 - self._temporary[need])

    def _outside(self, group: _Group) -> list[Value]:
        """The results of other kernels' reductions that a kernel is made of."""
        return [
            value for value in self._reached(group) if value in self._group and self._group[value] != group
        ]

    def _reached(self, group: _Group) -> dict[Value, None]:
        """Every value that a kernel is made of, up to other kernels' reductions."""
        reached: dict[Value, None] = {}
        pending = list(self._parts[group].returns)
        while pending:
            value = pending.pop()
            if value in reached:
                continue
            reached[value] = None
            if self._group.get(value, group) == group:
                pending.extend(self._defined[value].operands)
        return reached

    def _build(self, group: _Group, first: bool) -> Module:
        part, reached = self._parts[group], self._reached(group)
        taken = {value.name for value in self._defined}
        statements: list[Statement] = []
        for statement in self._module.statements[:-1]:
            if not any(result in reached for result in statement.results):
                if statement.op is PARAM and first:
                    statements.append(statement)
            elif self._group.get(statement.results[0], group) == group:
                statements.append(statement)
            else:
                statements += self._received(statement, taken)
        returns: list[Value] = []
        for value, result in zip(part.returns, part.results, strict=True):
            returns.append(value if result >= 0 else self._sent(value, statements, taken))
        return_ = self._module.statements[-1]
        statements.append(Statement(RETURN, tuple(returns), (), {}, (), return_.place))
        name = (
            self._module.name
            if first
            else f"{self._module.name}_{[*sorted(self._parts, key=lambda g: g.level)].index(group)}"
        )
        return Module(name, tuple(statements))

    def _received(self, statement: Statement, taken: set[str]) -> list[Statement]:
        """An earlier kernel's result as a parameter; f16 passes between kernels as the f32 it is computed
        in."""
        result = statement.result
        attributes = {"name": f"{TEMPORARY}_{self._temporary[result]}"}
        if tensor_type(result).element is not F16:
            return [Statement(PARAM, (), (result,), dict(attributes), (), statement.place)]
        wide = Value(fresh_name(f"{result.name}_wide", taken), tensor(F32, tensor_type(result).dims))
        return [
            Statement(PARAM, (), (wide,), dict(attributes), (), statement.place),
            Statement(NARROW, (wide,), (result,), {}, (), statement.place),
        ]

    def _sent(self, value: Value, statements: list[Statement], taken: set[str]) -> Value:
        if tensor_type(value).element is not F16:
            return value
        wide = Value(fresh_name(f"{value.name}_wide", taken), tensor(F32, tensor_type(value).dims))
        statements.append(Statement(WIDEN, (value,), (wide,), {}, (), self._defined[value].place))
        return wide
