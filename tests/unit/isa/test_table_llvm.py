"""Every row's definitions, uses, ties and implicit registers against LLVM's own description of the opcode it assembles to."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import pytest

from isa.instruction import Encoding, ExecMode, Instr, Row, Trait, Unit
from isa.registers import EXEC, FIRST_AGPR, FIRST_VGPR, FLAT_SCRATCH, M0, MODE, NULL, SCC, VCC, VCC_LO, XNACK_MASK, Register
from isa.table import table_named
from isa.targets import parse_target
from isa.text.printing import format_instr
from tests.rows import MACHINES
from tests.unit.isa.assembler import features_of
from tests.unit.isa.samples import base
from tools.llvm_hazards.opcodes import Opcode, flags, opcode
from tools.llvm_hazards.translate import Encoded, choose_opcode, encode

pytestmark = [pytest.mark.broad, pytest.mark.needs_llvm("llvm-mc-22")]

each_machine = pytest.mark.parametrize("machine", MACHINES)

_NUMBERED = re.compile(r"(VGPR|SGPR|AGPR)(\d+)")
_FILES = {"VGPR": FIRST_VGPR, "SGPR": 0, "AGPR": FIRST_AGPR}
_SUFFIX = re.compile(r"_(gfxpre11|gfx11plus|gfx9plus|gfxpre9|vi)$")
_NAMED = {
    "VCC": VCC, "VCC_LO": VCC_LO, "SCC": SCC, "EXEC": EXEC, "EXEC_LO": EXEC.part(0), "M0": M0, "MODE": MODE, "FLAT_SCR": FLAT_SCRATCH,
    "XNACK_MASK": XNACK_MASK, "SGPR_NULL": NULL,
}  # fmt: skip


class Difference(NamedTuple):
    """One register that only one side has: `side` is `ours` or `llvm`, `what` is `defines`, `reads` or `ties`."""

    row: Row
    side: str
    what: str
    register: Register


def llvm_register(name: str) -> Register:
    """A register as llvm-mc names it in an instruction (`VGPR0_VGPR1`, `M0_gfxpre11`, `VGPR0_HI16`)."""
    numbered = _NUMBERED.findall(name)
    if numbered:
        return Register(_FILES[numbered[0][0]] + int(numbered[0][1]), len(numbered))
    return _NAMED[_SUFFIX.sub("", name)]


def implicit_register(name: str, wave_size: int) -> Register:
    """An implicit register; LLVM's descriptions have VCC, of which waves of 32 use the lower half."""
    register = llvm_register(name)
    return VCC_LO if register == VCC and wave_size == 32 else register


def sides(instr: Instr, facts: Opcode, operands: tuple[tuple[str, str], ...], wave_size: int) -> list[Difference]:
    registers = [llvm_register(text) if kind == "Reg" and text else None for kind, text in operands]
    defines = {r for r in registers[: facts.defines] if r} | {implicit_register(name, wave_size) for name in facts.writes}
    reads = {r for r in registers[facts.defines :] if r} | {implicit_register(name, wave_size) for name in facts.reads}
    ties = {registers[define] for define in facts.ties if define >= 0}
    ours = {
        "defines": set(instr.defined()),
        "reads": set(instr.used()),
        "ties": {instr.operands[define] for _, define in instr.row.ties},
    }
    theirs = {"defines": defines, "reads": reads, "ties": ties}
    return [
        Difference(instr.row, side, what, register)
        for what in ours
        for side, only in (("ours", ours[what] - theirs[what]), ("llvm", theirs[what] - ours[what]))
        for register in only
        if isinstance(register, Register)
    ]


@cache
def encoded_rows(machine: str) -> list[tuple[Instr, Encoded]]:
    """The plain sample of each row, and what llvm-mc makes of it."""
    target = parse_target(machine).target
    instrs = [base(row) for row in table_named(machine).rows]
    found = zip(instrs, encode([format_instr(instr) for instr in instrs], target.name, features_of(target)), strict=True)
    return [(instr, encoded) for instr, encoded in found if encoded is not None]


@cache
def differences(machine: str) -> list[Difference]:
    found: list[Difference] = []
    for instr, encoded in encoded_rows(machine):
        facts = opcode(choose_opcode(encoded.name))
        assert facts is not None, encoded.name
        found += sides(instr, facts, encoded.operands, parse_target(machine).target.wave_size)
    return found


@each_machine
def test_every_row_is_encoded(machine: str) -> None:
    encoded = {instr.row for instr, _ in encoded_rows(machine)}
    assert [row for row in table_named(machine).rows if row not in encoded] == []


REASONS: dict[str, Callable[[Difference], bool]] = {
    "LLVM has float instructions read MODE; no kernel of ours changes it between instructions, and s_setreg has SIDE_EFFECT": (
        lambda d: (d.side, d.what, d.register) == ("llvm", "reads", MODE) and d.row.unit in (Unit.VALU, Unit.TRANS, Unit.MATRIX, Unit.SALU)
    ),
    "LLVM has every LDS instruction that it has not told otherwise read M0; exchanges of lanes have no address": (
        lambda d: (d.side, d.what, d.register) == ("llvm", "reads", M0) and d.row.unit is Unit.LDS and Trait.CROSS_LANE in d.row.traits
    ),
    "LLVM has matrix instructions, v_nop and cache control read EXEC; they act on the whole wave": (
        lambda d: (d.side, d.what, d.register) == ("llvm", "reads", EXEC) and (d.row.unit is Unit.MATRIX or not d.row.operands)
    ),
    "a conditional move keeps its destination, and s_bitset the other bits; LLVM ties s_bitset alone, and only in its pseudo": (
        lambda d: d.side == "ours" and d.what in ("reads", "ties") and d.row.unit is Unit.SALU and bool(d.row.ties)
    ),
    "the rest of a destination stays: LLVM ties SDWA preserve by an operand that it adds to the instruction": (
        lambda d: d.side == "ours" and d.what in ("reads", "ties") and d.row.encoding is Encoding.SDWA and d.row.form == "preserve"
    ),
    "the rest of a destination stays: LLVM does not model op_sel on the destination, or adds no tie": (
        lambda d: d.side == "ours" and d.what in ("reads", "ties") and d.row.encoding is Encoding.E64 and Trait.HALF_WRITE in d.row.traits
    ),
    "v_pk_fmac_f16 adds to its destination; LLVM never generates it": (
        lambda d: d.side == "ours" and d.what in ("reads", "ties") and d.row.operation == "v_pk_fmac_f16"
    ),
    "three bytes of a destination stay: LLVM adds no tie, and never generates it": (
        lambda d: d.side == "ours" and d.what in ("reads", "ties") and d.row.operation == "v_cvt_pkaccum_u8_f32"
    ),
    "LLVM has the transcendentals of the scalar unit read EXEC, as all that has their encoding": (
        lambda d: (d.side, d.what, d.register) == ("llvm", "reads", EXEC) and d.row.exec_mode is ExecMode.SCALAR and d.row.unit is Unit.TRANS
    ),
    "with bound_ctrl no lane keeps what it held": (lambda d: d.side == "llvm" and d.what in ("reads", "ties") and d.row.form == "bound"),
    "a lane that DPP leaves out keeps what it held; LLVM adds no tie to v_fma_mix_f32": (
        lambda d: d.side == "ours" and d.what in ("reads", "ties") and d.row.operation == "v_fma_mix_f32" and d.row.encoding is Encoding.E64_DPP
    ),
    "LLVM leaves FLAT_SCRATCH out of scratch loads to LDS": (
        lambda d: (d.side, d.what, d.register) == ("ours", "reads", FLAT_SCRATCH) and Trait.LDS_DMA in d.row.traits
    ),
    "a d16 load keeps the other half of its destination: the tie is LLVM's too, but llvm-mc leaves its operand out": (
        lambda d: (d.side, d.what) == ("ours", "reads") and Trait.HALF_WRITE in d.row.traits and Trait.LOAD in d.row.traits
    ),
    "LLVM's class compares in SDWA still define VCC, although gfx9 spells their destination": (
        lambda d: (d.side, d.what, d.register) == ("llvm", "defines", VCC) and d.row.encoding is Encoding.SDWA and "class" in d.row.name
    ),
}


@each_machine
def test_every_difference_has_a_reason(machine: str) -> None:
    unexplained = [d for d in differences(machine) if not any(explains(d) for explains in REASONS.values())]
    assert unexplained == []


@pytest.mark.parametrize("reason", REASONS)
def test_every_reason_still_explains_something(reason: str) -> None:
    assert any(REASONS[reason](d) for machine in MACHINES for d in differences(machine))


@each_machine
def test_no_difference_has_two_reasons(machine: str) -> None:
    assert [d for d in differences(machine) if sum(explains(d) for explains in REASONS.values()) > 1] == []


class Kind(NamedTuple):
    """Bits of LLVM's TSFlags of which one is set, the rows that should have it, and the rows that may differ,
    with the reason."""

    bits: tuple[int, ...]
    ours: Callable[[Row], bool]
    except_for: Callable[[Row], bool] = lambda row: False


# encodings of which LLVM leaves out that they are a dot product's
UNFLAGGED = (Encoding.DPP, Encoding.E64_DPP, Encoding.DUAL)
KINDS = {
    # DPP8 forms have no description but their encoding, which has no flags
    "transcendental": Kind((16,), lambda row: row.unit is Unit.TRANS, lambda row: row.form == "dpp8"),
    "dot product": Kind((55,), lambda row: Trait.DOT in row.traits, lambda row: row.encoding in UNFLAGGED),
    # moves to and from AGPRs count as matrix instructions to LLVM; here they are moves of the vector ALU
    "matrix": Kind((54, 59, 63), lambda row: row.unit is Unit.MATRIX, lambda row: Trait.MOVE in row.traits),
    "LDS": Kind((25,), lambda row: row.unit is Unit.LDS),
    "scalar memory": Kind((19,), lambda row: row.unit is Unit.SMEM),
    "buffer": Kind((17,), lambda row: row.unit is Unit.VMEM and "srsrc" in names(row), lambda row: Trait.CACHE in row.traits),
    "flat, global or scratch": Kind(
        (24,),
        lambda row: row.unit in (Unit.FLAT, Unit.SCRATCH) or (row.unit is Unit.VMEM and "saddr" in names(row)),
        lambda row: Trait.CACHE in row.traits,
    ),
    "scratch": Kind((56,), lambda row: row.unit is Unit.SCRATCH),
    # LLVM leaves the flag out of exchanges of two elements and of the LDS counters
    "atomic with a result": Kind(
        (58,),
        lambda row: Trait.ATOMIC in row.traits and bool(row.defines),
        lambda row: row.unit is Unit.LDS and ("addr" not in names(row) or has_two_offsets(row)),
    ),
    # some LDS stores carry the flag of atomics without a result
    "atomic without a result": Kind((57,), lambda row: Trait.ATOMIC in row.traits and not row.defines, lambda row: Trait.STORE in row.traits),
}


def names(row: Row) -> set[str]:
    return {spec.name for spec in row.operands}


def has_two_offsets(row: Row) -> bool:
    return any(spec.name == "offset1" for spec in row.modifiers)


@pytest.mark.parametrize("kind", KINDS)
def test_units_and_kinds_are_llvms(kind: str) -> None:
    bits, ours, except_for = KINDS[kind]
    theirs = {(instr.row, choose_opcode(encoded.name)) for machine in MACHINES for instr, encoded in encoded_rows(machine)}
    has = {(row, name) for row, name in theirs if any(flags(name) >> bit & 1 for bit in bits)}
    assert [pair for pair in theirs if (pair in has) != ours(pair[0]) and not except_for(pair[0])] == []
    assert has
