"""A reduction in parts pads its operand with the identity element of the reduction, which numpy's result does not have."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen

REDUCED = {
    "sum": np.full(5003, 1),
    "prod": np.where(np.arange(5003) % 900 == 17, 3, 1),
    "max": -1 - np.arange(5003) % 70,
    "min": 1 + np.arange(5003) % 70,
}
WANTED = {"sum": np.sum, "prod": np.prod, "max": np.max, "min": np.min}


@pytest.mark.usefixtures("takes_parts")
@pytest.mark.parametrize("element", ["f32", "i32"])
@pytest.mark.parametrize("op", REDUCED)
def test_elements_that_are_missing_change_no_result(op: str, element: str) -> None:
    """The launch knows the size, so the last turn of the parts is padded."""
    program = asmgen.compile(f"x = @param:x -> {element}, {{n}}\ns = reduce_{op}[axes={{0}}](x)\n@return(s)\n", target="gfx942")
    assert len(program.kernels) == 2, "in parts, which are then combined"
    x = REDUCED[op].astype(np.float32 if element == "f32" else np.int32)
    (result,) = program(x, device="emulator")
    assert np.asarray(result).tolist() == [WANTED[op](REDUCED[op])]
