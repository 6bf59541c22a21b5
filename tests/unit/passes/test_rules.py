"""Every hazard rule by itself, on every machine: LLVM wants the states that it asks for, no more, and without
them LLVM would want them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from random import Random
from typing import NamedTuple

import pytest

from asmgen.passes.forward import entry_states
from asmgen.passes.waits.hazards import Remedies
from isa.hazards import Rule, RuleSet, Window, every_rule, rules_of
from isa.hazards.facts import is_dpp, is_matrix
from isa.hazards.matrix import FORWARDING
from isa.hazards.rule import EITHER_WAVE, Registers, Trail
from isa.instruction import Instr, Row, Trait
from isa.program import Block, Kernel
from isa.table import Table, table_named
from isa.targets import TARGETS, TargetId, parse_target
from tests.fuzzers import grouped
from tests.rows import MACHINES
from tools.fuzz.draw import draw, drawn_rows
from tools.fuzz.programs import Piece, Program, judged_lines, machine_program
from tools.judge import STRONGER, WEAKER, Judge, Judgement

pytestmark = pytest.mark.broad

TRIES = 4000
FEW, MANY = 2, 8  # sequences of a rule
SOME, ALL = 100, 10_000  # rows that are drawn for a step of a rule
VARIANTS = {False: 6, True: 40}  # instructions drawn of a row, of a matrix row: tuples of many sizes overlap seldom


class Step(NamedTuple):
    """One instruction of a sequence: of which rows, and by which registers it takes part."""

    may: Callable[[Row], bool]
    registers: Callable[[Instr], Registers]


def shapes(rule: Rule) -> list[list[Step]]:
    """The successive kinds of instruction that meet the rule; the last is the consumer."""
    trail = rule.trail
    last = [Step(rule.may_leave, trail.leaves), Step(rule.may_touch, rule.touches)]
    if trail.after is not None:
        return [*([last] if trail.after_itself else []), [_left(trail.after), *last]]
    if trail.within is not None:
        across = trail.within[0]
        assert across.carries is not None
        return [[_left(across.carries), _left(across), *last]]
    return [last] if rule.given is None else [last, [last[0], _left(rule.given.trail), last[1]]]


def _left(trail: Trail) -> Step:
    return Step(trail.may_leave, trail.leaves)


class Drawn:
    """Instructions of rows of a machine, drawn when a rule asks for the row first; `most` rows for one step of a rule."""

    def __init__(self, table: Table, most: int) -> None:
        self._taking: dict[tuple[Callable[[Instr], Registers], Row], list[Instr]] = {}
        self._rows = drawn_rows(table)
        self._most = most
        self._drawn: dict[Row, list[Instr]] = {}

    def sequences(self, rule: Rule, alone: RuleSet, without: RuleSet, count: int) -> list[list[Instr]]:
        """Some in which this rule asks for more than all others."""
        random = Random(rule.name)
        found: list[list[Instr]] = []
        for shape in shapes(rule):
            steps = [self._instrs(step, random) for step in shape]
            if not all(steps):
                continue
            for _ in range(TRIES):
                sequence = [random.choice(random.choice(step)) for step in steps]
                if _asks(alone, without, sequence):
                    found.append(sequence)
                    if len(found) == count:
                        return found
        return found

    def _instrs(self, step: Step, random: Random) -> list[list[Instr]]:
        """Those that take part, row by row."""
        rows = [row for row in self._rows if step.may(row)]
        chosen = rows if len(rows) <= self._most else random.sample(rows, self._most)
        return [found for row in chosen if (found := self._of_row(step.registers, row))]

    def _of(self, row: Row) -> list[Instr]:
        drawn = self._drawn.get(row)
        if drawn is None:
            random = Random(repr(row))
            found = [draw(row, random) for _ in range(VARIANTS[is_matrix(row)])]
            drawn = self._drawn[row] = [instr for instr in found if instr is not None]
        return drawn

    def _of_row(self, registers: Callable[[Instr], Registers], row: Row) -> list[Instr]:
        """Those of a row that have such registers: many rules ask for the same registers."""
        found = self._taking.get((registers, row))
        if found is None:
            found = self._taking[registers, row] = [i for i in self._of(row) if registers(i) and not _not_as_llvm(i)]
        return found


def _not_as_llvm(instr: Instr) -> bool:
    """LLVM takes dot products in DPP and transcendentals in DPP8 for plain VALU."""
    row = instr.row
    return (Trait.DOT in row.traits and is_dpp(row)) or any(spec.syntax == "dpp8" for spec in row.modifiers)


def _asks(alone: RuleSet, without: RuleSet, sequence: Sequence[Instr]) -> bool:
    """Whether the last instruction needs the states of the rule, and fewer by all other rules."""
    mine, others = Window(alone), Window(without)
    for instr in sequence[:-1]:
        if others.needs(instr) or mine.needs(instr):
            return False
        mine.issue(instr)
        others.issue(instr)
    needed = mine.required(sequence[-1])
    return needed is not None and all(
        other.rule.remedy is needed.rule.remedy and other.states < needed.states for other in others.needs(sequence[-1])
    )


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
@pytest.mark.parametrize("machine", grouped(TARGETS))
def test_llvm_wants_each_rule(machine: str) -> None:
    """At the wave size that a target has by itself, and with XNACK that may be on: all rules but those of the
    test below. A rule is asked about on one of the targets that have it, which take turns; on all of them in
    the slow test.
    """
    check(parse_target(machine), FEW, SOME, lambda rule: turns()[rule] == machine)


@cache
def turns() -> dict[Rule, str]:
    """A target of each rule."""
    having: dict[Rule, list[str]] = {}
    for machine in TARGETS:
        for rule in rules_of(parse_target(machine)).rules:
            having.setdefault(rule, []).append(machine)
    return {rule: machines[number % len(machines)] for number, (rule, machines) in enumerate(having.items())}


@pytest.mark.needs_llvm("llvm-mc-22", "llc-22")
def test_llvm_wants_the_rules_of_waves_of_64_lanes_alone() -> None:
    target = parse_target("gfx1100:wave64")
    assert not any(rule.waves != EITHER_WAVE for rule in rules_of(parse_target("gfx1201:wave64")).rules)
    check(target, FEW, ALL, lambda rule: rule.waves != EITHER_WAVE)


@cache
def drawn_of(machine: str, most: int) -> Drawn:
    """Instructions of a machine's rows, which cost more to draw than LLVM takes to judge them."""
    return Drawn(table_named(machine), most)


@pytest.mark.slow
@pytest.mark.needs_llvm("llvm-mc-22", "llc-22")
@pytest.mark.parametrize("machine", [*MACHINES, *(f"{name}:xnack-" for name, target in TARGETS.items() if "xnack" in target.features)])
def test_llvm_wants_each_rule_of_every_machine(machine: str) -> None:
    check(parse_target(machine), MANY, ALL, is_any)


def is_any(_rule: Rule) -> bool:
    return True


def check(target: TargetId, count: int, most: int, chosen: Callable[[Rule], bool]) -> None:
    """LLVM's verdict on `count` sequences of each chosen rule of a target, with steps of at most `most`
    rows."""
    every, name, table = rules_of(target), target.target.name, table_named(str(target))
    drawn = drawn_of(str(target), most)
    cases: list[tuple[Rule, Kernel, Kernel]] = []
    for rule in (rule for rule in every.rules if chosen(rule) and rule.source != FORWARDING):
        without = RuleSet([other for other in every.rules if other is not rule], name)
        found = drawn.sequences(rule, RuleSet([rule], name), without, count)
        assert found, f"{target}: {rule.name} is never met"
        for sequence in found:
            kernels = [machine_program(program, target) for program in layouts(sequence, table)]
            cases += [(rule, with_rules(kernel, every), with_rules(kernel, without)) for kernel in kernels]
    judge = Judge(target)
    with_it = judge.judge([judged_lines(kernel)[0] for _, kernel, _ in cases])
    without_it = judge.judge_weaker([judged_lines(kernel)[0] for _, _, kernel in cases])
    hold(str(target), [rule for rule, _, _ in cases], with_it, without_it)


@pytest.mark.needs_llvm("llvm-mc-22", "llc-22")
@pytest.mark.parametrize("machine", grouped(["gfx90a", "gfx942", "gfx950"]))
def test_llvm_lacks_the_states_between_accumulators_of_another_pace(machine: str) -> None:
    """It asks for none, which a later LLVM will change (llvm-project PR 218363)."""
    target = parse_target(machine)
    every = rules_of(target)
    drawn, judge = drawn_of(machine, SOME), Judge(target)
    for rule in (rule for rule in every.rules if rule.source == FORWARDING):
        without = RuleSet([other for other in every.rules if other is not rule], target.target.name)
        found = drawn.sequences(rule, RuleSet([rule], target.target.name), without, FEW)
        assert found, f"{target}: {rule.name} is never met"
        kernels = [with_rules(machine_program((Piece(tuple(sequence)),), target), every) for sequence in found]
        assert all(_of_hazards(judged, STRONGER) for judged in judge.judge([judged_lines(kernel)[0] for kernel in kernels]))


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
        for rule in rules_of(target).rules:
            assert any(rule.may_leave(row) for row in rows), (machine, rule.name)
            assert any(rule.may_touch(row) for row in rows), (machine, rule.name)


def test_names_are_told_apart() -> None:
    rules = every_rule()
    assert len({rule.name for rule in rules}) == len(rules)
