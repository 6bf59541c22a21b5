"""Remainders of f64, which are exact."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen


@pytest.mark.parametrize("op", ["mod", "fmod"])
def test_the_sign_is_that_of_the_divisor_or_of_the_number(op: str) -> None:
    random = np.random.default_rng(1)
    x, y = random.normal(0, 1, 256) * np.exp2(random.integers(-3, 90, 256)), random.normal(0, 3, 256)
    text = f"x = @param:x -> f64, {{256}}\ny = @param:y -> f64, {{256}}\nz = {op}(x, y)\n@return(z)\n"
    (result,) = asmgen.compile(text, target="gfx942")(x, y, device="emulator")
    np.testing.assert_array_equal(result, getattr(np, op)(x, y))
