"""The inputs that a program is verified on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from asmgen.index.size import number, numbers
from asmgen.ir.arrays import Array, numpy_dtype, strided_view
from asmgen.ir.program import Statement, Value, tensor_type
from asmgen.ir.types import E8M0, F64, ElementType, NumberKind, TensorType, tensor
from asmgen.verification import patterns

_PERIOD = 16381  # elements; a prime number
_RARE = 5  # every fifth element is of any magnitude
_INDEX_BITS = 32  # of an integer that may be an index


class Inputs(Struct, frozen=True):
    """An array per parameter, and their name in a report.

    `in_every_setting` says whether their values matter to the results of approximate instructions, in which
    settings differ. Patterns show the places of elements, for which a single setting suffices.
    """

    name: str
    arrays: list[Array]
    in_every_setting: bool = True


def seeded_inputs(parameters: Sequence[Statement], seed: int, factors: Sequence[int] = ()) -> list[Inputs]:
    """Ordinary numbers, patterns that show the places of elements, and every magnitude with the corners of
    the types. `factors` are places of parameters with products that should cancel, each in a run of its
    own."""
    fewest = min((patterns.rows_of(tensor_type(parameter.result)) for parameter in parameters), default=1)
    turns = range(1) if fewest >= patterns.ROWS_FOR_ALL else range(patterns.TURNS)
    return [
        Inputs("ordinary numbers", ordinary_inputs(parameters, seed)),
        *(
            Inputs("numbers that add up exactly", patterns.exact_inputs(parameters, seed, turn), False)
            for turn in turns
        ),
        Inputs("peaks", patterns.peak_inputs(parameters, seed), False),
        Inputs("troughs", patterns.trough_inputs(parameters, seed), False),
        Inputs("factors", patterns.factor_inputs(parameters, seed), False),
        *_cancelling(parameters, seed, factors),
        Inputs("every magnitude", sample_inputs(parameters, seed)),
    ]


def few_inputs(
    parameters: Sequence[Statement], seed: int, only_adds: bool, factors: Sequence[int] = ()
) -> Iterator[Inputs]:
    """The inputs of a large program that combines its rows, of which the first kind runs in every setting.
    Peaks and factors show nothing more of a program that only adds. `factors` as in `seeded_inputs`."""
    yield Inputs("ordinary numbers", ordinary_inputs(parameters, seed))
    yield Inputs("numbers that add up exactly", patterns.exact_inputs(parameters, seed, 0), False)
    yield from _cancelling(parameters, seed, factors)
    yield Inputs("every magnitude", sample_inputs(parameters, seed), False)
    if not only_adds:
        yield lone_numbers(parameters, seed)
        yield Inputs("peaks", patterns.peak_inputs(parameters, seed), False)
        yield Inputs("troughs", patterns.trough_inputs(parameters, seed), False)
        yield Inputs("factors", patterns.factor_inputs(parameters, seed), False)
        yield Inputs("crests", patterns.crest_inputs(parameters, seed), False)
        yield Inputs("hollows", patterns.hollow_inputs(parameters, seed), False)


def lone_numbers(parameters: Sequence[Statement], seed: int) -> Inputs:
    """A number among NaN in each row, for a program that compares the elements of a row."""
    return Inputs("numbers among NaN", patterns.lone_inputs(parameters, seed), False)


def _cancelling(parameters: Sequence[Statement], seed: int, factors: Sequence[int]) -> Iterator[Inputs]:
    for place in factors:
        yield Inputs("sums that cancel", patterns.cancelling_inputs(parameters, seed, place), False)


def mixed_inputs(parameters: Sequence[Statement], axes: Sequence[int | None], seed: int) -> list[Array]:
    """Every kind of input, in turn along an axis of each parameter, and at its end a lone number; a parameter
    without that axis has ordinary numbers."""
    kinds = [
        ordinary_inputs(parameters, seed),
        patterns.exact_inputs(parameters, seed, 0),
        patterns.peak_inputs(parameters, seed),
        sample_inputs(parameters, seed),
        patterns.exact_inputs(parameters, seed, 1),
        patterns.trough_inputs(parameters, seed),
        patterns.factor_inputs(parameters, seed),
    ]
    mixed, lone = kinds[0], patterns.lone_inputs(parameters, seed)
    for position, axis in enumerate(axes):
        for turn, arrays in enumerate(kinds):
            if axis is not None and turn:
                before = (slice(None),) * axis
                places = mixed[position][(*before, slice(turn, None, len(kinds)))]
                places[...] = arrays[position][(*before, slice(places.shape[axis]))]
        if axis is not None and mixed[position].shape[axis] > len(kinds):
            before = (slice(None),) * axis
            mixed[position][(*before, -1)] = lone[position][(*before, 0)]
    return mixed


def peaks_and_troughs(parameters: Sequence[Statement], axes: Sequence[int | None], seed: int) -> list[Array]:
    """Peaks and troughs, taking turns along an axis of each parameter: the largest and the least element of a
    row are at every place of it if there are twice as many rows as places."""
    mixed, troughs = patterns.peak_inputs(parameters, seed), patterns.trough_inputs(parameters, seed)
    for position, axis in enumerate(axes):
        if axis is not None:
            before = (slice(None),) * axis
            places = mixed[position][(*before, slice(1, None, 2))]
            peaks = mixed[position][(*before, slice((mixed[position].shape[axis] + 1) // 2))].copy()
            places[...] = troughs[position][(*before, slice(places.shape[axis]))]
            mixed[position][(*before, slice(0, None, 2))] = peaks
    return mixed


def spread_inputs(parameters: Sequence[Statement], seed: int) -> list[Array]:
    """Ordinary numbers and every magnitude, for a program that computes element by element.

    A long parameter repeats a period of prime length. Every other integer is drawn from all places of the
    largest dim: it may be an index.
    """
    largest = max((dim for parameter in parameters for dim in tensor_type(parameter.result).shape), default=1)
    return [_spread(parameter, largest, (seed, number)) for number, parameter in enumerate(parameters)]


def shares_memory(type_: TensorType) -> bool:
    """Whether two elements of a parameter may lie in the same place."""
    reach = 0
    for stride, dim in sorted(zip(numbers(type_.strides), type_.shape, strict=True)):
        if dim > 1 and stride <= reach:
            return True
        reach += stride * (dim - 1) if dim > 1 else 0
    return False


def _spread(parameter: Statement, largest: int, seed: tuple[int, int]) -> Array:
    type_ = tensor_type(parameter.result)
    if shares_memory(type_):
        return ordinary_inputs([parameter], sum(seed))[0]
    period = _PERIOD if type_.is_packed and type_.size > 2 * _PERIOD else type_.size
    flat = tensor(type_.element, (period,)) if type_.is_packed else type_
    flattened = replace(parameter, results=(Value(parameter.result.name, flat),))
    ordinary, magnitudes = (
        ordinary_inputs([flattened], sum(seed))[0],
        sample_inputs([flattened], sum(seed))[0],
    )
    array = ordinary.reshape(-1).copy()
    array[::_RARE] = magnitudes.reshape(-1)[::_RARE]
    if type_.element.kind in (NumberKind.SIGNED, NumberKind.UNSIGNED) and type_.element.bits >= _INDEX_BITS:
        array[1::2] = np.random.default_rng(seed).integers(0, largest, len(array[1::2]))
    return np.resize(array, type_.shape)


_SCALE_CORNERS = (255, 0, 1, 254)  # NaN, a denormal, the least normal and the largest power of two
_CORNERED = 6  # every sixth scale
_FLOAT_CORNERS = (0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan)
_EXPONENTS = {F64: (-1074.0, 1023.0)}  # of types that are not computed in f32
_Draw = Callable[[np.random.Generator, ElementType, int], Array]


def sample_inputs(parameters: Sequence[Statement], seed: int) -> list[Array]:
    """An array per parameter: ordinary values, every magnitude, and the corners of the type, all of them from
    56 elements on."""
    return _arrays(parameters, seed, _sample)


def ordinary_inputs(parameters: Sequence[Statement], seed: int) -> list[Array]:
    """An array per parameter of small finite values: a NaN or an infinity would leave a reduction nothing to
    compare."""
    return _arrays(parameters, seed, _ordinary)


def _arrays(parameters: Sequence[Statement], seed: int, draw: _Draw) -> list[Array]:
    """Elements of a strided tensor that share memory share their value."""
    generator = np.random.default_rng(seed)
    arrays: list[Array] = []
    for parameter in parameters:
        type_ = tensor_type(parameter.result)
        buffer = draw(generator, type_.element, number(type_.span))
        arrays.append(
            strided_view(buffer, type_).copy(order="C") if type_.size else np.zeros(type_.shape, buffer.dtype)
        )
    return arrays


def _ordinary(generator: np.random.Generator, element: ElementType, count: int) -> Array:
    dtype = numpy_dtype(element)
    if element.kind is NumberKind.BOOL:
        return generator.integers(0, 2, count).astype(dtype)
    if element.is_float:
        return generator.normal(0.0, 4.0, count).astype(dtype)
    if element is E8M0:
        return generator.integers(120, 132, count).astype(np.uint8).view(dtype)
    if element.is_code:
        return generator.integers(0, 256, count).astype(np.uint8).view(dtype)
    return generator.integers(-100 if element.kind is NumberKind.SIGNED else 0, 101, count).astype(dtype)


def _sample(generator: np.random.Generator, element: ElementType, count: int) -> Array:
    ordinary = _ordinary(generator, element, count)
    if element.kind is NumberKind.BOOL:
        return ordinary
    if element is E8M0:
        places = generator.choice(count, -(-count // _CORNERED), replace=False)
        ordinary.view(np.uint8)[places] = np.resize(np.array(_SCALE_CORNERS, np.uint8), len(places))
        return ordinary
    if not element.is_float:
        wide = np.frombuffer(generator.bytes(count * element.bytes), ordinary.dtype)
        return np.where(generator.random(count) < 0.5, ordinary, wide)
    parts, exponents = generator.normal(0.0, 1.0, count), _EXPONENTS.get(element, (-150.0, 128.0))
    with np.errstate(all="ignore"):
        scaled = parts * np.exp2(generator.uniform(*exponents, count))
        values = np.where(generator.random(count) < 0.75, ordinary, scaled.astype(ordinary.dtype))
    places = generator.choice(count, min(count // 8, max(count // 64, len(_FLOAT_CORNERS))), replace=False)
    values[places] = np.resize(np.array(_FLOAT_CORNERS), len(places)).astype(ordinary.dtype)
    return values
