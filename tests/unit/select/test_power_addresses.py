"""An index that is a power of two of a lane's number is no multiple of it."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen

TEXT = """stage lanewise gfx942
module @k {{
  launch[grid={{1,1,1}}, block={{64,1,1}}]
  x = @param:x -> i32, {{256}}
  o = @param:o -> i32, {{64}}
  lane = local_id -> u32
  three = @literal{{3}} -> u32
  low = bitwise_and(lane, three) -> u32
  i = {index} -> u32
  value = load(x, i) -> i32
  store(o, lane, value)
  @return(o)
}}
"""


@pytest.mark.parametrize(
    ("index", "wanted"),
    [
        ("shift_left(three, low)", [3, 6, 12, 24]),
        ("shift_left(low, three)", [0, 8, 16, 24]),
        ("mul(three, low)", [0, 3, 6, 9]),
        ("mul(low, three)", [0, 3, 6, 9]),
    ],
)
def test_each_lane_reads_its_element(index: str, wanted: list[int]) -> None:
    (result,) = asmgen.compile(TEXT.format(index=index), target="gfx942")(np.arange(256, dtype=np.int32), device="emulator")
    np.testing.assert_array_equal(result, wanted * 16)
