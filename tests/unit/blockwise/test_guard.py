"""Stores under two conditions: each has a branch with the statements that it needs, unless a buffer is read
and written. A scatter has such a branch too, for the conditions that are not on data."""

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


SCATTER = """d = @param:d -> f32, {100,64}
i = @param:i -> i32, {500}
u = @param:u -> f32, {500,64}
y = scatter_add(d, i, u)
@return(y)
"""


def test_a_scatter_is_guarded_by_the_conditions_that_name_no_data() -> None:
    kernel = asmgen.compile(SCATTER, target="gfx942").kernels[-1]
    assert kernel.assembly.count("v_cndmask") == 1  # of a negative index
