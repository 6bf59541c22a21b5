"""Sums that are shifted by another reduction of the row, in the loop of that reduction."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen
from asmgen.blockwise.actions import For
from asmgen.gentext.parser import parse
from asmgen.gridwise.cut import cut
from asmgen.gridwise.lower import tile_kernel
from asmgen.gridwise.reader import read_file
from isa.targets import TARGETS, parse_target
from tests.unit.blockwise.schedules.graphs import softmax_text
from tests.unit.blockwise.schedules.static import reads

PIECE = 1024  # elements that the schedule of `in_pieces` has in a trip

POWERS = """m = reduce_max[axes={1}](x)
    mb = multibroadcast[out_lens={4,n}](m)
    d = sub(x, mb)
    e = exp(d)
    z = reduce_sum[axes={1}](e)"""
SQUARES = """m = reduce_mean[axes={1}](x)
    mb = multibroadcast[out_lens={4,n}](m)
    d = sub(x, mb)
    e = mul(d, d)
    z = reduce_mean[axes={1}](e)"""


def in_pieces(statements: str, rows: int = 1) -> str:
    """Reductions of rows of a length that the launch knows."""
    return f"""stage gridwise gfx942
program @f {{
  dim n = 1 to 1048575
  x = parameter -> f32, {{4,n}}
  z = result -> f32, {{4,1}}
  launch @f(x) -> (z) grid({4 // rows}) by row[rows={rows}, lanes=64, waves=2, teams=1, vector=4, repeat=2] {{
    x = @param:x -> f32, {{4,n}}
    {statements}
    @return(z)
  }}
}}
"""


@pytest.mark.parametrize("kind", ["softmax", "layernorm"])
def test_a_long_row_is_read_twice(kind: str) -> None:
    """In a loop for the reductions, and in a loop for the outputs. The last piece stays in registers."""
    text = softmax_text((16384, 100000), 1).replace("softmax", kind)
    (program,) = cut(parse(text, "graph.gen"), parse_target("gfx942")).file.programs
    (launch,) = program.launches
    assert 1.9 <= reads(tile_kernel(program, launch, TARGETS["gfx942"]), "x") < 2.1


@pytest.mark.parametrize("length", [1, PIECE - 1, PIECE, 3 * PIECE, 4 * PIECE + 7])
@pytest.mark.parametrize("rows", [1, 2])
def test_sums_of_powers(rows: int, length: int) -> None:
    program = asmgen.compile(in_pieces(POWERS, rows))
    x = np.random.default_rng(length).normal(0, 20, (4, length)).astype(np.float32)
    x[1] += np.linspace(-200, 0, length, dtype=np.float32)  # the maximum grows with each trip
    x[2, : length // 2] = -np.inf  # lanes without elements above -infinity in the first trips
    (z,) = program(x, device="emulator")
    exact = x.astype(np.float64)
    expected = np.exp(exact - exact.max(axis=1, keepdims=True)).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(z, expected, rtol=1e-5)


def test_sums_of_powers_without_a_maximum_are_nan() -> None:
    x = np.zeros((4, 3 * PIECE + 5), np.float32)
    x[0] = -np.inf
    x[1, 5] = np.inf
    x[2, -1] = x[3, 0] = np.nan
    (z,) = asmgen.compile(in_pieces(POWERS))(x, device="emulator")
    assert np.isnan(z).all()


@pytest.mark.parametrize("length", [1, PIECE - 1, PIECE, 3 * PIECE, 4 * PIECE + 7])
def test_sums_of_squares(length: int) -> None:
    """The last row has a mean of 4,000 times its deviation, and the third begins far from its mean."""
    x = np.random.default_rng(length).normal(0, 1, (4, length)).astype(np.float32)
    x[1] += np.linspace(-200, 0, length, dtype=np.float32)
    x[2, : length // 3] += 1e4
    x[3] += 4000
    (z,) = asmgen.compile(in_pieces(SQUARES))(x, device="emulator")
    np.testing.assert_allclose(z, x.astype(np.float64).var(axis=1, keepdims=True), rtol=2e-5)


def test_sums_of_squares_overflow_to_infinity() -> None:
    x = np.full((4, 3 * PIECE), 1e25, np.float32)
    x[:, ::2] = 0
    (z,) = asmgen.compile(in_pieces(SQUARES))(x, device="emulator")
    assert (z == np.inf).all()


@pytest.mark.parametrize(("statements", "loops"), [(POWERS, 1), (SQUARES, 1), (POWERS.replace("exp", "abs"), 2)])
def test_a_loop_has_both_reductions_if_the_sum_can_be_moved(statements: str, loops: int) -> None:
    """A loop of at most one trip moves the sum. The sum of the differences themselves has its own loop."""
    (program,) = read_file(in_pieces(statements), "f.gen").programs
    (launch,) = program.launches
    made = [each.op for each in tile_kernel(program, launch, TARGETS["gfx942"]).statements]
    assert sum(isinstance(op, For) and op.step == PIECE for op in made) == loops
