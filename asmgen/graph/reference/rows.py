"""The evaluators of what is made of whole rows: reductions, softmax and norms (docs/numerics.md, "Reductions
and norms").

Each takes the statement, the rules and the operands' ranges.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from asmgen.graph.infer import normal_axes
from asmgen.graph.reference import integer_reductions, norms, products, reductions
from asmgen.graph.reference.ranges import FloatRange, IntegerRange, Range, exact_float, exact_integer
from asmgen.graph.reference.reductions import Axes
from asmgen.graph.reference.rules import Rules
from asmgen.ir.program import Statement

RowEvaluator = Callable[..., Range]
_OfFloats = Callable[[FloatRange, Axes, Rules], FloatRange]
_OfIntegers = Callable[[IntegerRange, Axes], IntegerRange]


def _reduction(of_floats: _OfFloats, of_integers: _OfIntegers, of_nothing: float = np.nan) -> RowEvaluator:
    """A reduction over the statement's axes: of one element it is that element, of none `of_nothing` (an
    integer: 0 for NaN)."""

    def evaluate(statement: Statement, rules: Rules, x: Range) -> Range:
        shape = x.value.shape
        axes = normal_axes(statement.op, statement.attributes, "axes", len(shape), statement.place) or tuple(
            range(len(shape))
        )
        reduced = tuple(1 if axis in axes else size for axis, size in enumerate(shape))
        elements = reductions.count(shape, axes)
        if reduced == shape:
            return x
        if elements == 0 or 0 in reduced:
            return _of_nothing(x, reduced, of_nothing)
        return of_floats(x, axes, rules) if isinstance(x, FloatRange) else of_integers(x, axes)

    return evaluate


def _of_nothing(x: Range, shape: tuple[int, ...], number: float) -> Range:
    if isinstance(x, FloatRange):
        return exact_float(np.full(shape, number), x.element)
    return exact_integer(np.full(shape, np.int64(0 if np.isnan(number) else number)), x.element)


def _sum(x: FloatRange, axes: Axes, rules: Rules) -> FloatRange:
    return reductions.add_up(x, axes, rules)


def _mean(x: FloatRange, axes: Axes, rules: Rules) -> FloatRange:
    return reductions.average(x, axes, rules)


def _max(x: FloatRange, axes: Axes, rules: Rules) -> FloatRange:
    return reductions.greatest(x, axes, rules.propagates_nan)


def _min(x: FloatRange, axes: Axes, rules: Rules) -> FloatRange:
    return reductions.least(x, axes, rules.propagates_nan)


def _prod(x: FloatRange, axes: Axes, rules: Rules) -> FloatRange:
    return products.multiply_up(x, axes, rules.contract)


def _softmax(statement: Statement, rules: Rules, x: FloatRange) -> Range:
    return x if 0 in x.value.shape else norms.softmax(x, _axis(statement, x), rules)


def _layernorm(statement: Statement, rules: Rules, x: FloatRange, *scale_and_bias: FloatRange) -> Range:
    return (
        x
        if 0 in x.value.shape
        else norms.layernorm(x, scale_and_bias, _axis(statement, x), _epsilon(statement), rules)
    )


def _rmsnorm(statement: Statement, rules: Rules, x: FloatRange, *scale: FloatRange) -> Range:
    return (
        x if 0 in x.value.shape else norms.rmsnorm(x, scale, _axis(statement, x), _epsilon(statement), rules)
    )


def _axis(statement: Statement, x: FloatRange) -> int:
    axis = statement.attributes["axis"]
    assert isinstance(axis, int), "the parser reads an integer"
    return axis % x.value.ndim


def _epsilon(statement: Statement) -> float:
    epsilon = statement.attributes["epsilon"]
    assert isinstance(epsilon, int | float), "the parser reads a number"
    return float(epsilon)


ROW_EVALUATORS: dict[str, RowEvaluator] = {
    "reduce_sum": _reduction(_sum, integer_reductions.add_up, 0.0),
    "reduce_mean": _reduction(_mean, integer_reductions.average),
    "reduce_max": _reduction(_max, integer_reductions.greatest),
    "reduce_min": _reduction(_min, integer_reductions.least),
    "reduce_prod": _reduction(_prod, integer_reductions.multiply_up, 1.0),
    "softmax": _softmax,
    "layernorm": _layernorm,
    "rmsnorm": _rmsnorm,
}
