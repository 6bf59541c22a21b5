"""The search for programs that take far longer than their bytes."""

from __future__ import annotations

from math import inf

import pytest

from asmgen.gentext.parser import parse
from tools.search_cliffs.__main__ import main, worst_of_kinds
from tools.search_cliffs.judged import Judged, bound_clocks, bytes_of, judged, multiplications_of
from tools.search_cliffs.programs import KINDS, RandomProgram, random_program

SUM = "x = @param:x -> f16, {n,100003}\ny = @param:y -> f16, {100003}\ns = add(x, y)\n@return(s)\n"


@pytest.mark.parametrize("kind", KINDS)
def test_a_seed_always_gives_the_same_program_of_its_kind(kind: str) -> None:
    program = random_program(7, kind)
    assert program == random_program(7, kind) != random_program(8, kind)
    assert program.kind == kind
    assert parse(program.text, "program.gen").modules


def test_bytes_and_multiplications_are_those_of_the_sizes() -> None:
    assert bytes_of(RandomProgram(0, "chain", SUM, {"n": 3})) == 2 * 100003 * (3 + 1 + 3)
    dot = "a = @param:a -> f32, {2,5,n}\nb = @param:b -> f32, {n,7}\nc = dot(a, b)\n@return(c)\n"
    assert multiplications_of(RandomProgram(0, "product", dot, {"n": 11})) == 2 * 5 * 7 * 11


def test_a_program_of_many_elements_takes_about_its_bound() -> None:
    found = judged(RandomProgram(0, "chain", SUM, {"n": 300}), "gfx942")
    assert 0.7 < found.factor < 1.5
    assert found.bound > 2 * bound_clocks(RandomProgram(0, "chain", SUM, {"n": 30}), "gfx942")


def test_clocks_count_each_launch_with_its_start() -> None:
    text = "x = @param:x -> f32, {2,n}\ns = reduce_sum[axes=1](x)\n@return(s)\n"
    found = judged(RandomProgram(0, "reduction", text, {"n": 100003}), "gfx1100")
    assert found.launches == 2
    assert found.clocks > 2 * 1900 * 2.5


def test_a_program_that_is_not_done_in_time_is_the_worst() -> None:
    program = RandomProgram(0, "chain", SUM, {"n": 300})
    slow = judged(program, "gfx942", limit=0.001)
    assert slow.factor == inf
    assert "CPU seconds" in slow.note


def test_the_worst_of_each_kind_come_first() -> None:
    kinds = [("a", 2), ("b", 9), ("a", 5), ("a", 7), ("b", 1)]
    found = [Judged(RandomProgram(0, kind, "", {}), "gfx942", clocks, 1, 1, 0) for kind, clocks in kinds]
    assert [(each.program.kind, each.factor) for each in worst_of_kinds(found, 2)] == [("b", 9), ("b", 1), ("a", 7), ("a", 5)]


def test_a_find_makes_the_tool_fail(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["gfx942", "--kind", "reverse", "--seeds", "3:4"]) == 0
    assert main(["gfx942", "--kind", "reverse", "--seeds", "3:4", "--most", "0.01"]) == 1
    out, err = capsys.readouterr()
    assert "--show 3" in out
    assert "seed 3: " in err
