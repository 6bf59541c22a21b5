"""Stores under two conditions: each has a branch with the statements that it needs, unless a buffer is read
and written."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen
from asmgen.runtime.run import launch

TEXT = """stage blockwise gfx942
kernel @two grid(only: 1) waves(1) lanes(64) {
  layout one = lane(1 2 4 8 16 32)
  x = @param:x -> i32, {10}
  w = @param:w -> i32, {20}
  z = @param:z -> i32, {20}
  y = @param:y -> i32, {20}
  a = tile_load[at={c0}, where={c0 < 20}](w) -> i32, {64} @ one
  b = tile_load[at={c0}, where={c0 < 10}](x) -> i32, {64} @ one
  c = neg(b) -> i32, {64} @ one
  tile_store[at={c0}, where={c0 < 10}](c, z)
  tile_store[at={c0}, where={c0 < 20}](a, y)
}
"""


@pytest.mark.parametrize("read", ["w", "z"])
def test_stores_under_two_conditions(read: str) -> None:
    (kernel,) = asmgen.compile(TEXT.replace("](w)", f"]({read})"), target="gfx942").kernels
    x, w, z, y = np.arange(1, 11), np.arange(20), np.arange(20, 40), np.zeros(20)
    memory = [array.astype(np.int32) for array in (x, w, z, y)]
    _, _, after, copied = launch(kernel, memory, "emulator")
    assert after.tolist() == [*-x, *z[10:]]
    assert copied.tolist() == (w if read == "w" else z).tolist()
    selections = kernel.assembly.count("v_cndmask")  # of an address that a lane outside reads instead
    assert (selections == 0) == (read == "w")


TRANSPOSE = """x = @param:x -> f16, {33,40,65}
y = transpose[permutation={2,0,1}](x)
z = contiguous(y)
@return(z)
"""


def test_stores_under_the_same_two_conditions_share_a_branch() -> None:
    (kernel,) = asmgen.compile(TRANSPOSE, target="gfx942").kernels
    assert kernel.assembly.count("global_store") > kernel.assembly.count("s_cbranch_execz") == 1
