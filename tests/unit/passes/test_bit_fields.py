"""Fields of integers as users write them, and indices that are in range, on the emulator next to numpy."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import asmgen
from tests.device import chosen_device
from tests.tensors.case import Array

U32, U8, I32 = np.uint32, np.uint8, np.int32
WORDS = np.concatenate([np.array([0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF], U32), np.random.default_rng(1).integers(0, 1 << 32, 251, U32)])
BYTES = WORDS.view(U8).reshape(16, 64)


def rgb565(x: Array) -> Array:
    red, green, blue = (x >> U32(16)) & U32(255), (x >> U32(8)) & U32(255), x & U32(255)
    return ((red >> U32(3)) << U32(11)) | ((green >> U32(2)) << U32(5)) | (blue >> U32(3))


def packed(x: Array) -> Array:
    return (x[:, ::2] & U8(15)) | (x[:, 1::2] << U8(4))


def unpacked(x: Array) -> Array:
    low, high = (x & U8(15)).astype(np.int8) - np.int8(8), (x >> U8(4)).astype(np.int8) - np.int8(8)
    return np.stack([low, high], axis=-1)


@pytest.mark.parametrize(("function", "x"), [(rgb565, WORDS), (packed, BYTES), (unpacked, BYTES)], ids=lambda each: getattr(each, "__name__", ""))
@pytest.mark.parametrize("target", ["gfx942", "gfx1201:wave64"])
def test_fields_of_words_and_bytes(target: str, function: Callable[..., Array], x: Array) -> None:
    (got,) = asmgen.compile(function, target=target, inputs=[x])(x, device=chosen_device())
    np.testing.assert_array_equal(got, function(x))


def clipped(table: Array, i: Array) -> Array:
    return table[np.clip(i, 0, 99)]


def wrapped(table: Array, i: Array) -> Array:
    return table[np.clip(i, -100, 99)]


def shifted(table: Array, i: Array) -> Array:
    return table[np.clip(i, 1, 100) - 1]


@pytest.mark.parametrize("function", [clipped, wrapped, shifted])
@pytest.mark.parametrize("target", ["gfx942", "gfx1201"])
def test_rows_at_clipped_indices(target: str, function: Callable[..., Array]) -> None:
    table = np.arange(400, dtype=np.float32).reshape(100, 4)
    i = np.array([0, 99, 100, -1, -100, -101, 50, 1, 2147483647, -2147483648, 98, 101], I32)
    (got,) = asmgen.compile(function, target=target, inputs=[table, i])(table, i, device=chosen_device())
    np.testing.assert_array_equal(got, function(table, i))


def test_an_index_in_range_is_taken_as_it_is() -> None:
    """A choice for negative indices, and a second clip, are gone."""
    inputs = [asmgen.spec(np.float32, (100, 4)), asmgen.spec(I32, 50)]
    names = ("v_max_i32", "v_min_i32", "v_min_u32", "v_med3_i32")
    counts: list[int] = []
    for function in (clipped, wrapped):
        (kernel,) = asmgen.compile(function, target="gfx942", inputs=inputs).kernels
        counts.append(sum(kernel.assembly.count(name) for name in names))
    assert counts[0] == 2 < counts[1]
