"""Making instructions: constants become bits of their operand's type, and what is made is legal."""

from __future__ import annotations

from isa.constants import FLOAT_TYPES, float_bits, immediate_bits
from isa.diagnostics import InternalError
from isa.instruction import Immediate, Instr, ModifierSpec, ModifierValue, Operand, OperandSpec, Origin, Row
from isa.operand_check import known_class
from isa.verify import modifier_fault, operands_fault


def build(
    row: Row,
    *operands: Operand | int | float,
    origin: Origin | None = None,
    contract: bool = False,
    comment: str = "",
    **modifiers: ModifierValue,
) -> Instr:
    """An instruction of `row` with its operands in the row's order, unspelt tied ones included.

    An int becomes the integer's pattern (in a float operand too: the inline integer); a float is rounded to
    the operand's float type. A modifier at its default is left out. InternalError where the row does not
    allow it.
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
    kept = _ordered(row, modifiers) if modifiers else ()
    fault = operands_fault(row, converted, known_class)
    if fault is not None:
        raise InternalError("build", row.mnemonic, f"[{fault.code}] {fault.message}")
    return Instr(row, converted, kept, origin, contract, comment)


def constant_bits(row: Row, spec: OperandSpec, value: int | float) -> int:
    """The pattern of a Python number in an operand; InternalError where the operand's type cannot hold it."""
    bits = (
        immediate_bits(value, spec.type)
        if isinstance(value, int)
        else float_bits(value, spec.type)
        if spec.type in FLOAT_TYPES
        else None
    )
    if bits is None:
        raise InternalError(
            "build", row.mnemonic, f"{spec.name} is {value!r}, which a {spec.type} cannot hold"
        )
    return bits


def _ordered(row: Row, modifiers: dict[str, ModifierValue]) -> tuple[tuple[str, ModifierValue], ...]:
    """Modifiers in the row's order, defaults dropped."""
    kept: list[tuple[str, ModifierValue]] = []
    for spec in row.modifiers:
        value = modifiers.pop(spec.name, spec.default)
        if value == spec.default:
            continue
        _require(row, spec, value)
        kept.append((spec.name, value))
    if modifiers:
        known = ", ".join(spec.name for spec in row.modifiers)
        raise InternalError(
            "build", row.mnemonic, f"no modifier {', '.join(sorted(modifiers))}, known are {known or 'none'}"
        )
    return tuple(kept)


def _require(row: Row, spec: ModifierSpec, value: ModifierValue) -> None:
    fault = modifier_fault(spec, value)
    if fault is not None:
        raise InternalError("build", row.mnemonic, f"[{fault.code}] {fault.message}")
