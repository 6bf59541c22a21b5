"""The possible values of an element: the float64 reference and the range of results that its bounds allow.

A float range has, per element, `value` (the op-by-op float64 evaluation), `low` and `high` (the least and
greatest number that a conforming program may compute), `may_be_nan`, and `free_zero` (the sign of a zero
is not determined). `low` is NaN if only NaN is allowed. Between ops a conforming program may keep more
digits than the type has: an f16 value in the f32 of its computation, and, if contraction is allowed, a
product or sum before it is rounded. `low` and `high` span all of these; a converted or returned value is
rounded to its type (`settled`).

An integer or bool range has int64 numbers, exactly those of the type.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from asmgen.graph.reference.rounding import Bools, Floats, overflowed, round_in, round_to, work_of
from asmgen.ir.numbers import FLOAT_FORMATS
from asmgen.ir.types import F64, ElementType

Integers = NDArray[Any]  # int64, or uint64 for u64
Numbers = NDArray[Any]

BLOCK = 1 << 16  # elements of which many are computed at once


class FloatRange(Struct, frozen=True):
    """The results that are allowed for a float value.

    `scale` is the magnitude for measuring an error, if it is not the value's own. It is sum|x| for a sum,
    since elements may cancel, and the largest element of the row for a norm. It changes no bound.
    """

    element: ElementType
    value: Floats
    low: Floats
    high: Floats
    may_be_nan: Bools
    free_zero: Bools
    scale: Floats | None = None

    @property
    def only_nan(self) -> Bools:
        return np.isnan(self.low)

    @property
    def is_point(self) -> Bools:
        return (self.low == self.high) | self.only_nan

    @property
    def holds_zero(self) -> Bools:
        return (self.low <= 0) & (self.high >= 0)


class IntegerRange(Struct, frozen=True):
    """The results that are allowed for an integer or bool value."""

    element: ElementType
    value: Integers
    low: Integers
    high: Integers

    @property
    def is_point(self) -> Bools:
        return self.low == self.high


Range = FloatRange | IntegerRange


def exact_float(x: Floats, element: ElementType) -> FloatRange:
    """Numbers of the type that are known. Each NaN is made quiet, since np.fmax of a signalling NaN is
    NaN."""
    nothing, is_nan = np.zeros(x.shape, np.bool_), np.isnan(x)
    if is_nan.any():
        x = np.where(is_nan, x.dtype.type(np.nan), x)
    return FloatRange(element, x, x, x, is_nan, nothing)


def exact_integer(x: Integers, element: ElementType) -> IntegerRange:
    return IntegerRange(element, x, x, x)


def settled(range_: FloatRange) -> FloatRange:
    """The range of the value in its own type, as it is converted or returned."""
    if range_.value.size > 2 * BLOCK:
        axis = int(np.argmax(range_.value.shape))
        parts = (each for each in in_blocks(range_, axis) if isinstance(each, FloatRange))
        whole = joined(map(_settled, parts), axis, range_.value.shape[axis])
        assert isinstance(whole, FloatRange), "it is made of ranges of floats"
        return whole
    return _settled(range_)


def in_blocks(range_: Range, axis: int) -> Iterator[Range]:
    """The parts of a range along an axis, each of so many elements that they stay in the cache."""
    shape = range_.value.shape
    length = max(1, BLOCK * shape[axis] // range_.value.size)
    for start in range(0, shape[axis], length):
        yield cut_range(range_, axis, start, length)


def _settled(range_: FloatRange) -> FloatRange:
    low = round_to(range_.low, range_.element)
    high = low if range_.high is range_.low else round_to(range_.high, range_.element)
    if np.array_equal(low, high, equal_nan=True) and np.array_equal(np.signbit(low), np.signbit(high)):
        high = low
    rounded = replace(range_, value=overflowed(range_.value, range_.element), low=low, high=high)
    form = FLOAT_FORMATS[range_.element.name]
    return rounded if form.infinities else _without_infinities(range_, rounded, form.largest)


def _without_infinities(exact: FloatRange, rounded: FloatRange, largest: float) -> FloatRange:
    """The range in a type in which an overflow is NaN: up to the largest number, unless all of it is
    beyond."""
    rises, falls = np.isnan(rounded.high) & (exact.high > 0), np.isnan(rounded.low) & (exact.low < 0)
    only = np.isnan(rounded.low) & (exact.low > 0) | np.isnan(rounded.high) & (exact.high < 0)
    low = np.where(falls & ~only, -largest, np.where(only, np.nan, rounded.low))
    high = np.where(rises & ~only, largest, np.where(only, np.nan, rounded.high))
    return replace(rounded, low=low, high=high, may_be_nan=rounded.may_be_nan | rises | falls | only)


def computed(exact: FloatRange, contract: bool, rounded: Floats | None = None) -> FloatRange:
    """A correctly rounded result: `exact` has the bounds before rounding, which a following op may see with
    `contract`.

    The bounds of f64 are long doubles, which may be rounded themselves: the exact bounds are between their
    neighbours. `rounded`, if given, is the single result of known f64 operands, unless it is NaN.
    """
    work = work_of(exact.element)
    if work.element is F64:
        return _computed_f64(exact, contract, rounded)
    low, high = exact.low, exact.high
    rounded_low = round_in(low, work)
    rounded_high = rounded_low if high is low else round_in(high, work)
    if contract and not ((rounded_low == low).all() and (rounded_high == high).all()):
        rounded_low, rounded_high = np.minimum(low, rounded_low), np.maximum(high, rounded_high)
    return bounded(exact.element, exact.value, rounded_low, rounded_high, exact.may_be_nan, exact.free_zero)


def _computed_f64(exact: FloatRange, contract: bool, rounded: Floats | None) -> FloatRange:
    low, high = exact.low, exact.high
    below, above = (np.nextafter(end, beyond) for end, beyond in ((low, -np.inf), (high, np.inf)))
    below, above = np.where(_is_certain(low), low, below), np.where(_is_certain(high), high, above)
    least, most = round_to(below, F64), round_to(above, F64)
    if rounded is not None:
        is_known = ~np.isnan(rounded)
        least, most = np.where(is_known, rounded, least), np.where(is_known, rounded, most)
    if contract:
        least, most = np.minimum(below, least), np.maximum(above, most)
    may_be_nan = exact.may_be_nan | np.isnan(low)
    return FloatRange(F64, overflowed(exact.value, F64), least, most, may_be_nan, exact.free_zero)


def _is_certain(end: Floats) -> Bools:
    """Infinities, zeros and NaN, which no rounding made."""
    return ~np.isfinite(end) | (end == 0)


def apart(low: Floats, high: Floats, certain: Bools) -> tuple[Floats, Floats]:
    """Bounds from operands that are not `certain`, moved so far apart that their own float64 rounding takes
    nothing away.

    Infinities come of infinite operands and stay.
    """
    lower, upper = np.nextafter(low, -np.inf), np.nextafter(high, np.inf)
    return np.where(certain | np.isinf(low), low, lower), np.where(certain | np.isinf(high), high, upper)


def bounded(
    element: ElementType, value: Floats, low: Floats, high: Floats, may_be_nan: Bools, free_zero: Bools
) -> FloatRange:
    """A result with its bounds; of a type that is computed in f32, widened to what rounding once more
    gives."""
    work = work_of(element)
    if element is not work.element:
        narrow_low = round_to(low, element)
        narrow_high = narrow_low if high is low else round_to(high, element)
        if not FLOAT_FORMATS[element.name].infinities:
            may_be_nan = may_be_nan | np.isnan(narrow_low) | np.isnan(narrow_high)
            free_zero = free_zero | ((low <= 0) & (high >= 0))
            low, high = np.fmin(low, narrow_low), np.fmax(high, narrow_high)
        else:
            low, high = np.minimum(low, narrow_low), np.maximum(high, narrow_high)
    return FloatRange(
        element, overflowed(value, work.element), low, high, may_be_nan | np.isnan(low), free_zero
    )


def rearranged(range_: Range, change: Callable[[Numbers], Numbers]) -> Range:
    """The range of an op that only moves elements: `change` maps each array."""
    if isinstance(range_, IntegerRange):
        value = change(range_.value)
        low = value if range_.low is range_.value else change(range_.low)
        return IntegerRange(
            range_.element, value, low, low if range_.high is range_.low else change(range_.high)
        )
    low = change(range_.low)
    high = low if range_.high is range_.low else change(range_.high)
    scale = None if range_.scale is None else change(range_.scale)
    return FloatRange(
        range_.element,
        change(range_.value),
        low,
        high,
        change(range_.may_be_nan),
        change(range_.free_zero),
        scale,
    )


def part(array: Numbers, axis: int, start: int, length: int) -> Numbers:
    """The elements from `start` on along an axis, up to `length` of them."""
    cut: list[Any] = [slice(None)] * array.ndim
    cut[axis] = slice(start, start + length)
    return array[tuple(cut)]


def cut_range(range_: Range, axis: int, start: int, length: int) -> Range:
    """The range of the elements from `start` on along an axis, up to `length` of them."""
    return rearranged(range_, lambda array: part(array, axis, start, length))


def joined(parts: Iterable[Range], axis: int, size: int) -> Range:
    """The range of `size` places along an axis, from consecutive parts. It takes the parts in turn, so that
    at most one part is in memory besides the whole."""
    whole: dict[str, Numbers] = {}
    start = 0
    first: Range | None = None
    for each in parts:
        first = first or each
        if each is first:
            names = [name for name in each.__struct_fields__ if name != "element" and name != "high"]
            arrays = {name: getattr(each, name) for name in names if getattr(each, name) is not None}
            whole = {
                name: np.empty(_resized(array.shape, axis, size), array.dtype)
                for name, array in arrays.items()
            }
        if each.high is not each.low and "high" not in whole:
            whole["high"] = whole["low"].copy()
        length = each.value.shape[axis]
        for name, array in whole.items():
            part(array, axis, start, length)[...] = getattr(each, name)
        start += length
    assert first is not None, "a dim with elements has a part"
    return replace(first, **{"high": whole["low"], **whole})


def _resized(shape: tuple[int, ...], axis: int, size: int) -> tuple[int, ...]:
    return tuple([size if at == axis else dim for at, dim in enumerate(shape)])


class Rules(Struct, frozen=True):
    """The freedoms of a program: `contract` a multiply and an add; `nan` as in `--nan` (`ieee`,
    `propagate`).

    `additions` gives the number of additions that an element may pass through on its way into a sum of n
    elements, such as the height of the kernel's tree; n covers any order. `adds_to_zero` says that a sum
    of a single element may have been added to 0, which makes 0 of -0: a loop with a trip count that only the
    launch knows begins with 0. `matrix_precision` is that of f32 factors of matrix products, as in
    `--matrix-precision`. `flushes_products` says that products of f16 and bf16 matrices may take denormals
    for zeros, and give zeros for them, as on gfx90a.
    """

    contract: bool = True
    nan: str = "ieee"
    additions: Callable[[int], float] = float
    adds_to_zero: bool = False
    matrix_precision: str = "f32"
    flushes_products: bool = False

    @property
    def propagates_nan(self) -> bool:
        return self.nan == "propagate"
