"""An exclusive scan begins with the identity element of its op, on its own and where lanes join their parts."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen
from asmgen.ir.types import ELEMENT_TYPES

SHAPE = (2, 90)
NUMPY = {"max": np.maximum, "min": np.minimum, "sum": np.add, "prod": np.multiply}
FIRST = {  # docs/gen-text.md: the least and the greatest number of the type, of floats the infinities
    ("max", "f32"): -np.inf, ("min", "f32"): np.inf, ("sum", "f32"): 0, ("prod", "f32"): 1,
    ("max", "i32"): -(2**31), ("min", "i32"): 2**31 - 1, ("sum", "i32"): 0, ("prod", "i32"): 1,
}  # fmt: skip


@pytest.mark.parametrize(("op", "element"), FIRST)
def test_the_first_element_is_the_identity(op: str, element: str) -> None:
    x = np.random.default_rng(1).choice([-3, -1, 1, 2], SHAPE, p=[0.05, 0.45, 0.45, 0.05]).astype(ELEMENT_TYPES[element].numpy)
    text = f"x = @param:x -> {element}, {{2,90}}\ny = cum{op}[axis=1, exclusive=true](x)\n@return(y)\n"
    (result,) = asmgen.compile(text, target="gfx942")(x, device="emulator")
    before = NUMPY[op].accumulate(x, axis=1, dtype=x.dtype)[:, :-1]
    np.testing.assert_array_equal(result, np.concatenate([np.full((2, 1), FIRST[op, element], x.dtype), before], axis=1))
