"""The encoder and decoder of a target: its formats, its opcodes, and the plans of the rows used so far."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from importlib import import_module

from isa.binary.formats import Format, Pieces, put, take
from isa.binary.opcodes import Opcodes, opcodes_of
from isa.binary.operands import LITERAL, literal_value, literal_word
from isa.binary.plan import PlacedModifier, PlacedOperand, Plan, plan_for
from isa.diagnostics import InternalError
from isa.instruction import OFF, Immediate, Instr, Kind, Label, ModifierSpec, ModifierValue, Operand, Row
from isa.named_tuple import NamedTuple
from isa.operand_check import known_class, operand_check, operand_fault
from isa.registers import FIRST_VGPR, Register
from isa.size import is_literal
from isa.table import Table
from isa.verify import combination_fault, modifier_fault, relation_fault

_LITERAL_BYTES = 4
_LONGEST = 20  # bytes of an instruction: the longest format and a literal
_MOST_KNOWN = 1 << 16  # instructions that a decoder keeps
_TOP = 26  # bits from here on of the first word choose the formats that are tried


class FormatGroup(NamedTuple):
    """Formats that are identified by the same bits and have their opcode in the same place."""

    mask: int
    value: int
    opcode: Pieces
    formats: tuple[Format, ...]


class Encoder:
    """Instructions of a target to bytes."""

    def __init__(self, formats: tuple[Format, ...], opcodes: Opcodes) -> None:
        self.formats = formats
        self.opcodes = opcodes
        self._plans: dict[Row, tuple[Plan, ...]] = {}

    def plans(self, row: Row) -> tuple[Plan, ...]:
        """The plans of a row, a plan for each of its formats."""
        plans = self._plans.get(row)
        if plans is None:
            plans = self._plans[row] = tuple(self._made(row))
        return plans

    def _made(self, row: Row) -> list[Plan]:
        plans: list[Plan] = []
        for layout in self.formats:
            opcode = (
                self.opcodes.number(layout.opcodes, row.name) if row.encoding in layout.encodings else None
            )
            plan = None if opcode is None else plan_for(row, layout, opcode)
            if plan is not None:
                plans.append(plan)
        return plans

    def encode(self, instr: Instr, branch: int | None) -> bytes:
        for plan in self.plans(instr.row):
            if not plan.unplaced or all(name not in plan.unplaced for name, _ in instr.modifiers):
                return encoded(plan, instr, branch)
        raise InternalError("isa.binary", instr.row.mnemonic, "no format has room for it")


def encoded(plan: Plan, instr: Instr, branch: int | None = None) -> bytes:
    """The bytes of an instruction by a plan of its row."""
    bits = plan.base
    literal: int | None = None
    operands = instr.operands
    for placed in plan.operands:
        spec, field = placed.spec, placed.field
        operand = operands[placed.place]
        if isinstance(operand, Label):
            if branch is None:
                raise InternalError("isa.binary", instr.row.mnemonic, f"label {operand.name} has no distance")
            operand = Immediate(branch)
        elif is_literal(operand, spec):
            assert isinstance(operand, Immediate)
            literal = literal_word(operand, spec)
        bits |= put(field.coding.encode(operand, spec), field.pieces)
    for index in plan.literals:
        operand = operands[index]
        assert isinstance(operand, Immediate)
        literal = literal_word(operand, instr.row.operands[index])
    if plan.modifiers:
        given = dict(instr.modifiers)
        for modifier in plan.modifiers:
            spec = modifier.spec
            bits |= put(modifier.number(given.get(spec.name, spec.default)), modifier.pieces)
    code = bits.to_bytes(plan.format.size, "little")
    return code if literal is None else code + literal.to_bytes(_LITERAL_BYTES, "little")


def _value(placed: PlacedModifier, number: int) -> ModifierValue | None:
    """The inverse of `PlacedModifier.number`; None if the row does not have that value."""
    spec = placed.spec
    if isinstance(spec.default, tuple):
        elements = tuple(number >> i & 1 for i in range(len(placed.pieces)))
        value, tail = elements[: len(spec.default)], elements[len(spec.default) :]
        return value if tail == spec.tail else None
    if spec.minimum < 0:
        width = sum(width for _, width in placed.pieces)
        number -= number >> width - 1 << width
    return number if modifier_fault(spec, number) is None else None


class Decoder:
    """Bytes to the instructions of a table."""

    def __init__(self, table: Table, encoder: Encoder) -> None:
        self._table = table
        self._encoder = encoder
        self._groups = _groups(encoder.formats)
        self._by_top = [
            [group for group in self._groups if _may_match(group, top)] for top in range(1 << 32 - _TOP)
        ]
        self._plans: dict[tuple[str, int], tuple[Plan, ...]] = {}
        self._known: dict[bytes, Instr] = {}  # by their own bytes: programs repeat themselves

    def decode(self, data: bytes, offset: int) -> tuple[Instr, int] | None:
        """The instruction at an offset and its size; None if there is none."""
        for size in (4, 8):
            known = self._known.get(data[offset : offset + size])
            if known is not None:
                return known, size
        decoded = self._read(data[offset : offset + _LONGEST])
        if decoded is None and self._table.halves is not None:
            return decoder_of(self._table.halves).decode(data, offset)
        if decoded is not None and len(self._known) < _MOST_KNOWN and decoded[1] in (4, 8):
            self._known[data[offset : offset + decoded[1]]] = decoded[0]
        return decoded

    def _read(self, window: bytes) -> tuple[Instr, int] | None:
        """The instruction at the beginning of a few bytes."""
        if len(window) < 4:
            return None
        bits = int.from_bytes(window, "little")
        for group in self._by_top[bits >> _TOP & (1 << 32 - _TOP) - 1]:
            if bits & group.mask != group.value:
                continue
            opcode = take(bits, group.opcode)
            for layout in group.formats:
                for plan in self._plans_of(layout, opcode):
                    decoded = _decoded(plan, bits, len(window))
                    if decoded is not None:
                        return decoded
        return None

    def _plans_of(self, layout: Format, opcode: int) -> tuple[Plan, ...]:
        key = layout.name, opcode
        known = self._plans.get(key)
        if known is None:
            names = self._encoder.opcodes.names(layout.opcodes, opcode)
            rows = [row for name in names for row in self._table.named(name) if row.name == name]
            plans = [plan for row in rows for plan in self._encoder.plans(row) if plan.format is layout]
            known = self._plans[key] = tuple(plans)
        return known


def _decoded(plan: Plan, bits: int, available: int) -> tuple[Instr, int] | None:
    """The instruction of the bits by a plan, and its size."""
    size = plan.format.size
    if (bits ^ plan.base) & plan.fixed or size > available:
        return None
    following = bits >> 8 * size & 0xFFFFFFFF if available >= size + _LITERAL_BYTES else None
    row = plan.row
    operands: list[Operand | None] = [None] * len(row.operands)
    has_literal = bool(plan.literals)
    for placed in plan.operands:
        number = take(bits, placed.field.pieces)
        operand = placed.known.get(number)
        if operand is None:
            operand = _operand(row, placed, number, following)
            if operand is None:
                return None
        # a literal may have a value that would be inline, so the value does not tell
        has_literal = has_literal or (number == LITERAL and Kind.LITERAL in placed.spec.kinds)
        operands[placed.place] = operand
    for index in plan.literals:
        if following is None:
            return None
        operands[index] = Immediate(literal_value(following, row.operands[index].type))
    for index in plan.constants:
        operands[index] = row.operands[index].fixed or OFF
    for use, define in row.ties:
        operands[use] = operands[define]
    complete = tuple(operand for operand in operands if operand is not None)
    if relation_fault(row, complete, known_class) is not None:
        return None
    modifiers = () if bits & plan.chosen == plan.plain else _modifiers(plan, bits, complete)
    if modifiers is None:
        return None
    return Instr(row, complete, modifiers), size + (_LITERAL_BYTES if has_literal else 0)


def _operand(row: Row, placed: PlacedOperand, number: int, following: int | None) -> Operand | None:
    """The operand of a number, with its place recorded; None if the row does not take it."""
    operand = placed.field.coding.decode(number, placed.spec, following)
    if operand is None or operand_fault(operand_check(row, placed.place), operand, known_class) is not None:
        return None
    if isinstance(operand, Register):
        placed.known[number] = operand
    return operand


def _modifiers(
    plan: Plan, bits: int, operands: Sequence[Operand]
) -> tuple[tuple[str, ModifierValue], ...] | None:
    """The modifiers that differ from their default; None if a modifier has a value that the row lacks."""
    given: dict[str, ModifierValue] = {}
    ambiguous: list[tuple[PlacedModifier, int]] = []
    for placed in plan.modifiers:
        number = take(bits, placed.pieces)
        if placed.spec.constraints:
            ambiguous.append((placed, number))
            continue
        value = _listed_value(placed, number) if placed.numbers else _value(placed, number)
        if value is None:
            return None
        given[placed.spec.name] = (
            value if placed.spec.syntax != "half" else _of_vectors(placed.spec, value, operands)
        )
    for placed, number in ambiguous:
        value = _listed_value(placed, number, partial(_goes_with, plan.row, given, placed.spec.name))
        if value is None:
            return None
        given[placed.spec.name] = value
    return tuple(
        (spec.name, given[spec.name])
        for spec in plan.row.modifiers
        if given.get(spec.name, spec.default) != spec.default
    )


def _listed_value(
    placed: PlacedModifier, number: int, suits: Callable[[int], bool] = lambda _: True
) -> int | None:
    """The value with a number in its field. If several values have it, the other modifiers decide
    (`suits`)."""
    values = (
        value
        for value, listed in enumerate(placed.numbers)
        if listed == number and modifier_fault(placed.spec, value) is None
    )
    return next((value for value in values if suits(value)), None)


def _goes_with(row: Row, given: dict[str, ModifierValue], name: str, value: int) -> bool:
    """Whether the other modifiers allow a modifier's value."""
    return combination_fault(row, {**given, name: value}) is None


def _of_vectors(spec: ModifierSpec, chosen: ModifierValue, operands: Sequence[Operand]) -> ModifierValue:
    """The chosen halves if `op_sel` gives them; otherwise only those of VGPRs, since in other operands the
    bit is part of the number."""
    if spec.tail or not isinstance(chosen, int):
        return chosen
    vectors = sum(
        1 << i
        for i, operand in enumerate(operands)
        if isinstance(operand, Register) and operand.first >= FIRST_VGPR
    )
    return chosen & vectors


def _groups(formats: tuple[Format, ...]) -> list[FormatGroup]:
    """Formats by their identifying bits, formats with the most such bits first."""
    same_bits: dict[tuple[int, int, Pieces], list[Format]] = {}
    for layout in formats:
        same_bits.setdefault((layout.mask, layout.value, layout.opcode), []).append(layout)
    groups = [
        FormatGroup(mask, value, opcode, tuple(same)) for (mask, value, opcode), same in same_bits.items()
    ]
    return sorted(groups, key=lambda group: -group.mask.bit_count())


def _may_match(group: FormatGroup, top: int) -> bool:
    """Whether a format of the group may begin with a word with these top bits."""
    mask = (group.mask >> _TOP) & (1 << 32 - _TOP) - 1
    return not (top ^ group.value >> _TOP) & mask


@cache
def encoder_of(target: str) -> Encoder:
    """The encoder of a target; its formats and opcodes are loaded when it is asked for."""
    from isa.targets import TARGETS

    family, generation = TARGETS[target].family, TARGETS[target].generation
    formats: dict[str, tuple[Format, ...]] = import_module(f"isa.binary.{family}").FORMATS
    return Encoder(formats[generation], opcodes_of(family, target))


@cache
def decoder_of(table: Table) -> Decoder:
    return Decoder(table, encoder_of(table.target.name))
