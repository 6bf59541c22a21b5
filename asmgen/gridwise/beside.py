"""Results that a launch of parts stores beside the results of its parts.

    s = reduce_sum(x)                  x is {8192,2048}; a launch adds up 1,216 parts of it
    y = mul(x, two)                    the same launch has each element of y

    parts = reshape[dims={1216,...}](whole)      whole is mul(x, two)
    y = reshape[dims={8192,2048}](parts)

A launch stores results that have the dims of the elements that it reduces, before reshapes. With y in the
dims of the parts, no launch reads x again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from asmgen.graph.fusion.evaluations import BEGINS
from asmgen.graph.ops import LITERAL, PARAM, RESHAPE
from asmgen.graph.rewritings.rewriter import Rewriter
from asmgen.gridwise.division import Division
from asmgen.gridwise.partial import Partial
from asmgen.index.size import Sizes
from asmgen.ir.program import Module, Statement, Value, definitions, tensor_type


def with_results_beside(module: Module, partials: Iterable[Partial]) -> Module:
    """The module with results in the dims of the parts of a reduction that reads some of their tensors."""
    defined = definitions(module)
    even = [each for each in partials if _is_even(each.how)]
    dims = {each.how.dims for each in even}
    taken: dict[Value, Partial] = {}
    for value in module.statements[-1].operands:
        if tensor_type(value).dims not in dims or not _is_computed(defined[value]):
            continue
        own = _read(defined, value, tensor_type(value).dims)
        read = [each for each in even if own & _read(defined, each.apart, each.how.dims)]
        if own and read:
            taken[value] = read[0]
    if not taken:
        return module
    rewriter = Rewriter(module)
    for statement in module.statements:
        beside = taken.get(statement.results[0]) if statement.results else None
        if beside is None:
            rewriter.keep(statement)
            continue
        whole = rewriter.apply(statement.op, statement.operands, statement, "whole", **statement.attributes)
        parts = rewriter.apply(RESHAPE, (whole,), statement, "parts", dims=beside.how.apart)
        rewriter.finish(RESHAPE, (parts,), statement, dims=beside.how.dims)
    return rewriter.module()


def _is_even(how: Division) -> bool:
    """Whether the parts have all elements, and no others."""
    return not how.tail and not how.missing


def _is_computed(statement: Statement) -> bool:
    return statement.op.pointwise and not statement.op.has_body


def _read(defined: Mapping[Value, Statement], value: Value, dims: Sizes) -> frozenset[Value]:
    """The parameters of these dims of which a value is made; none if the value needs other ops than
    pointwise ops and moves."""
    reached, pending = set[Value](), [value]
    while pending:
        each = pending.pop()
        if each in reached:
            continue
        reached.add(each)
        statement = defined[each]
        if statement.op in BEGINS and statement.op not in (PARAM, LITERAL):
            return frozenset()
        pending.extend(statement.operands)
    return frozenset(
        [each for each in reached if defined[each].op is PARAM and tensor_type(each).dims == dims]
    )
