"""Inputs that reveal the place of every element: a lost, doubled or misplaced element changes the results by
more than a bound.

An array is seen as rows along its last axis.

* Peaks: small whole numbers above 0, and in each row a large number, at a place of its own. A maximum, a
  softmax or a norm that misses the place is far off, and so is a minimum with a 0 too many. Some peaks are so
  high that exp overflows unless they are subtracted. As many places of a row are tried as there are rows.
  Troughs are peaks with their signs turned: for minima, and for maxima with a 0 too many.
* Crests are peaks along another axis than the last, for extremes over it. Hollows are crests with their signs
  turned.
* Factors: -1 everywhere but for a few numbers 2 and 1/2. Products over any axes are exact, and every missing
  element changes them.
* Numbers that add up exactly, in four patterns, in turn from row to row. Steps are differences of neighbours
  in a sequence of small whole numbers: none is 0, and the sum of any run of them is small, so that it is
  exact in 16-bit types too and changes with a missing element. Powers are, in rows of at most 20 elements,
  each of so many powers of two once, so that a sum shows its elements; in longer rows they are factors. A
  level is a single number, often 0, so that a norm has nothing but its epsilon to divide by, and operands are
  equal. Gaps are small whole numbers with a 0 at every other place, so that neighbours differ as bools too.
* A lone number in each row, at a place of its own, and NaN everywhere else: a maximum or an argmax must find
  it. The last row of every few has no number.
* Numbers that cancel: an array of steps along all its axes, the others of the number 1. A product of both has
  small sums of products that are not 0, so that a single product of 65,536 shows, also in a sum of 16 bits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from asmgen.index.size import number
from asmgen.ir.arrays import Array, numpy_dtype, strided_view
from asmgen.ir.program import Statement, tensor_type
from asmgen.ir.types import E8M0, ElementType, NumberKind, TensorType

TURNS = 4
ROWS_FOR_ALL = 20  # with so many rows a turn has every pattern at many places

_EXACT = 1 << 24  # whole numbers up to here are f32
_LARGEST_STEP = 12
_DISTINCT = 20  # powers of two from 2**-10 to 2**9
_MOST_FACTORS = 40  # that are not -1: their product, in any order, stays within f32
_ENDS = 8  # places at each end of an axis
_ONE, _SCALES = 127, 3  # the exponent of 1, and how many powers of two from 1 on
_BACKGROUND, _LOW_PEAK, _HIGH_PEAK, _HEIGHTS, _SUMMIT = 3, 9, 100, 23, 127

_LONE = 8  # every eighth row has no lone number

_Pattern = Callable[[np.random.Generator, int, int], Array]


def exact_inputs(parameters: Sequence[Statement], seed: int, turn: int) -> list[Array]:
    """An array per parameter of numbers that add up exactly; `turn` selects the pattern of the first row."""

    def rows_in_turn(generator: np.random.Generator, rows: int, columns: int) -> Array:
        numbers = np.empty((rows, columns))
        for kind, pattern in enumerate((_steps, _powers, _levels, _gaps)):
            chosen = np.arange(rows) % TURNS == (kind + turn) % TURNS
            numbers[chosen] = pattern(generator, int(chosen.sum()), columns)
        return numbers

    return _arrays(parameters, (seed, turn), rows_in_turn)


def peak_inputs(parameters: Sequence[Statement], seed: int) -> list[Array]:
    """An array per parameter with a peak in each row."""
    return _arrays(parameters, (seed, TURNS), _peaks)


def trough_inputs(parameters: Sequence[Statement], seed: int) -> list[Array]:
    """An array per parameter with a trough in each row."""
    return _arrays(parameters, (seed, TURNS + 1), _troughs)


def crest_inputs(parameters: Sequence[Statement], seed: int) -> list[Array]:
    """An array per parameter with a peak in each row along the longest axis before the last: the ends of the
    axis, its middle and its thirds are tried, and other places for as many rows as there are."""
    return _across(parameters, (seed, TURNS + 3), _crests)


def hollow_inputs(parameters: Sequence[Statement], seed: int) -> list[Array]:
    """Crests with their signs turned."""
    return _across(parameters, (seed, TURNS + 4), _hollows)


def cancelling_inputs(parameters: Sequence[Statement], seed: int, place: int) -> list[Array]:
    """An array per parameter: that of the parameter at `place` has factors 1, -1, 2 and -2 for each axis,
    which add up to at most 2 over any run of places. The others have the number 1 everywhere."""
    generator = np.random.default_rng((seed, TURNS + 5, place))
    types = [tensor_type(parameter.result) for parameter in parameters]
    drawn = [np.ones(type_.shape) for type_ in types]
    for axis, dim in enumerate(types[place].shape):
        heights = np.cumsum(generator.integers(1, 3, dim + 1)) % 3
        drawn[place] *= np.expand_dims(np.diff(heights), tuple(range(1, types[place].rank - axis)))
    return [
        _laid(_as_type(numbers, type_.element), type_) for numbers, type_ in zip(drawn, types, strict=True)
    ]


def _across(parameters: Sequence[Statement], seed: tuple[int, int], pattern: _Pattern) -> list[Array]:
    """As `_arrays`, with rows along the longest axis before the last."""
    generator = np.random.default_rng(seed)
    arrays: list[Array] = []
    for parameter in parameters:
        type_ = tensor_type(parameter.result)
        axis = int(np.argmax(type_.shape[:-1])) if type_.rank > 1 else 0
        dims = list(type_.shape)
        length = dims.pop(axis) if dims else 1
        numbers = pattern(generator, type_.size // max(length, 1), length).reshape((*dims, length))
        turned = np.moveaxis(numbers, -1, axis) if type_.rank else numbers.reshape(())
        arrays.append(_laid(_as_type(turned, type_.element), type_))
    return arrays


def lone_inputs(parameters: Sequence[Statement], seed: int) -> list[Array]:
    """An array per parameter with a number among NaN in most rows; types without NaN have a small number."""
    return _arrays(parameters, (seed, TURNS + 6), _lone)


def factor_inputs(parameters: Sequence[Statement], seed: int) -> list[Array]:
    """An array of factors per parameter."""
    return _arrays(parameters, (seed, TURNS + 2), _factors_of_rows)


def _arrays(parameters: Sequence[Statement], seed: tuple[int, int], pattern: _Pattern) -> list[Array]:
    """An array per parameter, of its shape and type. Elements that share memory have the same value."""
    generator = np.random.default_rng(seed)
    types = [tensor_type(parameter.result) for parameter in parameters]
    drawn = [_as_type(pattern(generator, rows_of(type_), _columns(type_)), type_.element) for type_ in types]
    return [_laid(numbers.reshape(type_.shape), type_) for numbers, type_ in zip(drawn, types, strict=True)]


def rows_of(type_: TensorType) -> int:
    """How many rows along its last axis a tensor has."""
    return type_.size // max(_columns(type_), 1)


def _columns(type_: TensorType) -> int:
    return type_.shape[-1] if type_.shape else 1


def _laid(array: Array, type_: TensorType) -> Array:
    if type_.is_packed:
        return array
    buffer = np.zeros(number(type_.span), array.dtype)
    view = strided_view(buffer, type_)
    view[...] = array
    return view.copy(order="C")


def _as_type(numbers: Array, element: ElementType) -> Array:
    """The numbers in a type: bools say which are large, unsigned numbers are magnitudes, integers have no
    halves."""
    dtype = numpy_dtype(element)
    if not element.is_float:
        numbers = np.nan_to_num(numbers, nan=1.0)
    if element.kind is NumberKind.BOOL:
        return np.abs(numbers) > _BACKGROUND
    if element.is_float:
        return numbers.astype(dtype)
    if element is E8M0:
        return (_ONE + np.abs(numbers) % _SCALES).astype(np.uint8).view(dtype)
    if element.is_code:
        return numbers.astype(dtype)
    whole = np.where(np.abs(numbers) < 1, np.sign(numbers), np.trunc(numbers))
    return (np.abs(whole) if element.kind is NumberKind.UNSIGNED else whole).astype(dtype)


def _steps(generator: np.random.Generator, rows: int, columns: int) -> Array:
    count = rows * columns
    largest = int(np.clip(_EXACT // max(2 * count, 1), 1, _LARGEST_STEP))
    heights = np.cumsum(generator.integers(1, largest + 1, count + 1)) % (largest + 1)
    return np.diff(heights).reshape(rows, columns).astype(np.float64)


def _background(generator: np.random.Generator, rows: int, columns: int) -> Array:
    """Small whole numbers of either sign."""
    signs = generator.choice(np.array([-1.0, 1.0]), (rows, columns))
    return generator.integers(1, _BACKGROUND + 1, (rows, columns)) * signs


def _lone(generator: np.random.Generator, rows: int, columns: int) -> Array:
    numbers = np.full((rows, columns), np.nan)
    chosen = np.flatnonzero(np.arange(rows) % _LONE != _LONE - 1)
    if columns:
        first = generator.integers(0, columns)
        numbers[chosen, (first + chosen) % columns] = _background(generator, len(chosen), 1)[:, 0]
    return numbers


def _crests(generator: np.random.Generator, rows: int, columns: int) -> Array:
    ends = np.arange(min(_ENDS, columns))
    inner = np.array([columns // 3, columns // 2, 2 * columns // 3])
    first = np.unique(np.concatenate([ends, columns - 1 - ends, inner]))
    return _with_peaks(generator, rows, columns, first)


def _hollows(generator: np.random.Generator, rows: int, columns: int) -> Array:
    return -_crests(generator, rows, columns)


def _peaks(generator: np.random.Generator, rows: int, columns: int) -> Array:
    return _with_peaks(generator, rows, columns, np.array([columns - 1, 0, columns // 2]))


def _with_peaks(generator: np.random.Generator, rows: int, columns: int, first: Array) -> Array:
    """A peak in each row; the first rows have it at the places `first`."""
    numbers = np.abs(_background(generator, rows, columns))
    if not numbers.size:
        return numbers
    places = np.resize(generator.permutation(columns), rows)
    places[: len(first)] = first[:rows]
    least = generator.choice(np.array([_LOW_PEAK, _HIGH_PEAK]), rows)
    numbers[np.arange(rows), places] = least + generator.integers(0, _HEIGHTS, rows)
    summit = int(generator.integers(rows))
    numbers[summit, places[summit]] = _SUMMIT
    return numbers


def _troughs(generator: np.random.Generator, rows: int, columns: int) -> Array:
    return -_peaks(generator, rows, columns)


def _factors_of_rows(generator: np.random.Generator, rows: int, columns: int) -> Array:
    return _factors(generator, rows * columns)


def _powers(generator: np.random.Generator, rows: int, columns: int) -> Array:
    signs = generator.choice(np.array([-1.0, 1.0]), (rows, columns))
    if columns <= _DISTINCT:
        exponents = np.argsort(generator.random((rows, columns)), axis=-1) - columns // 2
        return signs * np.exp2(exponents)
    return np.stack([_factors(generator, columns) for _ in range(rows)]) if rows else np.empty((0, columns))


def _levels(generator: np.random.Generator, rows: int, columns: int) -> Array:
    return np.broadcast_to(generator.choice(np.array([0.0, 0.0, 1.0, -3.0]), (rows, 1)), (rows, columns))


def _gaps(generator: np.random.Generator, rows: int, columns: int) -> Array:
    numbers = _background(generator, rows, columns)
    numbers[:, 1::2] = 0
    return numbers


def _factors(generator: np.random.Generator, count: int) -> Array:
    """-1, and as many numbers 2 as 1/2 at places of their own."""
    numbers = np.full(count, -1.0)
    places = generator.choice(count, min(_MOST_FACTORS, count) // 2 * 2, replace=False, shuffle=True)
    numbers[places[::2]], numbers[places[1::2]] = 2.0, 0.5
    return numbers
