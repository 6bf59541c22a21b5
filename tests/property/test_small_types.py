"""Conversions from and to the types of 8 and 16 bits, of every pattern that they have, against numpy and ml_dtypes.

To a float of 8 bits or bf16 the tie between each two neighbours is converted too, and the f32 below and above it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import asmgen
from asmgen.ir.arrays import numpy_dtype
from asmgen.ir.types import E8M0, ELEMENT_TYPES, ElementType, NumberKind
from isa.targets import TARGETS
from tests.cells import ELEMENTS
from tests.device import chosen_device

Array = NDArray[Any]

_SMALL = tuple(name for name in ELEMENTS if ELEMENT_TYPES[name].bits <= 16 and name != "bool")
_NARROW_FLOATS = tuple(name for name in _SMALL if ELEMENT_TYPES[name].is_float)


_NUMBERS = tuple(name for name in ELEMENTS if not ELEMENT_TYPES[name].is_code)


def _patterns(element: ElementType) -> Array:
    bits = element.bits
    if element.is_code and element is not E8M0:
        return np.arange(1 << int(element.name[2]), dtype=np.uint8).view(numpy_dtype(element))
    return np.arange(1 << bits, dtype=np.uint32).astype(f"u{bits // 8}").view(numpy_dtype(element))


def _converted(x: Array, to: ElementType) -> Array:
    """To an integer a float is cut towards zero and saturates, NaN gives 0; integers wrap."""
    if to.kind is NumberKind.BOOL:
        return x.astype(np.float64) != 0
    if to.is_float or x.dtype.kind in "iu":
        return x.astype(np.float32).astype(numpy_dtype(to)) if to.is_float else x.astype(numpy_dtype(to))
    limits = np.iinfo(numpy_dtype(to))
    whole = np.trunc(np.nan_to_num(x.astype(np.longdouble), nan=0.0, posinf=np.inf, neginf=-np.inf))
    return np.clip(whole, np.longdouble(limits.min), np.longdouble(limits.max)).astype(limits.dtype)


def _check(x: Array, source: str, targets: tuple[str, ...], machine: str) -> None:
    lines = [f"x = @param:x -> {source}, {{{x.size}}}", *(f"z{i} = convert[target_type={to}](x)" for i, to in enumerate(targets))]
    text = "\n".join([*lines, f"@return({', '.join(f'z{i}' for i in range(len(targets)))})"])
    found = asmgen.compile(text, target=machine)(x, device=chosen_device())
    with np.errstate(all="ignore"):
        for to, got in zip(targets, found, strict=True):
            want = _converted(x, ELEMENT_TYPES[to])
            assert got.dtype == want.dtype
            wide_got, wide_want = got.astype(np.longdouble), want.astype(np.longdouble)
            np.testing.assert_array_equal(wide_got, wide_want, f"{source} to {to}")
            kept = ~np.isnan(wide_want)
            np.testing.assert_array_equal(np.signbit(wide_got)[kept], np.signbit(wide_want)[kept], f"{source} to {to}")


def _in_turn(names: tuple[str, ...]) -> list[object]:
    """Of the types of 8 bits each with one machine in the ordinary suite."""
    machines = list(TARGETS)
    found: list[object] = []
    for i, name in enumerate(names):
        for j, machine in enumerate(machines):
            is_kept = ELEMENT_TYPES[name].bits == 8 and (i + j) % len(machines) == 0
            found.append(pytest.param(name, machine, marks=() if is_kept else pytest.mark.slow))
    return found


@pytest.mark.parametrize(("source", "machine"), _in_turn(_SMALL))
def test_every_pattern_to_every_type(source: str, machine: str) -> None:
    _check(_patterns(ELEMENT_TYPES[source]), source, _NUMBERS, machine)


@pytest.mark.parametrize(("to", "machine"), _in_turn(_NARROW_FLOATS))
def test_ties_and_their_neighbours_to_narrow_floats(to: str, machine: str) -> None:
    numbers = _patterns(ELEMENT_TYPES[to]).astype(np.float64)
    numbers = np.unique(numbers[np.isfinite(numbers)])
    beyond = 2 * numbers[[0, -1]] - numbers[[1, -2]]
    numbers = np.concatenate((beyond[:1], numbers, beyond[1:]))
    ties = ((numbers[1:] + numbers[:-1]) / 2).astype(np.float32)
    corners = np.array([np.inf, -np.inf, np.nan, -0.0, 3.4e38, -3.4e38, 1e-45, -1e-45], np.float32)
    corners = np.concatenate((corners, np.array([0x7FFFFFFF, 0xFFFFFFFF, 0x7F800001, 0xFF80FFFF], np.uint32).view(np.float32)))
    each = (ties, np.nextafter(ties, np.float32(np.inf)), np.nextafter(ties, np.float32(-np.inf)))
    _check(np.concatenate((*each, corners)), "f32", (to,), machine)
