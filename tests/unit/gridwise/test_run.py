"""Gridwise programs compiled by way of tile programs, and run on the emulator, buffers bound by name."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen
from asmgen.compiled import CompiledProgram
from asmgen.gentext.parser import parse
from asmgen.graph.reference import compare, evaluate
from asmgen.gridwise import rules
from asmgen.gridwise.program import GridFile
from asmgen.ir.arrays import Array
from isa.diagnostics import InputError
from tests.unit.gridwise.programs import FULL_SUM, edited

pytestmark = pytest.mark.broad

CHOICE = "row[rows=1, lanes=64, waves=1, teams=1, vector=4, repeat=1]"
X = np.arange(4096, dtype=np.float32)


def compiled(text: str) -> CompiledProgram:
    return asmgen.compile(text, target="gfx942")


def run(text: str, *arrays: object) -> list[Array]:
    return compiled(text)(*arrays, device="emulator")


def check(text: str, arrays: list[Array], target: str = "gfx942") -> GridFile:
    """The results of a graph's launches are within the bounds of its reference."""
    program = asmgen.compile(text, target=target)
    for expected, actual in zip(evaluate(parse(text, "graph.gen"), arrays), program(*arrays, device="emulator"), strict=True):
        comparison = compare(expected, actual)
        assert not comparison.is_broken, comparison
    assert program.compilation.stages.gridwise is not None
    return program.compilation.stages.gridwise


@pytest.mark.parametrize("target", ["gfx942", "gfx1201"])
def test_a_sum_in_two_launches(target: str) -> None:
    x = np.random.default_rng(1).standard_normal(70001).astype(np.float32)
    file = check("x = @param:x -> f32, {70001}\ns = reduce_sum(x)\n@return(s)\n", [x], target)
    assert [launch.name for launch in file.programs[0].launches] == ["_text_", "_text__1"]


def test_a_softmax_of_one_long_row() -> None:
    x = np.random.default_rng(2).standard_normal((1, 70001)).astype(np.float32)
    file = check("x = @param:x -> f32, {1,70001}\ns = softmax[axis=1](x)\n@return(s)\n", [x])
    assert len(file.programs[0].launches) == 3


def test_reductions_of_different_axes_pass_on_a_result() -> None:
    x = np.random.default_rng(3).standard_normal((64, 8)).astype(np.float16)
    text = "x = @param:x -> f16, {64,8}\ns = reduce_max[axes={1}](x)\nt = reduce_sum[axes={0}](s)\n@return(t, s)\n"
    file = check(text, [x])
    assert len(file.programs[0].launches) == 2


def test_a_result_without_elements_is_given() -> None:
    text = "x = @param:x -> f16, {7,0,3}\ns = reduce_prod[axes={2}](x)\nt = div(s, s)\n@return(t)\n"
    _ = check(text, [np.zeros((7, 0, 3), np.float16)])


def test_a_text_with_a_scalar_runs() -> None:
    assert [array.tolist() for array in run(FULL_SUM, X, 0.5)] == [[4095 * 2048 + 0.5], [4095 * 4096 + 1]]


EDITS = {
    "two waves a row": (CHOICE, CHOICE.replace("waves=1", "waves=2").replace("vector=4", "vector=2")),
    "16 lanes a row": (
        "n floordiv 256) by " + CHOICE,
        "n floordiv 1024) by " + CHOICE.replace("lanes=64", "lanes=16").replace("repeat=1", "repeat=4"),
    ),
    "narrower accesses": (CHOICE, CHOICE.replace("vector=4, repeat=1", "vector=1, repeat=4")),
    "two rows a workgroup": (
        "n floordiv 256) by " + CHOICE,
        "n floordiv 512) by " + CHOICE.replace("teams=1", "teams=2"),
    ),
}


@pytest.mark.parametrize("name", EDITS)
def test_another_choice_gives_another_kernel_and_the_same_numbers(name: str) -> None:
    text = edited(*EDITS[name])
    kernels = [compiled(each).kernels[0].assembly for each in (FULL_SUM, text)]
    assert kernels[0] != kernels[1]
    assert run(text, X, 0.5)[0].tolist() == [4095 * 2048 + 0.5]


@pytest.mark.parametrize("grid", ["grid(8)", "grid(n)", "grid(16, 2)"])
def test_a_grid_that_the_schedule_does_not_have_is_refused(grid: str) -> None:
    with pytest.raises(InputError) as caught:
        _ = compiled(edited("grid(n floordiv 256)", grid))
    assert (caught.value.code, str(caught.value.place)) == (rules.SHARED.code, "<text>.gen:9:3")
    assert "its schedule has work for (16, 1, 1)" in caught.value.message


BROKEN = {
    "three lanes a row": (CHOICE.replace("lanes=64", "lanes=3"), rules.POWERS, "lanes is 3"),
    "more lanes than a wave has": (CHOICE.replace("lanes=64", "lanes=128"), rules.POWERS, "lanes is 128"),
    "accesses of three elements": (CHOICE.replace("vector=4", "vector=3"), rules.POWERS, "vector is 3"),
    "three rows": (CHOICE.replace("rows=1", "rows=3"), rules.POWERS, "rows is 3"),
    "three waves": (CHOICE.replace("waves=1", "waves=3"), rules.POWERS, "waves is 3"),
    "a reduction by elements": ("pointwise[vector=4, waves=1]", rules.PAGE, "has reductions"),
    "a reduction by products": ("contract[m=1, n=1, k=1, waves=1]", rules.PAGE, "contract"),
    "a reduction of rows by columns": (
        "column[rows=1, columns=1, lanes=64, waves=1, teams=1, vector=4, repeat=1]",
        rules.FITS,
        "row is for a last dim that is reduced",
    ),
    "more lanes than a workgroup has": (
        CHOICE.replace("waves=1", "waves=32"),
        rules.FITS,
        "and the target's has 1024 at most",
    ),
    "more rows than the grid has": (CHOICE.replace("rows=1", "rows=2"), rules.SHARED, "(8, 1, 1)"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_choice_that_no_schedule_has_is_refused(name: str) -> None:
    choice, rule, message = BROKEN[name]
    with pytest.raises(InputError) as caught:
        _ = compiled(edited(CHOICE, choice))
    assert (caught.value.code, str(caught.value.place)) == (rule.code, "<text>.gen:9:3"), str(caught.value)
    assert message in caught.value.message


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("d = add(z, z)", "d = logsoftmax[axis=0](z)", "double has logsoftmax of f32"),
        (
            "s = reduce_sum[axes={0}](flat) -> f32, {1}",
            "w = argmax[axis=0](flat)\n    s = convert[target_type=f32](w)",
            "argmax",
        ),
    ],
)
def test_an_op_that_no_schedule_has_is_refused_where_it_is(old: str, new: str, message: str) -> None:
    with pytest.raises(InputError, match="GRW023") as caught:
        _ = compiled(edited(old, new))
    line = FULL_SUM[: FULL_SUM.index(old)].count("\n") + 1
    assert message in caught.value.message and str(caught.value.place).startswith(f"<text>.gen:{line}")


def test_what_is_passed_is_held_to_the_programs_lines() -> None:
    with pytest.raises(InputError, match=r"CALL001.*x, shift"):
        _ = run(FULL_SUM, X)
    with pytest.raises(InputError, match=r"argument x.*CALL004"):
        _ = run(FULL_SUM, X[:8], 0.5)
    with pytest.raises(InputError, match=r"argument shift.*CALL006"):
        _ = run(FULL_SUM, X, "half")
