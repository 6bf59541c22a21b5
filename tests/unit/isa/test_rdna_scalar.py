"""Immediates of named fields and the raw counters of RDNA, as LLVM reads and spells them; what LLVM disassembles is our text."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from isa.diagnostics import InputError
from isa.fields import field_values, format_fields, pack_fields, parse_fields
from isa.instruction import Immediate, Instr, Kind, Row, Unit
from isa.registers import NULL
from isa.table import table_named
from isa.text.parsing import parse_instr
from isa.text.printing import format_instr
from isa.verify import find_fault
from tests.unit.isa.assembler import assemble_lines
from tests.unit.isa.samples import IN_ONE_PROCESS, samples, some_samples

TARGETS = ("gfx1100", "gfx1201")
OURS = {Unit.SALU, Unit.SMEM, Unit.CONTROL, Unit.BRANCH, Unit.VMEM, Unit.FLAT, Unit.SCRATCH, Unit.LDS}
WAIT_ALU = {"gfx1100": "s_waitcnt_depctr", "gfx1201": "s_wait_alu"}
EVERY_SEVENTH = range(0, 1 << 16, 7)


def ours(line: str, target: str) -> str:
    """Our spelling of a line; empty if we refuse it."""
    try:
        return format_instr(parse_instr(line, table_named(target), line))
    except InputError:
        return ""


@pytest.mark.needs_llvm("llvm-mc-22")
@pytest.mark.parametrize("target", TARGETS)
def test_waits_for_alu_results_are_spelt_as_llvm_does(target: str) -> None:
    lines = [f"{WAIT_ALU[target]} {bits}" for bits in EVERY_SEVENTH]
    assert [ours(line, target) for line in lines] == [seen.text for seen in assemble_lines(lines, target)]


@pytest.mark.needs_llvm("llvm-mc-22")
@pytest.mark.parametrize("target", TARGETS)
def test_delays_are_spelt_as_llvm_does_or_refused_where_it_has_no_word(target: str) -> None:
    lines = [f"s_delay_alu {bits}" for bits in range(1 << 11)]
    for line, seen in zip(lines, assemble_lines(lines, target), strict=True):
        assert ours(line, target) == ("" if "invalid" in seen.text else seen.text), line


@pytest.mark.needs_llvm("llvm-mc-22")
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("mnemonic", ["s_sendmsg", "s_sendmsg_rtn_b32 s4,"])
def test_messages_are_spelt_as_llvm_does(target: str, mnemonic: str) -> None:
    lines = [f"{mnemonic} {bits}" for bits in range(256)]
    assert [ours(line, target) for line in lines] == [seen.text for seen in assemble_lines(lines, target)]


@pytest.mark.needs_llvm("llvm-mc-22")
@pytest.mark.parametrize("target", TARGETS)
def test_hardware_registers_have_llvms_names(target: str) -> None:
    lines = [f"s_getreg_b32 s0, {number | width}" for number in range(64) for width in (0xF800, 0x1880)]
    assert [ours(line, target) for line in lines] == [seen.text for seen in assemble_lines(lines, target)]


@pytest.mark.needs_llvm("llvm-mc-22")
@pytest.mark.parametrize("line", [
    "s_delay_alu instid1(VALU_DEP_1)|instid0(VALU_DEP_2)", "s_delay_alu instid0(NO_DEP)", "s_delay_alu instskip(SAME) | instid0(SALU_CYCLE_3)",
    "s_delay_alu instid0(VALU_DEP_9)", "s_delay_alu instid0(VALU_DEP_1) instid1(VALU_DEP_1)", "s_delay_alu instid0(VALU_DEP_1) |",
    "s_sendmsg sendmsg(1, 0, 0)", "s_sendmsg sendmsg(0x3)", "s_sendmsg sendmsg(MSG_NONE)",
    "s_waitcnt_depctr depctr_va_vdst(0) depctr_va_sdst(1)", "s_waitcnt_depctr depctr_va_vdst(0), depctr_va_sdst(1)",
    "s_waitcnt_depctr depctr_va_vdst(0) & depctr_va_sdst(1)", "s_waitcnt_depctr depctr_va_vdst(16)", "s_waitcnt_depctr depctr_vmcnt(0)",
    "s_waitcnt_depctr depctr_va_vdst(0) | depctr_va_sdst(1)", "s_sendmsg_rtn_b64 s[0:1], sendmsg(MSG_RTN_GET_REALTIME)", "s_sendmsg",
    "s_waitcnt_vscnt s0, 0x0", "s_waitcnt_vscnt null, 0", "s_sendmsg_rtn_b64 sendmsg(MSG_RTN_GET_REALTIME)", "s_waitcnt lgkmcnt(63)",
])  # fmt: skip
def test_other_spellings_of_fields_mean_what_they_mean_to_llvm(line: str) -> None:
    [seen] = assemble_lines([line], "gfx1100")
    assert ours(line, "gfx1100") == seen.text


@pytest.mark.needs_llvm("llvm-mc-22")
@pytest.mark.parametrize("line", [
    "s_wait_loadcnt_dscnt 257", "global_load_b32 v0, v[2:3], off th:TH_LOAD_BYPASS",
    "global_load_b32 v0, v[2:3], off scope:SCOPE_SYS th:TH_LOAD_BYPASS",
    "global_load_b32 v0, v[2:3], off th:TH_LOAD_LU scope:SCOPE_SYS", "global_load_b32 v0, v[2:3], off th:TH_STORE_NT",
    "global_atomic_add_u32 v0, v1, v2, s[2:3]", "s_load_b32 s0, s[2:3], s5",
    "global_store_b32 v[2:3], v0, off th:TH_STORE_WB scope:SCOPE_SYS", "s_getreg_b32 s0, hwreg(HW_REG_MODE)",
    "s_getreg_b32 s0, hwreg(HW_REG_TRAPSTS)",
    "s_barrier_wait 65", "s_load_b96 s[4:6], s[2:3], 0", "s_load_b96 s[6:8], s[2:3], 0", "buffer_load_b32 v0, off, s[4:7], 0",
    "s_buffer_load_b32 s0, s[4:7], -4", "s_load_b32 s0, s[2:3], 0x800000", "s_load_b32 s0, s[2:3], -0x800000",
    "v_s_exp_f32 s0, s1", "v_s_rcp_f16 s0, 0x1234", "v_s_sqrt_f32 v0, s1",
    "s_fmaak_f32 s0, s1, s2, 0x42280000", "s_fmamk_f32 s0, s1, 0x42280000, s2", "s_fmaak_f32 s0, 0x11223344, s2, 0x42280000",
    "v_swmmac_i32_16x16x32_iu8 v[0:7], v[8:9], v[10:13], v14 index_key:1", "v_swmmac_i32_16x16x32_iu8 v[0:7], v[8:9], v[10:13], v14 index_key:2",
    "v_swmmac_f32_16x16x32_f16 v[0:7], v[8:11], v[12:19], v20 index_key:2",
    "v_swmmac_f32_16x16x32_fp8_fp8 v[0:7], v[8:9], v[10:13], v14 index_key:2",
])  # fmt: skip
def test_what_llvm_takes_and_refuses_on_rdna4(line: str) -> None:
    [seen] = assemble_lines([line], "gfx1201")
    assert seen.text == ours(line, "gfx1201") or line == "s_barrier_wait 65"  # LLVM takes any number; barriers have few


@pytest.mark.broad
@pytest.mark.needs_llvm("llvm-mc-22")
def test_raw_counters_are_those_of_rdna3() -> None:
    lines = [f"s_waitcnt {bits}" for bits in EVERY_SEVENTH]
    for line, seen in zip(lines, assemble_lines(lines, "gfx1100"), strict=True):
        assert ours(line, "gfx1100") == seen.text, line


@pytest.mark.parametrize("target", TARGETS)
def test_fields_pack_to_what_they_were_read_from(target: str) -> None:
    for row in table_named(target).rows:
        for spec in row.operands:
            if Kind.FIELDS in spec.kinds:
                bits = pack_fields(spec, {})
                assert pack_fields(spec, field_values(spec, bits)) == bits
                assert parse_fields("".join((format_fields(bits, spec.type) or "").split()), spec.type) == bits
                assert set(field_values(spec, bits).values()) <= {0, 1, 7, 15, 63}


def test_counts_of_a_wait_for_two_counters() -> None:
    row = table_named("gfx1201").row("s_wait_loadcnt_dscnt")
    assert field_values(row.operands[0], 0x0102) == {"loadcnt": 1, "dscnt": 2}
    assert field_values(table_named("gfx1201").row("s_wait_kmcnt").operands[0], 3) == {"kmcnt": 3}
    assert pack_fields(row.operands[0], {"loadcnt": 1, "dscnt": 2}) == 0x0102
    assert pack_fields(row.operands[0], {"dscnt": 2}) == 0x3F02


@pytest.mark.broad
@IN_ONE_PROCESS
@pytest.mark.needs_llvm("llvm-mc-22")
@pytest.mark.parametrize("target", TARGETS)
def test_what_llvm_disassembles_is_our_text(target: str, tmp_path: Path) -> None:
    hold_disassembled(target, tmp_path, lambda row: some_samples(row, len(row.mnemonic)))


@pytest.mark.slow
@IN_ONE_PROCESS
@pytest.mark.needs_llvm("llvm-mc-22")
@pytest.mark.parametrize("target", TARGETS)
def test_whatever_llvm_disassembles_is_our_text(target: str, tmp_path: Path) -> None:
    hold_disassembled(target, tmp_path, samples)


def hold_disassembled(target: str, tmp_path: Path, chosen: Callable[[Row], list[Instr]]) -> None:
    """The bytes of samples that have no label, read back by llvm-objdump."""
    rows = [row for row in table_named(target).rows if row.unit in OURS and not any(Kind.LABEL in spec.kinds for spec in row.operands)]
    instrs = [instr for row in rows for instr in chosen(row)]
    texts = [format_instr(instr) for instr in instrs if not spelt_otherwise(instr)]
    built = tmp_path / "samples.o"
    command = ["llvm-mc-22", "-triple=amdgcn-amd-amdhsa", f"-mcpu={target}", "-filetype=obj", "-o", str(built)]
    _ = subprocess.run(command, input="\n".join(texts), text=True, check=True, capture_output=True)
    done = subprocess.run(["llvm-objdump-22", "-d", f"--mcpu={target}", str(built)], capture_output=True, text=True, check=True)
    read = [line.split("//")[0].strip() for line in done.stdout.splitlines() if line.startswith("\t")]
    assert len(read) == len(texts)
    assert [(text, back) for text, back in zip(texts, read, strict=True) if ours(back, target) != text] == []


def spelt_otherwise(instr: Instr) -> bool:
    """llvm-objdump has words of its own for versions; a scalar load that adds NULL has the encoding of a load
    that adds 0."""
    return instr.row.name == "s_version" or (instr.row.unit is Unit.SMEM and len(instr.operands) > 2 and instr.operands[2] in (NULL, Immediate(0)))


def test_a_delay_without_a_word_is_not_legal() -> None:
    instr = parse_instr("s_delay_alu instid0(VALU_DEP_1)", table_named("gfx1100"), "text")
    broken = instr.as_row(instr.row, (Immediate(12),))
    fault = find_fault(broken)
    assert fault is not None and fault.code == "ISA004"
