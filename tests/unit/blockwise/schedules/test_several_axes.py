"""Rows over several axes, of which an operand has no elements along the last: the group norm's weights."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen
from asmgen.blockwise.program import TileProgram
from asmgen.blockwise.schedules.choices import Row
from asmgen.blockwise.schedules.choosing.choose import choose
from asmgen.blockwise.schedules.schedule import schedule
from asmgen.blockwise.text.printer import print_program
from asmgen.blockwise.text.reader import read_program
from asmgen.ir.shapes import format_list
from isa.targets import TARGETS, parse_target
from tests.unit.blockwise.schedules.graphs import graph_of


def group_norm(dims: tuple[int, ...], groups: int) -> str:
    channels = dims[1]
    return f"""x = @param:x -> f32, {format_list(dims)}
w = @param:w -> f32, {{{channels}}}
b = @param:b -> f32, {{{channels}}}
o = groupnorm[groups={groups}](x, w, b)
@return(o)
"""


@pytest.mark.parametrize(
    ("dims", "groups", "choice"),
    [
        ((16, 128, 32, 32), 32, Row(1, 64, 2, 1, 4, 8)),  # four channels of 1,024: two accesses of each
        ((16, 128, 31, 33), 32, Row(1, 64, 2, 1, 4, 8)),  # three elements of each channel are left over
        ((16, 64, 64, 64), 4, Row(1, 64, 16, 1, 4, 16)),  # the largest workgroup has 65,536 elements
        ((16, 64, 64, 128), 4, Row(1, 64, 4, 1, 4, 8)),  # more are in loops, a channel at a time
    ],
)
def test_whole_groups_stay_in_registers_if_they_fit(dims: tuple[int, ...], groups: int, choice: Row) -> None:
    assert choose(graph_of(group_norm(dims, groups)).work, TARGETS["gfx942"]) == choice


@pytest.mark.parametrize("size", [(16, 16), (9, 33)])  # whole accesses, and an odd number of elements
@pytest.mark.parametrize("target", ["gfx942", "gfx1201"])
def test_an_input_in_registers_is_read_once(target: str, size: tuple[int, int]) -> None:
    dims, groups = (2, 10, *size), 2
    program = asmgen.compile(group_norm(dims, groups), target=target)
    (kernel,) = program.kernels
    assert kernel.assembly.count("\tglobal_load_b") + kernel.assembly.count("\tglobal_load_d") <= 10
    random = np.random.default_rng(7)
    x, w, b = (random.standard_normal(shape, np.float32) for shape in (dims, dims[1:2], dims[1:2]))
    (result,) = program(x, w, b, device="emulator")
    of_groups = x.astype(np.float64).reshape(2, groups, -1)
    deviation = np.sqrt(of_groups.var(axis=2, keepdims=True) + 1e-5)
    normal = ((of_groups - of_groups.mean(axis=2, keepdims=True)) / deviation).reshape(dims)
    expected = normal * w[:, None, None] + b[:, None, None]
    np.testing.assert_allclose(result, expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(("element", "weights", "vector"), [("f16", "u8", 8), ("f32", "f16", 4), ("f16", "f16", 8)])
def test_a_row_that_all_rows_share_is_read_by_whole_accesses(element: str, weights: str, vector: int) -> None:
    text = f"""x = @param:x -> {element}, {{1,4096}}
w = @param:w -> {weights}, {{4096,4096}}
v = convert[target_type=f32](w)
u = convert[target_type=f32](x)
r = multibroadcast[out_lens={{4096,4096}}](u)
p = mul(v, r)
o = reduce_sum[axes={{1}}](p)
@return(o)
"""
    choice = choose(graph_of(text).work, TARGETS["gfx942"])
    assert isinstance(choice, Row)
    assert choice.vector == vector


def test_values_that_loops_share_are_made_before_them() -> None:
    """Both loops over 300 rows read b of the column after whole accesses, which is one number."""
    text = """x = @param:x -> f32, {300,257}
b = @param:b -> f32, {257}
c = multibroadcast[out_lens={300,257}](b)
y = add(x, c)
s = reduce_prod[axes={0,1}](y)
t = multibroadcast[out_lens={300,257}](s)
z = mul(y, t)
@return(z)
"""
    target, graph = parse_target("gfx1100"), graph_of(text)
    kernel = schedule(graph.module, Row(1, 32, 4, 1, 2, 1), target.target, graph.outputs)
    printed = print_program(TileProgram(target, (kernel,)))
    assert printed.count("tile_load[at={256}](b)") == 1
    assert print_program(read_program(printed, "k.gen")) == printed
