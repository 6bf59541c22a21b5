"""How many elements of a column a lane reads together, by AMD's layouts of the factors."""

from __future__ import annotations

import pytest

from asmgen.blockwise.matrix import instruction
from asmgen.blockwise.schedules.choices import Contract
from asmgen.blockwise.schedules.pages.product_layouts import LONGEST_RUN, of_instruction
from isa.targets import parse_target


@pytest.mark.parametrize(
    ("machine", "name", "run"),
    [
        ("gfx942", "v_mfma_f32_32x32x8_f16", 4),  # a lane has four k next to each other
        ("gfx942", "v_mfma_f32_16x16x4_f32", 1),  # and here a single one
        ("gfx950", "v_mfma_f32_16x16x32_f16", LONGEST_RUN),  # of eight
    ],
)
def test_a_lane_reads_the_elements_of_its_column(machine: str, name: str, run: int) -> None:
    by = instruction(name, parse_target(machine).target)
    assert by is not None
    assert of_instruction(Contract(64, 64, 32, 4), by).run == run
