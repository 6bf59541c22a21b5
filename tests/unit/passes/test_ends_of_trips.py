"""The epilogue as a line of ends: all that has begun ends, in registers of its own, whatever the number of trips."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen
from asmgen import to_registers
from asmgen.compiled import CompiledProgram

ROWS_OF_TRIP = 16
TARGETS = ("gfx942", "gfx1201", "gfx90a")
SUM_OF_ROW, SUM_OF_COLUMN = "reduce_sum[axes=1]", "reduce_sum[axes=0]"


def compiled(op: str, type_: str, target: str) -> CompiledProgram:
    return asmgen.compile(f"x = @param:x -> {type_}, {{rows,cols}}\no = {op}(x)\n@return(o)\n", target=target)


def overlap(program: CompiledProgram) -> bool:
    return ".body_kernel:" in program.kernels[0].assembly.replace("_text_", "")


@pytest.mark.parametrize("target", TARGETS)
def test_each_number_of_trips_ends(target: str) -> None:
    """Four copies of the kernel and a line of seven ends. 1 to 3 trips leave the prologue for code of their own."""
    program = compiled(SUM_OF_COLUMN, "i32", target)
    assert "body_last_9:" in program.kernels[0].assembly
    for rows in range(ROWS_OF_TRIP, 24 * ROWS_OF_TRIP, ROWS_OF_TRIP):
        given = np.arange(rows * 3, dtype=np.int32).reshape(rows, 3) ** 2
        (found,) = program(given)
        assert (found.reshape(3) == given.sum(axis=0)).all(), rows


def test_ends_copy_no_registers() -> None:
    code = compiled(SUM_OF_COLUMN, "f32", "gfx942").kernels[0].assembly
    _, _, after = code.partition("body_kernel:")
    ends, done, _ = after.partition(".done:")
    assert done
    assert "v_mov" not in ends


@pytest.mark.parametrize(("target", "gains"), [("gfx942", True), ("gfx950", True), ("gfx1100", False), ("gfx1201", False)])
def test_a_launch_of_unknown_size_keeps_memory_busy(target: str, gains: bool) -> None:
    """A workgroup loads 16 KB of a row in a trip."""
    assert overlap(compiled(SUM_OF_ROW, "f32", target)) is gains


def test_overlapping_trips_keep_their_registers_if_they_have_their_waves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(to_registers, "pack_if_near", None)
    monkeypatch.setattr(to_registers, "pack_class", None)
    monkeypatch.setattr(to_registers, "scan_class", None)
    assert overlap(compiled(SUM_OF_ROW, "f32", "gfx942"))
