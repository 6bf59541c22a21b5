"""Rows of a length that only the launch knows: a workgroup each, a wave, or few lanes if they are short."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace

import asmgen
from asmgen.blockwise.schedules.choices import Row
from asmgen.blockwise.schedules.choosing.choose import choose
from asmgen.blockwise.schedules.misfit import misfit
from asmgen.cli.main import main
from asmgen.gentext.parser import parse
from asmgen.graph.ops import PARAM
from asmgen.profile.programs import launches_of_program
from asmgen.verification.sizes import launch_sizes
from isa.targets import TARGETS
from tests.unit.blockwise.schedules.graphs import graph_of, softmax

VERSIONS = "row[rows=1, lanes=LANES, waves=2, teams=1, vector=4, repeat=1, short=130, many=5, middle=200]"


def row_text(shape: str, statement: str) -> str:
    return f"x = @param:x -> f32, {shape}\no = {statement}\n@return(o)\n"


def test_short_rows_have_few_lanes_each() -> None:
    program = asmgen.compile(row_text("{16384,n}", "argmin[axis=1](x)"), target="gfx942")

    def groups(n: int) -> int:
        (launch,) = launches_of_program(program, "argmin", (), {"n": n})
        return launch.call.grid[0]

    of_tiny, of_few, of_waves = [16384 * lanes // 1024 for lanes in (4, 16, 64)]
    wanted = [of_tiny, of_few, of_few, of_waves, of_waves, 16384]
    assert [groups(n) for n in (16, 17, 1024, 1025, 4096, 4097)] == wanted


@pytest.mark.parametrize(
    ("statement", "wanted"),
    [("softmax[axis=1](x)", [16, 64, 64, 1000, 80]), ("reduce_sum[axes=1](x)", [1000, 1000, 1000, 1000, 1216])],
)
def test_few_rows_share_workgroups_only_if_they_are_very_short(statement: str, wanted: list[int]) -> None:
    program = asmgen.compile(row_text("{m,n}", statement), target="gfx942")
    found = [
        launches_of_program(program, "rows", (), {"m": m, "n": n})[0].call.grid[0]
        for m, n in ((1000, 128), (1000, 129), (1000, 512), (1000, 513), (1216, 513))
    ]
    assert found == wanted


@pytest.mark.parametrize(
    ("statement", "wanted"),
    [
        ("reduce_sum[axes=1](x)", {"4096*(n floordiv 4096)"}),  # shorter rows are a piece each
        ("softmax[axis=1](x)", {"16384*(n floordiv 16384)", "min(512*(n floordiv 512), 4096)"}),
    ],
)
def test_loops_over_shorter_rows_end_at_the_longest_of_these(
    statement: str, wanted: set[str], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    source = tmp_path / "rows.gen"
    _ = source.write_text(row_text("{rows,n}", statement))
    assert main(["kernel", str(source), "--target", "gfx942", "--emit", "blockwise", "-o", "-"]) == 0
    assert set(re.findall(r"for\[k.* = 0 to (.*) step", capsys.readouterr().out)) == wanted


@pytest.mark.parametrize(
    ("shape", "statement", "wanted"),
    [
        ("{rows,n}", "softmax[axis=1](x)", (128, 4096, 1216)),
        ("{rows,n}", "reduce_sum[axes=1](x)", (128, 512, 1216)),
        ("{16384,n}", "reduce_sum[axes=1](x)", (None, None, None)),  # a wave a row
        ("{16384,n}", "rmsnorm[axis=1](x)", (128, 512, 1216)),
        ("{1215,n}", "softmax[axis=1](x)", (None, None, None)),
        ("{1216,n}", "softmax[axis=1](x)", (128, 4096, 1216)),
        ("{9727,n}", "softmax[axis=1](x)", (128, 4096, 1216)),
        ("{9728,n}", "softmax[axis=1](x)", (1024, 4096, 1216)),
        ("{rows,100}", "softmax[axis=1](x)", (None, None, None)),
    ],
)
def test_many_rows_of_a_named_dim_have_versions(shape: str, statement: str, wanted: tuple[int | None, ...]) -> None:
    choice = choose(graph_of(row_text(shape, statement)).work, TARGETS["gfx942"])
    assert isinstance(choice, Row) and (choice.short, choice.middle, choice.many) == wanted


def test_sums_of_very_many_rows_of_a_named_dim_have_a_wave_each() -> None:
    choice = choose(graph_of(row_text("{16384,n}", "reduce_sum[axes=1](x)")).work, TARGETS["gfx942"])
    assert choice == Row(rows=1, lanes=64, waves=1, teams=4, vector=4, repeat=1)


@pytest.mark.parametrize(
    ("target", "rows", "lanes"),
    [("gfx942", 58367, 64), ("gfx942", 58368, 16), ("gfx942", 466944, 8), ("gfx1100", 9215, 32), ("gfx1100", 9216, 16)],
)
def test_sums_of_more_rows_of_a_named_dim_have_few_lanes_each(target: str, rows: int, lanes: int) -> None:
    choice = choose(graph_of(row_text(f"{{{rows},n}}", "reduce_sum[axes=1](x)")).work, TARGETS[target])
    assert isinstance(choice, Row) and (choice.lanes, choice.waves) == (lanes, 1)


def test_verification_has_many_short_rows() -> None:
    (module,) = parse(row_text("{rows,n}", "softmax[axis=1](x)"), "t").modules
    sizes = launch_sizes([each for each in module.statements if each.op is PARAM])
    assert any(each["rows"] > 1216 and 4 < each["n"] < 1024 for each in sizes)


def test_short_rows_need_a_named_dim() -> None:
    choice = Row(rows=1, lanes=64, waves=1, teams=1, vector=4, repeat=4, short=16, many=1)
    assert "short is for rows of a length that the launch knows" in misfit(softmax((64, 100), 1), choice, TARGETS["gfx942"])


def test_waves_take_longer_rows_than_few_lanes() -> None:
    choice = Row(rows=1, lanes=64, waves=1, teams=1, vector=4, repeat=4, short=16, many=1, middle=16)
    graph = graph_of(row_text("{rows,n}", "softmax[axis=1](x)"))
    assert misfit(graph, choice, TARGETS["gfx942"]) == "short is 16 and middle is 16, wanted a short that is below middle"
    alone = replace(choice, short=None)
    assert misfit(graph, alone, TARGETS["gfx942"]) == "middle is 16 without a short, wanted a short that is below middle"


@pytest.mark.broad
@pytest.mark.parametrize("target", ["gfx942", "gfx1100", "gfx1201:wave64"])
@pytest.mark.parametrize(("op", "shape"), [("softmax", "{m,n}"), ("argmax", "{2,m,n}"), ("reduce_sum", "{m,k,n}")])
def test_all_versions_are_right(op: str, shape: str, target: str) -> None:
    axis = shape.count(",")
    statement = f"{op}[{'axes' if op == 'reduce_sum' else 'axis'}={axis}](x)"
    lanes = "32" if target == "gfx1100" else "64"
    program = asmgen.compile(row_text(shape, statement), target=target, schedules=(VERSIONS.replace("LANES", lanes),))
    assert len(program.kernels) == 1
    tiny, short = ((0, 7), (1, 7), (3, 0), (4, 67), (16, 300)), ((17, 9), (129, 5), (130, 4), (130, 9))
    for n, m in (*tiny, *short, (131, 9), (200, 7), (201, 7), (259, 3)):
        if n == 0 and op != "reduce_sum":
            continue
        dims = [{"n": n, "m": m, "k": 3, "2": 2}[name] for name in shape.strip("{}").split(",")]
        x = np.random.default_rng(n).standard_normal(dims, np.float32)
        (found,) = program(x, device="emulator")
        wide = x.astype(np.float64)
        if op == "softmax":
            powers = np.exp(wide - wide.max(-1, keepdims=True))
            wanted = powers / powers.sum(-1, keepdims=True)
        else:
            wanted = wide.argmax(-1, keepdims=True) if op == "argmax" else wide.sum(-1, keepdims=True)
        np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-4)


def test_short_last_axes_are_joined_with_those_before() -> None:
    """A workgroup read {512,64,1,1} a number after the other, in 1.9 million clocks on gfx942."""
    text = row_text("{m,64,n}", "reduce_mean[axes={0,2}](x)")
    choice = choose(graph_of(text).work, TARGETS["gfx942"])
    assert isinstance(choice, Row) and choice.joined == choice.vector * choice.lanes * choice.waves
    known = choose(graph_of(text.replace("n}", "49}")).work, TARGETS["gfx942"])
    assert isinstance(known, Row) and known.joined is None


def test_only_open_rows_of_several_axes_are_joined() -> None:
    choice = Row(rows=1, lanes=64, waves=1, teams=1, vector=4, repeat=4, joined=16)
    message = "joined is for several reduced axes, of which the launch knows the last"
    for shape, axes in (("{m,n}", 1), ("{m,64,49}", "{0,2}"), ("{m,n,64}", 1)):
        graph = graph_of(row_text(shape, f"reduce_sum[axes={axes}](x)"))
        assert misfit(graph, choice, TARGETS["gfx942"]) == message
    assert not misfit(graph_of(row_text("{m,4,n}", "reduce_sum[axes={0,2}](x)")), choice, TARGETS["gfx942"])


@pytest.mark.broad
@pytest.mark.parametrize("target", ["gfx942", "gfx1100"])
@pytest.mark.parametrize("rows", ["{m,5,n}", "{m,k,n}"])
def test_joined_and_other_rows_of_several_axes_are_right(rows: str, target: str) -> None:
    lanes = "32" if target == "gfx1100" else "64"
    joined = "row[rows=1, lanes=LANES, waves=2, teams=1, vector=4, repeat=1, joined=9"
    of_many = ", short=20, many=5, middle=300]" if "k" in rows else "]"
    text = (
        f"x = @param:x -> f32, {rows}\nm = reduce_mean[axes={{0,2}}](x)\nd = sub(x, m)\nq = mul(d, d)\n"
        "v = reduce_sum[axes={0,2}](q)\ny = div(d, v)\n@return(m, v, y)\n"
    )
    program = asmgen.compile(text, target=target, schedules=((joined + of_many).replace("LANES", lanes),))
    assert len(program.kernels) == 1
    for m, k, n in ((1, 5, 1), (7, 5, 1), (2, 7, 9), (3, 4, 9), (2, 5, 10), (90, 5, 7), (3, 6, 523)):
        x = np.random.default_rng(n).standard_normal((m, k if "k" in rows else 5, n), np.float32)
        wide = x.astype(np.float64)
        mean = wide.mean((0, 2), keepdims=True)
        squares = ((wide - mean) ** 2).sum((0, 2), keepdims=True)
        found = program(x, device="emulator")
        for own, wanted in zip(found[:2], (mean, squares), strict=True):
            np.testing.assert_allclose(own, wanted, rtol=1e-4, atol=1e-5)
        if m * n > 1:
            np.testing.assert_allclose(found[2], (wide - mean) / squares, rtol=1e-3, atol=1e-5)
