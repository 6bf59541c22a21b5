"""The facts of rows and instructions that hazard rules are made of."""

from __future__ import annotations

from isa.hazards.rule import Registers
from isa.instruction import Encoding, Instr, Kind, Row, Trait, Unit
from isa.registers import EXEC, FIRST_AGPR, FIRST_VGPR, FIRST_VIRTUAL, M0, NULL, VCC, Register
from isa.targets import targets_of

VECTOR_UNITS = frozenset({Unit.VALU, Unit.TRANS})
MEMORY_UNITS = frozenset({Unit.VMEM, Unit.FLAT, Unit.SCRATCH})
DPP_ENCODINGS = frozenset({Encoding.DPP, Encoding.E64_DPP})
MASK_TYPES = frozenset({"mask", "mask32"})

CDNA = targets_of("cdna2", "cdna3", "cdna4")
CDNA3 = targets_of("cdna3", "cdna4")


def on(targets: tuple[str, ...], states: int = 1) -> dict[str, int]:
    """The same number of wait states on each of the targets."""
    return dict.fromkeys(targets, states)


def stand_in(number: int) -> Register:
    """A register that does not exist (AGPRs end at unit 767), for state that no operand names."""
    return Register(FIRST_VIRTUAL - 1 - number)


def is_vector(row: Row) -> bool:
    """A VALU instruction, transcendentals and dot products included, matrix instructions apart."""
    return row.unit in VECTOR_UNITS


def is_vector_or_matrix(row: Row) -> bool:
    return row.unit in VECTOR_UNITS or row.unit is Unit.MATRIX


def is_matrix(row: Row) -> bool:
    return row.unit is Unit.MATRIX


def is_transcendental(row: Row) -> bool:
    return row.unit is Unit.TRANS


def is_memory(row: Row) -> bool:
    """A buffer, global, flat or scratch instruction."""
    return row.unit in MEMORY_UNITS


def is_memory_or_lds(row: Row) -> bool:
    return row.unit in MEMORY_UNITS or row.unit is Unit.LDS


def is_scalar(row: Row) -> bool:
    return row.unit is Unit.SALU


def is_cross_lane(row: Row) -> bool:
    """v_readlane, v_readfirstlane and v_writelane."""
    return Trait.LANE_READ in row.traits or Trait.LANE_WRITE in row.traits


def is_permlane(row: Row) -> bool:
    return Trait.PERMLANE in row.traits


def is_dpp(row: Row) -> bool:
    return row.encoding in DPP_ENCODINGS


def is_vector_register(register: Register) -> bool:
    return register.first >= FIRST_VGPR


def is_vgpr(register: Register) -> bool:
    return FIRST_VGPR <= register.first < FIRST_AGPR


def is_scalar_register(register: Register) -> bool:
    return register.first < FIRST_VGPR


def vector_defines(instr: Instr) -> Registers:
    return tuple([r for r in instr.defined() if r.first >= FIRST_VGPR])


def vector_uses(instr: Instr) -> Registers:
    return tuple([r for r in instr.used() if r.first >= FIRST_VGPR])


def vector_registers(instr: Instr) -> Registers:
    return vector_uses(instr) + vector_defines(instr)


def scalar_defines(instr: Instr) -> Registers:
    """SGPRs and VCC written, whether by an operand or implicitly; EXEC is a rule of its own."""
    return tuple([r for r in instr.defined() if r.first < FIRST_VGPR and not r.overlaps(EXEC)])


def scalar_uses(instr: Instr) -> Registers:
    return tuple([r for r in instr.used() if r.first < FIRST_VGPR and not r.overlaps(EXEC)])


def is_numbered(register: Register) -> bool:
    """s0 to s105, VCC and the trap temporaries: SGPRs for values, without M0, NULL and EXEC."""
    return register.first < M0.first and register not in (NULL, M0)


def operand_named(instr: Instr, *names: str) -> Registers:
    """The registers in the operands of these names; a row without such an operand has none."""
    operands = instr.operands
    return tuple(
        o
        for spec, o in zip(instr.row.operands, operands, strict=True)
        if spec.name in names and isinstance(o, Register)
    )


def exec_written(instr: Instr) -> Registers:
    return tuple([r for r in instr.defined() if r.overlaps(EXEC)])


def exec_whole(_instr: Instr) -> Registers:
    """For consumers that depend on EXEC whatever their operands are."""
    return (EXEC,)


def writes_exec(row: Row) -> bool:
    """VALU that writes EXEC, or may by an operand: compares."""
    return is_vector(row) and (
        any(r.overlaps(EXEC) for r in row.writes)
        or any(row.operands[i].kinds & Kind.EXEC for i in row.defines)
    )


def vcc(_instr: Instr) -> Registers:
    return (VCC,)


def is_class_test(row: Row) -> bool:
    """A mask is the result, and the sources are of two types: the value, and the classes asked for."""
    return (
        any(row.operands[i].type in MASK_TYPES for i in row.defines)
        and len({row.operands[i].type for i in row.uses}) > 1
    )
