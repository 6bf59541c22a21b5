"""`add_carry` of lane values and of uniform values: two words, and 1 if the condition is true."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen

TEXT = """stage lanewise {target}
module @k {{
  launch[grid={{2,1,1}}, block={{64,1,1}}]
  x = @param:x -> i32, {{128}}
  o = @param:o -> i32, {{128}}
  lane = local_id -> u32
  group = workgroup_id -> u32
  size = @literal{{64}} -> u32
  first = mul(group, size) -> u32
  i = add(first, lane) -> u32
  a = load(x, {index}) -> i32
  three = @literal{{3}} -> i32
  c = less(a, three) -> bool
  s = add_carry(a, three, c) -> i32
  store(o, i, s)
  @return(o)
}}
"""


@pytest.mark.parametrize("target", ["gfx942", "gfx1100"])
@pytest.mark.parametrize("index", ["i", "first"])
def test_a_condition_is_added(index: str, target: str) -> None:
    x = np.random.default_rng(1).integers(-5, 9, 128).astype(np.int32)
    (result,) = asmgen.compile(TEXT.format(target=target, index=index), target=target)(x, device="emulator")
    a = x if index == "i" else np.repeat(x[::64], 64)
    np.testing.assert_array_equal(result, a + 3 + (a < 3))
