"""The range of a matrix product: n products and their sum, accumulated in f32.

With h additions for each product, the result is within (h + 2) u sum|a b| of the exact result: u for each
product, h u for the sum and u to spare. The product is exact if the row consists of multiples of a power of
two p, the column of multiples of q, and the magnitudes of all products sum up to at most 2**24 p q. Operands
that are uncertain by r and s widen it by sum(r |b| + |a| s). If sum|a b| reaches the overflow threshold, a
partial sum of some order may be infinite, and any result is allowed.

If the user asks for factors of fewer bits, the products that are left out widen it too, and so do products
of denormals if instructions take these for zeros (docs/numerics.md).
"""

from __future__ import annotations

from functools import partial
from math import prod
from typing import Any

import numpy as np
from msgspec.structs import replace

from asmgen.graph.infer.products import contraction
from asmgen.graph.reference.arithmetic import multiply
from asmgen.graph.reference.conversion import number_of
from asmgen.graph.reference.integers import wrapped
from asmgen.graph.reference.ranges import FloatRange, IntegerRange, Range, Rules, bounded, rearranged
from asmgen.graph.reference.reductions import inward
from asmgen.graph.reference.rounding import Floats, work_of
from asmgen.ir.numbers import FLOAT_FORMATS, integer_range
from asmgen.ir.program import Statement, tensor_type
from asmgen.ir.types import F32, HALVES, ElementType
from isa.named_tuple import NamedTuple

_NO_LIMIT = 1 << 20
_LEAST_NORMAL = 2.0**-126  # of f32 and bf16
_LARGE = 2.0**127  # rounds to a finite bf16


class _Precision(NamedTuple):
    """The parts of f32 factors that are multiplied: `parts` of each factor, of `bits` each, in `pairs`. The
    products that are left out are at most `loss` of |a b|, and those that are multiplied `growth`."""

    bits: int = 24
    parts: int = 1
    pairs: int = 1
    loss: float = 0.0
    growth: float = 1.0

    def keeps(self, a: Floats, b: Floats, quanta: tuple[Any, Any]) -> Any:
        """Whether the parts that are multiplied are all that the factors have, by row and column."""
        if not self.loss:
            return True
        counts = 0
        for size, axis, quantum in zip((a, b), (-1, -2), quanta, strict=True):
            bits = np.frexp(np.max(size, axis, keepdims=True, initial=0))[1] - quantum
            counts = counts + np.maximum(np.ceil(bits / self.bits), 1)
        return counts - 1 <= self.parts

    def flushed(self, a: Floats, b: Floats) -> Any:
        """The error if instructions take denormal parts for 0."""
        if not self.loss:
            return 0.0
        sums = np.sum(a, -1, keepdims=True) + np.sum(b, -2, keepdims=True)
        return self.parts * _LEAST_NORMAL * (sums + a.shape[-1] * _LEAST_NORMAL)

    def overflows(self, a: Floats, b: Floats) -> Any:
        """Whether a factor may round to infinity, by row and column."""
        if not self.loss:
            return False
        return (np.max(a, -1, keepdims=True, initial=0) >= _LARGE) | (
            np.max(b, -2, keepdims=True, initial=0) >= _LARGE
        )


_EXACT = _Precision()
_SLACK = 1 + 2.0**-5  # for products of errors
_PRECISIONS = {
    "f32": _EXACT,
    "tf32": _Precision(11, 1, 1, 2 * 2.0**-10 * _SLACK, _SLACK),
    "bf16x1": _Precision(8, 1, 1, 2 * 2.0**-8 * _SLACK, _SLACK),
    "bf16x3": _Precision(8, 2, 3, 3 * 2.0**-16 * _SLACK, _SLACK),
    "bf16x6": _Precision(8, 3, 6, 2 * 2.0**-24 * _SLACK, _SLACK),
}


def dot(statement: Statement, rules: Rules, a: Range, b: Range) -> Range:
    """A vector is a row as the first operand and a column as the second."""
    rows = rearranged(a, lambda x: x[None, :]) if a.value.ndim == 1 else a
    columns = rearranged(b, lambda x: x[:, None]) if b.value.ndim == 1 else b
    return _laid(_product(statement, rules, rows, columns), statement)


def block_dot(statement: Statement, rules: Rules, *operands: Range) -> Range:
    """The product of the factors, each with the scales of its blocks."""
    scaled: list[Range] = []
    for factor, scale, axis in zip(operands[:2], operands[2:], (-1, -2), strict=True):
        times = factor.value.shape[axis] // scale.value.shape[axis]
        if isinstance(scale, IntegerRange):
            scale = number_of(scale)
        repeated = rearranged(scale, partial(np.repeat, repeats=times, axis=axis))
        wide = replace(factor, element=F32)
        assert isinstance(repeated, FloatRange) and isinstance(wide, FloatRange), "of floats"
        scaled.append(multiply(wide, repeated, rules.contract))
    return _product(statement, rules, scaled[0], scaled[1])


def dot_general(statement: Statement, rules: Rules, a: Range, b: Range) -> Range:
    types = [tensor_type(value) for value in statement.operands]
    batch, summed, rows, columns = contraction(statement.op, types[0], types[1], statement.attributes)
    first = [axis for axis, _ in batch], list(rows), [axis for axis, _ in summed]
    second = [axis for _, axis in batch], [axis for _, axis in summed], list(columns)
    matrices = [_as_matrices(x, axes) for x, axes in ((a, first), (b, second))]
    return _laid(_product(statement, rules, matrices[0], matrices[1]), statement)


def _as_matrices(x: Range, axes: tuple[list[int], list[int], list[int]]) -> Range:
    """The operand with a single axis for each of three lists of axes."""
    sizes = [prod([x.value.shape[axis] for axis in each]) for each in axes]
    order = [axis for each in axes for axis in each]
    return rearranged(x, lambda array: array.transpose(order).reshape(sizes))


def _laid(x: Range, statement: Statement) -> Range:
    shape = tensor_type(statement.result).shape
    return rearranged(x, lambda array: array.reshape(shape))


def _product(statement: Statement, rules: Rules, a: Range, b: Range) -> Range:
    element = statement.result.type.element
    if isinstance(a, FloatRange) and isinstance(b, FloatRange):
        return _of_floats(rules, a, b, element)
    assert isinstance(a, IntegerRange) and isinstance(b, IntegerRange), "operand types agree"
    return _of_integers(a, b, element)


def _of_integers(a: IntegerRange, b: IntegerRange, element: ElementType) -> IntegerRange:
    """Modulo 2**64, of which the type keeps its own bits; of numbers that are not certain anything."""
    value, exact = [wrapped(x @ y, element) for x, y in ((a.value, b.value), (a.low, b.low))]
    if a.is_point.all() and b.is_point.all():
        return IntegerRange(element, value, exact, exact)
    least, greatest = integer_range(element)
    return IntegerRange(element, value, np.full_like(value, least), np.full_like(value, greatest))


def _of_floats(rules: Rules, a: FloatRange, b: FloatRange, element: ElementType) -> FloatRange:
    n, work = a.value.shape[-1], work_of(a.element)
    (centre_a, radius_a, size_a), (centre_b, radius_b, size_b) = _parts(a), _parts(b)
    product, size = centre_a @ centre_b, size_a @ size_b
    spread = _of_radii(radius_a, size_b) + _of_radii(size_a, radius_b)
    asked = _PRECISIONS[rules.matrix_precision] if a.element is F32 else _EXACT
    quanta = _quantum(centre_a, radius_a, -1), _quantum(centre_b, radius_b, -2)
    quantum = quanta[0] + quanta[1]
    whole = asked.growth * size <= np.ldexp(work.wide(1), quantum + work.digits)
    is_exact = (quantum >= work.least) & whole & asked.keeps(size_a, size_b, quanta)
    relative = (rules.additions(asked.pairs * n) + 2) * work.unit * asked.growth + asked.loss
    rounding = relative * size + n * np.ldexp(work.wide(1), work.least) + asked.flushed(size_a, size_b)
    error = spread + np.where(is_exact, 0.0, rounding)
    if rules.flushes_products and a.element in HALVES:
        error = error + _flushed(a, size_b, size_a, b) + n * np.where(quantum >= -126, 0.0, _LEAST_NORMAL)
    may_overflow = size * (1 + relative) >= work.overflow
    loose = _is_loose(a, -1) | _is_loose(b, -2) | may_overflow | asked.overflows(size_a, size_b)
    low, high = inward(product - error, product + error, work)
    low, high = np.where(loose, -np.inf, low), np.where(loose, np.inf, high)
    are_centres = np.array_equal(a.value, centre_a) and np.array_equal(b.value, centre_b)
    value = product if are_centres else a.value @ b.value
    made = bounded(element, value, low, high, loose, np.ones(value.shape, np.bool_))
    return replace(made, scale=size)


def _flushed(a: FloatRange, size_b: Floats, size_a: Floats, b: FloatRange) -> Floats:
    """The products of factors that may be denormal."""
    return _denormals(a) @ size_b + size_a @ _denormals(b)


def _denormals(x: FloatRange) -> Floats:
    """The largest magnitude of a denormal in each interval."""
    least = 2.0 ** FLOAT_FORMATS[x.element.name].minimum_exponent
    largest = np.minimum(np.maximum(np.abs(x.low), np.abs(x.high)), least)
    return np.where((x.low < least) & (x.high > -least), largest, 0.0)


def _of_radii(a: Floats, b: Floats) -> Floats | float:
    """The product of two factors, one of which has the radii of intervals: mostly 0, as numbers are known."""
    return a @ b if a.any() and b.any() else 0.0


def _parts(x: FloatRange) -> tuple[Floats, Floats, Floats]:
    """The middle and the radius of each interval, and the largest magnitude; 0 if it is not finite."""
    finite = np.isfinite(x.low) & np.isfinite(x.high)
    low, high = np.where(finite, x.low, 0.0), np.where(finite, x.high, 0.0)
    return (low + high) / 2, (high - low) / 2, np.maximum(np.abs(low), np.abs(high))


def _quantum(centre: Floats, radius: Floats, axis: int) -> Any:
    """For each row, or column, of known numbers: the exponent of the largest power of two that divides them
    all; far below every type if a number is not known, and 0 if all are 0."""
    fraction, exponent = np.frexp(centre)
    whole = np.ldexp(fraction, 53)
    bits = whole.astype(np.int64)
    last = np.frexp((bits & -bits).astype(np.float64))[1] - 1
    each = np.where(centre == 0, _NO_LIMIT, exponent - 53 + last)
    each = np.where((radius == 0) & (whole == bits), each, -_NO_LIMIT)
    least = np.minimum.reduce(each, axis, keepdims=True, initial=_NO_LIMIT)
    return np.where(least == _NO_LIMIT, 0, least)


def _is_loose(x: FloatRange, axis: int) -> Any:
    """Whether a row, or a column, has a number that is not finite, or may not be."""
    return np.logical_or.reduce(
        x.may_be_nan | ~np.isfinite(x.low) | ~np.isfinite(x.high), axis, keepdims=True
    )
