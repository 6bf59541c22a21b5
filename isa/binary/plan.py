"""Where a row's operands and modifiers are in a format: worked out once per row and format."""

from __future__ import annotations

from typing import NamedTuple

from isa.binary.formats import Field, Format, Pieces, mask_of, put
from isa.diagnostics import InternalError
from isa.instruction import Kind, ModifierSpec, OperandSpec, Role, Row


class PlacedOperand(NamedTuple):
    """An operand of the row (by its place), and the field it is in."""

    place: int
    spec: OperandSpec
    field: Field


class PlacedModifier(NamedTuple):
    """A modifier of the row, and the pieces that hold its value; of a list a piece for each element, the row's own tail too."""

    spec: ModifierSpec
    pieces: Pieces


class Plan(NamedTuple):
    """How instructions of a row are encoded in a format.

    `base` has the bits that every instruction of the row has, `fixed` says which bits those are. `literals` are the operands
    that are always a literal, `unplaced` the modifiers for which the format has no field: they must have their default.
    """

    row: Row
    format: Format
    base: int
    fixed: int
    operands: tuple[PlacedOperand, ...]
    modifiers: tuple[PlacedModifier, ...]
    literals: tuple[int, ...]
    constants: tuple[int, ...]  # operands that no field holds: registers that can be one only, and `off`
    unplaced: tuple[str, ...]


def plan_for(row: Row, layout: Format, opcode: int) -> Plan | None:
    """The plan of a row in a format; None where the format has no place for an operand or a required modifier."""
    operands = _placed_operands(row, layout)
    if operands is None:
        return None
    by_name = {name: field for field in layout.fields for name in (field.name, *field.also)}
    modifiers: list[PlacedModifier] = []
    unplaced: list[str] = []
    for spec in row.modifiers:
        pieces = _modifier_pieces(spec, by_name)
        if pieces is not None:
            modifiers.append(PlacedModifier(spec, pieces))
        elif spec.required or not spec.minimum <= 0 <= spec.maximum:
            return None
        else:
            unplaced.append(spec.name)
    if not layout.needs <= {one.field.name for one in operands} | {one.spec.name for one in modifiers}:
        return None
    placed = [one for one in operands if one.spec.kinds != Kind.OFF]
    absent = [one for one in operands if one.spec.kinds == Kind.OFF]
    held = 0
    for one in placed:
        held |= mask_of(one.field.pieces)
    for one in modifiers:
        held |= mask_of(one.pieces)
    base = layout.value | put(opcode, layout.opcode)
    base |= _idle_bits(layout, held)
    for one in absent:
        base |= put(one.field.absent, one.field.pieces)
    whole = (1 << 8 * layout.size) - 1
    told = layout.mask | mask_of(layout.opcode)
    for one in absent:
        told |= mask_of(one.field.pieces) if one.field.absent else 0
    return Plan(
        row, layout, base, (whole & ~held & ~layout.ignored) | told, tuple(placed), tuple(modifiers), _literals(row),
        _constants(row), tuple(unplaced),
    )  # fmt: skip


def _idle_bits(layout: Format, held: int) -> int:
    """What fields hold for which the row has nothing, or less than they have room for."""
    bits = 0
    for field in layout.fields:
        if field.idle:
            bits |= put(field.idle, field.pieces) & ~held
    return bits


def _placed_operands(row: Row, layout: Format) -> list[PlacedOperand] | None:
    """The field of each operand that has one: that of its name, or the first that is free; None where there is none for it."""
    named = {name: field for field in reversed(layout.fields) for name in (field.name, *field.also)}
    shown = [(i, spec) for i, spec in enumerate(row.operands) if _has_field(spec)]
    placed: dict[int, Field] = {}
    for i, spec in shown:
        field = named.get(spec.name)
        if field is not None and field.coding.takes(spec):
            placed[i] = field
    for i, spec in shown:
        if i in placed:
            continue
        used = {field.name for field in placed.values()}
        free = [field for field in layout.fields if field.name not in used and field.coding.takes(spec)]
        wanted = [field for field in free if _is_result(field) == (spec.role is Role.DEFINE)]
        if not wanted:
            return None
        placed[i] = wanted[0]
    return [PlacedOperand(i, row.operands[i], field) for i, field in sorted(placed.items())]


def _is_result(field: Field) -> bool:
    return field.name in ("vdst", "sdst")


def _has_field(spec: OperandSpec) -> bool:
    """Whether an operand is in a field: one that is tied, or can be one register only, or is always a literal, is not."""
    return not spec.tied and spec.fixed is None and spec.kinds != Kind.LITERAL


def _literals(row: Row) -> tuple[int, ...]:
    return tuple(i for i, spec in enumerate(row.operands) if spec.kinds == Kind.LITERAL)


def _constants(row: Row) -> tuple[int, ...]:
    return tuple(i for i, spec in enumerate(row.operands) if spec.fixed is not None or spec.kinds == Kind.OFF)


def _modifier_pieces(spec: ModifierSpec, by_name: dict[str, Field]) -> Pieces | None:
    """The pieces of a modifier's value; those of a list one by one. None where the format has no field for it."""
    if spec.bits:
        field = by_name.get("simm16")
        return None if field is None else tuple((field.pieces[0][0] + first, width) for first, width in spec.bits)
    field = by_name.get(spec.name)
    if field is None or not isinstance(spec.default, tuple):
        return None if field is None else field.pieces
    bits = tuple((first + i, 1) for first, width in field.pieces for i in range(width))
    length = len(spec.default) + len(spec.tail)
    if length > len(bits):
        raise InternalError("isa.binary", spec.name, f"a list of {length} elements in a field of {len(bits)}")
    if field.result_last and length < len(bits) and spec.tail:
        return (*bits[: length - 1], bits[-1])
    return bits[:length]
