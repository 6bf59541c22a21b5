"""Equal statements of any graph are computed once, unless kernels add to the memory of their results."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen
from asmgen.frontends.sources import read_text
from asmgen.graph.ops import REDUCTIONS
from asmgen.gridwise.prepare import prepare
from asmgen.ir.stage import Stage
from asmgen.verification import hold

NORMAL = """x = @param:x -> f32, {60,32}
mean = reduce_mean[axes={0}](x)
again = reduce_mean[axes={0}](x)
d = sub(x, again)
k = @literal{0.5} -> f32, {}
h = @literal{0.5} -> f32, {}
a = mul(x, k)
b = mul(x, h)
s = reduce_sum[axes={0}](a)
t = reduce_sum[axes={0}](b)
u = add(s, t)
@return(mean, d, u)
"""
SAME_START = """x = @param:x -> i32, {40,8}
i = @param:i -> i32, {100}
j = @param:j -> i32, {100}
u = @param:u -> i32, {100,8}
a = scatter_add(x, i, u)
b = scatter_add(x, j, u)
c = scatter_add(x, i, u)
@return(a, b, c)
"""
READ_START = """i = @param:i -> i32, {1000}
x = @param:x -> i32, {30}
zero = @literal{0} -> i32, {}
none = multibroadcast[out_lens={30}](zero)
one = @literal{1} -> i32, {}
ones = multibroadcast[out_lens={1000}](one)
a = scatter_add(none, i, ones)
zero_1 = @literal{0} -> i32, {}
none_1 = multibroadcast[out_lens={30}](zero_1)
b = max(none_1, x)
c = sub(a, b)
h = histogram[bins=30](i)
g = histogram[bins=30](i)
d = add(h, g)
@return(a, b, c, d, h)
"""


def test_equal_reductions_are_one() -> None:
    (module,) = read_text(NORMAL, "graph.gen").stages.programs[Stage.GRAPH].modules
    assert len([each for each in prepare(module).statements if each.op in REDUCTIONS]) == 2
    assert not hold(asmgen.compile(NORMAL), device="emulator").is_broken


@pytest.mark.parametrize("text", [SAME_START, READ_START], ids=["same", "read"])
@pytest.mark.parametrize("target", ["gfx942", "gfx1201"])
def test_starts_of_additions_stay_apart(text: str, target: str) -> None:
    assert not hold(asmgen.compile(text, target=target), device="emulator").is_broken


def test_zeros_of_both_signs_differ() -> None:
    (y,) = asmgen.compile(
        "x = @param:x -> f32, {1}\na = @literal{0.0} -> f32, {}\nb = @literal{-0.0} -> f32, {}\n"
        "c = mul(x, a)\nd = mul(x, b)\ny = concat[axis=0](c, d)\n@return(y)\n"
    )(np.ones(1, np.float32), device="emulator")
    assert np.signbit(y).tolist() == [False, True]


def test_a_result_may_have_the_name_of_a_dim() -> None:
    text = "x = @param:x -> f32, {n,12}\nn = reduce_max[axes={1}](x)\n@return(n)\n"
    assert not hold(asmgen.compile(text), device="emulator").is_broken
