"""Matrix instructions of a prologue add to the constant 0."""

from __future__ import annotations

import pytest

from asmgen.passes.schedule.modulo.added_zeros import adding_zeros
from isa.instruction import Immediate, Instr, Unit
from isa.mir.parser import parse_kernel
from isa.program import Kernel
from isa.registers import Register
from regalloc.verify import verify

TEXT = """stage machine gfx942
kernel test
workgroup 64 1 1
argument out offset=0 size=8 kind=global_buffer space=global access=write_only type=u32
entry kernarg_segment_ptr s[0:1]
entry preload s[2:3]
entry workitem_id v0
preload 2
lds 0
scratch 0
register %zero vgpr 4 align 2
register %sum vgpr 4 align 2
register %made vgpr 4 align 2
register %wide vgpr 6 align 2
register %factor vgpr 2 align 2
register %last vgpr
register %i sgpr
register %more sgpr
block entry
  v_mov_b32_e32 %zero[0], 0
  v_mov_b32_e32 %zero[1], 0
  v_mov_b32_e32 %zero[2], 0
  v_mov_b32_e32 %zero[3], 0
  global_load_dwordx4 %wide[2:5], v0, s[2:3]
  v_mov_b32_e32 %factor[0], v0
  v_mov_b32_e32 %factor[1], 1.0
  linear loop(0x3)
  logical loop(%zero)
block loop scalar(%i) vector(%sum)
  v_mfma_f32_16x16x16_f16 %made, %factor, %factor, %sum
  s_add_u32 %more, %i, 1
  global_store_dwordx4 v0, %made, s[2:3] !touches {"global": "out"}
  terminator s_endpgm
"""


def made(old: str = "", new: str = "") -> Kernel:
    assert old in TEXT
    before = parse_kernel(TEXT.replace(old, new, 1), "test.mir")
    verify(before)
    after = adding_zeros(before, "loop")
    verify(after)
    return after


def product(kernel: Kernel) -> Instr:
    (instr,) = [each for block in kernel.blocks for each in block.instructions if each.row.unit is Unit.MATRIX]
    return instr


def test_the_first_trip_adds_to_the_constant_zero_and_needs_no_registers_of_zeros() -> None:
    kernel = made()
    entry, loop = kernel.blocks
    assert product(kernel).operands[3] == Immediate(0)
    assert not loop.vector_parameters
    filled = [each.operands[1] for each in entry.instructions if "mov" in each.row.name]
    assert len(filled) == 2, "only the factor is filled; nothing reads the zeros"


def test_an_argument_may_be_the_constant() -> None:
    text = TEXT.replace("logical loop(%zero)", "logical loop(0x0)", 1).replace("register %sum vgpr 4 align 2", "register %sum vgpr", 1)
    text = text.replace("%factor, %sum", "%factor, %zero", 1).replace("%i, 1\n", "%i, 1\n  v_mov_b32_e32 %last, %sum\n", 1)
    kernel = parse_kernel(text, "test.mir")
    assert adding_zeros(kernel, "loop") is kernel, "only products change"


JUMP = "  linear loop(0x3)\n  logical loop(%zero)\n"
FORK = "  s_cmp_lt_u32 s2, 3\n  terminator s_cbranch_scc0 other\n  linear other, way\n  logical other, way\n"
KEPT = (
    ("a unit is not 0", "%zero[2], 0", "%zero[2], 1.0"),
    ("a unit is no constant", "%zero[2], 0", "%zero[2], v0"),
    ("a part of a register is loaded", "logical loop(%zero)", "logical loop(%wide[2:5])"),
    ("two blocks lead to the block", JUMP, f"{FORK}block way\n{JUMP}block other\n{JUMP}"),
    ("the zeros are a factor", "%factor, %factor, %sum", "%sum[0:1], %factor, %wide[2:5]"),
)  # fmt: skip


@pytest.mark.parametrize(("reason", "old", "new"), KEPT, ids=[case[0] for case in KEPT])
def test_a_matrix_instruction_keeps_its_registers_if(reason: str, old: str, new: str) -> None:
    assert all(isinstance(operand, Register) for operand in product(made(old, new)).operands), reason
