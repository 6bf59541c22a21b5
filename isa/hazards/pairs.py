"""Wait states between two instructions of which the second reads what the first writes.

For estimates before registers are known: `states_between` has the rules look at the two with some physical
register in the place of each virtual one. What really has to pass is found on physical registers alone.
"""

from __future__ import annotations

from collections.abc import Callable

from isa.hazards.rule import Remedy
from isa.hazards.ruleset import RuleSet
from isa.hazards.window import Window
from isa.instruction import Instr, Operand
from isa.registers import FIRST_AGPR, FIRST_VGPR, Register, RegisterClass

_SPACING = 32  # units between the first of one stand-in and of the next
_FIRST = {
    RegisterClass.VGPR: FIRST_VGPR + _SPACING,
    RegisterClass.AGPR: FIRST_AGPR + _SPACING,
    RegisterClass.SGPR: 0,
}
_Key = tuple[object, ...]  # both instructions, on the registers that take the place of their own


class PairStates:
    """The states between instructions of a rule set, remembered by what the two look like then."""

    def __init__(self, rules: RuleSet) -> None:
        self._rules = rules
        self._found: dict[_Key, int] = {}

    def between(self, producer: Instr, consumer: Instr, class_of: Callable[[Register], RegisterClass]) -> int:
        """The wait states that `consumer` needs right after `producer`; 0 where no rule counts states."""
        if not self._rules.may_meet(producer.row, consumer.row):
            return 0
        places: list[tuple[Register, Register]] = []
        first, second = (_stand_in(instr, places, class_of) for instr in (producer, consumer))
        key = first.row, first.operands, first.modifiers, second.row, second.operands, second.modifiers
        found = self._found.get(key)
        if found is None:
            found = self._found[key] = self._look(first, second)
        return found

    def _look(self, first: Instr, second: Instr) -> int:
        window = Window(self._rules)
        window.issue(first)
        needed = window.required(second)
        return 0 if needed is None or needed.rule.remedy is not Remedy.STATES else needed.states


def _stand_in(
    instr: Instr,
    places: list[tuple[Register, Register]],
    class_of: Callable[[Register], RegisterClass],
) -> Instr:
    """The instruction with physical registers; `places` has those of what was met before."""
    operands: list[Operand] = []
    for operand in instr.operands:
        if not isinstance(operand, Register) or not operand.is_virtual:
            operands.append(operand)
            continue
        known = next((pair for pair in places if pair[0].overlaps(operand)), None)
        if known is None:
            first = _FIRST[class_of(operand)] + _SPACING * (len(places) % 3)
            known = operand, Register(first, operand.count)
            places.append(known)
        offset = operand.first - known[0].first
        operands.append(Register(known[1].first + max(offset, 0), operand.count))
    return instr.as_row(instr.row, tuple(operands), instr.modifiers)
