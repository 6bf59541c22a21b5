"""Values that launches would compute several times are stored if that takes less time."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen
from asmgen.gentext.parser import parse
from asmgen.graph.fusion.fuse import FusedKernel, Partition
from asmgen.graph.fusion.keep import Kept
from asmgen.graph.fusion.repeated_values import repeated_values, with_repeated_stored
from asmgen.gridwise.fuse_lines import fuse_lines
from asmgen.gridwise.prepare import prepare
from isa.targets import parse_target
from tests.unit.gridwise.programs import launches_of

TARGET = parse_target("gfx1201")
PAIRS = """
x = @param:x -> f64, {rows,5}
e = {made}
a = unsqueeze[axes={1}](e)
b = unsqueeze[axes={0}](e)
d = sub(a, b)
m = abs(d)
s = reduce_sum[axes={2}](m)
@return({returned})
"""
# the reduction over the columns needs e in its own launch, and s reads e for each pair
TWICE = "\nx = @param:x -> f64, {3000,70}\nt = tanh(x)\ne = tanh(t)\nr = reduce_max[axes={0}](e)\ns = reduce_sum[axes={1}](e)\n@return(r, s)\n"


def pairs(made: str = "tanh(x)", rows: str = "200", returned: str = "s") -> str:
    return PAIRS.replace("{made}", made).replace("rows", rows).replace("{returned}", returned)


@pytest.mark.parametrize("target", ["gfx942", "gfx1201"])
@pytest.mark.parametrize("returned", ["s", "e, s"])
def test_a_value_of_pairs_is_computed_once(target: str, returned: str):
    program = asmgen.compile(pairs(rows="40", returned=returned), target=target, assembler="builtin")
    x = np.random.default_rng(3).normal(size=(40, 5))
    *stored, s = program(x, device="emulator")
    e = np.tanh(x)
    assert len(launches_of(TARGET, pairs(returned=returned))) == 2
    np.testing.assert_allclose(s.reshape(40, 40), np.abs(e[:, None] - e[None]).sum(-1), rtol=1e-12)
    if stored:
        np.testing.assert_allclose(stored[0], e, rtol=1e-14)


def test_later_launches_read_a_stored_value():
    first, second = launches_of(TARGET, pairs())
    assert first.writes == ("e",) and second.reads == ("e",)


@pytest.mark.parametrize("text", [pairs("neg(x)"), pairs(rows="3"), pairs(rows="n")])
def test_a_value_is_computed_again_if_that_takes_less_time_or_nobody_knows(text: str):
    assert len(launches_of(TARGET, text)) == 1


def test_a_value_of_two_reductions_is_computed_once():
    assert sum("x" in launch.reads for launch in launches_of(TARGET, TWICE)) == 1


def test_a_line_says_why():
    line, *_ = fuse_lines(parse(pairs(), "kernel.gen"), TARGET.target, False, "exact")
    assert line.startswith("kernel: e, which launches need several times, stored: ")


def test_a_value_of_launches_that_take_a_small_part_of_all_clocks_is_not_tried():
    apart = TWICE.replace("@return(r, s)", "y = @param:y -> f32, {9}\nz = reduce_sum[axes={0}](y)\n@return(r, s, z)")
    module = prepare(parse(apart, "kernel.gen").modules[0])
    kernels = Partition(module, set()).kernels()
    assert [each.name for each in repeated_values(module, kernels)] == ["e"]

    def cut_again(_: Kept) -> list[FusedKernel]:
        pytest.fail("a kernel of e takes 1 clock of 1,002, so no way to store it was to be tried")

    def clocks(kernel: FusedKernel) -> float:
        return 1000 if any(each.result.name == "y" for each in kernel.module.statements if each.results) else 1

    assert with_repeated_stored(module, kernels, cut_again, clocks).kernels == kernels


def inverse_factor(a: np.ndarray) -> np.ndarray:
    """The lower Cholesky factor of matrices of 3 by 3, with its diagonal inverted."""
    p, q, r = a[:, 0, 0], a[:, 1, 0], a[:, 2, 0]
    l00 = 1 / np.sqrt(p)
    l10, l20 = q * l00, r * l00
    l11 = 1 / np.sqrt(a[:, 1, 1] - l10 * l10)
    l21 = (a[:, 2, 1] - l20 * l10) * l11
    l22 = 1 / np.sqrt(a[:, 2, 2] - l20 * l20 - l21 * l21)
    zero = np.zeros_like(p)
    rows = [[l00, zero, zero], [l10, l11, zero], [l20, l21, l22]]
    return np.stack([np.stack(row, 1) for row in rows], 1)


@pytest.mark.parametrize("target", ["gfx942", "gfx1100"])
def test_a_lane_with_whole_short_rows_computes_their_values_once(target: str):
    """A Cholesky factor is a stack of values that need each other; in memory, l21 and l22 take a launch."""

    def launches(count: int) -> int:
        inputs = [asmgen.spec(np.float32, (count, 3, 3))]
        return len(asmgen.compile(inverse_factor, target=target, inputs=inputs, assembler="builtin").launches)

    assert launches(262144) == 1
    program = asmgen.compile(inverse_factor, target=target, inputs=[asmgen.spec(np.float32, (70, 3, 3))], assembler="builtin")
    m = np.random.default_rng(4).normal(size=(70, 3, 3))
    a = (m @ m.swapaxes(1, 2) + 3 * np.eye(3)).astype(np.float32)
    (got,) = program(a, device="emulator")
    lower = np.linalg.cholesky(a.astype(np.float64))
    diagonal = np.arange(3)
    lower[:, diagonal, diagonal] = 1 / lower[:, diagonal, diagonal]
    np.testing.assert_allclose(got, lower, rtol=2e-5, atol=2e-6)
