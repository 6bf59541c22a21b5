"""Constants added to an address become the immediate offset of the memory instruction, if that is exact.

The hardware adds the offset to the whole address, in 64 bits next to an SGPR base, so the 32-bit sum that it
replaces must not have wrapped. Accesses of tiles have their offsets from their index expressions. The sums
here come from a user's lanewise text or `.mir`, and only known bits show that they do not wrap.
"""

from __future__ import annotations

from functools import cache

from asmgen.index.interval import WORD
from asmgen.passes.combine.known_zeros import KnownZeros
from asmgen.passes.ssa import Rewriter, Site, constant
from isa.instruction import Instr, ModifierSpec, ModifierValue, Operand, Row, Unit
from isa.operations import Operation, plain_meaning, sources
from isa.registers import Register

_ADDRESS_NAMES = frozenset({"vaddr", "addr"})
_SUMS = frozenset({Operation.ADD, Operation.OR})


@cache
def _address_and_offset(target: Row) -> tuple[int, ModifierSpec] | None:
    """The operand with a 32-bit address of bytes, and the offset modifier; None if the row has no such
    pair."""
    offset = next(
        (spec for spec in target.modifiers if spec.name == "offset" and spec.syntax == "number"), None
    )
    place = next(
        (
            i
            for i in target.uses
            if target.operands[i].name in _ADDRESS_NAMES and target.operands[i].count == 1
        ),
        None,
    )
    if offset is None or place is None:
        return None
    has_base = any(spec.name == "saddr" and spec.count == 2 for spec in target.operands)
    return (place, offset) if target.unit is Unit.LDS or (target.unit is Unit.VMEM and has_base) else None


def has_offset(row: Row) -> bool:
    """Whether instructions of a row have an address to which a constant may be added."""
    return _address_and_offset(row) is not None


def with_offset(instr: Instr, site: Site, facts: KnownZeros, rewriter: Rewriter) -> Instr | None:
    """The memory instruction with a constant part of its address as offset, or None."""
    pair = _address_and_offset(instr.row)
    if pair is None:
        return None
    place, spec = pair
    address = instr.operands[place]
    definition = rewriter.definition(address) if isinstance(address, Register) else None
    if definition is None:
        return None
    split = _split(definition[1], facts)
    if split is None:
        return _shift_split(instr, place, spec, definition, facts, rewriter)
    base, added = split
    if not isinstance(base, Register) or not rewriter.may_read(base, instr.row, site.block):
        return None
    return _offset_by(instr, place, spec, base, added, rewriter)


def _split(instr: Instr, facts: KnownZeros) -> tuple[Operand, int] | None:
    """A sum as (register, constant) if it cannot wrap: an `or` of disjoint bits counts as a sum."""
    meaning = plain_meaning(instr)
    if meaning is None or meaning.operation not in _SUMS:
        return None
    inputs = sources(instr, meaning)
    for place, source in enumerate(inputs):
        added, base = constant(source), inputs[1 - place]
        if added is None:
            continue
        is_sum = meaning.operation is Operation.ADD or not facts.largest(base) & added
        if is_sum and facts.largest(base) + added <= WORD:
            return base, added
    return None


def _shift_split(
    instr: Instr,
    place: int,
    spec: ModifierSpec,
    definition: tuple[Site, Instr],
    facts: KnownZeros,
    rewriter: Rewriter,
) -> Instr | None:
    """Like `_split` for (x << n) + constant in a single instruction, which becomes the shift alone."""
    site, total = definition
    meaning = plain_meaning(total)
    if (
        meaning is None
        or meaning.operation not in (Operation.SHIFT_ADD, Operation.SHIFT_OR)
        or not rewriter.is_used_once(_result(total))
    ):
        return None
    value, amount, last = sources(total, meaning)
    count, added = constant(amount), constant(last)
    if count is None or added is None or (facts.largest(value) << (count & 31)) + added > WORD:
        return None
    shifted_zeros = (1 << (count & 31)) - 1
    if meaning.operation is Operation.SHIFT_OR and added & ~shifted_zeros:
        return None
    shift = rewriter.table.row("v_lshlrev_b32_e32")
    operands = (total.operands[0], amount, value)
    result = _offset_by(instr, place, spec, _result(total), added, rewriter)
    if result is None or not rewriter.is_legal(shift, operands):
        return None
    rewriter.replace(site, Instr(shift, operands, (), total.origin, False, total.comment))
    return result


def _result(instr: Instr) -> Register:
    result = instr.operands[0]
    assert isinstance(result, Register)
    return result


def _offset_by(
    instr: Instr, place: int, spec: ModifierSpec, base: Register, added: int, rewriter: Rewriter
) -> Instr | None:
    before = instr.modifier(spec.name)
    offset = added + before if isinstance(before, int) else added
    if not spec.minimum <= offset <= spec.maximum:
        return None
    operands = tuple(base if i == place else operand for i, operand in enumerate(instr.operands))
    if not rewriter.is_legal(instr.row, operands):
        return None
    given: dict[str, ModifierValue] = {**dict(instr.modifiers), spec.name: offset}
    modifiers = tuple(
        (s.name, given[s.name]) for s in instr.row.modifiers if s.name in given and given[s.name] != s.default
    )
    return instr.as_row(instr.row, operands, modifiers)
