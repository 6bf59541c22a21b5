"""Elements of matrix operands: fields of 32-bit words, read as numbers.

Every format but f64, i32 and f32 itself is exact in float64, where the products are taken. Sources: CDNA4 ISA, section
7.1 (f8, f6, f4), RDNA4 ISA, section 7.9; ml_dtypes names the 8-, 6- and 4-bit floats as the OCP specification does.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from isa.semantics.mode import Array

_SMALL_FLOATS = {
    "fp8": "float8_e4m3fn", "bf8": "float8_e5m2", "fp8_fnuz": "float8_e4m3fnuz", "bf8_fnuz": "float8_e5m2fnuz", "fp6": "float6_e2m3fn",
    "bf6": "float6_e3m2fn", "fp4": "float4_e2m1fn",
}  # fmt: skip
_BITS = {"f64": 64, "f32": 32, "i32": 32, "f16": 16, "bf16": 16, "i8": 8, "u8": 8, "i4": 4, "u4": 4, "fp6": 6, "bf6": 6, "fp4": 4}
# the numbers by which cbsz and blgp choose a format
CHOSEN_FORMATS = ("fp8", "bf8", "fp6", "bf6", "fp4")


@dataclass(frozen=True, slots=True)
class Format:
    """How a matrix operand holds its elements: `name` says what a field means, `bits` how wide it is."""

    name: str

    @property
    def bits(self) -> int:
        return _BITS.get(self.name, 8)

    def read(self, words: Array) -> Array:
        """[..., element] in float64 (int64 for integers) of u32 words [..., register]."""
        words = np.ascontiguousarray(words)
        if self.name == "f64":
            return words.view(np.float64)
        if self.name == "f32":
            return words.view(np.float32).astype(np.float64)
        if self.name == "i32":
            return words.view(np.int32).astype(np.int64)
        if self.name == "f16":
            return words.view(np.float16).astype(np.float64)
        if self.name == "bf16":
            return (words.view(np.uint16).astype(np.uint32) << 16).view(np.float32).astype(np.float64)
        return _values(self.name)[_fields(words, self.bits)]

    def write(self, values: Array) -> Array:
        """u32 words [..., register] of [..., element], each rounded once to the format, to nearest even."""
        if self.name == "i32":
            return np.ascontiguousarray(values.astype(np.int64).astype(np.int32)).view(np.uint32)
        with np.errstate(over="ignore"):
            if self.name == "bf16":
                return np.ascontiguousarray(_as_bf16(values.astype(np.float32))).view(np.uint32)
            dtype = {"f64": np.float64, "f32": np.float32, "f16": np.float16}[self.name]
            return np.ascontiguousarray(values.astype(dtype)).view(np.uint32)


def _as_bf16(values: Array) -> Array:
    """The upper halves of floats, rounded to nearest even; a NaN stays one."""
    bits = values.view(np.uint32).astype(np.uint64)
    rounded = (bits + 0x7FFF + (bits >> 16 & 1)) >> 16
    return np.where(np.isnan(values), (bits >> 16) | 0x40, rounded).astype(np.uint16)


def _fields(words: Array, bits: int) -> Array:
    """Fields of `bits` bits, the low one first; those of 6 bits run across words."""
    every = np.unpackbits(np.ascontiguousarray(words).view(np.uint8), axis=-1, bitorder="little")
    apart = every.reshape(*words.shape[:-1], -1, bits)
    return (apart.astype(np.intp) << np.arange(bits)).sum(-1)


@cache
def _values(name: str) -> Array:
    """The number that each bit pattern of a small format is."""
    bits = Format(name).bits
    patterns = np.arange(1 << bits)
    if name[0] == "u":
        return patterns
    if name[0] == "i":
        return np.where(patterns >> (bits - 1), patterns - (1 << bits), patterns)
    import ml_dtypes  # slow to load, and few programs have small floats

    return patterns.astype(np.uint8).view(getattr(ml_dtypes, _SMALL_FLOATS[name])).astype(np.float64)
