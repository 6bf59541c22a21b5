"""The first and the last place of the extreme element in rows with NaN, under both rules of max and min."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen

NAN = float("nan")
ROWS = [[NAN, NAN, NAN, NAN, NAN], [NAN, -2, 5, NAN, 5], [NAN, -np.inf, NAN, -np.inf, NAN], [0.0, -0.0, -1, -2, -0.0]]
TEXT = """x = @param:x -> f32, {4,5}
first = argmax[axis=1](x)
last = argmax[axis=1, select_last_index=true](x)
@return(first, last)
"""


@pytest.mark.parametrize(("nan", "wanted"), [("ieee", ([0, 2, 1, 0], [4, 4, 3, 4])), ("propagate", ([0, 0, 0, 0], [4, 3, 4, 4]))])
def test_argmax(nan: str, wanted: tuple[list[int], list[int]]) -> None:
    x = np.array(ROWS, np.float32)
    found = asmgen.compile(TEXT, target="gfx942", nan=nan)(x, device="emulator")
    assert tuple(np.asarray(places).ravel().tolist() for places in found) == wanted
