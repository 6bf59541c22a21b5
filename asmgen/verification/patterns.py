"""Inputs whose results tell where every element went: a lost, doubled or misplaced element changes them by more than a bound.

An array is seen as rows along its last axis, and each row has one of four patterns:

* steps: differences of neighbours in a sequence of small whole numbers. None is 0, sums are exact in every order, and
  the sum of any run of neighbours is small, so that it is exact in 16-bit types too: a sum without one element differs.
* a peak: small whole numbers and one large one, at another place in each row. A maximum, a softmax or a norm that
  misses the place is far off.
* a trough: the same with its signs turned, for minima.
* powers: numbers of few distinct powers of two with signs, of which products are exact. In rows of at most
  20 elements each magnitude occurs once, so that a sum says which elements it has.

The patterns take turns from row to row; `turn` says with which one the first row begins.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from asmgen.arrays import Array, numpy_dtype, strided_view, tensor_type
from asmgen.tensor.ir import Statement
from asmgen.tensor.types import ElementType, NumberKind, TensorType

TURNS = 4
ROWS_FOR_ALL = 20  # with so many rows one turn has every pattern at many places

_EXACT = 1 << 24  # whole numbers up to here are f32
_LARGEST_STEP = 12
_DISTINCT = 20  # powers of two from 2**-10 to 2**9
_MOST_FACTORS = 40  # that are not -1, in a longer row: their product, in any order, stays within f32
_BACKGROUND, _LEAST_PEAK, _HEIGHTS, _SUMMIT = 3, 9, 23, 40

_Pattern = Callable[[np.random.Generator, int, int], Array]


def patterned_inputs(parameters: Sequence[Statement], seed: int, turn: int) -> list[Array]:
    """One array per parameter, of its shape and type. Elements that share memory have one value."""
    generator = np.random.default_rng((seed, turn))
    return [_laid(_drawn(generator, tensor_type(parameter.result), turn), tensor_type(parameter.result)) for parameter in parameters]


def rows_of(type_: TensorType) -> int:
    """How many rows along its last axis a tensor has."""
    return type_.elements // max(_columns(type_), 1)


def _columns(type_: TensorType) -> int:
    return type_.dims[-1] if type_.dims else 1


def _laid(array: Array, type_: TensorType) -> Array:
    if type_.is_packed:
        return array
    buffer = np.zeros(type_.span, array.dtype)
    view = strided_view(buffer, type_)
    view[...] = array
    return view.copy(order="C")


def _drawn(generator: np.random.Generator, type_: TensorType, turn: int) -> Array:
    rows, columns = rows_of(type_), _columns(type_)
    numbers = np.empty((rows, columns))
    for kind, pattern in enumerate((_steps, _peaks, _troughs, _powers)):
        chosen = np.arange(rows) % TURNS == (kind + turn) % TURNS
        numbers[chosen] = pattern(generator, int(chosen.sum()), columns)
    return _as_type(numbers, type_.element).reshape(type_.dims)


def _as_type(numbers: Array, element: ElementType) -> Array:
    """The numbers in a type: bools say which are large, unsigned numbers are magnitudes, integers have no halves."""
    dtype = numpy_dtype(element)
    if element.kind is NumberKind.BOOL:
        return np.abs(numbers) > _BACKGROUND
    if element.is_float:
        return numbers.astype(dtype)
    whole = np.where(np.abs(numbers) < 1, np.sign(numbers), np.trunc(numbers))
    return (np.abs(whole) if element.kind is NumberKind.UNSIGNED else whole).astype(dtype)


def _steps(generator: np.random.Generator, rows: int, columns: int) -> Array:
    count = rows * columns
    largest = int(np.clip(_EXACT // max(2 * count, 1), 1, _LARGEST_STEP))
    heights = np.cumsum(generator.integers(1, largest + 1, count + 1)) % (largest + 1)
    return np.diff(heights).reshape(rows, columns).astype(np.float64)


def _peaks(generator: np.random.Generator, rows: int, columns: int) -> Array:
    numbers = generator.integers(1, _BACKGROUND + 1, (rows, columns)) * generator.choice(np.array([-1.0, 1.0]), (rows, columns))
    if not numbers.size:
        return numbers
    places = np.resize(generator.permutation(columns), rows)
    ends = np.array([columns - 1, 0, columns // 2])[: min(3, rows)]
    places[: len(ends)] = ends
    numbers[np.arange(rows), places] = _LEAST_PEAK + generator.integers(0, _HEIGHTS, rows)
    summit = int(generator.integers(rows))
    numbers[summit, places[summit]] = _SUMMIT
    return numbers


def _troughs(generator: np.random.Generator, rows: int, columns: int) -> Array:
    return -_peaks(generator, rows, columns)


def _powers(generator: np.random.Generator, rows: int, columns: int) -> Array:
    signs = generator.choice(np.array([-1.0, 1.0]), (rows, columns))
    if columns <= _DISTINCT:
        exponents = np.argsort(generator.random((rows, columns)), axis=-1) - columns // 2
        return signs * np.exp2(exponents)
    numbers = np.full((rows, columns), -1.0)
    factors = min(_MOST_FACTORS, columns // 2)
    places = np.argsort(generator.random((rows, columns)), axis=-1)[:, :factors]
    factor = np.where(np.arange(factors) % 2 == 0, 2.0, 0.5)
    np.put_along_axis(numbers, places, np.broadcast_to(factor, places.shape), -1)
    return numbers
