"""Instructions to assembly text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

from isa.constants import SIGNED_FIELDS, constant_width, inline_spelling, literal_bits
from isa.dpp import format_control, format_dpp8, format_swizzle
from isa.fields import format_fields
from isa.instruction import (
    Immediate,
    Instr,
    Kind,
    Label,
    ModifierSpec,
    ModifierValue,
    Operand,
    OperandSpec,
    Row,
)
from isa.registers import FIRST_AGPR, FIRST_VGPR, Register, register_name
from isa.text.plan import SOURCE_MODIFIERS, plan_of

NameOf = Callable[[Register], str]
_NOTHING_GIVEN: Mapping[str, ModifierValue] = {}


def format_instr(instr: Instr, name_of: NameOf = register_name) -> str:
    """The assembly text of an instruction; `name_of` names its registers."""
    if name_of is register_name:
        return _on_physical(instr.row, instr.operands, instr.modifiers)
    return _text(instr, name_of)


@lru_cache(1 << 12)
def _on_physical(
    row: Row, operands: tuple[Operand, ...], modifiers: tuple[tuple[str, ModifierValue], ...]
) -> str:
    """The text on physical registers, of which programs repeat few."""
    return _text(Instr(row, operands, modifiers), register_name)


def _text(instr: Instr, name_of: NameOf) -> str:
    row = instr.row
    if row.components:
        return " :: ".join(_text(part, name_of) for part in instr.parts())
    plan = plan_of(row)
    given = dict(instr.modifiers) if instr.modifiers else _NOTHING_GIVEN
    is_signed = bool(given) and not given.keys().isdisjoint(plan.source_specs)
    has_suffixes = plan.half is not None and plan.half.spelt
    operands = instr.operands
    parts: list[str] = []
    for index in plan.visible:
        operand = operands[index]
        if isinstance(operand, Register):
            text = name_of(operand)
            text = "src_scc" if text == "scc" else text  # as a source it has a name of its own
        else:
            text = _constant_text(row.operands[index], operand)
        if has_suffixes and row.operands[index].half:
            text += _half_suffix(operand, given.get("half", 0), index)
        if is_signed and plan.source_bit[index]:
            text = _with_source_modifiers(text, operand, plan.source_bit[index], given)
        parts.append(text)
    head = f"{row.mnemonic} {', '.join(parts)}" if parts else row.mnemonic
    return head + _tail(row, instr.modifiers)


@lru_cache(1 << 12)
def _tail(row: Row, modifiers: tuple[tuple[str, ModifierValue], ...]) -> str:
    """The modifiers that follow the operands, each after a space: those that were given, and those that are
    spelt at their default too."""
    plan, given = plan_of(row), dict(modifiers)
    tail = [
        text for spec in plan.listed if (text := _modifier_text(spec, given.get(spec.name, spec.default)))
    ]
    if plan.counters and not tail:
        tail = [f"{spec.name}({spec.default})" for spec in plan.listed]
    return "".join([f" {text}" for text in tail])


def _half_suffix(operand: Operand, chosen: ModifierValue, index: int) -> str:
    """Which half of a VGPR an operand is; that of a scalar is said by `op_sel` alone, and a virtual
    register's low half is plain."""
    if not isinstance(operand, Register) or not isinstance(chosen, int):
        return ""
    if chosen >> index & 1 and (operand.is_virtual or operand.first >= FIRST_VGPR):
        return ".h"
    return ".l" if FIRST_VGPR <= operand.first < FIRST_AGPR else ""


def _constant_text(spec: OperandSpec, operand: Operand) -> str:
    if isinstance(operand, Immediate):
        return _immediate_text(spec, operand.bits)
    return operand.name if isinstance(operand, Label) else "off"


def _immediate_text(spec: OperandSpec, bits: int) -> str:
    kinds = spec.kinds
    if Kind.HWREG in kinds:
        from isa.hwreg import format_hwreg

        return format_hwreg(bits, spec.type)
    if Kind.FIELDS in kinds:
        return format_fields(bits, spec.type) or hex(bits)
    if Kind.SIMM in kinds:
        return _simm_text(spec, bits)
    inline = inline_spelling(bits, spec.type)
    if inline is not None and (Kind.INLINE in kinds or (inline.isdigit() and spec.type == "b32")):
        return inline
    literal = literal_bits(bits, spec.type)
    return hex(bits if literal is None else literal)


def _simm_text(spec: OperandSpec, bits: int) -> str:
    """SOPP immediates and branch offsets are decimal, the others hexadecimal; offsets of scalar loads are
    signed."""
    width = constant_width(spec.type)
    signed = bits - (1 << width) if bits >> (width - 1) else bits
    if Kind.LABEL in spec.kinds:
        return str(signed)
    if spec.type in ("count16", "u5"):
        return str(bits) if bits <= 64 else hex(bits)
    return hex(signed) if spec.type in SIGNED_FIELDS else hex(bits)


def _with_source_modifiers(text: str, operand: Operand, bit: int, given: Mapping[str, ModifierValue]) -> str:
    """`-|v0|`, `neg(1.0)`, `sext(v0)`: a negated constant is spelt in words, since -1 is a constant of its
    own."""
    negated, absolute, extended = (
        isinstance(value := given.get(name, 0), int) and bool(value & bit) for name in SOURCE_MODIFIERS
    )
    if extended:
        return f"sext({text})"
    if absolute:
        text = f"|{text}|"
    if not negated:
        return text
    return f"neg({text})" if isinstance(operand, Immediate) and not absolute else f"-{text}"


def _modifier_text(spec: ModifierSpec, value: ModifierValue) -> str:
    if isinstance(value, tuple):
        elements = value + spec.tail
        default = spec.default + (0,) * len(spec.tail) if isinstance(spec.default, tuple) else ()
        return f"{spec.name}:[{','.join(map(str, elements))}]" if elements != default or spec.spelt else ""
    if value == spec.default and not spec.spelt and not spec.required:
        return ""
    match spec.syntax:
        case "flag":
            return _flag_text(spec, value)
        case "number":
            return f"{spec.name}:{value}"
        case "hex":
            return f"{spec.name}:{hex(value)}"
        case "truth table":
            return f"{spec.name}:{value if value <= 10 else hex(value)}"
        case "counter":
            return f"{spec.name}({value})"
        case "word":
            return f"{spec.name}:{spec.words[value]}"
        case "phrase":
            return spec.words[value]
        case "dpp":
            return format_control(value, spec.words) or ""
        case "half":
            return _op_sel_text(spec, value)
        case "dpp8":
            return format_dpp8(value)
        case _:
            return f"{spec.name}:{format_swizzle(value)}"


def _op_sel_text(spec: ModifierSpec, chosen: int) -> str:
    elements = [str(chosen >> index & 1 if index >= 0 else 0) for index in spec.tail]
    return f"op_sel:[{','.join(elements)}]" if "1" in elements else ""


def _flag_text(spec: ModifierSpec, value: int) -> str:
    if not value:
        return ""
    return f"{spec.name}:1" if spec.name == "bound_ctrl" else spec.name
