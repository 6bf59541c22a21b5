"""Products whose workgroups wait for the cache that compute units share: rows that begin between lines are more lines."""

from __future__ import annotations

import pytest

from asmgen.passes.schedule.modulo.pipeline import Why, pipeline_loops
from asmgen.passes.schedule.modulo.problem import problems_of
from asmgen.passes.schedule.modulo.shared_cache import waits_for_shared_cache
from isa.mir.parser import parse_kernel
from isa.program import Kernel
from tests.unit.passes.loops import ADD, LOAD, TEXT, as_one_block

UNITS = 304
VGPRS = 256  # with which a unit has two workgroups of four waves
MULTIPLY = "  v_mfma_f32_32x32x2_f32 %sums, %x, %x, 0\n"  # 64 clocks of the matrix pipe
REGISTERS = "register %sums vgpr 16 align 2\nregister %a vgpr 4 align 2\nregister %b vgpr 4 align 2\n"


def product(groups: int, at: int, step: int) -> Kernel:
    """It multiplies for 1,024 clocks a trip, and loads 112 rows of 256 bytes from byte `at` on, `step` bytes apart. L2 sends
    224 lines of 128 bytes in 731 clocks, and 322 in 1,051."""
    loads = ""
    for value, first in (("%a", at), ("%b", at + 56 * step)):
        touched = f'{{"global": "x", "bytes": ["0", {first}, {first + 55 * step}, {step}, 256]}}'
        loads += f"  global_load_dwordx4 {value}, %at, s[2:3] !touches {touched}\n"
    text = TEXT.replace(LOAD, loads + LOAD, 1).replace(ADD, ADD + 16 * MULTIPLY, 1)
    text = text.replace("block entry\n", REGISTERS + "block entry\n", 1)
    return parse_kernel(text.replace("workgroup 64 1 1\n", f"workgroup 256 1 1\ngroups {groups}\n", 1), "test.mir")


@pytest.mark.parametrize(
    ("groups", "at", "step", "waits"),
    [
        (UNITS + 1, 0, 2048, False),
        (UNITS + 1, 0, 2000, True),
        (UNITS + 1, 16, 2048, True),
        (2 * UNITS, 0, 2000, True),
        (UNITS, 0, 2000, False),
        (2 * UNITS + 1, 0, 2000, False),
        (UNITS + 1, 0, 64, False),
    ],
    ids=["at lines", "rows between lines", "begins between lines", "two each", "one each", "others follow", "the same lines"],
)
def test_a_product_waits_if_its_lines_take_longer_than_its_matrix_instructions(groups: int, at: int, step: int, waits: bool) -> None:
    made = product(groups, at, step)
    whole, shape = as_one_block(made)
    (problem,) = problems_of(whole, [next(number for number, block in enumerate(whole.blocks) if block is shape.block)])
    assert waits_for_shared_cache(made, problem, VGPRS) is waits


def test_trips_of_such_a_product_do_not_overlap() -> None:
    (left,) = pipeline_loops(product(2 * UNITS, 0, 2000), VGPRS).left
    assert left.why is Why.SHARED_CACHE
