"""The rules of a target that some code may meet: those of a few rows are a tenth of all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, lru_cache

from isa.hazards.rule import Remedy, Rule
from isa.hazards.ruleset import RuleSet
from isa.instruction import Instr, Row

_SETS = 64  # rule sets of different code that are kept
# A remedy that is a vector instruction leaves registers itself.
_VECTOR = frozenset({Remedy.VECTOR_NOP, Remedy.MOVE})


class TargetRules:
    """The rules of a target, and the rule sets of code."""

    def __init__(self, rules: Sequence[Rule], target: str) -> None:
        self.rules = tuple(rules)
        self._target = target
        self._leaving = _numbers((rule.trail.may_leave, i) for i, rule in enumerate(self.rules))
        self._touching = _numbers((rule.may_touch, i) for i, rule in enumerate(self.rules))
        self._early = sum(1 << i for i, rule in enumerate(self.rules) if rule.early)
        self._of_row = lru_cache(maxsize=None)(self._left_and_touched)
        self._set_of = lru_cache(maxsize=_SETS)(self._made)

    @cached_property
    def every(self) -> RuleSet:
        """All rules."""
        return RuleSet(self.rules, self._target)

    def met_by(self, code: Iterable[Instr]) -> RuleSet:
        """The rules with a trail that an instruction of the code may leave, and with a consumer in the code.
        The code includes instructions that are issued later, but for the rules' remedies."""
        left = touched = 0
        for row in {instr.row for instr in code}:
            leaves, touches = self._of_row(row)
            left |= leaves
            touched |= touches
        return self._set_of(left & (touched | self._early))

    def _left_and_touched(self, row: Row) -> tuple[int, int]:
        """A bit for each rule with the row as a possible producer, and for each with the row as a possible
        consumer."""
        return _met(self._leaving, row), _met(self._touching, row)

    def _made(self, numbers: int) -> RuleSet:
        rules = [rule for i, rule in enumerate(self.rules) if numbers >> i & 1]
        if any(rule.remedy in _VECTOR for rule in rules):
            return self.every
        return RuleSet(rules, self._target)


_Numbers = tuple[tuple[Callable[[Row], bool], int], ...]
"""Predicates, each with a bit for each rule that asks it."""


def _numbers(asked: Iterable[tuple[Callable[[Row], bool], int]]) -> _Numbers:
    numbers: dict[Callable[[Row], bool], int] = {}
    for predicate, number in asked:
        numbers[predicate] = numbers.get(predicate, 0) | 1 << number
    return tuple(numbers.items())


def _met(predicates: _Numbers, row: Row) -> int:
    return sum(numbers for predicate, numbers in predicates if predicate(row))
