"""Elements that become f16 two to a register stay in their places."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen

INPUTS = {"f32": np.arange(-100, 156, dtype=np.float32), "i32": np.arange(-100, 156, dtype=np.int32), "bool": np.arange(256) % 3 == 0}


@pytest.mark.parametrize("target", ["gfx942", "gfx1201"])
@pytest.mark.parametrize("element", INPUTS)
def test_each_half_is_the_element_of_its_place(element: str, target: str) -> None:
    text = f"x = @param:x -> {element}, {{256}}\ny = convert[target_type=f16](x)\n@return(y)\n"
    (result,) = asmgen.compile(text, target=target)(INPUTS[element], device="emulator")
    np.testing.assert_array_equal(result, INPUTS[element].astype(np.float16))
