"""Every hazard rule by itself, on every machine: LLVM wants what it asks for, no more, and without it LLVM would want it."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from asmgen.passes.forward import entry_states
from asmgen.passes.hazards import Remedies
from isa.hazards import RULES, Rule, RuleSet, Window, rules_for
from isa.hazards.facts import is_dpp
from isa.instruction import Instr, Row, Trait
from isa.program import Block, Kernel
from isa.table import Table, table_named
from isa.targets import parse_target
from tests.rows import MACHINES
from tools.fuzz.draw import draw, drawn_rows
from tools.fuzz.programs import Piece, Program, judged_lines, machine_program
from tools.judge import STRONGER, WEAKER, Judge, Judgement

TRIES = 1500
SEQUENCES = 5


def shapes(rule: Rule) -> list[list[object]]:
    """Which kinds of instruction follow one another where the rule is met; the last is the consumer."""
    trail = rule.trail
    leading: list[object] = [trail.after.may_leave] if trail.after is not None else []
    if trail.within is not None:
        across = trail.within[0]
        assert across.carries is not None
        leading = [across.carries.may_leave, across.may_leave]
    found = [[*leading, rule.may_leave, rule.may_touch]]
    if rule.given is not None and not leading:
        found.append([rule.may_leave, rule.given.trail.may_leave, rule.may_touch])
    return found


class Drawn:
    """Instructions of each row of a machine, drawn once."""

    def __init__(self, table: Table, random: Random) -> None:
        self.random = random
        self.by_row = {row: found for row in drawn_rows(table) if (found := [instr for _ in range(6) if (instr := draw(row, random))])}

    def sequences(self, rule: Rule, alone: RuleSet, together: RuleSet) -> list[list[Instr]]:
        """Some in which this rule asks for something and no other rule asks for more."""
        found: list[list[Instr]] = []
        for shape in shapes(rule):
            rows = [[row for row in self.by_row if _holds(may, row)] for may in shape]
            if not all(rows):
                continue
            for _ in range(TRIES):
                sequence = [self.random.choice(self.by_row[self.random.choice(step)]) for step in rows]
                if not any(_not_as_llvm(instr) for instr in sequence) and _asks(alone, together, sequence):
                    found.append(sequence)
                    if len(found) == SEQUENCES:
                        return found
        return found


def _not_as_llvm(instr: Instr) -> bool:
    """LLVM takes dot products in DPP and transcendentals in DPP8 for plain VALU."""
    row = instr.row
    return (Trait.DOT in row.traits and is_dpp(row)) or any(spec.syntax == "dpp8" for spec in row.modifiers)


def _holds(may: object, row: Row) -> bool:
    assert callable(may)
    return bool(may(row))


def _asks(alone: RuleSet, together: RuleSet, sequence: Sequence[Instr]) -> bool:
    """Whether the last instruction needs what the one rule asks for, and all rules together nothing else."""
    windows = Window(alone), Window(together)
    for instr in sequence[:-1]:
        if windows[1].needs(instr):
            return False
        for window in windows:
            window.issue(instr)
    mine, all_of_them = (window.needs(sequence[-1]) for window in windows)
    return len(mine) == 1 and [(needed.states, needed.rule.remedy) for needed in mine] == [(n.states, n.rule.remedy) for n in all_of_them]


def with_rules(kernel: Kernel, rules: RuleSet) -> Kernel:
    """The kernel with the remedies of just these rules."""
    remedies = Remedies(kernel.table)

    def pass_through(block: Block, window: Window) -> None:
        _ = remedies.put_in(block, window, "")

    states = entry_states(kernel, Window(rules), pass_through)
    return kernel.with_blocks([block.with_instructions(remedies.put_in(block, states[block.label], "")) for block in kernel.blocks])


def layouts(sequence: Sequence[Instr], table: Table) -> list[Program]:
    """In a line; with a branch before the consumer; and around a loop from its end to its head."""
    *producers, consumer = sequence
    branch = table.row("s_cbranch_scc1")
    return [
        (Piece(tuple(sequence)),),
        (Piece(tuple(producers), branch, 1), Piece((consumer,))),
        (Piece((consumer, *producers), branch, 0),),
    ]


@pytest.mark.needs_llvm("llvm-mc-22", "llc-22")
@pytest.mark.parametrize("machine", MACHINES)
def test_llvm_wants_each_rule(machine: str) -> None:
    plain = parse_target(machine)
    for target in [plain, parse_target(f"{machine}:xnack-")] if "xnack" in plain.target.features else [plain]:
        name = target.target.name
        every = rules_for(target)
        table = table_named(machine)
        drawn = Drawn(table, Random(machine))
        cases: list[tuple[Rule, Kernel, Kernel]] = []
        for rule in every.rules:
            if target is not plain and rule.unless:
                continue
            without = RuleSet([other for other in every.rules if other is not rule], name)
            found = drawn.sequences(rule, RuleSet([rule], name), every)
            assert found, f"{machine}: {rule.name} is never met"
            for sequence in found:
                kernels = [machine_program(program, target) for program in layouts(sequence, table)]
                cases += [(rule, with_rules(kernel, every), with_rules(kernel, without)) for kernel in kernels]
        judge = Judge(target)
        with_it = judge.judge([judged_lines(kernel)[0] for _, kernel, _ in cases])
        without_it = judge.judge([judged_lines(kernel)[0] for _, _, kernel in cases])
        hold(machine, [rule for rule, _, _ in cases], with_it, without_it)


def hold(machine: str, rules: Sequence[Rule], with_it: Sequence[Judgement], without_it: Sequence[Judgement]) -> None:
    agreed: set[str] = set()
    for rule, full, less in zip(rules, with_it, without_it, strict=True):
        if full.refused or less.refused:
            continue
        shown = [line.text for line in full.lines]
        assert not _of_hazards(full, WEAKER), (machine, rule.name, shown, [str(f) for f in full.findings])
        if not _of_hazards(full, STRONGER) and _of_hazards(less, WEAKER):
            agreed.add(rule.name)
    assert agreed == {rule.name for rule in rules}, (machine, {rule.name for rule in rules} - agreed)


def _of_hazards(judgement: Judgement, kind: str) -> list[str]:
    """Findings on what hazards put in; memory counters are another pass's."""
    return [str(finding) for finding in judgement.of_kind(kind) if finding.what in ("states", "idle") or finding.what.startswith(("va_", "sa_"))]


def test_every_rule_has_a_producer_and_a_consumer_on_each_of_its_targets() -> None:
    for machine in MACHINES:
        target = parse_target(machine)
        rows = table_named(machine).rows
        for rule in rules_for(target).rules:
            assert any(rule.may_leave(row) for row in rows), (machine, rule.name)
            assert any(rule.may_touch(row) for row in rows), (machine, rule.name)


def test_names_are_told_apart() -> None:
    assert len({rule.name for rule in RULES}) == len(RULES)
