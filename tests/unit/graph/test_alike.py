"""Sums of products that several launches compute: which of them round the product first."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen
from asmgen.gentext.parser import parse
from asmgen.graph.ops import NEG
from asmgen.gridwise.cut import cut
from isa.targets import parse_target

FULL = "multibroadcast[out_lens={70,90}]"
HEAD = """x = @param:x -> f32, {70,90}
y = @param:y -> f32, {70,90}
z = @param:z -> f32, {70,90}
p = mul(x, y)
"""
# Launch 1 has m, which is the least element of each row, launch 2 how many of these are in each column.
LEAST = f"m = reduce_min[axes={{1}}](s)\na = {FULL}(m)\ne = equal(s, a)\nc = convert[target_type=i32](e)\n"
COUNTED = LEAST + "n = reduce_sum[axes={0}](c)\n"


def negations(text: str) -> list[int]:
    """The negations of each launch."""
    (program,) = cut(parse(text, "kernel.gen"), parse_target("gfx942")).file.programs
    return [sum(each.op is NEG for each in launch.body.statements) for launch in program.launches]


@pytest.mark.parametrize("target", ["gfx942", "gfx1201"])
@pytest.mark.parametrize(
    ("sum_", "other"),
    [
        pytest.param("add(p, z)", "v = where(e, p, x)", id="sum"),
        pytest.param("sub(z, p)", "v = where(e, p, x)", id="difference"),
        pytest.param("sub(p, z)", "v = exp(s)", id="exponent"),
    ],
)
def test_the_least_of_sums_is_among_them(target: str, sum_: str, other: str):
    text = f"{HEAD}s = {sum_}\n{COUNTED}{other}\nw = reduce_max[axes={{0}}](v)\n@return(n, w)\n"
    assert set(negations(text)) == {2}
    rng = np.random.default_rng(1)
    arrays = [rng.normal(size=(70, 90)).astype(np.float32) for _ in range(3)]
    counts, _ = asmgen.compile(text, target=target, assembler="builtin")(*arrays, device="emulator")
    assert counts.sum() == 70


def test_a_product_less_its_least_element_is_not_negative():
    """Two launches: the first has the least element of all, the second the differences."""
    text = "x = @param:x -> f32, {300,400}\ny = @param:y -> f32, {300,400}\np = mul(x, y)\n"
    text += "m = reduce_min(p)\nd = sub(p, m)\nr = sqrt(d)\nn = reduce_min(r)\n@return(n)\n"
    assert 2 in negations(text)
    rng = np.random.default_rng(1)
    arrays = [rng.normal(size=(300, 400)).astype(np.float32) for _ in range(2)]
    assert asmgen.compile(text, assembler="builtin")(*arrays, device="emulator") == [0]


def test_a_product_that_a_broadcast_repeats_is_rounded():
    row = "r = slice[axes={0}, starts={0}, ends={1}](p)\nq = multibroadcast[out_lens={70,90}](r)\ns = add(q, z)\n"
    assert negations(f"{HEAD}{row}{COUNTED}@return(n)\n") == [2, 2]


def test_a_chosen_sum_is_that_of_all_elements():
    """Launch 3 computes the least element of a column again, from chosen elements of its operands."""
    text = """x = @param:x -> f32, {70,90}
y = @param:y -> f32, {90}
p = mul(x, y)
s = sub(x, p)
m = reduce_min[axes={0}](s)
i = argmin[axis=0](s)
t = take_along_axis[axis=0](s, i)
e = equal(t, m)
n = reduce_max[axes={0,1}](p)
@return(e, n, s)
"""
    assert negations(text) == [0, 2, 2]
    rng = np.random.default_rng(1)
    arrays = [rng.normal(size=size).astype(np.float32) for size in ((70, 90), 90)]
    assert asmgen.compile(text, assembler="builtin")(*arrays, device="emulator")[0].all()


def test_a_launch_of_several_loops_rounds_them_alike():
    assert negations(f"{HEAD}s = add(p, z)\n{LEAST}v = where(e, p, x)\nw = reduce_max[axes={{1}}](v)\n@return(c, w)\n") == [2]


def test_a_product_that_is_converted_to_its_own_type_is_rounded():
    text = f"{HEAD}q = convert[target_type=f32](p)\ns = add(q, z)\n{COUNTED}v = where(e, p, x)\nw = reduce_max[axes={{0}}](v)\n@return(n, w)\n"
    assert negations(text) == [2, 2]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(f"{HEAD}s = add(p, z)\n{COUNTED}@return(n)\n", id="no other reader"),
        pytest.param(f"{HEAD}s = add(p, z)\nm = reduce_min[axes={{1}}](s)\nn = reduce_max[axes={{0}}](p)\n@return(m, n)\n", id="computed once"),
        pytest.param(
            f"{HEAD}a = slice[axes={{1}}, starts={{0}}, ends={{45}}](p)\n"
            "b = slice[axes={1}, starts={45}, ends={90}](p)\n"
            "s = add(a, b)\nm = reduce_min[axes={1}](s)\nf = multibroadcast[out_lens={70,45}](m)\n"
            "e = equal(s, f)\nc = convert[target_type=i32](e)\nn = reduce_sum[axes={0}](c)\n@return(n)\n",
            id="parts of a product",
        ),
    ],
)
def test_other_products_may_be_contracted(text: str):
    assert not any(negations(text))
