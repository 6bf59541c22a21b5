"""Squares of transposes: their choice by size and type, and the instructions of a lane."""

from __future__ import annotations

import pytest

import asmgen
from asmgen.blockwise.actions import TileStore
from asmgen.blockwise.layout.relayout import MoveKind, relayout
from asmgen.blockwise.program import Kernel
from asmgen.blockwise.schedules.choices import Transpose
from asmgen.blockwise.schedules.choosing.squares import choose_squares
from asmgen.blockwise.schedules.kernel_graph import Graph
from asmgen.blockwise.schedules.misfit import misfit
from asmgen.blockwise.schedules.pages.transpose import schedule
from isa.targets import parse_target
from tests.unit.blockwise.schedules.graphs import graph_of

TARGET = parse_target("gfx942").target
LARGE = "8192,8192"


def transposed(element: str = "f32", dims: str = LARGE, permutation: str = "1,0") -> Graph:
    text = f"x = @param:x -> {element}, {{{dims}}}\no = transpose[permutation={{{permutation}}}](x)\n@return(o)\n"
    return graph_of(text)


def choice_of(graph: Graph, name: str = "gfx942") -> Transpose | None:
    assert graph.transposed is not None
    return choose_squares(graph, graph.transposed, parse_target(name).target)


def kernel_of(graph: Graph) -> Kernel:
    choice = choice_of(graph)
    assert choice is not None
    return schedule(graph, choice, TARGET)


@pytest.mark.parametrize("element", ["i8", "f16", "f32", "f64"])
@pytest.mark.parametrize("name", ["gfx942", "gfx1100"])
def test_both_sides_have_accesses_of_16_bytes_and_lines_of_lanes(element: str, name: str) -> None:
    choice = choice_of(transposed(element, "4096,2048"), name)
    bytes_ = {"i8": 1, "f16": 2, "f32": 4, "f64": 8}[element]
    waves = 2 if name == "gfx1100" and bytes_ > 1 else 1  # of 4 lanes along the output, an access of 16 bytes each
    assert choice == Transpose(16 // bytes_, 16 // bytes_, waves, 8)
    of_large = choice_of(transposed(element, f"{1 << 14},{1 << 15}"), name)
    wave = parse_target(name).target.wave_size
    assert of_large == Transpose(16 // bytes_, 16 // bytes_, 1, wave // 8), "a stream is written by whole lines"


@pytest.mark.parametrize(
    ("name", "dims", "waves"),
    [
        ("gfx1100", "1024,4096", 2),
        ("gfx1100", "1024,1024", 1),  # all waves run at once
        ("gfx1100", "16,100000", 1),  # rows of 16 elements are shorter than a line
        ("gfx1100", "32,100000", 1),  # two waves would have all 32 elements
        ("gfx1100", "64,n", 2),
        ("gfx1100", "n,4096", 2),
        ("gfx942", "1024,4096", 1),  # a wave of 64 stores whole lines
    ],
)
def test_waves_that_do_not_run_at_once_store_whole_lines_together(name: str, dims: str, waves: int) -> None:
    choice = choice_of(transposed("f32", dims), name)
    assert choice is not None and choice.waves == waves


@pytest.mark.parametrize(("element", "dims"), [("f16", "1024,1024"), ("f32", "1001,517"), ("i8", "8192,24")])
def test_a_square_stays_in_its_lane(element: str, dims: str) -> None:
    layouts = dict(kernel_of(transposed(element, dims)).layouts)
    assert relayout(layouts["read"], layouts["written"]).kind is MoveKind.REGISTERS


@pytest.mark.parametrize(
    ("dims", "permutation", "choice"),
    [
        ("64,224,224,3", "0,3,1,2", Transpose(3, 4, 1, 1)),  # all channels in a lane
        ("64,3,224,224", "0,2,3,1", Transpose(4, 3, 1, 64)),
        ("64,12,224,224", "0,2,3,1", Transpose(4, 4, 4)),  # 3 squares along an axis: in order
        ("64,16,224,224", "0,2,3,1", Transpose(4, 4, 1, 16)),  # 4 squares
        ("4096,16,16", "0,2,1", Transpose(4, 4, 4)),  # 4 by 4 squares are too few for a wave
        ("n,64,64", "0,2,1", Transpose(4, 4, 1, 8)),
        ("64,4096,n", "0,2,1", Transpose(4, 4, 1, 8)),
        ("n,3", "1,0", Transpose(3, 4, 1, 1)),
    ],
)
def test_choices(dims: str, permutation: str, choice: Transpose) -> None:
    assert choice_of(transposed("f32", dims, permutation)) == choice


@pytest.mark.parametrize("axis", [0, 1])
def test_a_transpose_of_reversed_elements_has_the_same_squares(axis: int) -> None:
    graph = graph_of(f"x = @param:x -> f32, {{{LARGE}}}\nr = reverse[axes={{{axis}}}](x)\no = transpose[permutation={{1,0}}](r)\n@return(o)\n")
    assert choice_of(graph) == choice_of(transposed())


def test_squares_in_order_need_a_known_number_of_elements_after_the_last() -> None:
    """At most three elements of an open axis are no whole square, and four squares cannot fill a wave."""
    graph = graph_of(
        "x = @param:x -> i32, {m,7,n}\nt = transpose[permutation={0,2,1}](x)\n"
        "s = slice[axes={1}, starts={0}, ends={3}](t)\no = convert[target_type=i64](s)\n@return(o)\n"
    )
    assert choice_of(graph) is None


def test_few_elements_have_smaller_squares() -> None:
    choice = choice_of(transposed("f16", "256,256"))
    assert choice is not None and choice.across * choice.vector == 8


def test_computed_elements_fit_in_registers() -> None:
    graph = graph_of(f"x = @param:x -> i8, {{{LARGE}}}\nt = transpose[permutation={{1,0}}](x)\no = add(t, t)\n@return(o)\n")
    choice = choice_of(graph)
    assert choice is not None and choice.across * choice.vector == 64


def test_ids_are_not_divided_by_a_size_of_the_launch() -> None:
    assert choice_of(transposed("f32", "64,n,64,64", "0,1,3,2")) is not None
    assert choice_of(transposed("f32", "64,n,m,64,64", "2,1,0,4,3")) is None


def test_the_last_square_ends_with_the_last_element() -> None:
    kernel = kernel_of(transposed("f32", "1001,8192"))
    (store,) = [statement.op for statement in kernel.statements if isinstance(statement.op, TileStore)]
    assert [index.text for index in store.at] == ["32*across + 4*c0 + c2", "c3 + min(32*along + 4*c1, 997)"]


def test_elements_after_whole_squares_of_a_named_size_are_tiles_of_their_own() -> None:
    kernel = kernel_of(transposed("f32", "n,m"))
    stores = [statement.op for statement in kernel.statements if isinstance(statement.op, TileStore)]
    assert len(stores) == 4
    stores = [op for op in kernel_of(transposed("f32", "8*n,m")).statements if isinstance(op.op, TileStore)]
    assert len(stores) == 2


@pytest.mark.parametrize(
    ("dims", "lanes", "words"),
    [
        ("63,n", None, "only the launch knows how many elements follow the last 16 of an axis, wanted lanes"),
        ("n,63", None, "only the launch knows how many elements follow the last 16 of an axis, wanted lanes"),
        ("63,16*n", None, ""),
        ("63,n", 8, ""),
    ],
)
def test_successive_squares_are_of_a_known_number(dims: str, lanes: int | None, words: str) -> None:
    """{63,n} of i8 has n // 16 squares along n. No workgroup had the elements after the last, of n = 8 all."""
    assert misfit(transposed("i8", dims), Transpose(16, 16, 1, lanes), TARGET) == words


@pytest.mark.parametrize(
    ("dims", "permutation", "axis", "choice"),
    [
        ("64,512,16,64", "0,2,1,3", 2, Transpose(4, 8, 4)),  # of powers of two the innermost axis
        ("64,512,12,64", "0,2,1,3", 1, Transpose(4, 8, 4)),  # 12 heads, which numbers are not divided by then
        ("64,8,7,8,7,96", "0,1,3,2,4,5", 2, Transpose(7, 8, 4)),  # {512,8,7,672}: all seven
        ("n,512,12,64", "0,2,1,3", 1, Transpose(4, 8, 4)),
        ("64,512,16,16", "0,2,1,3", 0, Transpose(4, 8, 4)),  # short rows: neighbouring lanes have neighbouring rows
    ],
)
def test_a_lane_has_several_accesses_if_the_last_axis_is_kept(dims: str, permutation: str, axis: int, choice: Transpose) -> None:
    graph = transposed("f16", dims, permutation)
    assert graph.transposed is not None and graph.transposed.is_kept
    assert (graph.transposed.read, choice_of(graph)) == (axis, choice)


@pytest.mark.parametrize(
    "text",
    [
        "b = @param:b -> f32, {64}\nz = broadcast[axis=1, out_lens={64,64}](b)\ny = add(x, z)",
        "y = slice[axes={0}, starts={1}, ends={9}](x)",
        "i = @param:i -> i32, {64}\ny = gather[axis=0](x, i)",
    ],
)
def test_rows_in_their_order_are_no_permutation(text: str) -> None:
    assert graph_of(f"x = @param:x -> f32, {{64,64}}\n{text}\n@return(y)\n").transposed is None


def test_what_is_no_transpose_has_no_axes() -> None:
    assert graph_of("x = @param:x -> f32, {64,64}\ny = neg(x)\n@return(y)\n").transposed is None
    axes = graph_of("x = @param:x -> f32, {64,64}, {1,64}\ny = neg(x)\n@return(y)\n").transposed
    assert axes is not None and (axes.read, axes.written) == (0, 1)


def test_only_the_transposed_operand_is_permuted() -> None:
    """64 elements of f16 are 32 words, each of which takes a permute."""
    text = "x = @param:x -> f16, {8192,8192}\nr = @param:r -> f16, {8192,8192}\nt = transpose[permutation={1,0}](x)\n"
    (kernel,) = asmgen.compile(text + "y = add(t, r)\n@return(y)\n", target="gfx942", fast_math=True).kernels
    assert kernel.assembly.count("\tv_perm_b32") == 32
