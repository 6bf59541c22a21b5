"""Random legal instructions on few registers, so that they depend on each other."""

from __future__ import annotations

from random import Random

from isa import dpp
from isa.constants import constant_width
from isa.hwreg import encode
from isa.instruction import (
    OFF,
    Encoding,
    Immediate,
    Instr,
    Kind,
    ModifierSpec,
    ModifierValue,
    Operand,
    OperandSpec,
    Row,
    Trait,
    Unit,
)
from isa.registers import EXEC, M0, NULL, SCC, VCC, Register, agpr, sgpr, vgpr
from isa.table import Table
from isa.verify import find_fault

_REGISTERS = 12  # of each file, for single registers and small tuples
_HARDWARE_REGISTERS = (encode(1, 0, 32), encode(1, 4, 2), encode(3, 0, 32))  # MODE whole and in part, TRAPSTS
_NOT_DRAWN = frozenset(
    {Trait.BRANCH, Trait.CONDITIONAL_BRANCH, Trait.END, Trait.WAIT, Trait.NOP, Trait.WAIT_ALU, Trait.DELAY}
)
_TRIES = 40
_CONTROLS = (dpp.control("row_newbcast", 3), dpp.quad_perm(1, 0, 3, 2), dpp.control("row_mirror"))
# Modifiers that waits and hazards depend on, with a few values each.
_FEW = {"dst_sel": (0, 5, 6), "row_mask": (15, 15, 3), "bank_mask": (15,)}


def drawn_rows(table: Table) -> list[Row]:
    """Every row except branches, ends, and the waits that passes insert."""
    return [row for row in table.rows if not row.traits & _NOT_DRAWN and not _does_nothing(row)]


def _does_nothing(row: Row) -> bool:
    """True for v_nop, which is a wait state itself, and for instructions that stop or halt the wave."""
    return (
        row.unit in (Unit.VALU, Unit.CONTROL)
        and not row.operands
        and not row.traits & {Trait.BARRIER, Trait.CACHE, Trait.SIGNAL}
    )


def groups(rows: list[Row]) -> list[list[Row]]:
    """Rows grouped by the properties that rules test, so that rare kinds are drawn as often as frequent
    kinds."""
    grouped: dict[tuple[object, ...], list[Row]] = {}
    for row in rows:
        halves = any(spec.name in ("op_sel", "op_sel_hi", "dst_sel") for spec in row.modifiers) or any(
            spec.half for spec in row.operands
        )
        wide = any(spec.count > 2 for spec in row.operands)
        marks = tuple(
            sorted(trait.value for trait in row.traits if trait not in (Trait.COMMUTES, Trait.MOVE))
        )
        writes_scalar = any(row.operands[i].kinds & Kind.SGPR for i in row.defines)
        lanes = row.encoding in (Encoding.DPP, Encoding.SDWA, Encoding.E64_DPP) and row.encoding
        grouped.setdefault(
            (row.unit, lanes, marks, halves, wide, writes_scalar, row.reads, row.writes, row.passes), []
        ).append(row)
    return list(grouped.values())


def draw(row: Row, random: Random) -> Instr | None:
    """A legal instruction of a row; None if all tries fail."""
    for _ in range(_TRIES):
        operands: list[Operand] = []
        for spec in row.operands:
            tied = (
                next((i for i, other in enumerate(row.operands) if other.name == spec.tied), None)
                if spec.tied
                else None
            )
            operands.append(
                operands[tied] if tied is not None and tied < len(operands) else _operand(spec, row, random)
            )
        given = [(spec.name, _modifier(spec, random)) for spec in row.modifiers]
        modifiers = tuple(
            (name, value)
            for (name, value), spec in zip(given, row.modifiers, strict=True)
            if value != spec.default
        )
        instr = Instr(row, tuple(operands), modifiers)
        if find_fault(instr) is None and not _overlaps_wrongly(instr):
            return instr
    return None


def _operand(spec: OperandSpec, row: Row, random: Random) -> Operand:
    if spec.fixed is not None:
        return spec.fixed
    if spec.kinds & Kind.HWREG:
        return Immediate(random.choice(_HARDWARE_REGISTERS))
    if spec.kinds & Kind.OFF and (not spec.kinds & Kind.VGPR or random.random() < 0.3):
        return OFF
    if spec.kinds & (Kind.SIMM | Kind.FIELDS):
        return Immediate(random.randrange(16))
    choices = _registers(spec, random)
    # LLVM's code generation has no constants in SDWA
    has_constants = spec.kinds & Kind.INLINE and row.encoding is not Encoding.SDWA
    if not choices or (has_constants and random.random() < 0.15):
        return Immediate(
            random.randrange(64)
            if spec.kinds & Kind.INLINE
            else 0x3F800000
            if constant_width(spec.type) == 32
            else 1
        )
    return random.choice(choices)


def _registers(spec: OperandSpec, random: Random) -> list[Operand]:
    choices: list[Operand] = []
    if spec.kinds & Kind.VGPR:
        choices += [vgpr(_first(spec, random), spec.count)] * 6
    if spec.kinds & Kind.AGPR:
        choices += [agpr(_first(spec, random), spec.count)] * (2 if spec.kinds & Kind.VGPR else 6)
    if spec.kinds & Kind.SGPR:
        choices += [sgpr(_first(spec, random), spec.count)] * 3
        choices += [VCC.part(0, spec.count)] if spec.count <= 2 else []
    if spec.kinds & Kind.M0 and spec.count == 1:
        choices.append(M0)
    if spec.kinds & Kind.EXEC and spec.count <= 2:
        choices.append(EXEC.part(0, spec.count))
    if spec.kinds & Kind.NULL and random.random() < 0.3:
        choices.append(NULL)
    if spec.kinds & Kind.SCALAR_STATUS and random.random() < 0.1:
        choices.append(SCC)
    return choices


def _first(spec: OperandSpec, random: Random) -> int:
    """The first register: tuples of the same size overlap or are adjacent."""
    align = max(spec.align, spec.scalar_align, 1)
    if spec.count > 4:
        return random.choice((0, 0, 8, spec.count)) // align * align
    return random.randrange(0, _REGISTERS - spec.count + 1) // align * align


def _modifier(spec: ModifierSpec, random: Random) -> ModifierValue:
    if spec.name in _FEW and isinstance(spec.default, int):
        return random.choice(
            [value for value in _FEW[spec.name] if spec.minimum <= value <= spec.maximum] or [spec.default]
        )
    if isinstance(spec.default, tuple):
        return (
            tuple(random.randrange(2) for _ in spec.default)
            if spec.maximum == 1 and random.random() < 0.5
            else spec.default
        )
    if spec.syntax == "dpp":
        return random.choice([value for value in _CONTROLS if _fits(spec, value)])
    if spec.name == "half":
        return random.randrange(spec.maximum + 1)
    return spec.default


def _fits(spec: ModifierSpec, value: int) -> bool:
    return spec.minimum <= value <= spec.maximum


def _overlaps_wrongly(instr: Instr) -> bool:
    """True for overlaps that LLVM refuses: of a matrix result with part of a source, or of two results."""
    operands = instr.operands
    defines = [o for i in instr.row.defines if isinstance(o := operands[i], Register)]
    if len(defines) == 2 and defines[0].overlaps(defines[1]) and defines[0] != NULL:
        return True
    uses = [o for i in instr.row.uses if isinstance(o := operands[i], Register)]
    return instr.row.unit is Unit.MATRIX and any(d.overlaps(u) and d != u for d in defines for u in uses)
