"""Products of few rows in batches by the same matrix are a product of all rows."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen
from asmgen.gentext.parser import parse
from asmgen.graph.ops import DOT
from asmgen.graph.rewritings.row_batches import with_batches_as_rows
from asmgen.ir.program import tensor_type


def text(a: str, b: str = "16,24", rest: str = "@return(y)\n") -> str:
    return f"a = @param:a -> f32, {{{a}}}\nb = @param:b -> f32, {{{b}}}\ny = dot(a, b)\n{rest}"


@pytest.mark.parametrize(("given", "wanted"), [
    (text("64,1,16"), "(64, 24)"),
    (text("2,3,5,16"), "(30, 24)"),
    (text("n,4,16"), "(4*n, 24)"),
    (text("n,m,16"), "(n, m, 24)"),  # the results would be divided by m
    (text("2,1000,16"), "(2, 1000, 24)"),  # tiles have rows of one batch
    (text("1,5,16"), "(1, 5, 24)"),
    (text("4,5,16", "4,16,24"), "(4, 5, 24)"),  # each batch has a matrix of its own
    (text("4,5,16", rest="s = reduce_sum[axes={2}](y)\n@return(s)\n"), "(4, 5, 24)"),
    (text("4,5,16", "16,512", "s = reduce_sum[axes={2}](y)\n@return(s)\n"), "(20, 512)"),
])  # fmt: skip
def test_the_rows_of_a_product(given: str, wanted: str) -> None:
    module = with_batches_as_rows(parse(given, "k.gen").modules[0])
    (dims,) = [tensor_type(each.result).dims for each in module.statements if each.op is DOT]
    assert f"({', '.join(map(str, dims))})" == wanted


@pytest.mark.parametrize("target", ["gfx90a", "gfx1100"])
def test_a_bias_and_a_residual_are_in_the_same_launch(target: str) -> None:
    rest = "c = @param:c -> f32, {24}\nr = @param:r -> f32, {7,3,24}\nz = add(y, c)\nw = mul(z, r)\n@return(w)\n"
    program = asmgen.compile(text("7,3,16", rest=rest), target=target, assembler="builtin")
    assert len(program.launches) == 1
    random = np.random.default_rng(1)
    a, b, c, r = [random.integers(-3, 4, dims).astype(np.float32) for dims in ((7, 3, 16), (16, 24), (24,), (7, 3, 24))]
    np.testing.assert_array_equal(program(a, b, c, r, device="emulator")[0], (a @ b + c) * r)
