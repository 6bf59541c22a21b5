"""Reductions of matrix products in the launch of the products: which of them, in which parts, and why not."""

from __future__ import annotations

import re

import pytest

from asmgen.blockwise.schedules.choices import Contract
from asmgen.gentext.parser import parse
from asmgen.graph.block_dots import PRODUCTS
from asmgen.graph.ops import REDUCTIONS
from asmgen.gridwise.cut import cut
from asmgen.gridwise.fuse_lines import fuse_lines
from asmgen.gridwise.lower import tile_program
from asmgen.gridwise.printer import print_file
from asmgen.gridwise.program import Launch
from asmgen.gridwise.reader import read_file
from asmgen.ir.program import tensor_type
from isa.diagnostics import InputError
from isa.targets import parse_target
from tests.unit.gridwise.programs import launches_of

TARGET = parse_target("gfx942")
SQUARES = "q = mul(y, y)\ns = reduce_sum[axes=1](q)\n@return(s)"


def text_of(after: str, m: int = 4096, n: int = 4096, k: int = 4096) -> str:
    return f"a = @param:a -> f16, {{{m},{k}}}\nb = @param:b -> f16, {{{k},{n}}}\ny = dot(a, b)\n{after}\n"


def reduced(launch: Launch) -> list[tuple[int, ...]]:
    """The dims of the operands of a launch's reductions."""
    return [tensor_type(each.operands[0]).shape for each in launch.body.statements if each.op in REDUCTIONS]


def line_of(text: str) -> str:
    (line,) = fuse_lines(parse(text, "kernel.gen"), TARGET.target, False, "exact")
    return line


def test_the_launch_of_a_product_reduces_parts_of_a_wave() -> None:
    """The product is not stored, and the next launch reads a number for each part."""
    first, second = launches_of(TARGET, text_of(SQUARES))
    assert isinstance(first.choice, Contract) and first.writes == ("s_f32_partial",)
    (dims,) = reduced(first)
    assert dims[:1] == (4096,) and dims[1] * dims[2] == 4096 and 2 * dims[2] == first.choice.n
    assert second.reads == first.writes and reduced(second) == [(4096, dims[1])]
    assert re.search(r"s_f32 in the launch of y: in parts of \d+, \d+ clocks, apart \d+", line_of(text_of(SQUARES)))


def test_a_product_that_others_need_is_stored_once() -> None:
    first, _ = launches_of(TARGET, text_of("z = relu(y)\nq = mul(z, z)\ns = reduce_sum[axes=0](q)\n@return(s, z)"))
    assert first.writes == ("z", "s_f32_partial") and reduced(first)[0][2] == 4096


def test_a_tile_of_whole_rows_needs_no_other_launch() -> None:
    (only,) = launches_of(TARGET, text_of("z = softmax[axis=1](y)\n@return(z)", n=200, k=64))
    assert isinstance(only.choice, Contract) and only.choice.n == 256


def test_rows_that_are_read_whole_are_reduced_by_their_own_launch() -> None:
    """It has the elements in registers when it reduces them, so that parts would cost another launch."""
    text = text_of("z = softmax[axis=1](y)\n@return(z)")
    assert [reduced(launch) for launch in launches_of(TARGET, text)] == [[], [(4096, 4096), (4096, 4096)]]
    assert "apart from y: their kernel reads the whole product anyway" in line_of(text)


@pytest.mark.parametrize(
    "after",
    [
        "t = transpose[permutation={1,0}](y)\nd = sub(y, t)\ns = reduce_sum[axes=1](d)\n@return(s)",
        "s = reduce_sum[axes={0,1}](y)\n@return(s)",
        "c = cumsum[axis=1](y)\ns = reduce_sum[axes=1](c)\n@return(s)",
    ],
    ids=["elements of other tiles", "both dims", "a scan"],
)
def test_other_reductions_stay_apart(after: str) -> None:
    text = text_of(after)
    assert not list(fuse_lines(parse(text, "kernel.gen"), TARGET.target, False, "exact"))
    (product,) = [each for each in launches_of(TARGET, text) if any(one.op in PRODUCTS for one in each.body.statements)]
    assert not reduced(product)


def test_a_launch_reduces_along_one_dim() -> None:
    after = "s = reduce_sum[axes=1](y)\nt = reduce_max[axes=0](y)\n@return(s, t)"
    first, second = launches_of(TARGET, text_of(after, m=40, n=70, k=24))
    assert [reduced(first), reduced(second)] == [[(40, 70)], [(40, 70)]]


def test_a_reduction_may_come_before_another_product_of_its_launch() -> None:
    after = "s = reduce_prod[axes=0](y)\nc = @param:c -> f16, {2,17}\nz = dot(a, c)\n@return(s, z)"
    (only,) = launches_of(TARGET, text_of(after, m=31, n=17, k=2))
    assert only.writes == ("s", "z")


def test_a_stated_tile_has_to_fit_the_parts() -> None:
    text = print_file(cut(parse(text_of(SQUARES, k=64, n=2048), "kernel.gen"), TARGET).file)
    with pytest.raises(InputError, match=r"n is 16, wanted \d+, to reduce a tile"):
        _ = tile_program(read_file(re.sub(r" n=\d+", " n=16", text), "kernel.gen"))
