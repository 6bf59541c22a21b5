"""The places of a row's operands and modifiers in a format, computed once for each row and format."""

from __future__ import annotations

from isa.binary.formats import Field, Format, Pieces, mask_of, put
from isa.diagnostics import InternalError
from isa.instruction import Kind, ModifierSpec, ModifierValue, Operand, OperandSpec, Role, Row, Trait
from isa.named_tuple import NamedTuple


class PlacedOperand(NamedTuple):
    """An operand of the row (by its place), and the field it is in; `known` are the registers of numbers that
    were decoded."""

    place: int
    spec: OperandSpec
    field: Field
    known: dict[int, Operand]


class PlacedModifier(NamedTuple):
    """A modifier of the row, and the pieces with its value; a list has a piece for each element, the row's
    own tail included.

    `numbers` are the numbers in the pieces by the modifier's value, none if they are the values themselves.
    """

    spec: ModifierSpec
    pieces: Pieces
    numbers: tuple[int, ...] = ()

    def number(self, value: ModifierValue) -> int:
        """A value as the number in the pieces: a list is a bit for each element."""
        if isinstance(value, int):
            return self.numbers[value] if self.numbers else value
        return sum(bit << i for i, bit in enumerate((*value, *self.spec.tail)))


class Plan(NamedTuple):
    """The encoding of a row's instructions in a format.

    * `base`: the bits of every instruction of the row; `fixed` is their mask
    * `literals`: the operands that are always a literal
    * `unplaced`: the modifiers without a field in the format, which must have their default
    * `chosen`: the bits of all modifiers; `plain` is their value if each modifier has its default
    """

    row: Row
    format: Format
    base: int
    fixed: int
    operands: tuple[PlacedOperand, ...]
    modifiers: tuple[PlacedModifier, ...]
    literals: tuple[int, ...]
    constants: tuple[int, ...]  # operands without a field: fixed registers, and `off`
    unplaced: tuple[str, ...]
    chosen: int
    plain: int


def plan_for(row: Row, layout: Format, opcode: int) -> Plan | None:
    """The plan of a row in a format; None if the format has no place for an operand or a required
    modifier."""
    operands = _placed_operands(row, layout)
    if operands is None:
        return None
    by_name = {name: field for field in layout.fields for name in (field.name, *field.also)}
    modifiers: list[PlacedModifier] = []
    unplaced: list[str] = []
    for spec in row.modifiers:
        placed_modifier = (
            _choice_of_halves(spec, operands) if spec.syntax == "half" else _placed_modifier(spec, by_name)
        )
        if placed_modifier is not None:
            modifiers.append(placed_modifier)
        elif spec.required or not spec.minimum <= 0 <= spec.maximum:
            return None
        else:
            unplaced.append(spec.name)
    if not layout.needs <= {operand.field.name for operand in operands} | {
        modifier.spec.name for modifier in modifiers
    }:
        return None
    placed = [operand for operand in operands if operand.spec.kinds != Kind.OFF]
    absent = [operand for operand in operands if operand.spec.kinds == Kind.OFF]
    held = 0
    for operand in placed:
        held |= mask_of(operand.field.pieces)
    for modifier in modifiers:
        held |= mask_of(modifier.pieces)
    base = layout.value | put(opcode, layout.opcode)
    base |= _idle_bits(layout, held)
    for operand in absent:
        base |= put(operand.field.absent, operand.field.pieces)
    whole = (1 << 8 * layout.size) - 1
    told = layout.mask | mask_of(layout.opcode) | _rest_of_fields(row, by_name, held)
    for operand in absent:
        told |= mask_of(operand.field.pieces) if operand.field.absent else 0
    ignored = layout.ignored | _rest_of_counters(row, by_name)
    if Trait.CACHE in row.traits:
        ignored |= layout.cache_bits
    return Plan(
        row, layout, base, (whole & ~held & ~ignored) | told, tuple(placed), tuple(modifiers), _literals(row),
        _constants(row, frozenset(operand.place for operand in placed)), tuple(unplaced), *_plain(modifiers),
    )  # fmt: skip


def _plain(modifiers: list[PlacedModifier]) -> tuple[int, int]:
    """The bits of all modifiers, and their value if each has its default. If a modifier's meaning depends on
    another modifier, the value is -1, which nothing equals."""
    chosen = plain = 0
    for modifier in modifiers:
        chosen |= mask_of(modifier.pieces)
        plain |= put(modifier.number(modifier.spec.default), modifier.pieces)
    return chosen, -1 if any(modifier.spec.constraints for modifier in modifiers) else plain


def _idle_bits(layout: Format, held: int) -> int:
    """The contents of fields that the row does not fill, or fills in part."""
    bits = 0
    for field in layout.fields:
        if field.idle:
            bits |= put(field.idle, field.pieces) & ~held
    return bits


def _rest_of_fields(row: Row, by_name: dict[str, Field], held: int) -> int:
    """The bits of fields that a modifier fills in part; a field that is idle with a value of its own is read
    in part only. The choice of halves fills that of op_sel, and a row that means low halves alone is not
    what other bits there say."""
    bits = 0
    if "op_sel" in by_name and any(spec.half and not spec.hidden for spec in row.operands):
        bits |= mask_of(by_name["op_sel"].pieces) & ~held
    for spec in row.modifiers:
        field = by_name.get("op_sel" if spec.syntax == "half" else spec.name)
        if field is not None and not field.idle:
            bits |= mask_of(field.pieces) & ~held
    return bits


def _rest_of_counters(row: Row, by_name: dict[str, Field]) -> int:
    """The unused bits between the counters of a wait."""
    field = by_name.get("simm16")
    return mask_of(field.pieces) if field is not None and any(spec.bits for spec in row.modifiers) else 0


def _placed_operands(row: Row, layout: Format) -> list[PlacedOperand] | None:
    """The field of each operand: the field of its name, or the first free field; None if there is none."""
    named = {name: field for field in reversed(layout.fields) for name in (field.name, *field.also)}
    shown = [(i, spec) for i, spec in enumerate(row.operands) if _has_field(spec)]
    placed: dict[int, Field] = {}
    for i, spec in shown:
        field = named.get(spec.name)
        if field is not None and field.coding.takes(spec):
            placed[i] = field
    for i, spec in shown:
        if i in placed or spec.fixed is not None:
            continue
        used = {field.name for field in placed.values()}
        free = [field for field in layout.fields if field.name not in used and field.coding.takes(spec)]
        wanted = [field for field in free if _is_result(field) == (spec.role is Role.DEFINE)]
        if not wanted:
            return None
        placed[i] = wanted[0]
    return [PlacedOperand(i, row.operands[i], field, {}) for i, field in sorted(placed.items())]


def _is_result(field: Field) -> bool:
    return field.name in ("vdst", "sdst")


def _has_field(spec: OperandSpec) -> bool:
    """Whether an operand is in a field. A tied operand and a fixed literal are not; an operand with a fixed
    register is if the format has a field of its name."""
    return not spec.tied and spec.kinds != Kind.LITERAL


def _literals(row: Row) -> tuple[int, ...]:
    return tuple(i for i, spec in enumerate(row.operands) if spec.kinds == Kind.LITERAL)


def _constants(row: Row, held: frozenset[int]) -> tuple[int, ...]:
    return tuple(
        i
        for i, spec in enumerate(row.operands)
        if (spec.fixed is not None or spec.kinds == Kind.OFF) and i not in held
    )


def _choice_of_halves(spec: ModifierSpec, operands: list[PlacedOperand]) -> PlacedModifier | None:
    """The bits of the operands that are halves; the modifier's value has a bit for each operand of the
    row."""
    chosen = [
        (operand.place, operand.field.half)
        for operand in operands
        if spec.maximum >> operand.place & 1 and operand.field.half >= 0
    ]
    numbers = tuple(
        sum((value >> index & 1) << i for i, (index, _) in enumerate(chosen))
        for value in range(spec.maximum + 1)
    )
    whole = len(chosen) == spec.maximum.bit_count()
    return PlacedModifier(spec, tuple((bit, 1) for _, bit in chosen), numbers) if whole else None


def _placed_modifier(spec: ModifierSpec, by_name: dict[str, Field]) -> PlacedModifier | None:
    """A modifier in the field of its name; None if the format lacks the field, or the numbers for its
    values."""
    pieces = _modifier_pieces(spec, by_name)
    if pieces is None:
        return None
    field = by_name.get(spec.name)
    if field is None or not field.numbers:
        return PlacedModifier(spec, pieces)
    return PlacedModifier(
        spec, pieces, tuple(field.numbers[word] for word in spec.words or map(str, range(spec.maximum + 1)))
    )


def _modifier_pieces(spec: ModifierSpec, by_name: dict[str, Field]) -> Pieces | None:
    """The pieces of a modifier's value, a piece for each element of a list. None if the format has no field
    for it."""
    if spec.bits:
        field = by_name.get("simm16")
        return (
            None
            if field is None
            else tuple((field.pieces[0][0] + first, width) for first, width in spec.bits)
        )
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
