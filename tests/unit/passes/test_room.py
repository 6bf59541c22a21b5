"""Which loops may have overlapping trips: registers for them, few instructions in a header, wide loads, waves of a unit."""

from __future__ import annotations

import pytest

from asmgen.passes.schedule.modulo.crowd import clocks_of_crowd
from asmgen.passes.schedule.modulo.pipeline import Why, pipeline_loops
from asmgen.passes.schedule.modulo.room import Room, room_of
from asmgen.passes.schedule.modulo.rotate import MOST_TEST, headed_loops
from isa.mir.parser import parse_kernel
from regalloc.liveness import compute_liveness
from tests.unit.passes.loops import ADD, LOAD, TEXT, kernel


@pytest.mark.parametrize(("most", "vectors"), [(64, 56), (63, 49), (48, 42), (512, 56)])
def test_registers_up_to_the_limit_or_to_the_next_wave_are_room(most: int, vectors: int) -> None:
    """A wave of eight has 64 VGPRs, of which an eighth is left for gaps; granules of eight are whole."""
    made = kernel()
    assert room_of(made, compute_liveness(made), most).vectors == vectors


def test_there_is_room_if_registers_of_all_files_suffice() -> None:
    registers = "register %a agpr\nregister %b vgpr\n"
    live = compute_liveness(kernel(ADD, ADD + "  v_accvgpr_write_b32 %a, %x\n  v_accvgpr_read_b32 %b, %a\n", registers))
    assert Room(64, 80, 1, 8).takes(live)
    assert [room for room in (Room(1, 80, 1, 8), Room(64, 1, 1, 8), Room(64, 80, 0, 8)) if room.takes(live)] == []


@pytest.mark.parametrize(("more", "is_headed"), [(MOST_TEST - 1, True), (MOST_TEST, False)])
def test_a_header_of_many_instructions_is_not_repeated(more: int, is_headed: bool) -> None:
    test = "  s_cmp_lt_u32 %i, 0x100\n"
    made = kernel(test, "  s_mov_b32 m0, 0\n" * more + test)
    assert bool(list(headed_loops(made))) is is_headed


@pytest.mark.parametrize(("wide", "is_narrow"), [(1, True), (2, False)])
def test_a_product_with_half_of_its_loads_narrow_stays(wide: int, is_narrow: bool) -> None:
    names = [f"%w{number}" for number in range(wide)]
    loads = "".join(f"  global_load_dwordx4 {name}, %at, s[2:3]\n" for name in names)
    registers = "register %products vgpr 4 align 2\n" + "".join(f"register {name} vgpr 4 align 2\n" for name in names)
    product = "  v_mfma_f32_4x4x1_16b_f32 %products, %x, %x, 0\n"
    text = TEXT.replace(LOAD, loads + LOAD, 1).replace(ADD, ADD + product, 1).replace("block entry\n", registers + "block entry\n", 1)
    (left,) = pipeline_loops(parse_kernel(text, "test.mir"), 64).left
    assert (left.why is Why.NARROW) is is_narrow


def test_lanes_that_fill_a_wave_in_part_take_its_time() -> None:
    """Workgroups of 96 lanes have two waves, as those of 128 have."""
    texts = [TEXT.replace("workgroup 64 1 1\n", f"workgroup {lanes} 1 1\ngroups 65536\n", 1) for lanes in (96, 128)]
    made = [parse_kernel(text.replace(ADD, ADD + "  s_barrier\n", 1), "test.mir") for text in texts]
    some, all_ = [clocks_of_crowd(each, each.block("body").instructions, 16) for each in made]
    assert some == all_ > 0
