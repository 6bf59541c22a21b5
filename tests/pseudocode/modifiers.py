"""What modifiers make of an operand's or a result's bits, written apart from the emulator's own (CDNA3 ISA, sections 6.1 to 6.3)."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from isa.constants import BITS, FLOAT_TYPES
from isa.instruction import Encoding, Instr, OperandSpec
from tests.pseudocode.values import Value, float_value, is_nan, round_exact, to_float

_SELECTED = ((8, 0), (8, 8), (8, 16), (8, 24), (16, 0), (16, 16), (32, 0))  # width and position of BYTE_0 .. DWORD
DWORD = 6


def modifier(instr: Instr, name: str, default: Any) -> Any:
    return instr.modifier(name) if any(spec.name == name for spec in instr.row.modifiers) else default


def has(instr: Instr, name: str) -> bool:
    return any(spec.name == name for spec in instr.row.modifiers)


def elements(type_name: str) -> tuple[int, int]:
    """Width and number of a type's elements."""
    element, _, lanes = type_name.partition("x")
    return (BITS[type_name], 1) if type_name == "mask" else (int(element[1:]), int(lanes or 1))


def selected(raw: int, select: int, sign_extend: bool) -> int:
    """A byte or word of 32 bits, extended to 32."""
    width, position = _SELECTED[select]
    field = raw >> position & ((1 << width) - 1)
    if sign_extend and field >> (width - 1):
        field |= 0xFFFFFFFF & ~((1 << width) - 1)
    return field


def source(instr: Instr, position: int, spec: OperandSpec, raw: int, preselected: bool) -> int:
    """What an instruction sees of source `position` whose register holds `raw`."""
    if spec.type == "mask":
        return raw
    if instr.row.encoding is Encoding.SDWA and not spec.hidden and not preselected:
        raw = selected(raw, modifier(instr, f"src{position}_sel", DWORD), bool(modifier(instr, "sext", 0) >> position & 1))
    width, count = elements(spec.type)
    if count == 2 and has(instr, "op_sel_hi"):
        return _packed(instr, position, raw, width)
    if count == 2 and has(instr, "neg_lo"):
        return raw ^ instr.modifier("neg_lo")[position] << (width - 1) ^ instr.modifier("neg_hi")[position] << (2 * width - 1)  # type: ignore[index,operator]
    if width == 32 and has(instr, "op_sel_hi") and instr.modifier("op_sel_hi")[position]:  # type: ignore[index]
        width = 32 if instr.modifier("op_sel")[position] else 16  # type: ignore[index] - the sign of the half that is taken
    if width == 16 and count == 1 and spec.type != "f32" and has(instr, "op_sel"):
        chosen = instr.modifier("op_sel")
        assert isinstance(chosen, tuple)
        raw = raw >> 16 if position < len(chosen) and chosen[position] else raw
    if modifier(instr, "abs", 0) >> position & 1:
        raw &= ~(1 << (width - 1))
    negated = modifier(instr, "neg", 0) >> position & 1
    if count == 1 and spec.type in FLOAT_TYPES and has(instr, "neg_lo"):
        negated = modifier(instr, "neg_lo", ())[position]
    return raw ^ 1 << (width - 1) if negated else raw


def _packed(instr: Instr, position: int, raw: int, width: int) -> int:
    """op_sel picks what the low element sees, op_sel_hi the high one; neg_lo and neg_hi flip signs."""
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
    return sum(_finished(Value("f", width, pattern >> i * width & mask), omod, clamp).value << i * width for i in range(count))


def _finished(x: Value, omod: int, clamp: int) -> Value:
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
