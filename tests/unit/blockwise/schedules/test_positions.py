"""Places of an iota that data choose: a gather of an iota, at once or moved."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen

PLACES = np.arange(24, dtype=np.int32).reshape(4, 6)
PADDED = np.pad(PLACES.T, ((1, 0), (1, 2)))
HEAD = "t = iota[axis=0, out_lens={24}]() -> i32, {24}\ns = reshape[dims={4,6}](t)\nu = transpose[permutation={1,0}](s)\n"
PAD = "p = pad[pads={1,1,0,2}](u)\n"


@pytest.mark.parametrize("target", ["gfx942", "gfx1100"])
@pytest.mark.parametrize("index", [0, 1, 5, -1, -3])
def test_a_row_of_a_moved_iota_that_a_scalar_chooses(target: str, index: int) -> None:
    text = f"i = @param:i -> i64, {{1}}\n{HEAD}{PAD}g = gather[axis=0](p, i)\n@return(g)\n"
    program = asmgen.compile(text, target=target)
    np.testing.assert_array_equal(program(np.array([index]), device="emulator")[0], PADDED[[index]])


def test_places_are_divided_and_what_is_left_is_taken() -> None:
    """Elements outside the buffer are its nearest element."""
    text = f"i = @param:i -> i32, {{5}}\n{HEAD}g = gather[axis=1](u, i)\nr = gather[axis=0](t, i)\n@return(g, r)\n"
    index = np.array([3, -1, 0, 9, -4], np.int32)
    whole, row = asmgen.compile(text)(index, device="emulator")
    np.testing.assert_array_equal(whole, PLACES.T[:, [3, 3, 0, 3, 0]])
    np.testing.assert_array_equal(row, [3, 23, 0, 9, 20])
