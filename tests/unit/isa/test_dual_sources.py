"""One VGPR as the source of both components of a dual instruction: gfx1201 reads it once (llvm-project PRs 196198 and 198034).

LLVM 22's assembler refuses the text, and its disassembler reads the bytes.
"""

from __future__ import annotations

import pytest

from asmgen.passes.peephole.dual import pair
from isa.binary import decode, encode
from isa.diagnostics import InputError
from isa.table import table_named
from isa.text.parsing import parse_instr
from isa.text.printing import format_instr
from tests.unit.isa.machine_code import LONGEST, disassembled
from tests.unit.passes.assembly import code_of, kernel_of

ONE_VGPR = (
    "v_dual_mul_f32 v0, v1, v2 :: v_dual_add_f32 v3, v4, v2",
    "v_dual_mul_f32 v0, v1, v2 :: v_dual_add_f32 v3, v1, v4",
    "v_dual_cndmask_b32 v0, v1, v2 :: v_dual_cndmask_b32 v3, v1, v2",
    "v_dual_fmac_f32 v0, v1, v2 :: v_dual_lshlrev_b32 v3, v4, v2",
)
ONE_BANK = ("v_dual_mul_f32 v0, v1, v2 :: v_dual_add_f32 v3, v4, v6", "v_dual_mul_f32 v0, v1, v2 :: v_dual_add_f32 v2, v4, v7")


@pytest.mark.needs_llvm("llvm-mc-22")
def test_gfx1201_reads_one_vgpr_for_both() -> None:
    table = table_named("gfx1201")
    instrs = [parse_instr(text, table, text) for text in ONE_VGPR]
    codes = [encode(instr, table.target) for instr in instrs]
    assert [decode(code, 0, table) for code in codes] == [(instr, 8) for instr in instrs]
    assert [format_instr(instr) for instr in instrs] == list(ONE_VGPR)
    listed = disassembled([code.ljust(LONGEST, b"\0") for code in codes], "gfx1201")
    assert [found and " ".join(found.text.split()) for found in listed] == list(ONE_VGPR)


@pytest.mark.parametrize(("machine", "texts"), [("gfx1100", ONE_VGPR), ("gfx1100", ONE_BANK), ("gfx1201", ONE_BANK)])
def test_other_registers_of_one_bank_are_refused(machine: str, texts: tuple[str, ...]) -> None:
    for text in texts:
        with pytest.raises(InputError, match="wanted registers with different numbers modulo"):
            _ = parse_instr(text, table_named(machine), text)


def test_no_pair_is_formed_that_llvms_assembler_refuses() -> None:
    code = "v_cndmask_b32_e32 v0, v1, v2, vcc_lo\nv_cndmask_b32_e32 v3, v1, v2, vcc_lo"
    assert code_of(pair(kernel_of(code, "gfx1201"))) == code.split("\n")
