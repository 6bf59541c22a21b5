"""Peephole rewrites on physical registers: redundant moves and masks, shorter encodings, paired moves."""

from __future__ import annotations

from functools import cache, lru_cache

from asmgen.passes.ssa import is_copy
from isa.constants import inline_spelling
from isa.instruction import Encoding, Immediate, Instr, Operand, Row
from isa.lane_masks import writes_exec
from isa.moves import find_move
from isa.operand_check import known_class
from isa.operations import (
    ACCUMULATING,
    SHORT_CONSTANTS,
    Operation,
    exchanged_rows,
    literal_form,
    plain_meaning,
    sources,
)
from isa.program import Block, Kernel
from isa.registers import FIRST_VGPR, Register, physical_class
from isa.size import is_literal
from isa.table import Table
from isa.verify import takes
from regalloc.flags import scc_awaited_at_ends

_Value = tuple[str, int]  # ("unit", number) or ("bits", pattern)


def peephole(kernel: Kernel) -> Kernel:
    """An equivalent kernel on physical registers, with fewer or shorter instructions."""
    blocks = [
        block.with_instructions(_without_redundant_moves(block.instructions)) for block in kernel.blocks
    ]
    if any(writes_exec(instr) for block in blocks for instr in block.instructions):
        from asmgen.passes.peephole.masks import without_dead_masks

        blocks = without_dead_masks(blocks, scc_awaited_at_ends(kernel))
    return kernel.with_blocks([_improved(block, kernel.table) for block in blocks])


def _improved(block: Block, table: Table) -> Block:
    return block.with_instructions([_shortened(instr, table) for instr in _paired(block.instructions, table)])


def _without_redundant_moves(code: list[Instr]) -> list[Instr]:
    """Remove a move if its destination contains the source's value already, as far as a single block
    shows."""
    held = _Held()
    result: list[Instr] = []
    for instr in code:
        moved = _moved_values(instr) if is_copy(instr) else []
        if moved and all(held.has(unit, value) for unit, value in moved):
            continue
        result.append(instr)
        held.forget(instr)
        held.note(moved)
    return result


class _Held:
    """The source of each unit that a move wrote, while both keep their values."""

    def __init__(self) -> None:
        self._values: dict[int, _Value] = {}
        self._copies: dict[int, list[int]] = {}  # by source: the units that a move gave its value

    def has(self, unit: int, value: _Value) -> bool:
        """Whether a unit contains a value already."""
        values = self._values
        return (
            value == ("unit", unit)
            or values.get(unit) == value
            or values.get(_number(value)) == ("unit", unit)
        )

    def note(self, moved: list[tuple[int, _Value]]) -> None:
        for unit, value in moved:
            if value != ("unit", unit):
                self._values[unit] = value
                if value[0] == "unit":
                    self._copies.setdefault(value[1], []).append(unit)

    def forget(self, instr: Instr) -> None:
        """Forget values that an instruction overwrites, and when EXEC changes, the contents of vector
        registers in the added lanes."""
        values = self._values
        if not values:
            return
        if writes_exec(instr):
            self._values = values = {unit: value for unit, value in values.items() if unit < FIRST_VGPR}
        for unit in instr.units.written:
            _ = values.pop(unit, None)
            for copy in self._copies.pop(unit, ()):
                if values.get(copy) == ("unit", unit):
                    del values[copy]


def _number(value: _Value) -> int:
    return value[1] if value[0] == "unit" else -1


def _moved_values(instr: Instr) -> list[tuple[int, _Value]]:
    """(unit written, its value) of a copy; empty if the instruction is not such a copy."""
    target, source = instr.operands
    if not isinstance(target, Register):
        return []
    if isinstance(source, Register):
        return [(mine, ("unit", theirs)) for mine, theirs in zip(target.units, source.units, strict=True)]
    if isinstance(source, Immediate) and target.count == 1:
        return [(target.first, ("bits", source.bits))]
    return []


def _paired(code: list[Instr], table: Table) -> list[Instr]:
    """Two consecutive moves that fill an aligned pair become a single 64-bit move."""
    result: list[Instr] = []
    for instr in code:
        both = _pair_of(result[-1], instr, table) if result else None
        if both is None:
            result.append(instr)
        else:
            result[-1] = both
    return result


def _pair_of(first: Instr, second: Instr, table: Table) -> Instr | None:
    if not (is_copy(second) and is_copy(first)) or len(first.operands) != len(second.operands):
        return None
    low, high = sorted((first, second), key=lambda instr: _first_unit(instr.operands[0]))
    target, upper = low.operands[0], high.operands[0]
    if (
        not isinstance(target, Register)
        or not isinstance(upper, Register)
        or target.count != 1
        or upper.count != 1
    ):
        return None
    written = first.operands[0]
    register_class = physical_class(target)
    if upper.first != target.first + 1 or target.first % 2 or register_class is not physical_class(upper):
        return None
    if second.operands[1] == written:
        return None
    source = _pair_source(low.operands[1], high.operands[1])
    move = find_move(table, register_class, 2)
    operands = (Register(target.first, 2), source) if source is not None else None
    if move is None or operands is None or not takes(move, operands, known_class):
        return None
    return Instr(move, operands, (), first.origin, False, first.comment or second.comment)


def _first_unit(operand: Operand) -> int:
    return operand.first if isinstance(operand, Register) else -1


def _pair_source(low: Operand, high: Operand) -> Operand | None:
    """The 64-bit source of two 32-bit sources: an aligned pair, or a small number with an upper half of only
    zeros or only 1 bits."""
    if isinstance(low, Register) and isinstance(high, Register):
        return (
            Register(low.first, 2)
            if high.first == low.first + 1 and low.first % 2 == 0 and low.count == high.count == 1
            else None
        )
    if isinstance(low, Immediate) and isinstance(high, Immediate):
        value = low.bits | high.bits << 32
        return Immediate(value) if value <= 64 or value >= (1 << 64) - 16 else None
    return None


@cache
def _short_forms(table: Table, target: Row) -> tuple[tuple[Row, tuple[int, ...]], ...]:
    """Shorter rows with the same effect, if their operands allow it, each with its order of operands."""
    forms: list[tuple[Row, tuple[int, ...]]] = []
    if target.encoding is Encoding.E64:
        same = tuple(range(len(target.operands)))
        orders = [(table.named(target.name), same)]
        if len(target.uses) >= 2:
            first, second = target.uses[:2]
            exchanged = tuple(second if i == first else first if i == second else i for i in same)
            orders.append((exchanged_rows(target, table), exchanged))
        forms += [
            (short, order)
            for rows, order in orders
            for short in rows
            if short.encoding is Encoding.E32 and len(short.operands) == len(same)
        ]
    accumulating = table.find(ACCUMULATING.get(target.operation, ""))
    if accumulating is not None and target.encoding in (Encoding.E64, Encoding.PLAIN):
        forms += [(accumulating, (0, 1, 2, 3)), (accumulating, (0, 2, 1, 3))]
    return tuple(forms)


def _shortened(instr: Instr, table: Table) -> Instr:
    if instr.modifiers:
        return instr
    found = _short_form(table, instr.row, instr.operands) or _short_field(instr, table)
    return _short_constant(instr, table) if found is None else instr.as_row(*found)


def _short_field(instr: Instr, table: Table) -> tuple[Row, tuple[Operand, ...]] | None:
    """The uppermost bits by a shift, and the lowest bits by a mask, which have a short encoding; none of
    these if the mask is a literal. The pass on virtual registers leaves fields, which other instructions may
    read in place."""
    meaning = plain_meaning(instr)
    if meaning is None or meaning.operation is not Operation.FIELD:
        return None
    value, *numbers = sources(instr, meaning)
    first, width = [each.bits & 31 if isinstance(each, Immediate) else None for each in numbers]
    if first is None or not width:
        return None
    if first + width >= 32:
        short, operands = table.row("v_lshrrev_b32_e32"), (instr.operands[0], numbers[0], value)
    elif not first and inline_spelling((1 << width) - 1, "u32") is not None:
        short, operands = table.row("v_and_b32_e32"), (instr.operands[0], Immediate((1 << width) - 1), value)
    else:
        return None
    return (short, operands) if takes(short, operands, known_class) else None


@lru_cache(1 << 12)  # programs on physical registers repeat few instructions
def _short_form(
    table: Table, target: Row, operands: tuple[Operand, ...]
) -> tuple[Row, tuple[Operand, ...]] | None:
    """A shorter row with the same effect, and its operands; None if no row takes the operands."""
    for short, order in _short_forms(table, target):
        ordered = tuple([operands[i] for i in order])
        if takes(short, ordered, known_class):
            return short, ordered
    if any(is_literal(operand, spec) for operand, spec in zip(operands, target.operands, strict=True)):
        return literal_form(table, target, operands)
    return None


@cache
def _constant_form(table: Table, row: Row) -> Row | None:
    """The row that does the same with a signed constant of 16 bits."""
    return table.find(SHORT_CONSTANTS.get(row.operation, ""))


def _short_constant(instr: Instr, table: Table) -> Instr:
    """A signed constant of 16 bits in the instruction itself."""
    short = _constant_form(table, instr.row)
    if short is None:
        return instr
    source = instr.operands[1]
    if not isinstance(source, Immediate) or source.bits <= 64 or source.bits >= (1 << 32) - 16:
        return instr
    signed = source.bits - (1 << 32) if source.bits >> 31 else source.bits
    operands = (instr.operands[0], Immediate(signed & 0xFFFF))
    if not -(1 << 15) <= signed < 1 << 15 or not takes(short, operands, known_class):
        return instr
    return instr.as_row(short, operands)
