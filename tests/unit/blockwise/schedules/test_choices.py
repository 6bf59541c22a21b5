"""The choices for a kernel, and their text."""

from __future__ import annotations

import pytest

import asmgen
from asmgen.blockwise.schedules.choices import (
    NAMES,
    Choice,
    Column,
    Contract,
    Row,
    choice_text,
    read_choice,
)
from asmgen.blockwise.schedules.choosing.choose import choose
from asmgen.blockwise.schedules.choosing.parts import share_of
from asmgen.blockwise.schedules.choosing.room import LARGEST_GROUP, most_held
from asmgen.blockwise.schedules.choosing.row import choose_row
from asmgen.blockwise.schedules.kernel_graph import Graph
from asmgen.blockwise.schedules.pages import scan
from asmgen.blockwise.schedules.registered import page_of
from asmgen.gentext.parser import parse
from asmgen.gridwise.choose import share_wanted
from asmgen.gridwise.cut import cut
from asmgen.ir.shapes import format_list
from asmgen.text.cursor import Cursor
from asmgen.text.lexer import SourceText, tokenize
from isa.diagnostics import InputError
from isa.targets import TARGETS, parse_target
from tests.unit.blockwise.schedules.graphs import graph_of, reduced, softmax

TARGET = TARGETS["gfx942"]


def read(text: str) -> Choice:
    source = SourceText(text, "choice.gen")
    return read_choice(Cursor(source, tokenize(source)))


def chosen(graph: Graph) -> str:
    return choice_text(choose(graph.work, TARGET))


TEXTS = (
    "row[rows=1, lanes=64, waves=4, teams=1, vector=4, repeat=4, short=256, many=1216, middle=512]",
    "row[rows=1, lanes=64, waves=4, teams=1, vector=4, repeat=1]",
    "row[rows=1, lanes=64, waves=4, teams=1, vector=4, repeat=4, joined=1024]",
    "column[rows=4, columns=3, lanes=1, waves=4, teams=1, vector=1, repeat=1]",
    "pointwise[vector=8, waves=4, repeat=1]",
    "pairs[rows=4, columns=8, lanes=4, across=4, vector=4, repeat=1]",
    "transpose[across=4, vector=8, waves=1, lanes=8]",
    "transpose[across=3, vector=4, waves=4]",
    "scan[lanes=64, waves=4, teams=1, vector=4, repeat=1]",
    "scan[lanes=64, waves=4, teams=1, vector=4, repeat=1, short=64]",
    "scatter[vector=4, waves=4, repeat=1]",
    "sort[lanes=64, waves=1, teams=4, vector=1, elements=16]",
    "sort[lanes=64, waves=4, teams=1, vector=1, elements=16, shared=1]",
    "contract[m=64, n=64, k=16, waves=4, buffers=2, stages=1]",
    "contract[m=128, n=128, k=32, waves=4, buffers=2, by=v_mfma_f32_16x16x16_f16, stages=3]",
    "contract[m=16, n=64, k=256, waves=4, buffers=2, by=v_mfma_f32_16x16x16_f16, apart=1]",
    "contract[m=128, n=64, k=64, waves=4, buffers=3, by=v_mfma_f32_16x16x32_f16, stages=3, copies=16]",
    "contract[m=16, n=16, k=1024, waves=8, buffers=1, by=v_mfma_f32_16x16x16_f16, slices=2, along=1]",
    "contract[m=8, n=4, k=2048, waves=16, buffers=1, by=v_mfma_f32_16x16x16_f16, along=1, quads=1]",
    "contract[m=256, n=256, k=32, waves=8, buffers=2, by=v_mfma_f32_16x16x16_f16, stages=3, staggered=1]",
    "contract[m=256, n=256, k=64, waves=8, buffers=2, by=v_mfma_f32_16x16x32_f16, stages=2, copies=16, staggered=1]",
)


@pytest.mark.parametrize("text", TEXTS)
def test_text_reads_back(text: str) -> None:
    assert choice_text(read(text)) == text


def test_every_schedule_has_a_text_here() -> None:
    own = {name for name, record in NAMES.items() if page_of(record) is None}
    assert {text.partition("[")[0] for text in TEXTS} == own


def test_what_is_left_out_has_its_default() -> None:
    assert read("contract[m=64, n=64, k=16, waves=4]") == Contract(64, 64, 16, 4, 2, "", None)


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("rows[lanes=1]", "GEN004", "rows is not a schedule"),
        (
            "pointwise[vektor=4]",
            "GEN004",
            "vektor is not an attribute of pointwise, wanted one of vector, waves, repeat",
        ),
        ("pointwise[vector=4]", "BLK004", "pointwise has no waves"),
        ("pointwise[vector=4, vector=2]", "BLK004", "vector is given twice"),
        ("pointwise[vector=0, waves=4]", "GEN008", "got '0', wanted a whole number from 1 to 2147483647"),
        ("pointwise[vector=2147483648, waves=4]", "GEN008", "got '2147483648', wanted a whole number from 1 to 2147483647"),
        ("pointwise[vector=x, waves=4]", "GEN008", "got 'x', wanted a whole number from 1 to 2147483647"),
    ],
)
def test_what_is_wrong_is_named(text: str, code: str, words: str) -> None:
    with pytest.raises(InputError, match=words) as caught:
        _ = read(text)
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("columns", "lanes", "waves", "repeat"),
    [
        (8, 2, 1, 1),
        (16, 4, 1, 1),
        (65, 16, 1, 1),  # and a column in one lane of each row
        (128, 32, 1, 1),
        (256, 64, 1, 1),
        (1024, 64, 1, 4),  # a wave takes it alone
        (1100, 64, 1, 5),  # 1,280 columns; 4 waves would have 2,048
        (8192, 64, 4, 8),
        (50257, 64, 16, 13),
        (65536, 64, 16, 16),
    ],
)
def test_rows_are_held_by_whole_accesses(columns: int, lanes: int, waves: int, repeat: int) -> None:
    choice = choose_row(softmax((65536, columns), 1).work, TARGET)
    assert choice == Row(1, lanes, waves, choice.teams, 4, repeat)


@pytest.mark.parametrize(
    ("dims", "axis", "chosen_for_few"),
    [
        ((7, 3), 1, Row(1, 4, 1, 1, 1, 1)),  # a row is shorter than an access: one element a lane
        ((7, 13), 1, Row(1, 4, 1, 1, 4, 1)),  # 12 columns in whole accesses, and a column in one lane
        ((7, 64), 1, Row(1, 16, 1, 2, 4, 1)),
        ((7, 1100), 1, Row(1, 64, 8, 1, 4, 1)),
        ((3, 4, 500), 1, Row(1, 4, 1, 4, 1, 1)),  # lanes along the rows
    ],
)
def test_few_elements_are_shared_by_many_lanes(dims: tuple[int, ...], axis: int, chosen_for_few: Row) -> None:
    assert choose(softmax(dims, axis).work, TARGET) == chosen_for_few


def test_reduced_dims_of_few_elements_are_one() -> None:
    assert reduced((5, 3, 7), (0, 2)).work.dims == (3, 35)
    assert reduced((500, 3, 7), (0, 2)).work.dims == (3, 3500)
    assert reduced((5000, 3, 7), (0, 2)).work.dims == (5000, 3, 7)
    assert reduced((8, 3, 300), (0, 2)).work.dims == (8, 3, 300)
    assert reduced((9, 3, 300), (0, 2)).work.dims == (3, 2700)


def test_short_rows_are_a_lane_s() -> None:
    """A row of three columns is less than an access."""
    assert chosen(reduced((1 << 20, 3), (1,))) == "row[rows=1, lanes=1, waves=1, teams=4, vector=1, repeat=3, pieces=21]"


@pytest.mark.parametrize(
    ("target", "rows", "columns", "waves", "repeat"),
    [
        ("gfx1100", 64, 32768, 32, 8),
        ("gfx1201", 96, 32768, 32, 8),
        ("gfx1201", 97, 32768, 16, 16),  # more than three rows for each of 32 units
        ("gfx1201", 64, 22000, 16, 11),  # 32 waves would have six accesses, more than half of eleven
        ("gfx942", 64, 32768, 16, 8),
    ],
)
def test_few_stored_rows_of_rdna_have_more_waves(
    target: str, rows: int, columns: int, waves: int, repeat: int
) -> None:
    choice = choose_row(softmax((rows, columns), 1).work, TARGETS[target])
    assert (choice.waves, choice.repeat) == (waves, repeat)


@pytest.mark.parametrize(
    ("target", "rows", "teams"),
    [
        ("gfx942", 1024, 4),  # 256 workgroups for 304 units; 512 would leave some units two of them
        ("gfx942", 2048, 2),  # two workgroups for some units, or four of half the waves
        ("gfx90a", 512, 2),  # 256 workgroups for 104 units; by 128 some would have two, others one
        ("gfx90a", 256, 4),
    ],
)
def test_sums_of_rows_have_the_workgroups_that_units_share_evenly(target: str, rows: int, teams: int) -> None:
    assert choose_row(reduced((rows, 512), (1,)).work, TARGETS[target]).teams == teams


@pytest.mark.parametrize(("rows", "teams"), [(100, 1), (101, 1), (3000, 4)])
def test_few_short_rows_of_halves_are_a_lane_s_as_far_as_they_are_whole_words(rows: int, teams: int) -> None:
    """Two rows of three are 12 bytes, which begin at a word: two accesses in the place of six."""
    assert choose(reduced((rows, 3), (1,), element="f16").work, TARGET) == Row(2, 1, 1, teams, 1, 3)
    assert choose_row(reduced((rows, 3), (1,), "reduce_max", "i8").work, TARGET).rows == 4


def test_rows_that_begin_between_words_have_whole_accesses() -> None:
    """Global memory takes an access at any multiple of an element."""
    assert choose_row(softmax((65536, 65), 1, "f16").work, TARGET).vector == 8
    assert choose_row(softmax((65536, 66), 1, "f16").work, TARGET).vector == 8


def test_no_dim_is_split_that_another_serves() -> None:
    """Each workgroup has the 3,136 elements of one image and channel."""
    graph = reduced((32, 64, 56, 56), (0, 2, 3), "reduce_mean")
    assert graph.work.dims == (32, 64, 3136)
    assert chosen(graph) == "row[rows=1, lanes=64, waves=2, teams=1, vector=4, repeat=7]"
    assert share_of(graph.work, choose(graph.work, TARGET), TARGET).parts == 32


@pytest.mark.parametrize("images", [16, 64])
def test_a_workgroup_holds_its_part_of_a_chain_over_several_axes(images: int) -> None:
    """Otherwise it reads the part again for the second reduction, and memory has moved on."""
    x = f"x = @param:x -> f32, {{{images},256,56,56}}\n"
    work = graph_of(
        f"{x}m = reduce_mean[axes={{0,2,3}}](x)\nd = sub(x, m)\ns = mul(d, d)\nv = reduce_sum[axes={{0,2,3}}](s)\n@return(v)\n"
    ).work
    target = TARGETS["gfx1100"]
    parts = share_of(work, choose(work, target), target).parts
    assert images * 3136 // parts <= LARGEST_GROUP * most_held(work, LARGEST_GROUP)


@pytest.mark.parametrize(("target", "rows"), [("gfx942", 76), ("gfx1100", 12)])
def test_many_long_rows_that_are_stored_are_not_in_parts(target: str, rows: int) -> None:
    """Softmax of {256,128000} took 192,205 clocks on gfx942 in parts, and takes 113,360 by a workgroup a row."""
    few, many = [share_wanted(softmax((count, 128000), 1), TARGETS[target]) for count in (rows, rows + 1)]
    assert few.parts > 1 and many.parts == 1
    means = [f"x = @param:x -> f32, {{{count},128000}}\ny = rmsnorm(x)\n@return(y)\n" for count in (rows // 2, rows)]
    assert [len(cut(parse(text, "m.gen"), parse_target(target)).file.programs[0].launches) for text in means] == [3, 1]


@pytest.mark.parametrize(
    ("target", "dims", "element", "bytes_of_lanes"),
    [("gfx942", (64, 1024, 64), "f32", 128), ("gfx1100", (64, 1024, 64), "f32", 128), ("gfx90a", (16, 1024, 64), "f16", 64)],
)
def test_sums_of_columns_read_whole_segments_unless_that_takes_another_launch(
    target: str, dims: tuple[int, ...], element: str, bytes_of_lanes: int
) -> None:
    """The other half of a segment is read again by another workgroup."""
    text = f"x = @param:x -> {element}, {format_list(dims)}\ny = reduce_sum[axes={{1}}](x)\n@return(y)\n"
    (program,) = cut(parse(text, "sum.gen"), parse_target(target)).file.programs
    (launch,) = program.launches
    assert isinstance(launch.choice, Column)
    width = 4 if element == "f32" else 2
    assert launch.choice.lanes * launch.choice.vector * width == bytes_of_lanes


def test_only_additions_in_pairs_take_longer_trees() -> None:
    work = reduced((64, 1024, 64), (1,), "reduce_sum").work
    repeats = {target: choose(work, TARGETS[target]) for target in ("gfx942", "gfx1100", "gfx1201")}
    assert [choice.repeat for choice in repeats.values()] == [4, 8, 4]


@pytest.mark.broad
def test_masks_of_nan_that_are_kept_leave_registers() -> None:
    """Two SGPRs for each element of a lane, from the reduction to the output."""
    text = "x = @param:x -> f32, {4096,12288}\nm = reduce_max[axes={1}](x)\ny = max(x, m)\n@return(y)\n"
    (kernel,) = asmgen.compile(text, target="gfx942", nan="propagate").kernels
    assert not kernel.resources.spills


@pytest.mark.broad
@pytest.mark.parametrize(
    ("target", "dims", "axis", "element"),
    [("gfx1100", (1601, 68), 0, "f32"), ("gfx90a", (1537, 68), 0, "f32"), ("gfx942", (304, 50257), 1, "f16")],
)
def test_what_the_largest_workgroup_holds_has_registers(target: str, dims: tuple[int, ...], axis: int, element: str) -> None:
    text = f"x = @param:x -> {element}, {format_list(dims)}\ny = softmax[axis={axis}](x)\n@return(y)\n"
    (kernel,) = asmgen.compile(text, target=target).kernels
    assert not kernel.resources.spills


@pytest.mark.parametrize(("target", "rows", "teams"), [("gfx942", 4096, 1), ("gfx942", 16384, 4), ("gfx1201", 4096, 8)])
def test_waves_with_a_row_each_are_workgroups_if_all_run_at_once(target: str, rows: int, teams: int) -> None:
    graph = graph_of(f"x = @param:x -> f32, {{{rows},1024}}\ny = cumsum[axis=1](x)\n@return(y)\n")
    assert scan.choose(graph, TARGETS[target]).teams == teams


@pytest.mark.parametrize(
    ("target", "size", "rows"),
    [
        ("gfx90a", 131072, 1), ("gfx942", 131072, 1), ("gfx1100", 131072, 2), ("gfx1201", 131072, 4),
        ("gfx1201", 131074, 2), ("gfx1201", 65536, 2), ("gfx90a", 524288, 2),
    ],
)  # fmt: skip
def test_a_lane_has_several_short_rows_if_waves_are_many(target: str, size: int, rows: int) -> None:
    """A wave with a single access mostly waits. With 131,072 rows gfx90a has nine waves for each place,
    gfx942 three, and both lose."""
    assert choose_row(reduced((size, 128), (1,), element="f16").work, TARGETS[target]).rows == rows


@pytest.mark.parametrize(
    ("rows", "columns", "element", "is_alone"),
    [
        (1024, 4096, "f16", True), (300, 4096, "f16", False), (1024, 4000, "f16", False), (1024, 8192, "f16", False), (8192, 4096, "f16", False),
        (1024, 4096, "bf16", False), (1024, 8192, "i8", False),
    ],
)  # fmt: skip
def test_a_wave_adds_up_a_longer_row_of_f16_alone(rows: int, columns: int, element: str, is_alone: bool) -> None:
    """Two waves wait for each other: 1,024 rows of 4,096 took 5,454 clocks, 5,290 now. Bytes took 1.06 times the clocks with one."""
    choice = choose_row(reduced((rows, columns), (1,), element=element).work, TARGET)
    assert (choice == Row(1, 64, 1, 1, 8, columns // 512)) is is_alone


@pytest.mark.parametrize("target", ["gfx1100", "gfx1201"])
def test_columns_are_read_in_whole_lines_if_each_unit_has_a_workgroup(target: str) -> None:
    choice = choose(reduced((32, 4096, 128), (1,), element="f16").work, TARGETS[target])
    assert isinstance(choice, Column)
    assert choice.lanes * choice.vector * 2 >= 128
