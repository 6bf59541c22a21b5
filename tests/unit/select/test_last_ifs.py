"""Conditions of an `if` that are made right before it: of one lane, and of truths."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen

TEXT = """stage lanewise {target}
module @k {{
  launch[grid={{2,1,1}}, block={{{size},1,1}}]
  x = @param:x -> i32, {{{total}}}
  o = @param:o -> i32, {{{total}}}
  lane = local_id -> u32
  group = workgroup_id -> u32
  size = @literal{{{size}}} -> u32
  first = mul(group, size) -> u32
  i = add(first, lane) -> u32
  value = load(x, i) -> i32
  {condition}
  if(c) {{
    store(o, i, value)
    yield
  }}
  @return(o)
}}
"""


def stored(target: str, size: int, condition: str) -> list[list[bool]]:
    """Which lanes of each workgroup come to the store."""
    text = TEXT.format(target=target, size=size, total=2 * size, condition=condition)
    (result,) = asmgen.compile(text, target=target)(np.arange(1, 2 * size + 1, dtype=np.int32), device="emulator")
    assert {value for value in np.asarray(result).tolist() if value} <= set(range(1, 2 * size + 1))
    return (np.asarray(result) != 0).reshape(2, size).tolist()


@pytest.mark.parametrize("target", ["gfx942", "gfx1100"])
@pytest.mark.parametrize(("size", "lane"), [(64, 0), (64, 7), (48, 7), (80, 3), (16, 20)])
def test_one_lane_of_each_wave_goes_on_if_it_is_there(size: int, lane: int, target: str) -> None:
    wave = 64 if target == "gfx942" else 32
    wanted = [at % wave == lane for at in range(size)]
    assert stored(target, size, f"c = is_lane[lane={lane}]() -> bool") == [wanted, wanted]


@pytest.mark.parametrize("op", ["equal", "not_equal", "less"])
def test_truths_are_compared(op: str) -> None:
    lines = ["ten = @literal{10} -> u32", "five = @literal{5} -> u32", "a = less(lane, ten) -> bool", "b = less(five, lane) -> bool"]
    lanes = np.arange(64)
    wanted = getattr(np, op)(lanes < 10, lanes > 5).tolist()
    assert stored("gfx942", 64, "\n  ".join([*lines, f"c = {op}(a, b) -> bool"])) == [wanted, wanted]
