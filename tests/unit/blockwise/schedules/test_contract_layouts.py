"""How many elements of a row and of a column a lane has next to each other, by AMD's layouts of the factors."""

from __future__ import annotations

import pytest

from asmgen.blockwise.layout.layout import layout, split
from asmgen.blockwise.layout.swizzle import chosen_in_order
from asmgen.blockwise.matrix import instruction
from asmgen.blockwise.schedules.choices import Contract
from asmgen.blockwise.schedules.pages.product_layouts import LONGEST_RUN, as_read, of_instruction, of_outer_products
from isa.targets import parse_target


@pytest.mark.parametrize(
    ("machine", "name", "run"),
    [
        ("gfx942", "v_mfma_f32_32x32x8_f16", 4),  # a lane has four k next to each other
        ("gfx942", "v_mfma_f32_16x16x4_f32", 1),  # and here a single tile
        ("gfx950", "v_mfma_f32_16x16x32_f16", LONGEST_RUN),  # of eight
    ],
)
def test_a_lane_reads_the_elements_of_its_column(machine: str, name: str, run: int) -> None:
    by = instruction(name, parse_target(machine).target)
    assert by is not None
    assert of_instruction(Contract(64, 64, 32, 4), by).run == run


@pytest.mark.parametrize(
    ("machine", "name", "k", "adjacent"),
    [
        ("gfx942", "v_mfma_f32_16x16x16_f16", 32, 8),  # 16 bytes, which two instructions multiply
        ("gfx942", "v_mfma_f32_16x16x16_f16", 16, 4),  # a trip has no more
        ("gfx942", "v_mfma_f32_16x16x4_f32", 32, 4),
        ("gfx950", "v_mfma_f32_16x16x32_f16", 64, 8),  # a single instruction takes them all
    ],
)
def test_a_lane_has_16_bytes_of_adjacent_k(machine: str, name: str, k: int, adjacent: int) -> None:
    by = instruction(name, parse_target(machine).target)
    assert by is not None
    operands = of_instruction(Contract(64, 64, k, 4), by)
    steps = [1 << bit for bit in range(adjacent.bit_length())]
    for step in steps:
        assert (step in operands.a.registers) is (step < adjacent)
        assert (step * 64 in operands.b.registers) is (step < adjacent)


@pytest.mark.parametrize(("machine", "beside", "fifth"), [("gfx942", 2, 4 * 64), ("gfx1100", 4, 8 * 64), ("gfx1201", 2, 4 * 8)])
def test_four_lanes_load_64_neighbours_in_memory(machine: str, beside: int, fifth: int) -> None:
    """b {64,64} of f16: the lanes after the first four have other rows, or on gfx1201, of which a lane has
    all 8 rows of an access of LDS, the next columns. Four lanes with a row each asked the cache four times.
    """
    choice = Contract(64, 64, 64, 2)
    read = as_read(64, 64, 8, 4, 4 * beside, choice, parse_target(machine).target)
    assert read.registers[:3] == (1, 2, 4)
    assert read.lanes[:2] == (8, 16)
    assert read.lanes[2] == fifth


@pytest.mark.parametrize("machine", ["gfx1100", "gfx1201", "gfx942"])
@pytest.mark.parametrize("along_k", [True, False])
def test_a_lane_of_outer_products_reads_four_factors_of_one_product_together(machine: str, along_k: bool) -> None:
    """They are next to each other in LDS, even if memory has the elements along k next to each other."""
    target, choice = parse_target(machine).target, Contract(64, 64, 16, 4)
    rows = of_outer_products(choice, target).a
    steps = [split(basis, rows.sizes) for basis in rows.registers[:2]]
    assert all(row and not k for row, k in steps)
    bases = [1 << bit for bit in range(10)]  # of {64,16}, of which k is the last axis
    if not along_k:
        bases = [*bases[4:], *bases[:4]]
    lanes = target.wave_size.bit_length() - 1
    held = 10 - lanes - 2
    written = layout(rows.sizes, tuple(bases[:held]), tuple(bases[held : held + lanes]), tuple(bases[held + lanes :]))
    assert set(chosen_in_order(written, rows, 4, target).offsets[:2]) == set(rows.registers[:2])
