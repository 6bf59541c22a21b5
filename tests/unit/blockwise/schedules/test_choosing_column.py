"""The lanes along the columns of reductions of which elements are used again."""

from __future__ import annotations

import pytest

from asmgen.blockwise.schedules.choices import Column
from asmgen.gentext.parser import parse
from asmgen.gridwise.cut import cut
from isa.targets import parse_target


def choices_of(op: str, dims: str, target: str) -> list[object]:
    text = f"x = @param:x -> f32, {{{dims}}}\no = {op}(x)\n@return(o)\n"
    (program,) = cut(parse(text, "graph.gen"), parse_target(target)).file.programs
    return [launch.choice for launch in program.launches]


@pytest.mark.parametrize("target", ["gfx942", "gfx1100", "gfx1201"])
def test_results_of_columns_are_read_by_lines_of_128_bytes(target: str) -> None:
    (choice,) = choices_of("argmax[axis=0]", "1024,4096", target)
    assert isinstance(choice, Column) and choice.lanes * choice.vector * 4 == 128


def test_workgroups_share_lines_to_have_all_rows_of_softmax_in_registers() -> None:
    (choice,) = choices_of("softmax[axis=0]", "4096,4096", "gfx1201")
    assert isinstance(choice, Column) and choice.lanes * choice.vector * 4 == 32
    assert choice.repeat * (32 // choice.lanes) * choice.waves == 4096


@pytest.mark.parametrize("target", ["gfx942", "gfx1100"])
def test_an_open_number_of_rows_of_many_columns_is_read_by_whole_lines(target: str) -> None:
    """The rows may be few: 7,133 of them, the most, would fit in the registers of 37,632 workgroups."""
    *_, choice = choices_of("softmax[axis=0]", "m,150528", target)
    assert isinstance(choice, Column) and choice.lanes * choice.vector * 4 >= 128


@pytest.mark.parametrize(("dims", "parts"), [("65536,256", 256), ("8192,1000", 64), ("4096,512", 256)])
def test_parts_of_columns_are_as_long_as_leaves_units_even_work(dims: str, parts: int) -> None:
    text = f"x = @param:x -> f32, {{{dims}}}\no = reduce_sum[axes={{0}}](x)\n@return(o)\n"
    (program,) = cut(parse(text, "graph.gen"), parse_target("gfx942")).file.programs
    (partial,) = program.launches[0].writes
    assert program.types[partial].dims[0] == parts


def test_rows_of_argmax_that_do_not_fit_in_registers_are_in_parts() -> None:
    assert len(choices_of("argmax[axis=0]", "4096,4096", "gfx1201")) == 2


@pytest.mark.parametrize(("target", "units"), [("gfx90a", 104), ("gfx942", 304), ("gfx1100", 48)])
def test_a_sum_of_uneven_columns_has_a_workgroup_for_each_unit(target: str, units: int) -> None:
    (choice,) = choices_of("reduce_sum[axes={0}]", "4096,11008", target)
    assert isinstance(choice, Column)
    groups = 11008 // (choice.lanes * choice.vector * choice.teams)
    assert units / 2 < groups < units


@pytest.mark.parametrize(("dims", "launches"), [("2048,2048", 1), ("5000,3000", 2), ("65536,1024", 2)])
def test_few_units_read_columns_alone_if_a_second_launch_takes_longer(dims: str, launches: int) -> None:
    """64 of 304 units lose less than a launch for 16 MB. 94 units lose more for 60 MB, since rows begin
    between lines, and 32 units for 268 MB."""
    assert len(choices_of("reduce_sum[axes={0}]", dims, "gfx942")) == launches


def test_a_workgroup_for_each_unit_computes_no_functions() -> None:
    text = "x = @param:x -> f32, {4096,4096}\ny = exp(x)\ns = reduce_sum[axes={0}](y)\n@return(s)\n"
    (program,) = cut(parse(text, "graph.gen"), parse_target("gfx1100")).file.programs
    assert len(program.launches) == 2


@pytest.mark.parametrize("target", ["gfx942", "gfx1201"])
def test_sums_over_shared_elements_are_in_parts_by_what_lanes_compute(target: str) -> None:
    text = """
x = @param:x -> f32, {20011,1}
k = @param:k -> f32, {1,37}
y = sub(x, k)
o = reduce_sum[axes={0}](y)
@return(o)
"""
    (program,) = cut(parse(text, "graph.gen"), parse_target(target)).file.programs
    assert len(program.launches) == 2


@pytest.mark.parametrize("target", ["gfx942", "gfx1201"])
def test_sums_of_few_bytes_are_in_parts_by_their_instructions(target: str) -> None:
    text = """
x = @param:x -> f32, {300,1}
k = @param:k -> f32, {1,300}
d = sub(x, k)
e = exp(d)
y = sqrt(e)
o = reduce_sum[axes={0,1}](y)
@return(o)
"""
    (program,) = cut(parse(text, "graph.gen"), parse_target(target)).file.programs
    assert len(program.launches) == 2


@pytest.mark.parametrize(("end", "launches"), [("@return(o)", 1), ("@return(s, o)", 3)])
def test_a_loop_over_outer_axes_does_not_wait_for_each_of_many_short_rows(end: str, launches: int) -> None:
    """A sum is of all lanes in a launch; if its operand is stored too, the sum is in parts."""
    text = f"""
x = @param:x -> f32, {{1000,18}}
v = slice[axes={{1}}, starts={{1}}, ends={{18}}](x)
s = exp(v)
o = reduce_sum[axes={{0,1}}](s)
{end}
"""
    (program,) = cut(parse(text, "graph.gen"), parse_target("gfx942")).file.programs
    assert len(program.launches) == launches


@pytest.mark.parametrize(("columns", "vector"), [("n", 1), ("4*n", 4)])
def test_a_lane_has_adjacent_columns_only_if_all_or_none_of_them_are_there(columns: str, vector: int) -> None:
    (choice,) = choices_of("reduce_sum[axes={0}]", f"512,{columns}", "gfx942")
    assert isinstance(choice, Column) and choice.vector == vector


@pytest.mark.parametrize("target", ["gfx942", "gfx1100"])
def test_columns_of_a_named_number_of_matrices_are_read_by_lines(target: str) -> None:
    """For a single matrix, workgroups of 256 columns left most units idle."""
    (choice,) = choices_of("reduce_mean[axes={1}]", "m,1024,768", target)
    assert isinstance(choice, Column)
    assert (choice.lanes * choice.vector, choice.teams) == (32, 1) and choice.waves > 1
    (short,) = choices_of("reduce_mean[axes={1}]", "m,256,768", target)
    assert isinstance(short, Column) and short.lanes * short.vector > 32


@pytest.mark.parametrize(("dims", "target"), [("90033,5", "gfx942"), ("90033,5", "gfx1201"), ("60011,7", "gfx950")])
def test_parts_of_few_columns_are_those_of_a_usual_workgroup(dims: str, target: str) -> None:
    """The parts had the rows of the largest workgroup, which left most units without any."""
    text = f"x = @param:x -> f32, {{{dims}}}\no = softmax[axis=0](x)\n@return(o)\n"
    (program,) = cut(parse(text, "graph.gen"), parse_target(target)).file.programs
    rows = int(dims.split(",")[0])
    assert rows / 2048 < program.launches[0].grid[1].constant <= rows / 512


@pytest.mark.parametrize("target", ["gfx942", "gfx1100"])
def test_a_mask_of_rows_does_not_widen_the_accesses_to_the_columns(target: str) -> None:
    """Lanes of 16 columns of f32 read 16 bytes of each 64: sums of {64,512,1024} took 1.9 times the clocks on gfx942."""
    text = """
x = @param:x -> f32, {64,512,1024}
m = @param:m -> bool, {64,512,1}
w = convert[target_type=f32](m)
y = mul(x, w)
o = reduce_sum[axes={1}](y)
@return(o)
"""
    (program,) = cut(parse(text, "graph.gen"), parse_target(target)).file.programs
    choice = program.launches[0].choice
    assert isinstance(choice, Column) and choice.vector == 4


@pytest.mark.parametrize(("target", "dims", "segments"), [("gfx942", "64,1024", 1), ("gfx942", "256,16384", 2), ("gfx1100", "64,1024", 4)])
def test_workgroups_of_few_columns_have_a_segment_each_on_cdna(target: str, dims: str, segments: int) -> None:
    """Two segments a workgroup take 1.65 times the clocks for {64,1024}, which has workgroups for an eighth of the units."""
    (choice,) = choices_of("reduce_sum[axes={0}]", dims, target)
    assert isinstance(choice, Column) and choice.lanes * choice.vector * choice.teams * 4 == segments * 128
