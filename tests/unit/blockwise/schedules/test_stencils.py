"""A lane of a stencil has its elements in several rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import asmgen
from asmgen.blockwise.schedules.choices import Pointwise, choice_text, read_choice
from asmgen.blockwise.schedules.choosing.stencils import height_of
from asmgen.gridwise.choose import chosen
from asmgen.text.cursor import Cursor
from asmgen.text.lexer import SourceText, tokenize
from isa.targets import TARGETS
from tests.unit.blockwise.schedules.graphs import graph_of

Array = NDArray[Any]


def test_the_text_of_rows_reads_back() -> None:
    text = "pointwise[vector=4, waves=4, repeat=1, row=1024, rows=2]"
    source = SourceText(text, "choice.gen")
    choice = read_choice(Cursor(source, tokenize(source)))
    assert choice == Pointwise(4, 4, 1, row=1024, rows=2)
    assert choice_text(choice) == text


def _moved(x: Array) -> Array:
    return x[..., :-2, :-1] + 2 * x[..., 1:-1, 1:] + 3 * x[..., 2:, :-1]


def _edges(x: Array) -> Array:
    y = np.pad(x, ((2, 2), (0, 0)), mode="reflect")
    return y[:-4] + 2 * y[2:-2] + 3 * y[4:]


def _whole_rows(x: Array) -> Array:
    """The result has whole rows, so that its axes and those of x are a single axis of elements in order."""
    return x[..., :-2, :] + 2 * x[..., 1:-1, :] + 3 * x[..., 2:, :]


@pytest.mark.parametrize("target", ["gfx942", "gfx1201"])
@pytest.mark.parametrize("rows", [2, 4])
@pytest.mark.parametrize(
    ("function", "dims", "row"),
    [
        (_moved, (12, 70), 72),
        (_moved, (13, 70), 128),  # the last rows end with the axis
        (_moved, (3, 9, 34), 36),  # each image has rows of its own
        (_moved, (2, 2, 6, 33), 32),
        (_edges, (11, 40), 64),
        (_whole_rows, (13, 40), 40),
        (_whole_rows, (8, 33), 64),
        (_whole_rows, (3, 7, 20), 32),
    ],
)
def test_each_element_is_in_its_place(function: Callable[[Array], Array], dims: tuple[int, ...], row: int, rows: int, target: str) -> None:
    x = np.random.default_rng(1).integers(-9, 10, dims).astype(np.float32)
    schedule = f"pointwise[vector=4, waves=2, repeat=1, row={row}, rows={rows}]"
    program = asmgen.compile(function, target, [x], schedules=(schedule,))
    (got,) = program(x, device="emulator")
    assert np.array_equal(got, function(x))


@pytest.mark.parametrize("rows", [2, 4])
def test_the_elements_after_whole_tiles_are_in_several_rows_too(rows: int) -> None:
    x = np.random.default_rng(1).integers(-9, 10, (85, 125)).astype(np.float32)
    schedule = f"pointwise[vector=4, waves=1, repeat=2, row=128, rows={rows}]"
    (got,) = asmgen.compile(_whole_rows, inputs=[x], schedules=(schedule,))(x, device="emulator")
    assert np.array_equal(got, _whole_rows(x))


def _loads(rows: int) -> int:
    x = np.zeros((66, 1030), np.float32)
    schedule = f"pointwise[vector=4, waves=4, repeat=1, row=1024, rows={rows}]"
    program = asmgen.compile(lambda x: sum(x[i : i + 62, 2:-4] for i in range(5)), inputs=[x], schedules=(schedule,))
    return program.kernels[0].assembly.count("\tglobal_load")


def test_a_lane_reads_a_row_once() -> None:
    assert (_loads(1), _loads(2), _loads(4)) == (5, 6, 8)


def _rows_added(height: int, exps: int = 0, rows: int = 1000) -> str:
    """Sums of so many rows of {rows,1020} elements, and exp of exp of them."""
    lines = [f"x = @param:x -> f32, {{{rows + height},1024}}"]
    lines += [f"a{row} = slice[axes={{0,1}}, starts={{{row},2}}, ends={{{row + rows},1022}}](x)" for row in range(height)]
    lines += [f"s{row} = add({f's{row - 1}' if row > 1 else 'a0'}, a{row})" for row in range(1, height)]
    lines += [f"e0 = neg(s{height - 1})", *[f"e{number + 1} = exp(e{number})" for number in range(exps)]]
    return "\n".join([*lines, f"@return(e{exps})\n"])


@pytest.mark.parametrize(("rows", "columns", "wanted"), [(1000, 1024, Pointwise(4, 8, 1, row=1024, rows=4)), (50000, 36, None)])
def test_long_rows_that_follow_each_other_are_apart(rows: int, columns: int, wanted: Pointwise | None) -> None:
    lines = [f"x = @param:x -> f32, {{{rows + 4},{columns}}}"]
    lines += [f"a{row} = slice[axes={{0}}, starts={{{row}}}, ends={{{row + rows}}}](x)" for row in range(4)]
    lines += ["s = add(a0, a1)", "t = add(s, a2)", "y = add(t, a3)", "@return(y)", ""]
    choice = chosen(graph_of("\n".join(lines)), TARGETS["gfx1201"])
    assert isinstance(choice, Pointwise)
    assert choice == wanted if wanted else choice.rows is None


@pytest.mark.parametrize("height", [2, 3, 5])
def test_the_height_counts_the_rows_of_a_column(height: int) -> None:
    graph = graph_of(_rows_added(height))
    assert height_of(graph, graph.sections[0]) == height


def test_rows_that_no_other_element_reads_are_no_stencil() -> None:
    """A sum of four rows next to each other, as in a stage of a transform."""
    lines = ["x = @param:x -> f32, {1024,4,1024}"]
    lines += [f"a{row} = slice[axes={{1}}, starts={{{row}}}, ends={{{row + 1}}}](x)" for row in range(4)]
    lines += ["s = add(a0, a1)", "t = add(s, a2)", "y = add(t, a3)", "@return(y)", ""]
    text = "\n".join(lines).replace("x = @param:x -> f32, {1024,4,1024}", "z = @param:z -> f32, {4096,1024}\nx = reshape[dims={1024,4,1024}](z)")
    graph = graph_of(text)
    assert height_of(graph, graph.sections[0].in_rows) == 0


@pytest.mark.parametrize(
    ("text", "target", "rows"),
    [
        (_rows_added(5), "gfx1201", 4),
        (_rows_added(5), "gfx942", 2),  # a SIMD has less than two waves
        (_rows_added(2), "gfx1201", None),
        (_rows_added(5, rows=100), "gfx942", None),  # fewer waves than SIMDs
        (_rows_added(3, exps=3), "gfx1201", 4),
        (_rows_added(3, exps=4), "gfx1201", None),  # 49 instructions of an element for three rows
    ],
)
def test_a_lane_has_several_rows_if_waves_are_left(text: str, target: str, rows: int | None) -> None:
    choice = chosen(graph_of(text), TARGETS[target])
    assert isinstance(choice, Pointwise)
    assert choice.rows == rows
