"""Merges branches on the same condition.

    if(c) {                                              v = convert(s) -> f16
      store(x, i, u)                                     if(c) {
      yield                                                store(x, i, u)
    }                                                      store(y, i, v)
    v = convert(s) -> f16              becomes             yield
    if(c) {                                              }
      store(y, i, v)
      yield
    }

Kernels that store several results from a lane of each group branch so. A branch costs two writes of EXEC, and
keeps the scheduler from moving instructions past it. Branches are merged if nothing between them has effects
or reads memory. A statement between them that the second branch alone needs moves into it, so that its
operands and its result are live no longer than before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from asmgen.ir.program import Module, Region, Statement, Value, walk, with_regions
from asmgen.lanewise.ops import IF, LOADS


def merge_branches(module: Module) -> Module:
    """The module with fewer branches. Equal conditions are the same value."""
    return replace(module, statements=_Merger(module).merged(module.statements))


class _Merger:
    def __init__(self, module: Module) -> None:
        self._uses: dict[Value, int] = {}
        for statement in module.walk():
            _count(self._uses, statement)

    def merged(self, statements: Sequence[Statement]) -> tuple[Statement, ...]:
        """The statements of a region."""
        done: list[Statement] = []
        between: list[Statement] = []  # statements after the last of `done`, a branch
        for statement in statements:
            whole = with_regions(statement, self.merged)
            if _is_plain_branch(whole) and done and _goes_on(done[-1], whole):
                done[-1:] = self._together(done[-1], between, whole)
                between = []
            elif done and _is_plain_branch(done[-1]) and _may_move(whole):
                between.append(whole)
            else:
                done += [*between, whole]
                between = []
        return (*done, *between)

    def _together(
        self, first: Statement, between: Sequence[Statement], second: Statement
    ) -> Iterator[Statement]:
        """The statements between two branches that are needed elsewhere too, and a branch with the rest."""
        inside = list(second.regions[0].statements)
        needed: dict[Value, int] = {}  # uses in the second branch
        for statement in walk(inside):
            _count(needed, statement)
        for statement in reversed(between):
            if all(needed.get(result, 0) == self._uses.get(result, 0) for result in statement.results):
                inside.insert(0, statement)
                _count(needed, statement)
        moved = set(map(id, inside))
        yield from [statement for statement in between if id(statement) not in moved]
        (*own, _), parameters = first.regions[0].statements, first.regions[0].parameters
        yield replace(first, regions=(Region(parameters, (*own, *inside)),))


def _count(uses: dict[Value, int], statement: Statement) -> None:
    for operand in statement.operands:
        uses[operand] = uses.get(operand, 0) + 1


def _is_plain_branch(statement: Statement) -> bool:
    return statement.op is IF and len(statement.regions) == 1


def _goes_on(first: Statement, second: Statement) -> bool:
    return _is_plain_branch(first) and first.operands == second.operands


def _may_move(statement: Statement) -> bool:
    return not (statement.op.effects or statement.regions or statement.op in LOADS)
