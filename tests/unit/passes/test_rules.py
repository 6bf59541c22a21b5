"""Every hazard rule by itself: LLVM wants it too, and without it a pass that obeys all others would be caught."""

from __future__ import annotations

import pytest

from isa.hazards import RULES, Rule, RuleSet, Window
from isa.instruction import Instr, Row
from isa.text import format_instr
from tests.rows import all_rows
from tests.unit.passes.random_code import Generator, groups
from tools.llvm_hazards import Oracle, Refusal, inserted_before

TRIES = 400
SEQUENCES = 6
# Rules of matrix instructions that have no row yet.
UNUSED = frozenset(rule.name for rule in RULES if not any(rule.may_leave(row) for row in all_rows()))


def pairs(rule: Rule, generator: Generator) -> list[list[Instr]]:
    """Producers and consumers next to each other, of which this rule asks its full number of states and no other asks more."""
    rows = [row for group in groups() for row in group]
    producers = [row for row in rows if rule.may_leave(row)]
    consumers = [row for row in rows if rule.may_touch(row)]
    found: list[list[Instr]] = []
    alone, together = RuleSet([rule]), RuleSet(RULES)
    for _ in range(TRIES):
        pair = [generator.instr(_some(producers, generator)), generator.instr(_some(consumers, generator))]
        if needed(alone, pair) == rule.states == needed(together, pair):
            found.append(pair)
            if len(found) == SEQUENCES:
                break
    return found


def _some(rows: list[Row], generator: Generator) -> list[Row]:
    return [generator.random.choice(rows)]


def needed(rules: RuleSet, pair: list[Instr]) -> int:
    window = Window(rules)
    window.issue(pair[0])
    required = window.required(pair[1])
    return required.states if required is not None else 0


@pytest.mark.needs_llvm("llvm-mc-22", "llc-22")
def test_llvm_wants_each_rule() -> None:
    generator = Generator(seed=21, vector=10, scalar=10)
    for unless in ("", "xnack-"):
        rules = [rule for rule in RULES if rule.unless == unless and rule.name not in UNUSED]
        asked = {rule: pairs(rule, generator) for rule in rules}
        oracle = Oracle("gfx942", "" if unless else "-xnack")
        texts = [[format_instr(instr) for instr in pair] for found in asked.values() for pair in found]
        answers = iter(oracle.hazards(texts))
        for rule, found in asked.items():
            wanted = [inserted_before(answer, 1).states for answer in (next(answers) for _ in found) if not isinstance(answer, Refusal)]
            assert rule.states in wanted, (rule.name, wanted, [[format_instr(instr) for instr in pair] for pair in found])
            assert max(wanted) == rule.states, rule.name


def test_which_rules_wait_for_rows() -> None:
    """Matrix instructions of f64 come with a later issue; nothing else is without a producer."""
    assert all("f64" in name for name in UNUSED), sorted(UNUSED)
