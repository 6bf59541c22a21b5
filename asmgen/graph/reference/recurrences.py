"""Ranges of linear recurrences h = a h + b along the first axis.

The order in which kernels combine elements is not stated. Whatever it is, the term of h[t] that begins with
b[i] has t - i factors, each of which rounds once, and passes at most t additions. So h[t] is within
((1 + u)**(2 t) - 1) S[t], with the recurrence of magnitudes S = |a| S + |b|. A product that is denormal loses
at most half of the least denormal, which later factors multiply. h[t] is exact if factors are powers of two
or 0, and all partial sums are multiples of a power of two q of at most 2**24 q.

A kernel may compute the product of any factors next to each other. If one of these leaves the range of the
type in which lanes compute, or an operand is not finite, or S leaves the range, h[t] may be infinite or NaN:
any number is right from there on.
"""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace

from asmgen.graph.reference.integers import integer_dtype, wrapped
from asmgen.graph.reference.ranges import FloatRange, IntegerRange, Integers, Range, bounded
from asmgen.graph.reference.rounding import Bools, Floats, Work, work_of
from asmgen.graph.reference.scans import lowest_exponent
from asmgen.ir.numbers import integer_range
from isa.named_tuple import NamedTuple

_NEVER = -(1 << 20)  # below the exponent of every number


def recur(a: Range, b: Range, before: Range | None) -> Range:
    """h for each a and b. `before` is a row that precedes the first; without it h begins with the first b."""
    if isinstance(a, FloatRange) and isinstance(b, FloatRange):
        assert before is None or isinstance(before, FloatRange), "operands have the same type"
        return _recur(a, b, before)
    assert isinstance(a, IntegerRange) and isinstance(b, IntegerRange), "operands have the same type"
    assert before is None or isinstance(before, IntegerRange), "operands have the same type"
    return _recur_integers(a, b, before)


def _recur(a: FloatRange, b: FloatRange, before: FloatRange | None) -> FloatRange:
    work, element = work_of(b.element), b.element
    state = _State.of(before, b)
    value, low, high = np.empty_like(b.value), np.empty_like(b.low), np.empty_like(b.low)
    scale = np.empty_like(b.low)
    may_be_nan = np.empty(value.shape, np.bool_)
    with np.errstate(all="ignore"):
        exponents = _exact_exponents(a, b, before, work)
        for at in range(len(value)):
            state = state.after(_row(a, at), _row(b, at), work)
            error = np.where(np.frexp(state.largest)[1] <= exponents[at], 0.0, state.error(work))
            value[at], scale[at] = state.value, state.size
            low[at] = np.where(state.only_nan, np.nan, np.where(state.is_free, -np.inf, state.low - error))
            high[at] = np.where(state.only_nan, np.nan, np.where(state.is_free, np.inf, state.high + error))
            may_be_nan[at] = state.may_be_nan | state.is_free
    made = bounded(element, value, low, high, may_be_nan, np.ones(value.shape, np.bool_))
    return replace(made, scale=scale)


def _exact_exponents(a: FloatRange, b: FloatRange, before: FloatRange | None, work: Work) -> Integers:
    """Every sum up to an element is exact if it is below 2 to this power: if all factors are known and powers
    of two or 0, all partial results are multiples of the lowest bit of a b times the least product of factors
    next to each other.
    """
    mantissa, exponent = np.frexp(np.abs(np.where(np.isfinite(a.low), a.low, 0.5)))
    powers = (a.low == a.high) & ((mantissa == 0.5) | (mantissa == 0))
    known = np.logical_and.accumulate(powers & (b.low == b.high), 0)
    lowest = np.minimum.accumulate(_lowest(b.low), 0)
    if before is not None:
        known &= before.low == before.high
        lowest = np.minimum(lowest, _lowest(before.low))
    of_factors = np.add.accumulate(np.where(mantissa == 0, 0, exponent - 1), 0)
    earlier = np.maximum.accumulate(np.concatenate([np.zeros_like(of_factors[:1]), of_factors[:-1]]), 0)
    least = np.minimum.accumulate(np.minimum(of_factors - earlier, 0), 0)
    is_normal = (lowest + least >= work.least) & (least >= work.normal)
    return np.where(known & is_normal, lowest + least + work.digits, _NEVER)


def _lowest(numbers: Floats) -> Integers:
    """The exponents of the lowest bits of finite numbers."""
    return lowest_exponent(np.abs(np.where(np.isfinite(numbers), numbers, 0.0)))


class _Row(NamedTuple):
    value: Floats
    low: Floats
    high: Floats
    may_be_nan: Bools

    @property
    def size(self) -> Floats:
        """The greatest magnitude."""
        return np.maximum(np.abs(self.low), np.abs(self.high))

    @property
    def only_nan(self) -> Bools:
        return np.isnan(self.low)

    @property
    def is_finite(self) -> Bools:
        return np.isfinite(self.low) & np.isfinite(self.high)


def _row(of: FloatRange, at: int) -> _Row:
    return _Row(of.value[at], of.low[at], of.high[at], of.may_be_nan[at])


class _State(NamedTuple):
    """h, and what its error depends on.

    - `size` is S, `largest` the largest S so far
    - `run` is the greatest product of factors next to each other up to here, or 1
    - `steps` is t
    - `is_free` says that any number is right
    """

    value: Floats
    low: Floats
    high: Floats
    may_be_nan: Bools
    only_nan: Bools
    is_free: Bools
    size: Floats
    largest: Floats
    run: Floats
    steps: int

    @classmethod
    def of(cls, before: FloatRange | None, b: FloatRange) -> _State:
        nothing = np.zeros(b.low.shape[1:], b.low.dtype)
        false, one = np.zeros(nothing.shape, np.bool_), np.ones_like(nothing)
        if before is None:
            return cls(nothing, nothing, nothing, false, false, false, nothing, nothing, one, -1)
        row = _row(before, 0)
        low, high = (np.where(row.is_finite, end, 0.0) for end in (row.low, row.high))
        size = np.maximum(np.abs(low), np.abs(high))
        return cls(row.value, low, high, row.may_be_nan, row.only_nan, ~row.is_finite, size, size, one, 0)

    def after(self, a: _Row, b: _Row, work: Work) -> _State:
        is_first = self.steps < 0  # 0 precedes, whatever the factor
        steps = self.steps + 1
        most = work.wide(2) * work.overflow
        factor = np.where(a.is_finite, a.size, 0.0)
        size = np.minimum(factor * self.size + np.where(b.is_finite, b.size, 0.0), most)
        largest, run = np.maximum(self.largest, size), np.minimum(factor * self.run, most)
        growth = np.exp(2.0 * steps * work.unit)
        is_free = self.is_free | ~a.is_finite | ~b.is_finite
        is_free |= (largest * growth >= work.overflow) | (run * growth >= work.overflow)
        ends = [np.where(is_free, 0.0, h * x) for h in (self.low, self.high) for x in (a.low, a.high)]
        low, high = (end(ends, 0) for end in (np.min, np.max))
        of_b = [np.where(is_free, 0.0, end) for end in (b.low, b.high)]
        return _State(
            b.value if is_first else a.value * self.value + b.value,
            low + of_b[0],
            high + of_b[1],
            self.may_be_nan | b.may_be_nan | (a.may_be_nan & (not is_first)),
            self.only_nan | b.only_nan | (a.only_nan & (not is_first)),
            is_free,
            size,
            largest,
            np.maximum(run, 1.0),
            steps,
        )

    def error(self, work: Work) -> Floats:
        """The largest distance of a result from the exact h: by roundings and by denormal products."""
        growth = np.expm1(2.0 * self.steps * work.unit)
        lost = np.ldexp(work.wide(2.0 * self.steps), work.least - 1)
        return growth * self.size + lost * self.run * np.maximum(1.0, self.largest) * (1 + growth)


def _recur_integers(a: IntegerRange, b: IntegerRange, before: IntegerRange | None) -> IntegerRange:
    """h of integers, which wrap: exact if all operands up to it are known."""
    element, known = b.element, a.is_point & b.is_point
    known = np.logical_and.accumulate(known, 0) & (True if before is None else before.is_point)
    value = np.empty_like(b.value)
    exact = value if a.low is a.value and b.low is b.value else np.empty_like(b.low)
    for result, factors, summands, name in ((value, a.value, b.value, "value"), (exact, a.low, b.low, "low")):
        h = np.zeros_like(b.value[0]) if before is None else getattr(before, name)[0]
        for at, (factor, summand) in enumerate(zip(factors, summands, strict=True)):
            h = result[at] = wrapped(factor * h + summand, element)
    lowest, highest = (integer_dtype(element)(end) for end in integer_range(element))
    low, high = np.where(known, exact, lowest), np.where(known, exact, highest)
    return IntegerRange(element, value, low, high)
