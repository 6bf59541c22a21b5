"""The heights of sums, counted by hand."""

from __future__ import annotations

import math

import pytest

import asmgen
from asmgen.gentext.parser import parse
from asmgen.ir.program import Stage
from asmgen.verification.depth import additions


def height(text: str) -> float:
    return additions(asmgen.compile(text).compilation.stages.programs[Stage.FINAL])


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        # 256 lanes: 4 elements each (2 additions), 64 lanes (6), 4 waves (2)
        ("x = @param:x -> {8, 1024}\ny = reduce_sum[axes=1](x)\n@return(y)\n", 10),
        # 40 parts of 1,024 lanes: 4 elements (2), 64 lanes (6), 16 waves (3 + 2); then the parts in a wave (6)
        ("x = @param:x -> {512, 300}\ny = reduce_sum(x)\n@return(y)\n", 19),
        # a maximum adds nothing, and an addition adds 1
        ("x = @param:x -> {8, 1024}\ny = reduce_max[axes=1](x)\n@return(y)\n", 0),
        ("x = @param:x -> {64}\ny = add(x, x)\n@return(y)\n", 1),
    ],
)
def test_a_sum_is_as_high_as_its_tree(text: str, wanted: float) -> None:
    assert height(text) == wanted


LOOP = """stage final gfx942
module @k {{
  launch[grid={{1,1,1}}, block={{64,1,1}}]
  x = @param:x -> f32, {{4096}}
  o = @param:o -> f32, {{4096}}
  lane = local_id -> u32
  start = @literal{{0}} -> u32
  {stop}
  step = @literal{{64}} -> u32
  zero = @literal{{0.0}} -> f32
  sum = for(start, stop, step, zero) (i, s) {{
    at = add(i, lane) -> u32
    v = load(x, at) -> f32
    n = add(s, v) -> f32
    yield(n)
  }} -> f32
  store(o, lane, sum)
  @return(o)
}}
"""


def test_a_loop_adds_once_a_turn() -> None:
    assert additions(parse(LOOP.format(stop="stop = @literal{4000} -> u32"), "loop.gen")) == 63


def test_a_loop_of_unknown_length_has_no_height() -> None:
    assert additions(parse(LOOP.format(stop="stop = workgroup_id -> u32"), "loop.gen")) == math.inf


PRODUCT = """stage gridwise gfx942
program @product {
  a = parameter -> f32, {16,8}
  b = parameter -> f32, {8,16}
  z = result -> f32, {16,16}
  launch @product(a, b) -> (z) grid(1, 1) by contract[m=16, n=16, k=8, waves=1, buffers=1, by=v_mfma_f32_16x16x4_f32] {
    a = @param:a -> f32, {16,8}
    b = @param:b -> f32, {8,16}
    d = dot(a, b)
    @return(d)
  }
}
"""


def test_a_matrix_instruction_adds_its_products() -> None:
    """Two instructions of four products each."""
    assert height(PRODUCT) == 8
