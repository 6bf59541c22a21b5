"""How much code a choice makes is bounded: fewer elements at a time, and loops."""

from __future__ import annotations

import pytest

import asmgen
from asmgen.blockwise.schedules.choices import Choice, Column, Pointwise, Row
from asmgen.blockwise.schedules.choosing.budget import MOST_STATEMENTS, MOVED, cost_of
from asmgen.blockwise.schedules.choosing.room import MOST_HELD
from asmgen.gridwise.choose import chosen
from isa.targets import TARGETS
from tests.unit.blockwise.schedules.graphs import graph_of

MOST_LINES = 3000
PASSES, COPIES = 3, 2  # of a softmax or a norm: its maximum or mean, its sum, its results; in a loop and after it


def by_rows(op: str, element: str, dims: str) -> str:
    return f"x = @param:x -> {element}, {{{dims}}}\ny = {op}[axis=0](x)\n@return(y)\n"


def elements(choice: Choice) -> int:
    """Elements that a lane has at a time."""
    assert isinstance(choice, Row | Column)
    columns = choice.columns if isinstance(choice, Column) else 1
    return choice.rows * columns * choice.vector * choice.repeat * (choice.pieces or 1)


@pytest.mark.parametrize("element", ["f16", "bf16", "f32", "f64", "fp8e5m2"])
@pytest.mark.parametrize("target", ["gfx1201", "gfx90a"])
def test_loops_over_rows_of_few_columns_are_within_the_budget(target: str, element: str) -> None:
    for columns in (3, 5, 7, 11, 15, 31):
        for op in ("softmax", "layernorm", "logsoftmax"):
            graph = graph_of(by_rows(op, element, f"n,{columns}"))
            most = MOST_STATEMENTS // (PASSES * COPIES * cost_of(graph, TARGETS[target]))
            assert elements(chosen(graph, TARGETS[target])) <= max(columns, min(most, MOST_HELD)), (columns, op)


@pytest.mark.parametrize(("target", "element", "least"), [("gfx1201", "fp8e4m3fnuz", 10), ("gfx90a", "fp8e5m2", 5)])
def test_a_read_of_bytes_counts_its_expansion(target: str, element: str, least: int) -> None:
    """Neither has an instruction for it. The sum of {31,n} had 8,729 lines on gfx1201."""
    text = f"x = @param:x -> {element}, {{31,n}}\ny = reduce_sum[axes=0](x)\n@return(y)\n"
    assert cost_of(graph_of(text), TARGETS[target]) >= least
    (kernel,) = asmgen.compile(text, target=target).kernels
    assert len(kernel.assembly.splitlines()) < MOST_LINES


def test_few_elements_are_under_way_of_an_expensive_sum() -> None:
    text = "x = @param:x -> f64, {n,64}\ny = sin(x)\ns = reduce_sum[axes=0](y)\n@return(s)\n"
    assert elements(chosen(graph_of(text), TARGETS["gfx942"])) <= 4
    assert chosen(graph_of(text.replace("sin", "neg")), TARGETS["gfx942"]) == Column(1, 1, 8, 16, 1, 2, 4)


def test_sums_of_few_columns_leave_room_for_what_is_widened() -> None:
    """A lane had 320 elements of 8 bits at a time, and 327 registers."""
    text = "x = @param:x -> fp8e5m2, {n,5}\ns = reduce_mean[axes=0](x)\n@return(s)\n"
    assert elements(chosen(graph_of(text), TARGETS["gfx950"])) == 80


def test_accesses_of_an_expensive_function_are_narrower() -> None:
    text = "x = @param:x -> f16, {65536}\n" + "".join(f"y{i} = sin({f'y{i - 1}' if i else 'x'})\n" for i in range(8)) + "@return(y7)\n"
    wide, narrow = (chosen(graph_of(each), TARGETS["gfx942"]) for each in (text.replace("sin", "neg"), text))
    assert isinstance(wide, Pointwise) and isinstance(narrow, Pointwise)
    assert wide.vector > narrow.vector and wide.waves == narrow.waves


@pytest.mark.parametrize(("target", "element", "columns"), [("gfx942", "f16", 3), ("gfx1100", "f16", 11), ("gfx90a", "fp8e5m2", 3)])
def test_softmax_over_rows_of_few_columns_is_short(target: str, element: str, columns: int) -> None:
    """They had 5,623 lines and more, and as many registers as there are."""
    for kernel in asmgen.compile(by_rows("softmax", element, f"n,{columns}"), target=target).kernels:
        assert kernel.assembly.count("\n") < MOST_LINES
        assert kernel.resources.vgprs <= 128 and not kernel.resources.spills


@pytest.mark.parametrize("target", ["gfx90a", "gfx1201"])
def test_lanes_lie_along_columns_if_a_row_is_beyond_the_budget(target: str) -> None:
    """A lane had 31 columns: 9,241 lines on gfx90a, and 11 s of a compile."""
    text = "x = @param:x -> fp8e5m2, {n,31}\nt = tanh(x)\ny = logsoftmax[axis=0](t)\n@return(y)\n"
    choice = chosen(graph_of(text), TARGETS[target])
    assert isinstance(choice, Column) and choice.columns == 1 and choice.lanes > 1
    for kernel in asmgen.compile(text, target=target).kernels:
        assert kernel.assembly.count("\n") < MOST_LINES and not kernel.resources.spills


def test_a_lane_has_the_columns_of_a_row_within_the_budget() -> None:
    choice = chosen(graph_of(by_rows("softmax", "f16", "n,11")), TARGETS["gfx942"])
    assert isinstance(choice, Column) and choice.columns == 11


ROTATED = """x = @param:x -> f16, {n,7}
y = softmax[axis=0](x)
z = max(y, x)
rest = slice[axes=0, starts=1, ends=2147483647](z)
first = slice[axes=0, starts=0, ends=1](z)
rotated = concat[axis=0](rest, first)
largest = reduce_max[axes={0}](rotated)
@return(largest)
"""


def test_each_operand_of_a_concat_counts_the_value_that_it_computes() -> None:
    text = "x = @param:x -> f32, {n,7}\ny = sin(x)\n{operands}w = concat[axis=0](a, b)\ns = reduce_max[axes={0}](w)\n@return(s)\n"
    apart = "a = slice[axes=0, starts=1, ends=2147483647](y)\nb = slice[axes=0, starts=0, ends=1](y)\n"
    other = apart.replace("ends=1](y)", "ends=1](x)")
    twice, once = (cost_of(graph_of(text.replace("{operands}", each)), TARGETS["gfx942"]) for each in (apart, other))
    alone = cost_of(graph_of("x = @param:x -> f32, {n,7}\ny = sin(x)\ns = reduce_max[axes={0}](y)\n@return(s)\n"), TARGETS["gfx942"])
    assert alone > 10 and twice - once >= alone - MOVED


def test_a_sum_that_two_operands_of_a_concat_divide_by_is_inverted_once() -> None:
    """Each row of each operand read and inverted the sums of its columns: the longest kernel had 7,128 instructions, and
    compiled in 26 s."""
    program = asmgen.compile(ROTATED, target="gfx942")
    assert [count for kernel in program.kernels if (count := kernel.assembly.count("v_rcp_f32"))] == [7, 7]
