"""Indices of i64 are taken in 32 bits: those beyond both ends of an i32, and of its lower word alone."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen

WORD = 1 << 32
ENDS = [0, 1, 6, 7, 8, 1 << 30, (1 << 31) - 1, 1 << 31, WORD - 1, WORD, WORD + 3, 5 * WORD - 2, (1 << 63) - 1]
NUMBERS = np.array([*ENDS, *(-number - 1 for number in ENDS), *(-number for number in ENDS)])


@pytest.mark.parametrize("target", ["gfx942", "gfx1100", "gfx1201"])
@pytest.mark.parametrize("many", [True, False])
def test_indices_beyond_a_word_are_clamped(target: str, many: bool) -> None:
    """Each lane has an index of its own, or all lanes have one in scalar registers."""
    numbers = NUMBERS if many else NUMBERS[::5]
    dims = (7, 1) if many else (7, 256)
    x = np.arange(np.prod(dims), dtype=np.float32).reshape(dims)
    text = f"x = @param:x -> f32, {{{dims[0]},{dims[1]}}}\ni = @param:i -> i64, {{{numbers.size}}}\ny = gather[axis=0](x, i)\n@return(y)\n"
    program = asmgen.compile(text, target=target)
    (got,) = program(x, numbers, device="emulator")
    wanted = np.clip(np.where(numbers < 0, numbers + 7, numbers), 0, 6)
    np.testing.assert_array_equal(got, x[wanted])
    assert "_i64" not in program.kernels[0].assembly


def test_a_dim_of_more_than_a_quarter_of_a_word_takes_whole_indices() -> None:
    """2^30 would be an index of it."""
    text = f"x = @param:x -> u8, {{{(1 << 30) + 1}}}\ni = @param:i -> i64, {{64}}\ny = gather[axis=0](x, i)\n@return(y)\n"
    assert "_i64" in asmgen.compile(text).kernels[0].assembly
