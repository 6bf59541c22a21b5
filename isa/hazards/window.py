"""The hazards open at one point of a program: the state both of the NOP pass and of the emulator's sanitizer."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from isa.hazards.rule import Rule, states_of
from isa.instruction import Instr, Row
from isa.registers import Register


class Required(NamedTuple):
    """What a consumer still needs: `states` more wait states, because of `rule` and what `producer` left in `register`."""

    states: int
    rule: Rule
    register: Register
    producer: Instr


class RuleSet:
    """The rules of one target, with those each row can open or meet looked up once per row."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self.rules = tuple(rules)
        self.leaving = lru_cache(maxsize=None)(self._leaving)
        self.touching = lru_cache(maxsize=None)(self._touching)
        self.breaking = lru_cache(maxsize=None)(self._breaking)

    def _leaving(self, row: Row) -> tuple[int, ...]:
        return tuple(i for i, rule in enumerate(self.rules) if rule.may_leave(row))

    def _touching(self, row: Row) -> tuple[int, ...]:
        return tuple(i for i, rule in enumerate(self.rules) if rule.may_touch(row))

    def _breaking(self, row: Row) -> frozenset[int]:
        """Rules whose hazard ends when an instruction of this row is issued."""
        return frozenset(i for i, rule in enumerate(self.rules) if rule.within is not None and not rule.within(row))

    def produced(self, instr: Instr) -> list[tuple[int, Register]]:
        """(index of the rule, register) of every hazard that `instr` opens."""
        return [(i, register) for i in self.leaving(instr.row) for register in self.rules[i].leaves(instr)]


class Window:
    """Open hazards: rule and register, each with the wait states since its producer, and the producer.

    Issue every instruction in order with `issue`; ask `required` before. `merge` joins the windows of two paths: the
    shortest distance of each hazard counts.
    """

    __slots__ = ("_open", "rules")

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self._open: dict[tuple[int, Register], tuple[int, Instr]] = {}

    def copy(self) -> Window:
        other = Window(self.rules)
        other._open = dict(self._open)
        return other

    def __bool__(self) -> bool:
        return bool(self._open)

    def state(self) -> frozenset[tuple[int, Register, int]]:
        """(index of the rule, register, wait states since) of every open hazard: equal where nothing will differ later."""
        return frozenset((index, register, distance) for (index, register), (distance, _) in self._open.items())

    def required(self, instr: Instr) -> Required | None:
        """The longest wait that `instr` still needs here, or None if it may issue."""
        if not self._open:
            return None
        worst: Required | None = None
        rules = self.rules.rules
        touching = self.rules.touching(instr.row)
        touched: dict[int, tuple[Register, ...]] = {}
        for (index, left), (distance, producer) in self._open.items():
            if index not in touching:
                continue
            rule = rules[index]
            states = rule.states - (0 if rule.within else distance)
            if worst is not None and states <= worst.states:
                continue
            if rule.spares is not None and rule.spares(producer, instr):
                continue
            if index not in touched:
                touched[index] = rule.touches(instr)
            if any(rule.meets(left, register) for register in touched[index]):
                worst = Required(states, rule, left, producer)
        return worst

    def issue(self, instr: Instr) -> None:
        """Let `instr` pass: the open hazards age by its wait states, and those it leaves open are added."""
        if self._open:
            self.wait(states_of(instr))
            breaking = self.rules.breaking(instr.row)
            for key in [key for key in self._open if key[0] in breaking]:
                del self._open[key]
        for key in self.rules.produced(instr):
            self._open[key] = (0, instr)

    def wait(self, states: int) -> None:
        """Let `states` wait states pass."""
        rules = self.rules.rules
        aged: dict[tuple[int, Register], tuple[int, Instr]] = {}
        for key, (distance, producer) in self._open.items():
            rule = rules[key[0]]
            if rule.within is not None:
                aged[key] = (0, producer)
            elif distance + states < rule.states:
                aged[key] = (distance + states, producer)
        self._open = aged

    def wait_apart(self, states: int) -> None:
        """Let an `s_nop` of `states` wait states pass: it ends every clause."""
        rules = self.rules.rules
        self.wait(states)
        for key in [key for key in self._open if rules[key[0]].within is not None]:
            del self._open[key]

    def merge(self, other: Window) -> bool:
        """Join the hazards open on another path to this point; True if this window changed."""
        changed = False
        for key, entry in other._open.items():
            mine = self._open.get(key)
            if mine is None or entry[0] < mine[0]:
                self._open[key] = entry
                changed = True
        return changed
