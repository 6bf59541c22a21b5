"""Builds legal instructions from rows; constants become bits of their operand's type."""

from __future__ import annotations

from collections.abc import Mapping

from isa.constants import FLOAT_TYPES, float_bits, immediate_bits
from isa.diagnostics import InternalError
from isa.footprint import Footprint
from isa.instruction import Immediate, Instr, ModifierValue, Operand, OperandSpec, Origin, Row
from isa.operand_check import known_class
from isa.verify import modifier_fault, operands_fault


def build(
    row: Row,
    *operands: Operand | int | float,
    origin: Origin | None = None,
    contract: bool = False,
    comment: str = "",
    touches: tuple[Footprint, ...] = (),
    **modifiers: ModifierValue,
) -> Instr:
    """An instruction of `row` with its operands in the row's order, unspelt tied operands included.

    An int becomes the integer's pattern (in a float operand too: the inline integer); a float is rounded to
    the operand's float type. A modifier at its default is left out. Raises InternalError if the row does not
    allow an operand or a modifier.
    """
    if len(operands) != len(row.operands):
        names = ", ".join(spec.name for spec in row.operands)
        raise InternalError(
            "build", row.mnemonic, f"{len(operands)} operands, wanted {len(row.operands)}: {names}"
        )
    converted = tuple(
        [
            operand if isinstance(operand, tuple) else Immediate(constant_bits(row, spec, operand))
            for spec, operand in zip(row.operands, operands, strict=True)
        ]
    )
    kept = ordered_modifiers(row, modifiers) if modifiers else ()
    if kept:
        _require(row, dict(kept))
    fault = operands_fault(row, converted, known_class)
    if fault is not None:
        raise InternalError("build", row.mnemonic, f"[{fault.code}] {fault.message}")
    return Instr(row, converted, kept, origin, contract, comment, touches=touches)


def constant_bits(row: Row, spec: OperandSpec, value: int | float) -> int:
    """The pattern of a Python number in an operand; InternalError if the operand's type cannot express it."""
    bits = (
        immediate_bits(value, spec.type)
        if isinstance(value, int)
        else float_bits(value, spec.type)
        if spec.type in FLOAT_TYPES
        else None
    )
    if bits is None:
        raise InternalError(
            "build", row.mnemonic, f"{spec.name} is {value!r}, which does not fit a {spec.type}"
        )
    return bits


def ordered_modifiers(
    row: Row, modifiers: Mapping[str, ModifierValue]
) -> tuple[tuple[str, ModifierValue], ...]:
    """Modifiers in the row's order, defaults dropped; InternalError for a modifier that the row lacks."""
    kept: list[tuple[str, ModifierValue]] = []
    left = len(modifiers)
    for spec in row.modifiers:
        value = modifiers.get(spec.name)
        if value is not None:
            left -= 1
            if value != spec.default:
                kept.append((spec.name, value))
    if left:
        known = [spec.name for spec in row.modifiers]
        unknown = ", ".join(sorted(modifiers.keys() - set(known)))
        raise InternalError(
            "build", row.mnemonic, f"no modifier {unknown}, known are {', '.join(known) or 'none'}"
        )
    return tuple(kept)


def _require(row: Row, given: Mapping[str, ModifierValue]) -> None:
    for spec in row.modifiers:
        fault = modifier_fault(spec, given[spec.name]) if spec.name in given else None
        if fault is not None:
            raise InternalError("build", row.mnemonic, f"[{fault.code}] {fault.message}")
