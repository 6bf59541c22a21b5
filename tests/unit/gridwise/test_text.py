"""Gridwise text: it prints as it was read; an edit is honoured, or refused by a rule, with its place."""

from __future__ import annotations

import re
from textwrap import dedent
from typing import NamedTuple

import numpy as np
import pytest
from msgspec.structs import replace

import asmgen.gridwise
from asmgen.gentext.parser import parse
from asmgen.gridwise import rules
from asmgen.gridwise.cut import cut
from asmgen.gridwise.interpret import interpret
from asmgen.gridwise.lower import tile_program
from asmgen.gridwise.printer import print_file
from asmgen.gridwise.program import GridFile, LaunchProgram, Scalar
from asmgen.gridwise.reader import read_file
from asmgen.gridwise.rules import Rule
from asmgen.gridwise.verify import check
from isa.diagnostics import InputError, InternalError, Place
from isa.targets import parse_target
from tests.unit.gridwise.programs import FULL_SUM, edited, read

X = np.arange(4096, dtype=np.float32)


def results(program: LaunchProgram) -> list[float]:
    given = [np.float32(0.5) if isinstance(each, Scalar) else X for each in program.inputs]
    return [float(array[0]) for array in interpret(program, [np.asarray(each) for each in given])]


def test_a_program_prints_as_it_was_read() -> None:
    file = read_file(FULL_SUM, "full_sum.gen")
    assert print_file(file) == FULL_SUM
    assert print_file(GridFile(file.target, (file.programs[0],))) == FULL_SUM


def test_the_example_of_the_room_is_a_program() -> None:
    text = str(asmgen.gridwise.__doc__).split("two launches:\n\n")[1].split("\n\nA launch reads")[0]
    file = read_file(dedent(text) + "\n", "example.gen")
    assert [program.grid_of(launch) for program in file.programs for launch in program.launches] == [
        (256, 1, 1),
        (1, 1, 1),
    ]
    assert [kernel.waves for kernel in tile_program(file).kernels] == [4, 1]


def test_two_programs_are_in_a_file() -> None:
    _, text = FULL_SUM.split("\n", 1)
    both = FULL_SUM + text.replace("program @full_sum", "program @again")
    assert print_file(read_file(both, "both.gen")) == both
    with pytest.raises(InputError, match="full_sum is defined a second time"):
        _ = read_file(FULL_SUM + text, "both.gen")


@pytest.mark.parametrize(
    ("op", "dims"),
    [("cummax[axis=-1, exclusive=true]", "13,1"), ("reduce_mean[axes={1}]", "13,0")],
)
def test_a_broadcast_of_an_identity_element_is_read_again(op: str, dims: str) -> None:
    """The op becomes a number for each of its elements, which are successive in memory."""
    text = f"x = @param:x -> f16, {{{dims}}}\ny = {op}(x)\nz = multibroadcast[out_lens={{13,2}}](y)\n@return(z)\n"
    printed = print_file(cut(parse(text, "t.gen"), parse_target("gfx942")).file)
    assert "inf" in printed or "nan" in printed
    assert print_file(read_file(printed, "again.gen")) == printed


def test_a_transpose_of_a_whole_odd_axis_is_read_again() -> None:
    """A square may be as wide as an axis of three: the rule of powers of two is for the other numbers."""
    text = "x = @param:x -> f32, {64,3}, {1,64}\ny = neg(x)\n@return(y)\n"
    printed = print_file(cut(parse(text, "t.gen"), parse_target("gfx942")).file)
    odd = re.sub(r"by \w+\[.*\]", "by transpose[across=4, vector=3, waves=4]", printed)
    odd = re.sub(r"grid\(\d+\)", "grid(1)", odd)
    assert tile_program(read_file(odd, "again.gen")).kernels
    with pytest.raises(InputError, match="waves is 3, wanted a power of two") as caught:
        _ = tile_program(read_file(odd.replace("waves=4", "waves=3"), "again.gen"))
    assert caught.value.code == "GRW021"


def test_strides_are_read_and_printed() -> None:
    text = """stage gridwise gfx942
program @copy {
  dim m = 3
  x = parameter -> f16, {m,5}, {1,2*m}
  y = result -> f16, {m,5}
  launch @copy(x) -> (y) grid(1) by pointwise[vector=1, waves=1, repeat=1] {
    x = @param:x -> f16, {3,5}, {1,6}
    @return(x)
  }
}
"""
    program = read(text)
    assert print_file(GridFile(parse_target("gfx942"), (program,))) == text
    assert program.types["x"].strides == (1, 6)


# An edit, and the numbers of its results.
HONOURED = {
    "another grid": ("grid(n floordiv 256)", "grid(4, n floordiv 1024, 2)"),
    "another schedule": (
        "by row[rows=1, lanes=64, waves=1, teams=1, vector=4, repeat=1]",
        "by pointwise[vector=4, waves=2]",
    ),
    "a longer lifetime": ("first=partial_sum, last=full_sum", "first=partial_sum, last=double"),
    "another name of a value": ("@return(sums)", "more = identity(sums) -> f32, {16,1}\n    @return(more)"),
    "a size over the dim": ("-> f32, {16,1}", "-> f32, {n floordiv 256,1}"),
    "reads in another order": ("@full_sum(partial, shift)", "@full_sum(shift, partial)"),
    "a comment": ("  dim n = 4096", "  dim n = 4096   # the length"),
}


@pytest.mark.parametrize("name", HONOURED)
def test_an_edit_is_honoured(name: str) -> None:
    program = read(edited(*HONOURED[name]))
    assert results(program) == [4095 * 2048 + 0.5, 4095 * 4096 + 1]
    text = print_file(GridFile(parse_target("gfx942"), (program,)))
    assert print_file(GridFile(parse_target("gfx942"), (read(text),))) == text
    assert text != FULL_SUM or name == "a comment"


def test_an_edited_body_changes_the_result() -> None:
    assert results(read(edited("s = reduce_sum[axes={0}]", "s = reduce_max[axes={0}]")))[0] == sum(range(3840, 4096)) + 0.5
    assert read(edited("grid(n floordiv 256)", "grid(n floordiv 128, 2)")).grid_of(read(FULL_SUM).launches[1]) == (1, 1, 1)


def test_a_grid_follows_the_dims() -> None:
    program = read(FULL_SUM)
    assert [program.grid_of(launch) for launch in program.launches] == [(16, 1, 1), (1, 1, 1), (1, 1, 1)]


class Refused(NamedTuple):
    """An edit, the rule that it breaks, the words of the message, and its line."""

    old: str
    new: str
    rule: Rule
    names: str
    line: int


_FIRST, _SECOND = FULL_SUM.index("  launch @partial_sum"), FULL_SUM.index("  launch @full_sum")
_LAST = FULL_SUM.index("  launch @double")
_WHEN = "when(min(n floordiv 4096, 1))"
_OTHERWISE = "when(1 - min(n floordiv 4096, 1))"
_FROM_FIRST, _FROM_SECOND = FULL_SUM[_FIRST:], FULL_SUM[_SECOND:]
REFUSED = {
    "a name given twice": Refused("shift = scalar", "x = scalar", rules.ONCE, "x", 5),
    "two launches of one name": Refused("launch @double", "launch @full_sum", rules.ONCE, "full_sum", 24),
    "a buffer that is not there": Refused("@partial_sum(x) ->", "@partial_sum(w) ->", rules.KNOWN, "w", 9),
    "a buffer that the body does not read": Refused("@double(z)", "@double(z, x)", rules.BOUND, "x", 24),
    "a buffer that the launch does not name": Refused("@full_sum(partial, shift)", "@full_sum(partial)", rules.BOUND, "shift", 17),
    "a buffer named twice": Refused("@double(z)", "@double(z, z)", rules.BOUND, "z", 24),
    "more buffers than values": Refused("-> (twice)", "-> (twice, z)", rules.RETURNED, "double", 24),
    "a longer parameter": Refused("dim n = 4096", "dim n = 8192", rules.READ_SHAPE, "{8192}", 10),
    "a parameter of another type": Refused("x = parameter -> f32", "x = parameter -> f16", rules.READ_SHAPE, "f16", 10),
    "a parameter of other strides": Refused("{n}", "{n}, {2}", rules.READ_SHAPE, "{2}", 10),
    "a smaller result": Refused("twice = result -> f32, {1}", "twice = result -> f32, {2}", rules.WRITTEN_SHAPE, "twice", 27),
    "a result with gaps": Refused("full_sum] -> f32, {16,1}", "full_sum] -> f32, {16,1}, {2,1}", rules.ROW_MAJOR, "partial", 6),
    "a parameter that is written": Refused("-> (twice)", "-> (x)", rules.GIVEN, "x", 24),
    "a result over a longer parameter": Refused("twice = result", "twice = result[over=x]", rules.IN_PLACE, "x", 8),
    "two writers": Refused("-> (twice)", "-> (z)", rules.ONE_WRITER, "z", 24),
    "read before it is written": Refused(
        FULL_SUM[_FIRST:_LAST], FULL_SUM[_SECOND:_LAST] + FULL_SUM[_FIRST:_SECOND], rules.WRITTEN_FIRST, "partial", 9
    ),
    "a result that nothing writes": Refused(FULL_SUM[_LAST:-2], "", rules.WRITTEN, "twice", 8),
    "a temporary that nothing reads": Refused("twice = result", "twice = temporary[first=double, last=double]", rules.READ, "twice", 8),
    "a lifetime of a launch that is not there": Refused("last=full_sum", "last=sum", rules.LIFETIME, "sum", 6),
    "a lifetime backwards": Refused("first=partial_sum, last=full_sum", "first=full_sum, last=partial_sum", rules.LIFETIME, "partial", 6),
    "a lifetime that ends too early": Refused("last=full_sum", "last=partial_sum", rules.COVERS, "full_sum uses it", 6),
    "a lifetime that begins too late": Refused("first=partial_sum", "first=full_sum", rules.COVERS, "partial_sum uses it", 6),
    "a launch of another kernel with a buffer twice": Refused(
        "(d)\n  }\n", "(d)\n  }\n  launch @more(z) -> (z) runs @double\n", rules.RUNS, "z, z for z, twice", 29
    ),
    "a grid of what is not a dim": Refused("grid(n floordiv 256)", "grid(x floordiv 256)", rules.GRID, "x", 9),
    "a grid of four axes": Refused("grid(1, 1)", "grid(1, 1, 1, 1)", rules.GRID, "4", 24),
    "a condition of what is not a dim": Refused("grid(1, 1)", "grid(1, 1) when(x)", rules.GRID, "x", 24),
    "a condition beyond 1": Refused("grid(1, 1)", "grid(1, 1) when(2)", rules.WHEN, "2", 24),
    "two writers in a case": Refused(
        _FROM_SECOND,
        _FROM_SECOND.replace("(twice) grid(1, 1)", f"(z) grid(1, 1) {_WHEN}").replace("grid(1) by", f"grid(1) {_WHEN} by"),
        rules.ONE_WRITER, "z", 24,
    ),
    "read in every case": Refused("256) by", f"256) {_WHEN} by", rules.WRITTEN_FIRST, "partial", 15),
    "read in the other case": Refused(
        _FROM_FIRST,
        _FROM_FIRST.replace("256) by", f"256) {_WHEN} by").replace("grid(1) by", f"grid(1) {_OTHERWISE} by"),
        rules.WRITTEN_FIRST, "partial", 15,
    ),
    "a result of a single case": Refused("grid(1, 1)", f"grid(1, 1) {_WHEN}", rules.WRITTEN, "twice", 8),
    "a grid without axes": Refused("grid(1, 1)", "grid()", rules.GRID, "double", 24),
    "a grid of less than nothing": Refused("grid(1, 1)", "grid(n - 5000)", rules.GRID_SIZE, "-904", 24),
    "a size of less than nothing": Refused("{16,1}", "{16 - n,1}", rules.SIZES, "-4080", 6),
    "a buffer beyond an index": Refused("{n}", "{1048577*n}", rules.REACH, "4294971392", 4),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_an_edit_is_refused_by_its_rule(name: str) -> None:
    case = REFUSED[name]
    with pytest.raises(InputError) as caught:
        _ = read(edited(case.old, case.new))
    error = caught.value
    assert (error.code, error.help) == (case.rule.code, case.rule.help), str(error)
    assert error.notes == (f"the rule: {case.rule.says}",)
    assert case.names in error.message
    assert isinstance(error.place, Place) and error.place.line == case.line, str(error)


UNREADABLE = {
    "an unknown kind": ("x = parameter", "x = paramter", "GEN003", "did you mean parameter"),
    "no lifetime": ("[first=partial_sum, last=full_sum]", "", "GEN009", "lifetime"),
    "half a lifetime": ("[first=partial_sum, last=full_sum]", "[first=partial_sum]", "GEN009", "lifetime"),
    "a lifetime with a third end": ("last=full_sum]", "then=full_sum]", "GEN006", "then"),
    "an unknown name in a size": ("{n}", "{m}", "GEN004", "wanted one of n"),
    "a schedule without a value": ("teams=1", "teams=", "GEN008", "whole number"),
    "a choice made twice": ("teams=1", "lanes=1", "BLK004", "lanes"),
    "an op of a later stage": ("sums = reduce_sum", "sums = dpp_reduce", "GEN018", "wanted it in lanewise"),
    "a dim that is not a number": ("dim n = 4096", "dim n = many", "GEN013", "many"),
    "strides of another number": ("-> f32, {n}\n", "-> f32, {n}, {n,1}\n", "GEN013", "2 strides for 1 dims"),
    "no arrow": ("(x) -> (partial)", "(x) (partial)", "GEN002", "'->'"),
    "no grid": ("grid(n floordiv 256) ", "", "GEN002", "grid"),
    "two conditions": ("grid(1, 1)", "grid(1, 1) when(1, 0)", "GEN002", "a single condition"),
    "a grid that does not end": ("grid(1, 1)", "grid(1, 1", "GEN002", "','"),
    "a kernel of no launch": ("(z) -> (twice)", "(z) -> (twice) runs @more", "GEN004", "wanted one of partial_sum, full_sum"),
    "fewer buffers than the kernel has": ("(z) -> (twice)", "(z) -> (twice) runs @full_sum", "GEN002", "wanted 2 and 1 as full_sum does"),
    "no return": ("    @return(d)\n", "", "GEN016", "@return"),
    "no stage": ("stage gridwise gfx942\n", "", "GEN017", "stage gridwise TARGET"),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_what_is_no_program_is_refused_where_it_begins(name: str) -> None:
    old, new, code, message = UNREADABLE[name]
    with pytest.raises(InputError) as caught:
        _ = read(edited(old, new))
    assert caught.value.code == code, str(caught.value)
    assert message in str(caught.value)
    assert isinstance(caught.value.place, Place)


@pytest.mark.parametrize(("of_double", "of_square"), [(_WHEN, _OTHERWISE), (_OTHERWISE, _WHEN)])
def test_the_launch_of_a_case_writes_its_result(of_double: str, of_square: str) -> None:
    """The other launch has no workgroups, also if the text says the number of the dim."""
    double = FULL_SUM[_LAST:-2]
    square = double.replace("@double", "@square").replace("add(z, z)", "mul(z, z)")
    cases = [text.replace("1, 1)", f"{when[5:-1]}, 1) {when}") for text, when in ((double, of_double), (square, of_square))]
    text = edited(double, "".join(cases))
    total, result = results(read(text))
    assert result == np.float32(2 * total if of_double == _WHEN else total**2)
    grids = [kernel.workgroups[0] for kernel in tile_program(read_file(text, "cases.gen")).kernels]
    assert grids[2:] == [int(when == _WHEN) for when in (of_double, of_square)]


def test_every_rule_has_a_code_of_its_own_and_an_edit_that_breaks_it() -> None:
    assert len({rule.code for rule in rules.RULES}) == len(rules.RULES)
    lowered = {
        rules.SHARED,
        rules.PAGE,
        rules.POWERS,
        rules.FITS,
        rules.LOWERED,
    }  # tested with the schedule: `test_run`
    assert {case.rule for case in REFUSED.values()} | lowered == set(rules.RULES)


def test_a_program_that_was_built_wrong_is_our_own_fault() -> None:
    program = read(FULL_SUM)
    first, *others = program.launches
    with pytest.raises(InternalError, match="names of their own"):
        check(replace(program, launches=(first, replace(first, place=None), *others)))


def test_a_choice_without_lanes_is_read() -> None:
    """A transpose of few columns gives lanes successive squares."""
    graph = parse("x = @param:x -> f16, {2,16}\ny = transpose[permutation={1,0}](x)\n@return(y)\n", "narrow.gen")
    text = print_file(cut(graph, parse_target("gfx942")).file)
    assert "by transpose[" in text and "lanes" not in text
    assert len(tile_program(read_file(text, "narrow.gen")).kernels) == 1


def test_a_file_without_a_launch_is_refused() -> None:
    for text in ("", "program @p {\n  x = parameter -> f32, {4}\n}\n"):
        with pytest.raises(InputError, match=r"GEN016.*wanted a program with a launch"):
            _ = read_file(f"stage gridwise gfx942\n{text}", "empty.gen")
