"""Loops with a single test for all copies of the kernel: every trip runs once, whatever the number of trips."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen
from asmgen import to_registers
from asmgen.compiled import CompiledProgram
from isa.targets import TARGETS as MACHINES

ROWS_OF_TRIP = 16
TARGETS = ("gfx942", "gfx1201", "gfx90a")
SUM_OF_ROW = "reduce_sum[axes=1]"


GRIDWISE = """stage gridwise TARGET
program @sums {
  dim rows = 0 to 1073741823
  dim cols = 1 to 1073741823
  x = parameter -> TYPE, {rows,cols}
  o = result -> TYPE, {1,cols}
  launch @sums(x) -> (o) grid((cols + LANES - 1) floordiv LANES) by CHOICE {
    x = @param:x -> TYPE, {rows,cols}
    o = reduce_sum[axes={0}](x) -> TYPE, {1,cols}
    @return(o)
  }
}
"""


def compiled(op: str, type_: str, target: str) -> CompiledProgram:
    return asmgen.compile(f"x = @param:x -> {type_}, {{rows,cols}}\no = {op}(x)\n@return(o)\n", target=target)


def sums_of_columns(type_: str, target: str) -> CompiledProgram:
    """All rows in a single launch, and not in parts."""
    lanes = MACHINES[target].wave_size
    choice = f"column[rows=1, columns=1, lanes={lanes}, waves={256 // lanes}, teams=1, vector=1, repeat=4, pieces=16]"
    text = GRIDWISE.replace("TARGET", target).replace("TYPE", type_).replace("LANES - 1", str(lanes - 1))
    return asmgen.compile(text.replace("LANES", str(lanes)).replace("CHOICE", choice), target=target)


def overlap(program: CompiledProgram) -> bool:
    return ".body_kernel:" in program.kernels[0].assembly.replace("_text_", "")


@pytest.mark.parametrize("target", TARGETS)
def test_each_number_of_trips_ends(target: str) -> None:
    """Some trips begin before a pass of several copies: fewer run in the loop as it was, and so do those after the last pass."""
    program = sums_of_columns("i32", target)
    assert "body_rest:" in program.kernels[0].assembly
    for rows in range(ROWS_OF_TRIP, 24 * ROWS_OF_TRIP, ROWS_OF_TRIP):
        given = np.arange(rows * 3, dtype=np.int32).reshape(rows, 3) ** 2
        (found,) = program(given)
        assert (found.reshape(3) == given.sum(axis=0)).all(), rows


def test_ends_copy_no_registers() -> None:
    code = sums_of_columns("f32", "gfx942").kernels[0].assembly
    _, kernel, after = code.partition("body_kernel:")
    assert kernel
    assert "v_mov" not in after


def test_a_pass_has_a_single_test() -> None:
    """The code of passes is behind all other code, so that few trips fetch none of it."""
    code = sums_of_columns("f32", "gfx942").kernels[0].assembly
    before, _, after = code.partition("body_enter")
    _, kernel, passes = after.partition("body_kernel:")
    assert kernel and "s_endpgm" in before.partition("body_rest:")[2] + after
    test = "\ts_cmp_lt_u32 48, "  # three trips of 16 rows begin before a pass
    assert before.count("s_cmp_lt_u32") == 2 and test in before and "s_cselect" not in before, "trips from 0 on need a single test of the limit"
    assert passes.partition("_kernel")[0].count("s_cmp_lt_u32") == 1


@pytest.mark.parametrize(("target", "gains"), [("gfx942", True), ("gfx950", True), ("gfx1100", False), ("gfx1201", False)])
def test_a_launch_of_unknown_size_keeps_memory_busy(target: str, gains: bool) -> None:
    """A workgroup loads 16 KB of a row in a trip."""
    assert overlap(compiled(SUM_OF_ROW, "f32", target)) is gains


def test_overlapping_trips_keep_their_registers_if_they_have_their_waves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(to_registers, "pack_if_near", None)
    monkeypatch.setattr(to_registers, "pack_class", None)
    monkeypatch.setattr(to_registers, "scan_class", None)
    assert overlap(compiled(SUM_OF_ROW, "f32", "gfx942"))
