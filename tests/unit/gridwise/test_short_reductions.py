"""Sums of few elements in the launches that read them: which of them, what they are, and why not."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen
from asmgen.gentext.parser import parse
from asmgen.graph.fusion.fuse import FusedKernel, Partition
from asmgen.graph.fusion.short_reductions import Placed, Short, in_readers
from asmgen.gridwise.fuse_lines import fuse_lines
from asmgen.gridwise.prepare import prepare
from asmgen.ir.program import Module
from isa.targets import parse_target
from tests.unit.gridwise.programs import launches_of

TARGET = parse_target("gfx942")


def text_of(op: str, dims: str = "{300,3}", after: str = "y = reduce_max(s)\n@return(y)", type_: str = "f32") -> str:
    return f"x = @param:x -> {type_}, {dims}\nm = mul(x, x)\ns = {op}[axes={{1}}](m)\n{after}\n"


@pytest.mark.parametrize("op", ["reduce_sum", "reduce_mean", "reduce_prod", "reduce_max", "reduce_min"])
def test_a_reader_computes_sums_of_few_elements(op: str):
    program = asmgen.compile(text_of(op), target="gfx1201", assembler="builtin")
    x = np.random.default_rng(3).uniform(0.5, 2, (300, 3)).astype(np.float32)
    ufunc = {"reduce_sum": np.sum, "reduce_mean": np.mean, "reduce_prod": np.prod, "reduce_max": np.max, "reduce_min": np.min}[op]
    (y,) = program(x, device="emulator")
    assert len(program.kernels) == 1
    assert y == pytest.approx(ufunc(np.float64(x) ** 2, axis=1).max(), rel=1e-6)


def test_a_reader_computes_sums_of_sums():
    text = text_of("reduce_sum", "{2,3,40}", "r = sqrt(s)\nt = reduce_sum[axes={0}](r)\ny = reduce_max(t)\n@return(y)")
    program = asmgen.compile(text, target="gfx942", assembler="builtin")
    x = np.random.default_rng(4).normal(size=(2, 3, 40)).astype(np.float32)
    (y,) = program(x, device="emulator")
    assert len(program.kernels) == 1
    assert y == pytest.approx(np.sqrt((np.float64(x) ** 2).sum(1)).sum(0).max(), rel=1e-6)


@pytest.mark.parametrize("op", ["reduce_sum", "reduce_mean"])
def test_all_readers_round_a_sum_alike(op: str):
    """The least sum of each row is among the sums, of which another launch computes each column."""
    after = (
        "r = reduce_min[axes={1}](s)\na = multibroadcast[out_lens={70,90,1}](r)\ne = equal(s, a)\n"
        "c = convert[target_type=i32](e)\nn = reduce_sum[axes={0}](c)\n"
        "f = slice[axes={2}, starts={0}, ends={1}](m)\nw = where(e, f, s)\nv = reduce_max[axes={0}](w)\n"
        "@return(n, v)"
    )
    text = text_of(op, "{70,90,3}", after).replace("axes={1}](m)", "axes={2}](m)")
    program = asmgen.compile(text, target="gfx942", assembler="builtin")
    assert all("s" not in launch.writes for launch in launches_of(TARGET, text))
    x = np.random.default_rng(5).normal(size=(70, 90, 3)).astype(np.float32)
    counts, _ = program(x, device="emulator")
    assert counts.sum() == 70


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(text_of("reduce_sum", "{300,9}"), id="nine elements"),
        pytest.param(text_of("reduce_sum", after="y = reduce_max(s)\n@return(y, s)"), id="a result"),
        pytest.param(text_of("reduce_mean", type_="i32"), id="a mean of integers"),
    ],
)
def test_other_reductions_have_a_launch(text: str):
    assert len(launches_of(TARGET, text)) == 2
    assert not list(fuse_lines(parse(text, "kernel.gen"), TARGET.target, False, "exact"))


def test_readers_that_would_read_more_from_memory_read_the_sums():
    after = "c = reduce_mean(s)\nd = sub(s, c)\ne = mul(d, d)\nv = reduce_sum(e)\nz = mul(s, v)\n@return(z)"
    text = text_of("reduce_mean", "{10000000,3}", after)
    (line,) = fuse_lines(parse(text, "kernel.gen"), TARGET.target, False, "exact")
    assert line.startswith("kernel: s, sums of 3, in a launch: ")
    assert "s" in launches_of(TARGET, text)[0].writes


def test_a_reader_in_parts_computes_sums_of_all_pairs():
    """The pairs have few bytes, but many instructions."""
    pairs = "x = @param:x -> f32, {300,1,3}\ny = multibroadcast[out_lens={300,300,3}](x)\nm = mul(y, y)\n"
    text = pairs + "s = reduce_sum[axes={2}](m)\nr = sqrt(s)\nt = reduce_sum[axes={0,1}](r)\n@return(t)\n"
    first, _ = launches_of(TARGET, text)
    assert "s" not in first.writes
    assert first.grid[0].constant >= 10


def test_a_line_says_why():
    (line,) = fuse_lines(parse(text_of("reduce_sum"), "kernel.gen"), TARGET.target, False, "exact")
    assert line.startswith("kernel: s, sums of 3, in the launches that read it: they compute it in ")


@pytest.mark.parametrize("steps", [4, 16])
def test_only_the_readers_of_sums_are_cut_again(steps: int) -> None:
    """Of products of a matrix and the vector before, the whole graph was cut once for each step."""
    lines = ["a = @param:a -> f32, {2,2}", "x0 = @param:x -> f32, {2,1}"]
    for step in range(steps):
        lines += [f"t{step} = transpose[permutation={{1,0}}](x{step})", f"m{step} = mul(a, t{step})"]
        lines += [f"x{step + 1} = reduce_sum[axes={{1}}](m{step})"]
    (module,) = parse("\n".join([*lines, f"@return(x{steps})", ""]), "chain.gen").modules
    simple = prepare(module, False)
    sizes: list[int] = []

    def cut_again(graph: Module) -> list[FusedKernel]:
        sizes.append(len(graph.statements))
        return Partition(graph, set()).kernels()

    def if_short(short: Short) -> Placed:
        return Placed(len(short.kernel.module.statements) < 20, "by the statements")

    placed = in_readers(simple, cut_again(simple), cut_again, if_short)
    assert len(placed.kernels) == steps // 4
    assert sum(sizes) < 40 * steps


def scaled(rows: int, columns: int, op: str, type_: str = "f32", results: str = "o") -> str:
    """Each element by the result of its row."""
    dims = f"{{{rows},{columns}}}"
    return (
        f"x = @param:x -> {type_}, {dims}\nm = abs(x)\ns = {op}[axes={{1}}](m)\n"
        f"b = multibroadcast[out_lens={dims}](s)\no = div(x, b)\n@return({results})\n"
    )


@pytest.mark.parametrize("target", ["gfx942", "gfx1100"])
@pytest.mark.parametrize("op", ["reduce_max", "reduce_min", "reduce_sum", "reduce_mean"])
def test_the_launch_that_reads_the_results_of_parts_combines_them(op: str, target: str) -> None:
    """A launch of a single workgroup combined them: 3 launches."""
    program = asmgen.compile(scaled(2, 131072, op), target=target, assembler="builtin")
    assert len(program.kernels) == 2
    x = np.random.default_rng(6).uniform(1, 2, (2, 131072)).astype(np.float32)
    ufunc = {"reduce_sum": np.sum, "reduce_mean": np.mean, "reduce_max": np.max, "reduce_min": np.min}[op]
    (o,) = program(x, device="emulator")
    np.testing.assert_allclose(o, x / ufunc(np.float64(x), axis=1, keepdims=True), rtol=1e-6)


@pytest.mark.parametrize("columns", [131072, 89999])
def test_softmax_of_a_row_in_parts_is_two_launches(columns: int) -> None:
    text = f"x = @param:x -> bf16, {{1,{columns}}}\no = softmax[axis=1](x)\n@return(o)\n"
    assert len(launches_of(TARGET, text)) == 2
    (line,) = fuse_lines(parse(text, "kernel.gen"), TARGET.target, False, "exact")
    assert ", parts of 1" in line and ", in the launches that read it: " in line


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(scaled(1, 131072, "reduce_max", results="o, s"), id="a result of the program"),
        pytest.param(scaled(76, 131072, "reduce_max"), id="so many elements that a launch is shorter"),
    ],
)
def test_other_results_of_parts_have_a_launch(text: str) -> None:
    assert len(launches_of(TARGET, text)) == 3
