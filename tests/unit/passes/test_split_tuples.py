"""Registers of several units become as narrow as their uses, and programs store the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest

from asmgen.passes.split_tuples import split_tuples
from isa.emulator.runner import run_kernel
from isa.program import Kernel
from regalloc.allocate import build_problem, problem_in_parts
from regalloc.verify import verify
from tests.property.machine_programs import machine_program
from tests.property.wide_programs import wide_program
from tests.unit.regalloc.programs import lines, machine

TURNED = """
register %w vgpr 4 align 2
register %x vgpr 4 align 2
register %n vgpr 4 align 2
register %y vgpr 4 align 2
register %i sgpr
register %j sgpr
block entry
  v_add_u32_e32 %w[0], 1, v0
  v_add_u32_e32 %w[1], 2, v0
  v_mov_b64_e32 %w[2:3], 5
  linear head(0x0)
  logical head(%w, 0x700000006)
block head scalar(%i) vector(%x, %y)
  s_cmp_lt_u32 %i, 8
  terminator s_cbranch_scc0 exit
  linear exit, body
  logical exit, body
block body
  v_add_u32_e32 %n[0], 1, %x[1]
  v_add_u32_e32 %n[1], 1, %x[0]
  v_pk_add_f32 %n[2:3], %x[2:3], %x[2:3]
  s_add_u32 %j, %i, 1
  linear head(%j)
  logical head(%n, %y)
block exit
  ds_write_b64 v0, %x[2:3]
  ds_write_b32 v0, %x[1]
  ds_write_b32 v0, %y[1]
  terminator s_endpgm
"""


def test_what_only_edges_name_whole_is_taken_apart() -> None:
    """Two singles and a pair, which a packed addition names, and constants with their bits."""
    split = split_tuples(machine(TURNED))
    verify(split)
    assert sorted({(owner.name, owner.count, owner.align) for owner in split.owners if owner.name[0] in "xn"}) == [
        ("n_0", 1, 1), ("n_1", 1, 1), ("n_2", 2, 2), ("x_0", 1, 1), ("x_1", 1, 1), ("x_2", 2, 2),
    ]  # fmt: skip
    text = lines(split)
    assert "logical head(%w_0, %w_1, %w_2, 0x6, 0x7, 0x0, 0x0)" in text
    assert "logical head(%n_0, %n_1, %n_2, %y_0, %y_1, %y_2, %y_3)" in text


def test_an_argument_is_as_wide_as_its_parameter() -> None:
    """The pair of %x keeps the pair of %w together, though %w is written unit by unit."""
    body = TURNED.replace("  v_mov_b64_e32 %w[2:3], 5\n", "  v_mov_b32_e32 %w[2], 5\n  v_mov_b32_e32 %w[3], 0\n")
    split = split_tuples(machine(body))
    verify(split)
    assert {(owner.name, owner.count) for owner in split.owners if owner.name[0] == "w"} == {("w_0", 1), ("w_1", 1), ("w_2", 2)}


def test_what_instructions_name_whole_stays() -> None:
    kernel = machine("register %x vgpr 4 align 2\nblock entry\n  ds_read_b128 %x, v0\n  ds_write_b32 v0, %x[1]\n  terminator s_endpgm\n")
    assert split_tuples(kernel) is kernel


def expect_same_problem(kernel: Kernel, split: Kernel) -> None:
    """The facts for registers of a split kernel are those of the kernel before."""
    known, made = problem_in_parts(build_problem(kernel), split), build_problem(split)
    assert known._replace(liveness=made.liveness) == made
    assert known.liveness.pressure == made.liveness.pressure


def test_loads_for_the_next_trip_are_those_of_the_parts() -> None:
    """A register that two loads fill becomes two, which are loaded for the next trip."""
    begin, end = TURNED.index("  v_add_u32_e32 %n[0]"), TURNED.index("  s_add_u32 %j")
    body = "  ds_read_b64 %n[0:1], %x[0]\n  ds_read_b64 %n[2:3], %x[0] offset:8\n"
    kernel = machine(TURNED[:begin] + body + TURNED[end:])
    split = split_tuples(kernel)
    expect_same_problem(kernel, split)
    [carried] = build_problem(split).carried.values()
    assert [load.owner.name for load in carried] == ["n_0", "n_2"]


Make = Callable[[int], tuple[Kernel, Counter[str]]]


@pytest.mark.parametrize("make", [machine_program, wide_program], ids=["machine", "wide"])
def test_random_programs_store_the_same(make: Make) -> None:
    draw = np.random.default_rng(3).integers(0, 1 << 32, 64, dtype=np.uint32)
    for seed in range(12):
        kernel, _ = make(seed)
        split = split_tuples(kernel)
        verify(split)
        expect_same_problem(kernel, split)
        before, after = (run_kernel(one, (1, 1, 1), [draw.copy(), np.zeros(64, np.uint32)])[1] for one in (kernel, split))
        assert before.tolist() == after.tolist()
