"""Maxima and minima in which a NaN stays: the instructions of a target that has them, and of others."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen

TEXT = "x = @param:x -> f32, {256}\ny = @param:y -> f32, {256}\nz = max(x, y)\nw = min(z, x)\n@return(z, w)\n"


@pytest.mark.parametrize(
    ("target", "instructions"),
    [
        ("gfx950", ["v_maximum3_f32", "v_minimum3_f32"]),
        ("gfx1201", ["v_maximum3_f32", "v_minimum3_f32"]),
        ("gfx942", ["v_max_f32", "v_min_f32", "v_cmp_u_f32", "v_cndmask_b32"]),
        ("gfx1100", ["v_cmp_u_f32"]),
    ],
)
def test_a_nan_of_either_operand_stays(target: str, instructions: list[str]) -> None:
    special = np.array([0, 1, -1, np.inf, -np.inf, np.nan, 1e-45, -3e38], np.float32)
    x, y = np.resize(special.repeat(8), 256), np.resize(special, 256)
    program = asmgen.compile(TEXT, target=target, nan="propagate")
    largest, least = program(x, y, device="emulator")
    np.testing.assert_array_equal(largest, np.maximum(x, y))
    np.testing.assert_array_equal(least, np.minimum(np.maximum(x, y), x))
    for name in instructions:
        assert name in program.kernels[0].assembly
    assert "v_cmp_neq" not in program.kernels[0].assembly
