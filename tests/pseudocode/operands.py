"""Operand values: by a type, special and random patterns mixed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint64]
_INTEGERS: dict[int, list[int]] = {
    64: [0, 1, 2, 31, 32, 63, 64, 1 << 31, 1 << 32, (1 << 32) - 1, (1 << 63) - 1, 1 << 63, (1 << 64) - 1, (1 << 64) - 2],
    32: [0, 1, 2, 3, 7, 8, 15, 16, 31, 32, 33, 63, 64, 0x7F, 0x80, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x7FFFFF, 0x800000, 0xFFFFFF, 0x1000000,
         0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFFFE, 0xFFFFFFFF, 0x7FFF8000, 0x80007FFF, 0x00200000, 0x001F0010, 0x00400000],
    16: [0, 1, 2, 7, 8, 15, 16, 17, 0x7F, 0x80, 0xFF, 0x100, 0x7FFE, 0x7FFF, 0x8000, 0x8001, 0xFFFE, 0xFFFF],
    8: [0, 1, 0x7F, 0x80, 0xFE, 0xFF],
}  # fmt: skip
_NUMBERS = [
    0.0, 1.0, 0.5, 0.25, 0.75, 1.5, 2.0, 2.5, 3.0, 0.1, 3.5, 4.5, 127.5, 128.0, 255.0, 255.5, 256.0, 32767.0, 32767.5, 32768.0, 65504.0, 65535.0,
    65535.5, 65536.0, 8388607.5, 16777215.0, 2147483520.0, 2147483647.0, 2147483648.0, 4294967040.0, 4294967295.0, 4294967296.0, 1e10,
    0.99999, 0.0000305, 1 / 3,
]  # fmt: skip
_FLOATS: dict[int, tuple[type[np.floating[Any]], type[np.unsignedinteger[Any]]]] = {
    16: (np.float16, np.uint16), 32: (np.float32, np.uint32), 64: (np.float64, np.uint64),
}  # fmt: skip


_TUPLES: dict[str, tuple[str, int]] = {  # the contents of each register of a tuple, and their number
    "b128": ("b32", 4), "f6x32": ("b32", 6), "f32x16": ("f32", 16), "f32x32": ("f32", 32), "f16x32": ("f16x2", 16), "bf16x32": ("bf16x2", 16),
}  # fmt: skip
_READ_AS = {"mask32": "b32", "fp8x4": "u8x4", "gpr_idx": "b16", "count16": "b16"}


def _special_floats(width: int) -> Words:
    dtype, unsigned = _FLOATS[width]
    info = np.finfo(dtype)
    with np.errstate(over="ignore"):
        numbers = np.array(_NUMBERS, np.float64).astype(dtype).view(unsigned).astype(np.uint64)
    edges = [info.max, info.smallest_normal, info.smallest_subnormal, 1 + info.eps, 1 - info.epsneg, 0.5 - info.epsneg / 2, np.inf, np.nan]
    patterns = np.array(edges, dtype).view(unsigned).astype(np.uint64)
    infinity = int(patterns[-2])
    largest_denormal = int(patterns[1]) - 1
    more = np.array([infinity + 1, infinity | 5, int(patterns[-1]) | 3, largest_denormal, largest_denormal // 2, largest_denormal // 512], np.uint64)
    positive = np.concatenate([numbers, patterns, more])
    return np.concatenate([positive, positive | np.uint64(1 << (width - 1))])


def _brains(count: int, rng: np.random.Generator) -> Words:
    """bfloat16 patterns: the upper halves of f32 patterns."""
    return _scalar_values("f", 32, count, rng) >> np.uint64(16)


def _scalar_values(kind: str, width: int, count: int, rng: np.random.Generator) -> Words:
    random = rng.integers(0, 1 << 64, count, np.uint64, endpoint=False) if width == 64 else rng.integers(0, 1 << width, count, np.uint64)
    if kind == "f":
        dtype, unsigned = _FLOATS[width]
        special = rng.choice(_special_floats(width), count)
        ordinary = (rng.normal(size=count) * 2.0 ** rng.integers(-6, 7, count)).astype(dtype).view(unsigned).astype(np.uint64)
    else:
        special = rng.choice(np.array(_INTEGERS[width], np.uint64), count)
        ordinary = rng.integers(0, min(80, 1 << width), count, np.uint64)
    chosen = rng.integers(0, 10, count)
    return np.where(chosen < 5, special, np.where(chosen < 7, ordinary, random))


def _pairs(draw: Callable[[], Words], width: int, count: int) -> Words:
    result = draw()
    for i in range(1, count):
        result = result | draw() << np.uint64(i * width)
    return result


def values(type_name: str, count: int, rng: np.random.Generator) -> Words:
    """`count` patterns of an operand type, of a packed type element by element; of a tuple, an array for each
    of its registers."""
    if type_name in _TUPLES:
        return np.array([values(_TUPLES[type_name][0], count, rng) for _ in range(_TUPLES[type_name][1])])
    type_name = _READ_AS.get(type_name, type_name)
    element, _, lanes = type_name.partition("x")
    if element == "bf16":
        return _pairs(lambda: _brains(count, rng), 16, int(lanes or 1)) | (
            np.uint64(0) if lanes else rng.integers(0, 1 << 16, count, np.uint64) << np.uint64(16)
        )
    if type_name == "mask":
        return rng.integers(0, 1 << 64, count, np.uint64, endpoint=False)
    width = int(element[1:])
    result = np.zeros(count, np.uint64)
    for i in range(int(lanes or 1)):
        result |= _scalar_values(element[0], width, count, rng) << np.uint64(i * width)
    if width == 32 and not lanes and element[0] != "f" and element[0] != "i":  # bytes and halves of which many have an edge
        packed = values("u8x4", count, rng)
        result = np.where(rng.integers(0, 4, count) == 0, packed, result)
    if width == 16 and not lanes:  # the other half of the register is not empty
        result |= rng.integers(0, 1 << 16, count, np.uint64) << np.uint64(16)
    return result
