"""How often a kernel computes each value.

    e = exp(x)                                        x is {1000,16}
    a = unsqueeze[axes={1}](e)                        {1000,1,16}
    b = unsqueeze[axes={0}](e)                        {1,1000,16}
    s = reduce_sum[axes={2}](abs(sub(a, b)))          1000 by 1000 by 16 elements of e by each of two ways

A way consists of the moves between a result of the kernel and the value. The elements of a way are those of
the result. If a broadcast makes the rows of a result, a lane computes such a value once for its elements of a
row. Values that are made of the kernel's reductions are computed once. A lane of a pointwise kernel has whole
short rows of a concat, so it computes an operand of the concat for the operand's own elements only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import count as numbers_from
from math import prod

from asmgen.graph.block_dots import PRODUCTS
from asmgen.graph.fusion.keep import SHORT_ROW, is_moved, is_of_rows
from asmgen.graph.ops import CONCAT, LITERAL, MULTIBROADCAST, PARAM, REDUCTIONS, SCANS, SCATTER_ADD, SORTS
from asmgen.index.size import number
from asmgen.ir.program import Module, Statement, Value, tensor_type
from asmgen.ir.types import F64

BEGINS = frozenset({*REDUCTIONS, *SCANS, *SORTS, *PRODUCTS, SCATTER_ADD, PARAM, LITERAL})
# Instructions of f64 for each of f32 in an op of several: exp takes 52 of f64, and `issues` is 12; tanh 78
# and 8, erf 144 and 7, div 22 and 12. An addition takes one of either type.
_OF_WIDE, _SEVERAL = 6, 5
_OF_LANE = 4  # elements of a row that a lane has, about
_MOST_WAYS = 256  # to a value: more are not counted

Ways = dict[int, float]  # by the number of a way: the elements that are computed


def evaluations(module: Module) -> dict[Value, float]:
    """For each value of a kernel, how many of its elements the kernel computes, repetitions included."""
    return _reached(module.statements[:-1], {value: count(value) for value in module.statements[-1].operands})


def issues_of(statements: Mapping[Value, Statement], value: Value) -> float:
    """About how many instructions compute an element of a value from parameters and results of reductions."""
    reached: set[Value] = set()
    pending = [value]
    while pending:
        each = pending.pop()
        if each not in reached and statements[each].op not in BEGINS:
            reached.add(each)
            pending.extend(statements[each].operands)
    return sum([issues(statements[each]) for each in reached])


def issues(statement: Statement) -> int:
    """About how many instructions compute an element of a statement's result."""
    if not statement.op.pointwise:
        return 0
    is_wide = statement.operands[0].type.element is F64 and statement.op.issues >= _SEVERAL
    return statement.op.issues * (_OF_WIDE if is_wide else 1)


def count(value: Value) -> int:
    """The elements of a value of known dims."""
    elements = tensor_type(value).elements
    assert isinstance(elements, int), "the caller asks about known dims"
    return elements


def _reached(statements: tuple[Statement, ...], roots: Mapping[Value, int]) -> dict[Value, float]:
    of_rows = _of_reductions(statements)
    is_pointwise = not any(each.op in BEGINS and each.operands for each in statements)
    ways: dict[Value, Ways] = {value: {0: elements} for value, elements in roots.items()}
    numbers = numbers_from(1)
    for statement in reversed(statements):
        own: Ways = {}
        for result in statement.results:
            own |= ways.get(result, {})
        for operand in statement.operands:
            to = ways.setdefault(operand, {})
            if statement.op in BEGINS:
                to[0] = max(to.get(0, 0.0), count(operand))
                continue
            is_way = is_moved(statement, operand) or statement.op is MULTIBROADCAST
            more = _further(statement, operand, own, numbers, operand in of_rows) if is_way else own
            if is_pointwise and _has_short_rows(statement):
                share = count(operand) / count(statement.result)
                more = {way: elements * share for way, elements in more.items()}
            if not to:
                to |= more
                continue
            for way, elements in more.items():
                if len(to) < _MOST_WAYS or way in to:
                    to[way] = max(to.get(way, 0.0), elements)
    return {value: sum(own.values()) for value, own in ways.items()}


def _has_short_rows(statement: Statement) -> bool:
    """Whether a statement is a concat of which a lane of a pointwise kernel has whole rows."""
    if statement.op is not CONCAT or not count(statement.result):
        return False
    axis, dims = statement.attributes["axis"], tensor_type(statement.result).dims
    assert isinstance(axis, int), "an axis is an integer"
    return number(prod(dims[axis % len(dims) :])) <= SHORT_ROW


def _further(
    statement: Statement, operand: Value, own: Ways, numbers: Iterator[int], is_reduced: bool
) -> Ways:
    """The ways to a statement as ways to an operand of it, each with a new number."""
    needed = [_needed(statement, operand, elements, is_reduced) for elements in own.values()]
    return {next(numbers): elements for elements in needed}


def _of_reductions(statements: tuple[Statement, ...]) -> set[Value]:
    """The results of reductions, and the values that are made of them."""
    made: set[Value] = set()
    for statement in statements:
        if statement.op in REDUCTIONS or not made.isdisjoint(statement.operands):
            made.update(statement.results)
    return made


def _needed(statement: Statement, operand: Value, elements: float, is_reduced: bool) -> float:
    """How many elements of an operand a way needs for so many elements of the result."""
    if statement.op is not MULTIBROADCAST:
        return elements
    if is_reduced:
        return count(operand)
    return max(count(operand), elements / _OF_LANE) if is_of_rows(statement) else elements
