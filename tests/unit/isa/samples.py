"""Samples of a row, made from the row: each operand in each kind it takes, each modifier at its bounds and between."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import islice

import pytest

from isa.constants import FLOAT_TYPES, NO_INLINE_FLOAT, constant_width, float_bits, integer_bits
from isa.dpp import control, quad_perm
from isa.hwreg import encode
from isa.instruction import OFF, Immediate, Instr, Kind, Label, ModifierSpec, ModifierValue, Operand, OperandSpec, Row
from isa.registers import EXEC, FLAT_SCRATCH, M0, NULL, SCC, VCC, XNACK_MASK, Register, agpr, sgpr, vgpr
from isa.targets import TARGETS
from isa.verify import find_fault, modifier_fault

_CONTROLS = (
    *(control("row_shl", n) for n in (1, 15)), control("row_shr", 4), control("row_ror", 15), control("wave_shl", 1), control("wave_rol", 1),
    control("wave_shr", 1), control("wave_ror", 1), control("row_mirror"), control("row_half_mirror"), control("row_bcast", 15),
    control("row_bcast", 31), control("row_newbcast", 0), control("row_newbcast", 15), quad_perm(3, 2, 1, 0),
)  # fmt: skip
_SWIZZLES = (0, 0x8000, 0x80E4, 0x041F, 0x401F, 0x0C1F, 0x7C1F, 0x001E, 0x00F8, 0x0201, 0x0906, 0x1055, 0x801B, 0xC000, 0xC4A0, 0xE000, 0xE01F)
# each field of each layout at its ends and between; those that a layout cannot spell are dropped
_FIELDS = (
    0, 1, 2, 9, 11, 0x10, 0x50, 0x91, 0x583, 128, 135, 134, 255, 0x3F, 0x3F00, 0x0103, 0xFF9F, 0x0F9F, 0xF39F, 0xFF8B, 0xFF1E, 0xFFFE, 0x7FFF, 0xFFFF,
)  # fmt: skip
_SOME = 5  # every fifth constant
TURNS = 4  # of `some_samples`
IN_ONE_PROCESS = pytest.mark.xdist_group("samples")  # making every row's samples and parsing them takes ten seconds
_HWREGS = (encode(1), encode(1, 0, 4), encode(3, 5, 1), encode(20, 31, 1), encode(4), encode(63))


@cache
def base(row: Row) -> Instr:
    """One legal use of a row, VGPRs wherever they may stand, apart from each other."""
    first = _plain_use(row)
    if find_fault(first) is None:
        return first
    lanes = (Immediate(5) if spec.name == "lane_select" else operand for spec, operand in zip(row.operands, first.operands, strict=True))
    return Instr(row, tuple(lanes), first.modifiers)


def _plain_use(row: Row) -> Instr:
    """Operands by their place; in a row with banks, the second of each pair lies one register further than a multiple of four."""
    operands: list[Operand] = []
    second = {other for _, other, _ in row.banks}
    stride = 28 if row.banks else 36
    for index, spec in enumerate(row.operands):
        tie = next((define for use, define in row.ties if use == index), None)
        operands.append(operands[tie] if tie is not None else _plain(spec, stride * index + (index in second), index))
    return Instr(row, tuple(operands), _needed(row))


def _needed(row: Row) -> tuple[tuple[str, ModifierValue], ...]:
    """A lane control that every row with one takes."""
    return tuple((spec.name, _controls(spec)[-1]) for spec in row.modifiers if spec.syntax == "dpp" and _controls(spec))


def _controls(spec: ModifierSpec) -> list[int]:
    """The lane controls that a row takes."""
    return [value for value in _CONTROLS if modifier_fault(spec, value) is None]


def _sgpr_end(row: Row) -> int:
    """One more than the last numbered SGPR of every target that has the row."""
    return min(TARGETS[name].sgprs for name in row.targets)


def _has_reserved_pairs(row: Row) -> bool:
    """Whether FLAT_SCRATCH and XNACK_MASK are registers on every target that has the row."""
    return all(TARGETS[name].reserved_sgprs == VCC.count + FLAT_SCRATCH.count + XNACK_MASK.count for name in row.targets)


def _plain(spec: OperandSpec, place: int, index: int) -> Operand:
    if spec.fixed is not None:
        return spec.fixed
    if Kind.VGPR in spec.kinds:
        return vgpr(8 + place, spec.count)
    if Kind.AGPR in spec.kinds:
        return agpr(8 + place, spec.count)
    if Kind.SGPR in spec.kinds:
        return sgpr(16 + 16 * index, spec.count)
    if Kind.OFF in spec.kinds:
        return OFF
    return Immediate(encode(1) if Kind.HWREG in spec.kinds else 5)


def _others(row: Row, spec: OperandSpec, every_constant: bool) -> Iterator[Operand]:
    """Every other thing that may stand in an operand, at the ends of its range."""
    if spec.fixed is not None:
        return
    kinds, count = spec.kinds, spec.count
    if Kind.VGPR in kinds:
        yield from (vgpr(0, count), vgpr(256 - count, count), *((vgpr(127),) if spec.half else ()))
    if Kind.AGPR in kinds:
        yield from (agpr(0, count), agpr(256 - count, count))
    if Kind.SGPR in kinds:
        yield from (sgpr(0, count), sgpr((_sgpr_end(row) - count) & ~3, count))
        if count != 3:
            yield sgpr(108, count)  # LLVM has no triple of trap registers
        if count <= 2:
            yield from (special.part(0, count) for special in ((VCC, FLAT_SCRATCH, XNACK_MASK) if _has_reserved_pairs(row) else (VCC,)))
    if Kind.M0 in kinds and count == 1:
        yield M0
    if Kind.EXEC in kinds and count <= 2:
        yield EXEC.part(0, count)
    if Kind.NULL in kinds:
        yield NULL
    if Kind.SCALAR_STATUS in kinds:
        yield from (SCC, Register(235), Register(238))
    if Kind.ZERO_FLAGS in kinds:
        yield from (Register(251), Register(252))
    if Kind.HWREG in kinds:
        yield from map(Immediate, _HWREGS)
    elif Kind.FIELDS in kinds:
        yield from map(Immediate, _FIELDS)
    elif Kind.SIMM in kinds:
        width = constant_width(spec.type)
        yield from (Immediate(bits) for bits in (0, 1, (1 << (width - 1)) - 1, 1 << (width - 1), (1 << width) - 1))
    if Kind.LABEL in kinds:
        yield Label(".Lelsewhere")
    if Kind.INLINE in kinds:
        yield from islice(_inline(spec.type), None, None, 1 if every_constant else _SOME)
    if Kind.LITERAL in kinds:
        yield from islice(_literals(spec.type), None, None, 1 if every_constant else _SOME)


def _inline(type_name: str) -> Iterator[Immediate]:
    for integer in (0, 1, 64, -1, -16):
        bits = integer_bits(integer, type_name)
        assert bits is not None
        yield Immediate(bits)
    if type_name in NO_INLINE_FLOAT:
        return
    for value in (0.5, -0.5, 1.0, -1.0, 2.0, -2.0, 4.0, -4.0):
        bits = float_bits(value, type_name)
        assert bits is not None
        yield Immediate(bits)
    if type_name in ("bf16", "bf16x2"):
        yield Immediate(0x3E22)
    else:
        yield Immediate({16: 0x3118, 32: 0x3E22F983, 64: 0x3FC45F306DC9C882}[16 if type_name == "f16x2" else constant_width(type_name)])


def _literals(type_name: str) -> Iterator[Immediate]:
    width = constant_width(type_name)
    if type_name == "f64":
        yield from (Immediate(0x40590000 << 32), Immediate(0xC0590000 << 32))
        return
    if type_name in FLOAT_TYPES:
        bits = float_bits(100.0, type_name)
        assert bits is not None
        yield Immediate(bits)
    yield from (Immediate(65), Immediate(0x1234), Immediate((1 << min(width, 32)) - 17))
    if type_name == "i64":
        yield Immediate((1 << 64) - 17)


def _values(spec: ModifierSpec) -> Iterator[ModifierValue]:
    """The values of a modifier that are worth a sample."""
    if isinstance(spec.default, tuple):
        length = len(spec.default)
        yield from ((0,) * length, (1,) * length, tuple(i % 2 for i in range(length)), tuple((i + 1) % 2 for i in range(length)))
    elif spec.syntax == "dpp":
        yield from _controls(spec)
    elif spec.syntax == "swizzle":
        yield from _SWIZZLES
    elif spec.syntax == "source" or spec.name == "half":
        yield from (value for value in range(1, spec.maximum + 1) if not value & ~spec.maximum)
    elif spec.maximum - spec.minimum < 16:
        yield from range(spec.minimum, spec.maximum + 1)
    else:
        yield from (spec.minimum, spec.maximum, (spec.minimum + spec.maximum) // 2 + 3, 1)


def _with_operand(instr: Instr, index: int, operand: Operand) -> Instr:
    """The instruction with one operand exchanged, and the operands that are tied to it or share its file with
    it."""
    row = instr.row
    operands = list(instr.operands)
    operands[index] = operand
    for use, define in row.ties:
        operands[use] = operands[define]
    for i, spec in enumerate(row.operands):
        if spec.same_file and row.operands[index].name == spec.same_file and isinstance(operand, Register) and operand.first >= 512:
            operands[i] = agpr(64 + 32 * i, spec.count)
    for use, define in row.ties:
        operands[use] = operands[define]
    return Instr(row, tuple(operands), instr.modifiers)


def _with_modifier(instr: Instr, name: str, value: ModifierValue) -> Instr:
    given = dict(instr.modifiers) | {name: value}
    kept = tuple((spec.name, given[spec.name]) for spec in instr.row.modifiers if spec.name in given and given[spec.name] != spec.default)
    return Instr(instr.row, instr.operands, kept)


@cache
def samples(row: Row) -> list[Instr]:
    """The base use of a row and every legal variation of one operand or one modifier; all modifiers together as well.

    Of operands that take the same constants the first gets all of them, the others some."""
    first = base(row)
    found = [first]
    constants: set[tuple[str, Kind]] = set()
    for index, spec in enumerate(row.operands):
        if not spec.tied:
            alike = (spec.type, spec.kinds)
            found += [_with_operand(first, index, operand) for operand in _others(row, spec, alike not in constants)]
            constants.add(alike)
    everything = first
    for spec in row.modifiers:
        found += [_with_modifier(first, spec.name, value) for value in _values(spec)]
        everything = _with_modifier(everything, spec.name, list(_values(spec))[-1])
    found.append(everything)
    return [instr for instr in found if find_fault(instr) is None]


def some_samples(row: Row, turn: int, turns: int = TURNS) -> list[Instr]:
    """Every `turns`-th sample of a row from the `turn`-th on, the plain sample and the last, which has every
    modifier."""
    every = samples(row)
    return [sample for i, sample in enumerate(every) if (i + turn) % turns == 0 or i in (0, len(every) - 1)]
