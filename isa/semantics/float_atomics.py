"""Atomics on floats: sums, the smaller, the larger, and compare-and-swap.

The pseudocode does not define rounding, denormals and NaNs. They follow the chapters on float memory atomics
of AMD's manuals (CDNA3 and CDNA4 ISA, 9.2; RDNA3 and RDNA4 ISA, 13):

* A sum is rounded to nearest even, whatever MODE says.
* In LDS, MODE decides whether denormals are kept; a sum of f64 always keeps them. Memory keeps them, with two
  exceptions: RDNA3's minimum, maximum and compare-and-swap follow MODE, and gfx90a flushes the operands of an
  f32 sum. (The manuals say so for gfx942 and gfx1100 too. LLVM compiles IEEE code to those sums there and to
  a loop on gfx90a, so it assumes that they keep denormals.)
* Up to RDNA3, minimum and maximum return either operand unchanged, though compared flushed. A signalling NaN
  wins and becomes quiet, a quiet NaN loses, and of two the memory's stays. -0 is below +0.
* RDNA4's are IEEE 754-2019's minimumNumber and maximumNumber of the values that MODE has flushed.
* A compare-and-swap that compares flushed values also stores a flushed value.

Every function takes MODE, the value in memory, and the data.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from isa.semantics.float_choice import maximum, maximum_number, minimum, minimum_number
from isa.semantics.mode import Array, Mode, bits_of, flush

KEEPS = Mode()
FLUSHES_SOURCES = Mode(denormals_32=2)
Choice = Callable[[Array, Array], Array]
FloatUpdate = Callable[..., Array]


def _denormals(mode: Mode, x: Array) -> int:
    """MODE's field: bit 0 keeps those of sources, bit 1 those of results."""
    return mode.denormals_32 if x.dtype.itemsize == 4 else mode.denormals_16_64


def add(mode: Mode, old: Array, data: Array) -> Array:
    keeps = _denormals(mode, old)
    total = old + data if keeps & 1 else flush(old) + flush(data)
    return total if keeps & 2 else flush(total)


def add_keeping(mode: Mode, old: Array, data: Array) -> Array:
    """The sum of f64, which never flushes."""
    return old + data


def add_bf16(mode: Mode, old: Array, data: Array) -> Array:
    """bfloat16 addition on raw 16-bit patterns; denormals are those of f32, by the field of f16."""
    import ml_dtypes

    bfloat16: Any = ml_dtypes.bfloat16
    keeps = mode.denormals_16_64
    a, b = (x.view(bfloat16).astype(np.float32) for x in (old, data))
    total = (a + b if keeps & 1 else flush(a) + flush(b)).astype(bfloat16)
    return (total if keeps & 2 else flush(total.astype(np.float32)).astype(bfloat16)).view(np.uint16)


def _chosen(choose: Choice) -> FloatUpdate:
    """Either value, unchanged, chosen by their flushed values if MODE says so."""

    def update(mode: Mode, old: Array, data: Array) -> Array:
        if _denormals(mode, old) & 1:
            return choose(data, old)
        left, right = flush(data), flush(old)
        result = choose(left, right)
        pattern = bits_of(result)
        return np.where(pattern == bits_of(right), old, np.where(pattern == bits_of(left), data, result))

    return update


def _flushed(choose: Choice) -> FloatUpdate:
    """The choice from flushed values, if MODE says so."""

    def update(mode: Mode, old: Array, data: Array) -> Array:
        return choose(data, old) if _denormals(mode, old) & 1 else choose(flush(data), flush(old))

    return update


smaller = _chosen(lambda a, b: minimum(KEEPS, a, b))
larger = _chosen(lambda a, b: maximum(KEEPS, a, b))
smaller_number = _flushed(minimum_number)
larger_number = _flushed(maximum_number)


def compare_swap(mode: Mode, old: Array, new: Array, compare: Array) -> Array:
    if _denormals(mode, old) & 1:
        return np.where(old == compare, new, old)
    return flush(np.where(flush(old) == flush(compare), new, old))
