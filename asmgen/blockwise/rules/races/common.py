"""Whether two accesses of a buffer have an element in common, for some ids, trips and elements of tiles.

    at={c0 + 16*row, c1}  and  at={c0 + 16*row, c1} of another workgroup     16*d + e = 0, d at least 1: none

The accesses have symbols of their own, *twins*. If two twins occur in differences only, the difference
takes their place: then bounds decide most questions, without a search.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from asmgen.index import Index, Symbol, constant, symbol
from asmgen.index.expression import only
from asmgen.index.refute import is_refuted
from asmgen.index.search import Conditions, Values, first_values
from isa.named_tuple import NamedTuple

_MOST_PARTS = 4000
_UNKNOWN_HIGH = 1 << 31  # bound of symbols with an unknown range

Twins = Mapping[Symbol, Symbol]  # of the first access, by those of the second


class Question(NamedTuple):
    """`zeros` are 0 and `limits` not negative. If there is a pair `above`, its first symbol is larger than
    the second. `kept` are symbols that `accepts` needs."""

    zeros: tuple[Index, ...]
    limits: tuple[Index, ...]
    twins: Twins
    above: tuple[Symbol, Symbol] | None = None
    kept: tuple[Symbol, ...] = ()
    accepts: Callable[[Values], bool] = lambda values: True


def answer(question: Question, most: int = _MOST_PARTS) -> dict[Symbol, int] | None:
    """Values of all symbols for which the conditions are met; None if there are none.

    Raises `asmgen.index.search.TooManyParts` if the question is not decided.
    """
    zeros, limits, differences = _by_differences(question, question.twins)
    if is_refuted(zeros, limits):
        return None
    if question.above is not None:  # a limit of a digit says nothing about a difference
        larger, smaller = question.above
        if is_refuted(*_by_differences(question, {smaller: larger})[:2]):
            return None
    bounded = [index for index in limits if index.low < 0]
    used = {variable for index in bounded for variable in index.symbols}
    for own, index in differences.items():
        if index.symbols & used:
            bounded += [index - own.low, constant(own.high) - index]
    deciding = tuple([only(variable) for variable in question.kept])
    conditions = Conditions(zeros, deciding, tuple(bounded))
    deciding_values = first_values(conditions, question.accepts, most)
    return None if deciding_values is None else _completed(question, differences, deciding_values)


def _by_differences(
    question: Question, twins: Twins
) -> tuple[tuple[Index, ...], tuple[Index, ...], dict[Symbol, Index]]:
    """The conditions by the differences of twins, and the first of each two twins by their difference."""
    zeros, limits = question.zeros, question.limits
    differences: dict[Symbol, Index] = {}
    for twin, own in twins.items():
        if twin not in question.kept and own not in question.kept:
            replaced = _difference(twin, own, question, zeros)
            if replaced is not None:
                zeros, differences[own] = replaced
    if question.above is not None and question.above[0] not in differences:
        larger, smaller = question.above
        limits = (*limits, only(larger) - only(smaller) - 1)
    limits = tuple([index.substitute(differences) for index in limits])
    return tuple([zero for zero in zeros if zero.terms or zero.constant]), limits, differences


def _difference(
    twin: Symbol, own: Symbol, question: Question, zeros: Sequence[Index]
) -> tuple[tuple[Index, ...], Index] | None:
    """The conditions by the difference of two twins, and the first by it; None if they do not vanish."""
    if own.high - own.low > _UNKNOWN_HIGH:
        return None
    reach = own.high - own.low
    if question.above == (own, twin):
        if not reach:
            return None
        difference = symbol(f"{own.name}-", 0, reach - 1) + 1
    else:
        difference = symbol(f"{own.name}-", -reach, reach)
    whole = only(twin) + difference
    replaced = tuple([zero.substitute({own: whole}) for zero in zeros])
    if any(twin in zero.symbols or own in zero.symbols for zero in replaced):
        return None
    return replaced, whole


def _completed(
    question: Question, differences: Mapping[Symbol, Index], deciding_values: Mapping[Symbol, int]
) -> dict[Symbol, int]:
    """Values of all symbols: those without a condition are as small as their difference allows."""
    values = dict(deciding_values)
    for twin, own in question.twins.items():
        if own in differences:
            between = differences[own] - only(twin)
            known = {
                variable: values.get(variable, max(variable.low, min(0, variable.high)))
                for variable in between.symbols
            }
            distance = between.evaluate(known, 0)
            _ = values.setdefault(twin, twin.low + max(0, -distance))
            values[own] = values[twin] + distance
    for index in (*question.zeros, *question.limits):
        for variable in index.symbols:
            _ = values.setdefault(variable, variable.low)
    return values
