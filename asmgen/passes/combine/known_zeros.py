"""The bits of a 32-bit value that are known to be zero.

    v_and_b32 v1, 0xff, v0          bits 8 to 31 of v1 are zero
    v_lshlrev_b32 v2, 2, v1         bits 0, 1 and 10 to 31 of v2 are zero

The range of an index follows from its expression (`asmgen.index`), so it does not depend on this analysis.
These are facts about data without an expression: bytes and halves that loads fill, bit fields, computations
of a user's lanewise text or `.mir`. They remove masks without effect, multiply small numbers at the full
rate, and move the constant of a user's address into the offset of its access, if the sum cannot wrap.

Facts come from the launch (work-item ids are below the workgroup's size), from shifts, masks, fields and
narrow loads. They are followed through the instructions in order; a block parameter is unknown.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from asmgen.index.interval import WORD
from asmgen.passes.ssa import gives_source
from isa.instruction import Immediate, Instr, Operand, Row
from isa.operations import Operation, meaning_of
from isa.program import Kernel
from isa.registers import FIRST_VIRTUAL, Register

_Rule = Callable[["KnownZeros", list[Operand]], int]


class KnownZeros:
    """The known-zero mask of every unit defined so far."""

    def __init__(self, kernel: Kernel) -> None:
        self._zeros: dict[int, int] = {}
        for role, register in kernel.abi.entry:
            if role == "workitem_id":
                self._zeros[register.first] = _workitem_zeros(kernel)
        self._physical = frozenset(self._zeros)  # physical units, of which only these begin with facts

    def of(self, operand: Operand) -> int:
        """The bits of a 32-bit operand that are zero for certain."""
        if isinstance(operand, Immediate):
            return ~operand.bits & WORD
        if isinstance(operand, Register) and operand.count == 1:
            return self._zeros.get(operand.first, 0)
        return 0

    def of_unit(self, unit: int) -> int:
        """The bits of a unit that are zero for certain."""
        return self._zeros.get(unit, 0)

    def largest(self, operand: Operand) -> int:
        return WORD & ~self.of(operand)

    def take(self, former: KnownZeros) -> None:
        """Take over the facts of the virtual registers of the same program in an earlier form."""
        known = former._zeros.items()
        self._zeros.update([(unit, zeros) for unit, zeros in known if unit >= FIRST_VIRTUAL])

    def note_physical(self, instr: Instr) -> None:
        """Forget the physical registers that an instruction writes."""
        if not self._physical.isdisjoint(instr.units.written):
            self.note(instr)

    def note(self, instr: Instr) -> None:
        """Learn the known zeros of the result of `instr`, and forget the physical registers that it
        writes."""
        written = instr.units.written
        if not self._physical.isdisjoint(written):
            for unit in written:
                self._zeros.pop(unit, None)
        rule = _rule_of(instr.row)
        if rule is None:
            return
        target = instr.operands[instr.row.defines[0]]
        if isinstance(target, Register) and target.count == 1 and target.first >= FIRST_VIRTUAL:
            zeros = self._result(instr, rule)
            if zeros:
                self._zeros[target.first] = zeros

    def _result(self, instr: Instr, matched: tuple[_Rule, tuple[int, ...]]) -> int:
        if instr.modifiers and not instr.row.events:
            return 0
        rule, places = matched
        return rule(self, [instr.operands[i] for i in places])


@cache
def _rule_of(row: Row) -> tuple[_Rule, tuple[int, ...]] | None:
    """The rule for the result of a row, and the positions of the rule's operands; None for most rows."""
    if gives_source(row):
        return _copied, row.uses
    meaning = meaning_of(row)
    rule = _RULES.get(meaning.operation) if meaning is not None and meaning.bits == 32 else None
    return None if rule is None or meaning is None else (rule, meaning.sources)


def _workitem_zeros(kernel: Kernel) -> int:
    """The packed id has x, y and z in ten bits each."""
    if not kernel.target.target.packed_workitem_id:
        return 0
    used = 0
    for axis, size in enumerate(kernel.axes):
        used |= ((1 << (size - 1).bit_length()) - 1) << 10 * axis
    return WORD & ~used


def above(value: int) -> int:
    """The bits that are zero in every number up to `value`."""
    return WORD & ~((1 << min(value, WORD).bit_length()) - 1)


def trailing_zeros(mask: int) -> int:
    """How many low bits a known-zero mask covers."""
    return (~mask & -~mask).bit_length() - 1 if ~mask & WORD else 32


def _low(count: int) -> int:
    return (1 << min(count, 32)) - 1


def _copied(facts: KnownZeros, s: list[Operand]) -> int:
    return facts.of(s[0])


def _and(facts: KnownZeros, s: list[Operand]) -> int:
    return facts.of(s[0]) | facts.of(s[1])


def _or(facts: KnownZeros, s: list[Operand]) -> int:
    zeros = WORD
    for source in s:
        zeros &= facts.of(source)
    return zeros


def _sum_zeros(largest: int, low_zeros: int) -> int:
    return (above(largest) if largest <= WORD else 0) | _low(low_zeros)


def _add(facts: KnownZeros, s: list[Operand]) -> int:
    return _sum_zeros(sum(facts.largest(x) for x in s), min(trailing_zeros(facts.of(x)) for x in s))


def _multiply(facts: KnownZeros, s: list[Operand]) -> int:
    return _sum_zeros(facts.largest(s[0]) * facts.largest(s[1]), sum(trailing_zeros(facts.of(x)) for x in s))


def _multiply_24(facts: KnownZeros, s: list[Operand]) -> int:
    return _sum_zeros(
        (facts.largest(s[0]) & 0xFFFFFF) * (facts.largest(s[1]) & 0xFFFFFF),
        sum(trailing_zeros(facts.of(x)) for x in s),
    )


def _shifted_left(zeros: int, amount: Operand) -> int:
    if not isinstance(amount, Immediate):
        return _low(trailing_zeros(zeros))
    count = amount.bits & 31
    return (zeros << count | _low(count)) & WORD


def _shift_left(facts: KnownZeros, s: list[Operand]) -> int:
    return _shifted_left(facts.of(s[0]), s[1])


def _shift_right(facts: KnownZeros, s: list[Operand]) -> int:
    if not isinstance(s[1], Immediate):
        return above(facts.largest(s[0]))
    count = s[1].bits & 31
    return (facts.of(s[0]) >> count | ~(WORD >> count)) & WORD


def _shift_right_signed(facts: KnownZeros, s: list[Operand]) -> int:
    """If the sign is 0, the shift fills with zeros, as an unsigned shift does."""
    return _shift_right(facts, s) if not facts.largest(s[0]) >> 31 else 0


def _field(_facts: KnownZeros, s: list[Operand]) -> int:
    return WORD & ~_low(s[2].bits & 31) if isinstance(s[2], Immediate) else 0


def _minimum(facts: KnownZeros, s: list[Operand]) -> int:
    return above(min(facts.largest(s[0]), facts.largest(s[1])))


def _maximum(facts: KnownZeros, s: list[Operand]) -> int:
    return above(max(facts.largest(s[0]), facts.largest(s[1])))


def _shift_add(facts: KnownZeros, s: list[Operand]) -> int:
    zeros = _shifted_left(facts.of(s[0]), s[1])
    largest = (WORD & ~zeros) + facts.largest(s[2])
    return _sum_zeros(largest, min(trailing_zeros(zeros), trailing_zeros(facts.of(s[2]))))


def _shift_or(facts: KnownZeros, s: list[Operand]) -> int:
    return _shifted_left(facts.of(s[0]), s[1]) & facts.of(s[2])


def _add_shift(facts: KnownZeros, s: list[Operand]) -> int:
    return _shifted_left(_add(facts, s[:2]), s[2])


def _and_or(facts: KnownZeros, s: list[Operand]) -> int:
    return (facts.of(s[0]) | facts.of(s[1])) & facts.of(s[2])


def _byte(_facts: KnownZeros, _s: list[Operand]) -> int:
    return WORD & ~0xFF


def _half(_facts: KnownZeros, _s: list[Operand]) -> int:
    return WORD & ~0xFFFF


def _lane_count(facts: KnownZeros, s: list[Operand]) -> int:
    return _sum_zeros(32 + facts.largest(s[1]), 0)


_RULES: dict[Operation, _Rule] = {
    Operation.AND: _and,
    Operation.OR: _or,
    Operation.XOR: _or,
    Operation.OR_THREE: _or,
    Operation.SELECT: _or,
    Operation.ADD: _add,
    Operation.ADD_THREE: _add,
    Operation.MULTIPLY: _multiply,
    Operation.MULTIPLY_24: _multiply_24,
    Operation.SHIFT_LEFT: _shift_left,
    Operation.SHIFT_RIGHT: _shift_right,
    Operation.SHIFT_RIGHT_SIGNED: _shift_right_signed,
    Operation.FIELD: _field,
    Operation.MINIMUM: _minimum,
    Operation.MAXIMUM: _maximum,
    Operation.SHIFT_ADD: _shift_add,
    Operation.SHIFT_OR: _shift_or,
    Operation.ADD_SHIFT: _add_shift,
    Operation.AND_OR: _and_or,
    Operation.LOAD_BYTE: _byte,
    Operation.LOAD_HALF: _half,
    Operation.LANE_COUNT: _lane_count,
    Operation.BIT_COUNT: _lane_count,
}
