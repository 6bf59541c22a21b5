"""Wait states between two instructions, the second of which reads a result of the first.

These are estimates before allocation: the rules see the two instructions with a physical register in place of
each virtual register. The exact wait states are determined on physical registers.
"""

from __future__ import annotations

from collections.abc import Callable

from isa.hazards.rule import Remedy
from isa.hazards.ruleset import REMEMBERED, RuleSet
from isa.hazards.window import Window
from isa.instruction import Instr, Operand, Row
from isa.registers import FIRST_AGPR, FIRST_VGPR, FIRST_VIRTUAL, Register, RegisterClass

_SPACING = 32  # units between the starts of two stand-ins
_FIRST = {
    RegisterClass.VGPR: FIRST_VGPR + _SPACING,
    RegisterClass.AGPR: FIRST_AGPR + _SPACING,
    RegisterClass.AV: FIRST_VGPR + _SPACING,
    RegisterClass.SGPR: 0,
}
_Key = tuple[object, ...]  # both instructions, on the registers that take the place of their own
_Met = tuple[int, int, int]  # the first unit of a register, the unit after it, and the first of its stand-in
_ClassOf = Callable[[Register], RegisterClass]


class PairStates:
    """The wait states that a rule set wants between two instructions. The key of the cache is both
    instructions, with other registers in place of their own. `may_ask` is False if the rule set has no wait
    states."""

    def __init__(self, rules: RuleSet) -> None:
        self._rules = rules
        self.may_ask = any(rule.remedy is Remedy.STATES for rule in rules.rules)
        self._found: dict[_Key, int] = {}
        self._may_wait: dict[tuple[Row, Row], bool] = {}

    def between(self, producer: Instr, consumer: Instr, class_of: _ClassOf) -> int:
        """The wait states that `consumer` needs right after `producer`; 0 if no rule counts states."""
        rows = producer.row, consumer.row
        may_wait = self._may_wait.get(rows)
        if may_wait is None:
            may_wait = self._may_wait[rows] = self._rules.may_wait(*rows)
        if not may_wait:
            return 0
        met: list[_Met] = []
        first = _places(producer, met, class_of)
        second = _places(consumer, met, class_of)
        key = *rows, first, producer.modifiers, second, consumer.modifiers
        between = self._found.get(key)
        if between is None:
            if len(self._found) >= REMEMBERED:
                self._found.clear()
            between = self._found[key] = self._look(_stand_in(producer, first), _stand_in(consumer, second))
        return between

    def _look(self, first: Instr, second: Instr) -> int:
        window = Window(self._rules)
        window.issue(first)
        needed = window.required(second)
        return 0 if needed is None or needed.rule.remedy is not Remedy.STATES else needed.states


def _places(instr: Instr, met: list[_Met], class_of: _ClassOf) -> tuple[Operand | int, ...]:
    """The operands, with each virtual register as the first unit of its stand-in. `met` has the registers
    seen before; new registers are added to it."""
    places: list[Operand | int] = []
    for operand in instr.operands:
        if not isinstance(operand, Register):
            places.append(operand)
            continue
        first, count = operand
        if first < FIRST_VIRTUAL:
            places.append(operand)
            continue
        for begin, end, place in met:
            if begin < first + count and first < end:
                places.append(place + first - begin if first > begin else place)
                break
        else:
            place = _FIRST[class_of(operand)] + _SPACING * (len(met) % 3)
            met.append((first, first + count, place))
            places.append(place)
    return tuple(places)


def _stand_in(instr: Instr, places: tuple[Operand | int, ...]) -> Instr:
    """The instruction on physical registers."""
    operands = list(instr.operands)
    for i, (place, operand) in enumerate(zip(places, instr.operands, strict=True)):
        if isinstance(place, int) and isinstance(operand, Register):
            operands[i] = Register(place, operand.count)
    return instr.as_row(instr.row, tuple(operands), instr.modifiers)
