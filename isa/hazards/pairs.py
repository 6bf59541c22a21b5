"""Wait states between two instructions of which the second reads what the first writes.

For estimates before registers are known: the rules look at the two with some physical register in the place
of each virtual one. What really has to pass is found on physical registers alone.
"""

from __future__ import annotations

from collections.abc import Callable

from isa.hazards.rule import Remedy
from isa.hazards.ruleset import RuleSet
from isa.hazards.window import Window
from isa.instruction import Instr, Operand, Row
from isa.registers import FIRST_AGPR, FIRST_VGPR, FIRST_VIRTUAL, Register, RegisterClass

_SPACING = 32  # so many units after a stand-in begins, the next one begins
_FIRST = {
    RegisterClass.VGPR: FIRST_VGPR + _SPACING,
    RegisterClass.AGPR: FIRST_AGPR + _SPACING,
    RegisterClass.SGPR: 0,
}
_Key = tuple[object, ...]  # both instructions, on the registers that take the place of their own
_ClassOf = Callable[[Register], RegisterClass]


class PairStates:
    """The states between instructions of a rule set, remembered by what the two look like then."""

    def __init__(self, rules: RuleSet) -> None:
        self._rules = rules
        self._found: dict[_Key, int] = {}
        self._may_wait: dict[tuple[Row, Row], bool] = {}

    def between(self, producer: Instr, consumer: Instr, class_of: _ClassOf) -> int:
        """The wait states that `consumer` needs right after `producer`; 0 where no rule counts states."""
        rows = producer.row, consumer.row
        may_wait = self._may_wait.get(rows)
        if may_wait is None:
            may_wait = self._may_wait[rows] = self._rules.may_wait(*rows)
        if not may_wait:
            return 0
        places: list[tuple[int, int, int]] = []
        first = _stand_ins(producer, places, class_of)
        second = _stand_ins(consumer, places, class_of)
        key = *rows, first, producer.modifiers, second, consumer.modifiers
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = self._look(
                producer.as_row(producer.row, first, producer.modifiers),
                consumer.as_row(consumer.row, second, consumer.modifiers),
            )
        return found

    def _look(self, first: Instr, second: Instr) -> int:
        window = Window(self._rules)
        window.issue(first)
        needed = window.required(second)
        return 0 if needed is None or needed.rule.remedy is not Remedy.STATES else needed.states


def _stand_ins(instr: Instr, places: list[tuple[int, int, int]], class_of: _ClassOf) -> tuple[Operand, ...]:
    """The operands with physical registers; `places` has the units of what was met before, from the first to
    the end, and the first unit of what takes its place."""
    operands: list[Operand] = []
    for operand in instr.operands:
        if not isinstance(operand, Register) or operand.first < FIRST_VIRTUAL:
            operands.append(operand)
            continue
        first, count = operand
        for begin, end, place in places:
            if begin < first + count and first < end:
                operands.append(Register(place + max(first - begin, 0), count))
                break
        else:
            place = _FIRST[class_of(operand)] + _SPACING * (len(places) % 3)
            places.append((first, first + count, place))
            operands.append(Register(place, count))
    return tuple(operands)
