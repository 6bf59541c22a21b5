"""How many elements a lane has if few registers were asked for."""

from __future__ import annotations

import pytest

import asmgen
from asmgen.blockwise.schedules.choices import Pointwise
from asmgen.gridwise.choose import chosen
from asmgen.verification.verify import hold
from isa.targets import TARGETS
from tests.unit.blockwise.schedules.graphs import graph_of, reduced_text, softmax_text
from tools.bench_spills import spilled

MULADD = """x = @param:x -> f32, {32768}
y = @param:y -> f32, {32768}
b = @param:b -> f32, {32768}
p = mul(x, y)
s = add(p, b)
d = mul(s, x)
@return(d)
"""
COLUMNS = "x = @param:x -> f16, {2048,1031}\nw = convert[target_type=f32](x)\ns = reduce_sum[axes=0](w)\n@return(s)\n"
TRANSPOSED = "x = @param:x -> f32, {128,192}\nt = transpose[permutation={1,0}](x)\nc = add(t, t)\n@return(c)\n"
ROWS, SUMS = softmax_text((64, 1024), 1), reduced_text((4096, 1024), (1,))


def fields(text: str, room: int | None) -> dict[str, int | None]:
    choice = chosen(graph_of(text, room), TARGETS["gfx1100"])
    return {name: getattr(choice, name) for name in choice.__struct_fields__}


@pytest.mark.parametrize("text", [MULADD, COLUMNS, TRANSPOSED, ROWS, SUMS])
def test_where_there_is_room_nothing_changes(text: str) -> None:
    assert fields(text, 256) == fields(text, None)


def test_accesses_of_three_buffers_are_narrower_and_as_many_elements() -> None:
    """Three of four elements and an address are 13 registers, of two elements 7."""
    assert fields(MULADD, 13) == fields(MULADD, None)
    wanted = Pointwise(vector=2, waves=8, repeat=2)
    assert fields(MULADD, 12) == fields(MULADD, 7) == {name: getattr(wanted, name) for name in wanted.__struct_fields__}


def test_columns_leave_room_for_two_rows_next_to_their_sums() -> None:
    assert [fields(COLUMNS, room)["vector"] for room in (None, 19, 18, 11, 10, 7, 6)] == [8, 8, 4, 4, 2, 2, 1]
    assert fields(COLUMNS, None)["pieces"] is None and fields(COLUMNS, 8)["pieces"] == 1


def test_more_lanes_share_a_row_that_is_held() -> None:
    """A lane has 32 elements of a row, or 16; if 1,024 lanes have no room for a row, loops read it again."""
    wide = softmax_text((64, 16384), 1)
    found = {room: fields(wide, room) for room in (None, 64, 39, 24, 16, 8)}
    shares = {room: (one["waves"], one["repeat"]) for room, one in found.items()}
    assert shares == {None: (16, 8), 64: (16, 8), 39: (32, 4), 24: (32, 4), 16: (32, 2), 8: (32, 1)}


def test_sums_that_wait_for_room_go_round_in_loops() -> None:
    """Half of 8 accesses are live at once if all are added up in a tree."""
    assert [fields(SUMS, room)["repeat"] for room in (None, 17, 16, 8)] == [8, 8, 2, 1]
    assert [fields(SUMS, room)["pieces"] for room in (None, 16)] == [None, 1]


@pytest.mark.broad
@pytest.mark.parametrize("budget", [8, 12, 20])
@pytest.mark.parametrize("text", [MULADD, COLUMNS.replace("2048", "512"), TRANSPOSED, ROWS, SUMS.replace("4096", "8")])
def test_programs_in_few_registers_are_right_and_spill_nothing_in_loops(text: str, budget: int) -> None:
    program = asmgen.compile(text, target="gfx1100", max_vgprs=budget)
    assert all(kernel.resources.vgprs <= budget for kernel in program.kernels)
    assert not any(spilled(kernel.assembly).in_loops for kernel in program.kernels)
    assert not hold(program, "emulator").is_broken
