"""`Instr.units`: the registers of an instruction as numbers, computed once."""

from __future__ import annotations

import pytest

from isa.instruction import Instr
from isa.registers import EXEC, M0, MODE, SCC, VCC, Register, Units
from tests.rows import parse_instr

CASES = (
    ("v_add_f32 v1, v2, s3", {258, 3, *EXEC.units}, {257}, (258, 3), (257,)),
    ("s_add_u32 s4, s5, s6", {5, 6}, {4, SCC.first}, (5, 6), (4, SCC.first)),
    ("s_cselect_b32 s4, s5, s6", {5, 6, SCC.first}, {4}, (5, 6, SCC.first), (4,)),
    ("v_cndmask_b32 v1, v2, v3, vcc", {258, 259, *VCC.units, *EXEC.units}, {257}, (258, 259, *VCC.units), (257,)),
    ("s_and_saveexec_b64 s[4:5], vcc", {*VCC.units, *EXEC.units}, {4, 5, *EXEC.units, SCC.first}, (*VCC.units,), (4, 5, SCC.first)),
    ("s_mov_b32 m0, s5", {5}, {M0.first}, (5,), (M0.first,)),
    ("s_mov_b64 exec, s[4:5]", {4, 5}, {*EXEC.units}, (4, 5), ()),
    ("v_add_u32 v1, src_scc, v2", {SCC.first, 258, *EXEC.units}, {257}, (SCC.first, 258), (257,)),
)  # fmt: skip


@pytest.mark.parametrize(("text", "read", "written", "tracked_read", "tracked_written"), CASES)
def test_units_are_those_of_the_registers(text: str, read: set[int], written: set[int], tracked_read: Units, tracked_written: Units) -> None:
    units = parse_instr(text, "test").units
    assert set(units.read) - set(MODE.units) == read
    assert set(units.written) == written
    assert (units.tracked_read, units.tracked_written) == (tracked_read, tracked_written)


@pytest.mark.parametrize("text", [text for text, *_ in CASES])
def test_units_agree_with_the_registers(text: str) -> None:
    instr = parse_instr(text, "test")
    read, written = ([unit for register in registers for unit in register.units] for registers in (instr.used(), instr.defined()))
    assert (list(instr.units.read), list(instr.units.written)) == (read, written)
    assert (instr.units.reads_scc, instr.units.writes_scc) == (SCC.first in read, SCC.first in written)


def test_equal_instructions_are_equal_whether_their_units_were_asked_for() -> None:
    one, other = (parse_instr("v_add_f32 v1, v2, v3", "test") for _ in range(2))
    assert one.units.written == (257,)
    assert one == other
    assert Instr(one.row, (Register(300), *one.operands[1:])).units.written == (300,)
