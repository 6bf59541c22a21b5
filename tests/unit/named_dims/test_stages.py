"""Every stage prints named dims and reads them back; its interpreter runs it at sizes that are given."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy

import asmgen
from asmgen.blockwise import interpret as tiles
from asmgen.cli.main import main
from asmgen.gridwise.interpret import interpret as run_launches
from asmgen.index.size import Dim, Size, largest, named_dim
from asmgen.ir.program import Stage
from asmgen.kernels import build_kernel
from asmgen.lanewise.interpret import interpret as run_lanes
from isa.diagnostics import InputError
from tests.unit.named_dims.test_launches import TWO, text

ROOT = Path(__file__).parents[3]
PROGRAMS = {
    "vecadd": text("a = @param:a -> f32, {n}", "b = @param:b -> f32, {n}", "o = add(a, b)", "@return(o)"),
    "rows": text("x = @param:x -> f16, {rows,100}", "o = softmax[axis=1](x)", "@return(o)"),
    "narrow": text("x = @param:x -> f32, {n,3}", "o = reduce_sum[axes=1](x)", "@return(o)"),
    "two": TWO,
    "total": text("x = @param:x -> f32, {n}", "y = @param:y -> f32, {n}", "p = mul(x, y)", "o = reduce_sum(p)", "@return(o)"),
    "inner": text("x = @param:x -> f32, {3,n,m}", "y = @param:y -> f32, {n,1}", "o = mul(x, y)", "@return(o)"),
    "rows of n": text("x = @param:x -> f32, {m,n}", "o = reduce_mean[axes=1](x)", "@return(o)"),
    "mean of bytes": text("x = @param:x -> u8, {n,4}", "o = reduce_mean[axes=0](x)", "@return(o)"),
    "columns": text("x = @param:x -> f16, {n,8,65}", "o = reduce_max[axes=0](x)", "@return(o)"),
    "clamped": text("x = @param:x -> f32, {n,3}", "o = slice[axes=0, starts=-8, ends=8](x)", "@return(o)"),
    "a row or none": text("x = @param:x -> f32, {n,4,m}", "s = slice[axes=0, starts=-1, ends=130](x)", "o = neg(s)", "@return(o)"),
    "clamped rows": text(
        "x = @param:x -> f32, {m,n}", "s = slice[axes=1, starts=2, ends=10](x)", "t = slice[axes=0, starts=1, ends=-1](s)",
        "o = reduce_sum[axes=1](t)", "@return(o)",
    ),
    "slices of slices": text(
        "x = @param:x -> f32, {n}", "a = slice[axes=0, starts=-70, ends=17](x)", "b = concat[axis=0](a, x)",
        "c = slice[axes=0, starts=1, ends=2147483647](b)", "o = concat[axis=0](c, b)", "@return(o)",
    ),
    "moved": text(
        "x = @param:x -> f32, {n,12}", "y = reshape[dims={n,3,4}](x)", "z = transpose[permutation={0,2,1}](y)",
        "w = reshape[dims={2*n,6}](z)", "r = reverse[axes={0}](w)", "o = concat[axis=0](r, w)", "@return(o)",
    ),
}  # fmt: skip


def stage_text(source: str, stage: str, tmp: Any) -> str:
    path = tmp / "k.gen"
    _ = path.write_text(source, encoding="utf-8")
    assert main(["kernel", str(path), "--emit", stage, "-o", str(tmp / "out.gen")]) == 0
    return (tmp / "out.gen").read_text(encoding="utf-8")


def code(assembly: str) -> list[str]:
    """The lines without those that name their place in a source."""
    lines = [line.partition(";")[0].rstrip() for line in assembly.splitlines()]
    return [line for line in lines if not line.strip().startswith((".loc", ".file"))]


@pytest.mark.broad
@pytest.mark.parametrize("name", PROGRAMS)
def test_the_text_of_every_stage_reads_back(name: str, tmp_path: Any) -> None:
    source = "module @k {\n" + PROGRAMS[name] + "}\n"
    wanted = code(asmgen.compile(source, target="gfx942").kernels[0].assembly)
    for stage in Stage:
        printed = stage_text(source, stage.value, tmp_path)
        assert stage_text(printed, stage.value, tmp_path) == printed
        assert code(asmgen.compile(printed, target="gfx942").kernels[0].assembly) == wanted, stage


@pytest.mark.parametrize("n", [1, 5, 300])
def test_the_interpreters_take_the_sizes_of_the_launch(n: int) -> None:
    program = asmgen.compile(PROGRAMS["narrow"], target="gfx942")
    x = np.arange(3 * n, dtype=np.float32).reshape(n, 3)
    wanted = x.sum(1, keepdims=True)
    compilation = program.compilation
    assert compilation.stages.gridwise is not None
    assert compilation.stages.blockwise is not None
    np.testing.assert_array_equal(run_launches(compilation.stages.gridwise.programs[0], [x])[0], wanted)
    memory = {"x": x.reshape(-1), "o": np.zeros(n, np.float32)}
    tiles.interpret(compilation.stages.blockwise.kernels[0], memory, sizes={"n": n})
    np.testing.assert_array_equal(memory["o"], wanted[:, 0])
    for stage in (Stage.LANEWISE, Stage.FINAL):
        o = np.zeros(n, np.float32)
        run_lanes(compilation.stages.programs[stage].modules[0], [x.reshape(-1), o, np.array(n, np.uint32)])
        np.testing.assert_array_equal(o, wanted[:, 0])


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("dim n = 1 to 1073741823", "dim n = 1 to 63", "error[GEN014]: a dim goes from 1 to 63, wanted it from 0 or more to 64 or more"),
        ("dim n = 1 to 1073741823", "dim n = 2000000000 to 1073741823", "error[GEN014]: a dim goes from 2"),
        ("dim n = 1 to 1073741823", "dim m = 1 to 1073741823", "error[GEN004]: n is not an index here"),
        ("(n + 1023) floordiv 1024", "(n + 1024) floordiv 1024", "error[GRW019]: the grid of k is"),
        ("(n + 1023) floordiv 1024", "n", "error[GRW019]: the grid of k is"),
    ],
)
def test_an_edited_range_or_grid_is_refused(old: str, new: str, said: str, tmp_path: Any) -> None:
    printed = stage_text("module @k {\n" + PROGRAMS["vecadd"] + "}\n", "gridwise", tmp_path)
    assert old in printed
    with pytest.raises(InputError) as caught:
        _ = asmgen.compile(printed.replace(old, new), target="gfx942")
    assert said in str(caught.value)


def test_a_lane_program_without_the_argument_is_refused(tmp_path: Any) -> None:
    printed = stage_text("module @k {\n" + PROGRAMS["vecadd"] + "}\n", "lanewise", tmp_path)
    with pytest.raises(InputError, match=r"GEN014.*n is the name of a dim and no argument"):
        _ = asmgen.compile(printed.replace("@param:n ->", "@param:m ->"), target="gfx942")


def test_sizes_are_what_sympy_says() -> None:
    most = (1 << 20) - 1
    n, x = named_dim("n", 1, most), sympy.Symbol("n", integer=True, positive=True)
    pairs: list[tuple[Dim, Any]] = [
        (n * 4 + 3, 4 * x + 3), (-(-n // 256), sympy.ceiling(x / 256)), (n * 1024 // 256, 4 * x), (5 - n, 5 - x), ((n + n) * 3, 6 * x),
        ((n * 12 + 7) // 4, sympy.floor((12 * x + 7) / 4)), (n * 1024 // n, sympy.Integer(1024)), (n * 6 % 4, sympy.Mod(6 * x, 4)),
        (largest([n, 70]), sympy.Max(x, 70)), (largest([-(-n // 4), n * 2]), 2 * x),
    ]  # fmt: skip
    for made, wanted in pairs:
        for value in (1, 2, 3, 69, 70, 71, 1000, most):
            got = made.expression.evaluate(dict.fromkeys(made.expression.symbols, value), 0) if isinstance(made, Size) else made
            assert got == wanted.subs(x, value), (made, value)


def test_a_size_is_never_a_plain_number() -> None:
    n = named_dim("n", 1, 65521)
    assert n == n + 0
    assert n != 65521
    assert n * 0 == 0
    assert n - n == 0
    assert {n, n * 1, 1} == {n, 1}
    assert str((n * 4, n)) == "(4*n, n)"


def test_verify_tries_the_sizes_of_one_code_object(capsys: pytest.CaptureFixture[str]) -> None:
    from asmgen.verification import verify

    found = verify(asmgen.compile(build_kernel("relu", [("n", "?"), ("dtype", "i32")]), target="gfx942"))
    assert not found.is_broken
    assert "n=1" in found.sizes
    assert "n=1027" in found.sizes


def test_the_example_and_the_commands_of_the_page_run() -> None:
    page = (ROOT / "docs" / "gen-text.md").read_text(encoding="utf-8")
    section = page[page.index("## Sizes that the launch knows") : page.index("## Types")]
    program = asmgen.compile(section.split("```\n")[1], target="gfx942")
    x, b = np.ones((3, 1024), np.float32), np.arange(1024, dtype=np.float32)
    np.testing.assert_array_equal(program(x, b, device="emulator")[0], (x + b).reshape(6, 512))
    commands = section.split("```sh\n")[1].split("```")[0].splitlines()
    assert len(commands) == 2
    for command in commands:
        python, _, asmgen_, *arguments = shlex.split(command)
        assert (python, asmgen_) == ("python", "asmgen")
        assert main(arguments) == 0
