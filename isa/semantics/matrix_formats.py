"""Elements of matrix operands: fields of 32-bit words, read as numbers.

Products are computed in float64, which represents every format but f64, i32 and f32 itself exactly. Sources:
CDNA4 ISA, section 7.1 (f8, f6, f4), RDNA4 ISA, section 7.9; ml_dtypes names the 8-, 6- and 4-bit floats as
the OCP specification does.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
from msgspec import Struct

from isa.semantics.formats import (
    BF6,
    FNUZ_BF8,
    FNUZ_FP8,
    FP4,
    FP6,
    OCP_BF8,
    OCP_FP8,
    decode,
    fields,
    from_bf16,
    to_bf16,
)
from isa.semantics.mode import Array

_SMALL_FLOATS = {
    "fp8": OCP_FP8, "bf8": OCP_BF8, "fp8_fnuz": FNUZ_FP8, "bf8_fnuz": FNUZ_BF8, "fp6": FP6, "bf6": BF6,
    "fp4": FP4,
}  # fmt: skip
_BITS = {"f64": 64, "f32": 32, "i32": 32, "f16": 16, "bf16": 16, "i8": 8, "u8": 8, "i4": 4, "u4": 4}
_NUMPY_TYPES = {
    "f64": np.float64, "f32": np.float32, "f16": np.float16, "i32": np.int32, "i8": np.int8, "u8": np.uint8,
}  # fmt: skip
# the numbers by which cbsz and blgp choose a format
CHOSEN_FORMATS = ("fp8", "bf8", "fp6", "bf6", "fp4")


class ElementFormat(Struct, frozen=True):
    """The format of a matrix operand's elements: `name` is the type of a field, `bits` its width."""

    name: str

    @property
    def bits(self) -> int:
        return _SMALL_FLOATS[self.name].bits if self.name in _SMALL_FLOATS else _BITS[self.name]

    def read(self, words: Array) -> Array:
        """[..., element] in float64 of u32 words [..., register]."""
        return self.reader()(np.ascontiguousarray(words))

    def reader(self) -> Callable[[Array], Array]:
        """The same as a function of words with a contiguous last axis."""
        if self.name in _NUMPY_TYPES:
            held = _NUMPY_TYPES[self.name]
            return lambda words: words.view(held).astype(np.float64, copy=False)
        if self.name == "bf16":
            return lambda words: from_bf16(words.view(np.uint16)).astype(np.float64)
        values, bits = _values(self.name), self.bits
        return lambda words: values.take(fields(np.ascontiguousarray(words), bits))

    def reader_in_order(self) -> Callable[[Array], Array]:
        """A function of u32 words [wave, register, lane]: the elements in the order of memory, if a word
        contains whole elements."""
        return self.reader() if 32 % self.bits == 0 else lambda words: self.read(words.swapaxes(1, 2))

    def order(self, registers: int, lanes: int) -> Array:
        """[lane, element]: the places of each lane's elements in `reader_in_order`."""
        numbers = np.arange(registers * lanes * 32 // self.bits)
        if 32 % self.bits:
            return numbers.reshape(lanes, -1)
        return numbers.reshape(registers, lanes, -1).swapaxes(0, 1).reshape(lanes, -1)

    def writer(self) -> Callable[[Array], Array]:
        """A function to u32 words [..., register] of [..., element], each rounded once, to nearest even.
        Every NaN becomes the same NaN: numpy's sign of a NaN depends on its position in an array."""
        if self.name == "i32":
            return lambda values: values.astype(np.int64).astype(np.int32, "C").view(np.uint32)
        if self.name == "bf16":
            return lambda values: _halves(_one_nan(values.astype(np.float32)))
        dtype = {"f64": np.float64, "f32": np.float32, "f16": np.float16}[self.name]
        return lambda values: _one_nan(values.astype(dtype, "C")).view(np.uint32)


def _halves(values: Array) -> Array:
    return np.ascontiguousarray(to_bf16(values)).view(np.uint32)


def _one_nan(values: Array) -> Array:
    """Values with one NaN in place of each. The array is changed."""
    not_numbers = np.isnan(values)
    if np.count_nonzero(not_numbers):  # half the time of `any`
        values[not_numbers] = np.nan
    return values


@cache
def _values(name: str) -> Array:
    """The number that each bit pattern of a small format is."""
    bits = ElementFormat(name).bits
    patterns = np.arange(1 << bits)
    if name[0] == "u":
        return patterns.astype(np.float64)
    if name[0] == "i":
        return np.where(patterns >> (bits - 1), patterns - (1 << bits), patterns).astype(np.float64)
    return decode(patterns, _SMALL_FLOATS[name]).astype(np.float64)
