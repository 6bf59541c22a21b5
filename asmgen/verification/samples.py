"""Inputs to verify a program on, the same for the same seed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from asmgen.ir.arrays import Array, numpy_dtype, strided_view
from asmgen.ir.program import Statement, tensor_type
from asmgen.ir.types import F64, ElementType, NumberKind

_FLOAT_CORNERS = (0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan)
_EXPONENTS = {F64: (-1074.0, 1023.0)}  # of what is not computed in f32
_Draw = Callable[[np.random.Generator, ElementType, int], Array]


def sample_inputs(parameters: Sequence[Statement], seed: int) -> list[Array]:
    """One array per parameter: ordinary values, every magnitude, and the corners of the type, each of them
    from 56 elements on."""
    return _arrays(parameters, seed, _sample)


def ordinary_inputs(parameters: Sequence[Statement], seed: int) -> list[Array]:
    """One array per parameter: small finite values, of which a NaN or an infinity would leave a reduction
    nothing to compare."""
    return _arrays(parameters, seed, _ordinary)


def _arrays(parameters: Sequence[Statement], seed: int, draw: _Draw) -> list[Array]:
    """Where two elements of a strided tensor share memory they share their value."""
    generator = np.random.default_rng(seed)
    arrays: list[Array] = []
    for parameter in parameters:
        type_ = tensor_type(parameter.result)
        buffer = draw(generator, type_.element, type_.span)
        arrays.append(
            strided_view(buffer, type_).copy(order="C")
            if type_.elements
            else np.zeros(type_.dims, buffer.dtype)
        )
    return arrays


def _ordinary(generator: np.random.Generator, element: ElementType, count: int) -> Array:
    dtype = numpy_dtype(element)
    if element.kind is NumberKind.BOOL:
        return generator.integers(0, 2, count).astype(dtype)
    if element.is_float:
        return generator.normal(0.0, 4.0, count).astype(dtype)
    return generator.integers(-100 if element.kind is NumberKind.SIGNED else 0, 101, count).astype(dtype)


def _sample(generator: np.random.Generator, element: ElementType, count: int) -> Array:
    ordinary = _ordinary(generator, element, count)
    if element.kind is NumberKind.BOOL:
        return ordinary
    if not element.is_float:
        wide = np.frombuffer(generator.bytes(count * element.bytes), ordinary.dtype)
        return np.where(generator.random(count) < 0.5, ordinary, wide)
    scaled = generator.normal(0.0, 1.0, count) * np.exp2(
        generator.uniform(*_EXPONENTS.get(element, (-150.0, 128.0)), count)
    )
    with np.errstate(all="ignore"):
        values = np.where(generator.random(count) < 0.75, ordinary, scaled.astype(ordinary.dtype))
    places = generator.choice(count, min(count // 8, max(count // 64, len(_FLOAT_CORNERS))), replace=False)
    values[places] = np.resize(np.array(_FLOAT_CORNERS), len(places)).astype(ordinary.dtype)
    return values
