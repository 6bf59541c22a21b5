"""What modifiers make of an operand's or a result's bits, written apart from the emulator's own (CDNA3 ISA, sections 6.1 to 6.3)."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import Any

from isa.constants import BITS, FLOAT_TYPES
from isa.dpp import IDENTITY
from isa.instruction import Encoding, Instr, Trait
from isa.lane_masks import MASK_TYPES
from tests.pseudocode.values import BRAIN, Format, Value, brain, float_value, is_nan, round_exact, to_float

_SELECTED = ((8, 0), (8, 8), (8, 16), (8, 24), (16, 0), (16, 16), (32, 0))  # width and position of BYTE_0 .. DWORD
DWORD = 6


def modifier(instr: Instr, name: str, default: Any) -> Any:
    return instr.modifier(name) if any(spec.name == name for spec in instr.row.modifiers) else default


def has(instr: Instr, name: str) -> bool:
    return any(spec.name == name for spec in instr.row.modifiers)


_TYPE = re.compile(r"(?:count|[a-z]+)(\d+)(?:x(\d+))?")


def elements(type_name: str) -> tuple[int, int]:
    """Width and number of a type's elements."""
    match = None if type_name in MASK_TYPES else _TYPE.fullmatch(type_name)
    return (int(match[1]), int(match[2] or 1)) if match else (BITS[type_name], 1)


def nan_format(type_name: str) -> Format | None:
    """The format by which a NaN of a type is known; None for that of its width."""
    return BRAIN if type_name.startswith("bf16") else None


def selected(raw: int, select: int, sign_extend: bool) -> int:
    """A byte or word of 32 bits, extended to 32."""
    width, position = _SELECTED[select]
    field = raw >> position & ((1 << width) - 1)
    if sign_extend and field >> (width - 1):
        field |= 0xFFFFFFFF & ~((1 << width) - 1)
    return field


def source(instr: Instr, index: int, position: int, raw: int, preselected: bool) -> int:
    """The value that an instruction sees of its operand `index`, source `position`, with `raw` in its
    register."""
    spec = instr.row.operands[index]
    if spec.type in MASK_TYPES:
        return raw
    if instr.row.encoding is Encoding.SDWA and not spec.hidden and not preselected:
        raw = selected(raw, modifier(instr, f"src{position}_sel", DWORD), bool(modifier(instr, "sext", 0) >> position & 1))
    width, count = elements(spec.type)
    if spec.half:
        raw = raw >> 16 * half(instr, index) & 0xFFFF
    if count == 2 and has(instr, "op_sel_hi"):
        return _packed(instr, position, raw, width)
    if count == 2 and has(instr, "neg_lo"):
        return raw ^ modifier(instr, "neg_lo", ())[position] << (width - 1) ^ modifier(instr, "neg_hi", ())[position] << (2 * width - 1)
    if width == 32 and has(instr, "op_sel_hi") and not has(instr, "neg_lo") and modifier(instr, "op_sel_hi", ())[position]:
        width = 32 if modifier(instr, "op_sel", ())[position] else 16  # the sign of the half that is taken
    if width == 16 and count == 1 and has(instr, "op_sel"):
        chosen = modifier(instr, "op_sel", ())
        raw = raw >> 16 if position < len(chosen) and chosen[position] else raw
    if modifier(instr, "abs", 0) >> position & 1:
        raw &= ~(1 << (width - 1))
    negated = modifier(instr, "neg", 0) >> position & 1
    if count == 1 and spec.type in FLOAT_TYPES and has(instr, "neg_lo"):
        negated = modifier(instr, "neg_lo", ())[position]
    return raw ^ 1 << (width - 1) if negated else raw


def half(instr: Instr, index: int) -> int:
    """Which half of its register operand `index` is; a tied operand is the half of the operand that it is
    tied to."""
    tied = next((define for use, define in instr.row.ties if use == index), index)
    return modifier(instr, "half", 0) >> tied & 1


def op_sel(instr: Instr) -> int:
    """The encoding's four bits: one a source, and the destination's."""
    tail = next((spec.tail for spec in instr.row.modifiers if spec.name in ("op_sel", "half")), ())
    if has(instr, "half"):
        bits = [modifier(instr, "half", 0) >> operand & 1 if operand >= 0 else 0 for operand in tail]
        return sum(bit << i for i, bit in enumerate(bits[:-1])) | sum(bits[-1:]) << 3
    chosen = sum(bit << i for i, bit in enumerate(modifier(instr, "op_sel", ())))
    if has(instr, "byte_sel"):
        byte = modifier(instr, "byte_sel", 0)
        return byte << 2 if Trait.HALF_WRITE in instr.row.traits else byte >> 1 | (byte & 1) << 1  # the text has it reversed
    return chosen | sum(bit << 4 - len(tail) + i for i, bit in enumerate(tail) if i >= len(tail) - 2)


def lane_read(instr: Instr, lane: int, lanes: int) -> int | None:
    """The lane that a lane's first source comes from, by the lane control; None if there is none (CDNA3 ISA,
    section 4.5; RDNA3 ISA, section 7.9)."""
    if has(instr, "dpp8"):
        return lane & ~7 | modifier(instr, "dpp8", 0) >> 3 * (lane & 7) & 7
    control = modifier(instr, "dpp_ctrl", IDENTITY)
    row, place, amount = lane & ~15, lane & 15, control & 15
    if control < 0x100:
        return lane & ~3 | control >> 2 * (lane & 3) & 3
    whole: dict[int, int] = {
        0x130: lane + 1, 0x134: (lane + 1) % lanes, 0x138: lane - 1, 0x13C: (lane - 1) % lanes, 0x140: row | 15 - place,
        0x141: lane & ~7 | 7 - (lane & 7), 0x142: row - 1, 0x143: (lane & ~31) - 1,
    }  # fmt: skip
    if control in whole:
        return whole[control] if 0 <= whole[control] < lanes else None
    within = {0x100: place + amount, 0x110: place - amount, 0x120: (place - amount) % 16, 0x150: amount, 0x160: place ^ amount}[control & 0x1F0]
    return row | within if 0 <= within < 16 else None


def lane_written(instr: Instr, lane: int) -> bool:
    """Whether the masks of rows and of banks let a lane be written."""
    return bool(modifier(instr, "row_mask", 15) >> (lane >> 4) & modifier(instr, "bank_mask", 15) >> (lane >> 2 & 3) & 1)


def _packed(instr: Instr, position: int, raw: int, width: int) -> int:
    """op_sel picks the half that the low element sees, op_sel_hi that of the high element; neg_lo and neg_hi
    flip signs."""
    mask = (1 << width) - 1
    low = raw >> width * modifier(instr, "op_sel", (0, 0, 0))[position] & mask
    high = raw >> width * modifier(instr, "op_sel_hi", (1, 1, 1))[position] & mask
    if has(instr, "neg_lo"):
        low ^= modifier(instr, "neg_lo", ())[position] << (width - 1)
        high ^= modifier(instr, "neg_hi", ())[position] << (width - 1)
    return high << width | low


def finished(instr: Instr, type_name: str, pattern: int) -> int:
    """A float result after omod and clamp, element by element."""
    if type_name not in FLOAT_TYPES:
        return pattern
    omod, clamp = modifier(instr, "omod", 0), modifier(instr, "clamp", 0)
    if not omod and not clamp:
        return pattern
    width, count = elements(type_name)
    mask = (1 << width) - 1
    kind = "e" if type_name.startswith("bf16") else "f"
    return sum(_finished(Value(kind, width, pattern >> i * width & mask), omod, clamp).value << i * width for i in range(count))


def _finished(x: Value, omod: int, clamp: int) -> Value:
    if x.kind == "e":
        return brain(_finished(Value("f", 32, x.value << 16), omod, clamp))
    if is_nan(x.value, x.width):
        return Value("f", x.width, 0) if clamp else x
    number = to_float(x)
    if omod and math.isfinite(number):
        x = round_exact(x.width, Fraction(number) * (1, 2, 4, Fraction(1, 2))[omod], number)
        number = to_float(x)
    if clamp and not 0 < number < 1:
        return float_value(x.width, 0.0 if number <= 0 else 1.0)
    return x


def placed(instr: Instr, result: int, old: int) -> int:
    """A result in the part of the 32-bit destination that SDWA's dst_sel names."""
    select: int = modifier(instr, "dst_sel", DWORD)
    width, position = _SELECTED[select]
    mask = ((1 << width) - 1) << position
    moved = result << position & mask
    unused = modifier(instr, "dst_unused", 0)
    if unused == 2:
        return moved | old & ~mask
    if unused == 1 and result >> (width - 1) & 1:
        return (moved | ~(mask | ((1 << position) - 1))) & 0xFFFFFFFF
    return moved
