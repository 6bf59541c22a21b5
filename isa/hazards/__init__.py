"""Hazards that software must avoid: a record for each rule, shared by the passes, the sanitizer and
`check`."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from msgspec.structs import replace

from isa.hazards.pairs import PairStates
from isa.hazards.paths import on_one_path, with_reads_that_wait
from isa.hazards.rule import Relation, Remedy, Rule, states_of
from isa.hazards.ruleset import RuleSet
from isa.hazards.window import Required, Window
from isa.instruction import Instr, Kind, Row, Trait
from isa.registers import FIRST_AGPR, Register
from isa.targets import TargetId, targets_of

__all__ = [
    "PairStates", "Relation", "Remedy", "Required", "Rule", "RuleSet", "Window", "every_rule", "pair_states",
    "rules_for", "rules_of_path", "rules_of_text", "states_of", "touches_a0",
]  # fmt: skip

_RDNA = frozenset(targets_of("rdna3", "rdna4"))


@cache
def _cdna_rules() -> tuple[Rule, ...]:
    from isa.hazards.matrix import MATRIX_RULES
    from isa.hazards.scalar import SCALAR_RULES
    from isa.hazards.vector import VECTOR_RULES

    return VECTOR_RULES + MATRIX_RULES + SCALAR_RULES


def _rdna_rules() -> tuple[Rule, ...]:
    from isa.hazards.rdna import RDNA_RULES

    return RDNA_RULES


def every_rule() -> tuple[Rule, ...]:
    """The rules of all targets. A command loads those of its target alone."""
    return _cdna_rules() + _rdna_rules()


def rules_for(target: TargetId, code: Iterable[Instr]) -> RuleSet:
    """The rules for a function of a target id. The plain id of a target with XNACK means that it may be
    on."""
    return _rules(target, any(_may_touch_a0(instr) for instr in code if _names_agprs(instr.row)))


def rules_of_text(target: TargetId, code: Iterable[Instr], calls_touch_a0: bool) -> RuleSet:
    """The rules for a text with waits; `calls_touch_a0` is False if no function that it may call touches
    AGPR 0.

    No rule is `early` there: LLVM merges neighbouring waits for lane masks into the last of them, so a wait
    may stand anywhere before the consumer. SALU that reads an SGPR waits for all of them, see
    `isa.hazards.paths`.
    """
    touches = _may_touch_a0 if calls_touch_a0 else touches_a0
    return _text_rules(target, any(touches(instr) for instr in code if _names_agprs(instr.row)))


@cache
def pair_states(target: TargetId) -> PairStates:
    """The states between two instructions on a target, as far as AGPR 0 is not touched."""
    return PairStates(_rules(target, False))


def rules_of_path(target: TargetId, code: Iterable[Instr]) -> RuleSet:
    """The same for a single path through the function; see `isa.hazards.paths`."""
    return _path_rules(target, any(_may_touch_a0(instr) for instr in code))


@cache
def _rules(target: TargetId, with_a0: bool) -> RuleSet:
    return RuleSet(_held(target, with_a0), target.target.name)


@cache
def _text_rules(target: TargetId, with_a0: bool) -> RuleSet:
    held = [with_reads_that_wait(rule) for rule in _held(target, with_a0)]
    return RuleSet([replace(rule, early=False) if rule.early else rule for rule in held], target.target.name)


@cache
def _path_rules(target: TargetId, with_a0: bool) -> RuleSet:
    return RuleSet([on_one_path(rule) for rule in _held(target, with_a0)], target.target.name)


def _held(target: TargetId, with_a0: bool) -> list[Rule]:
    name, lanes = target.target.name, target.target.wave_size
    rules = _rdna_rules() if name in _RDNA else _cdna_rules()
    held = [rule for rule in rules if name in rule.states and lanes in rule.waves and with_a0 in rule.with_a0]
    return [rule for rule in held if rule.unless not in target.features]


def _may_touch_a0(instr: Instr) -> bool:
    """Whether an operand has AGPR 0, or a function is called that may touch it."""
    return _calls(instr.row) or touches_a0(instr)


def touches_a0(instr: Instr) -> bool:
    """Whether an operand has AGPR 0."""
    return any(isinstance(operand, Register) and operand.first == FIRST_AGPR for operand in instr.operands)


def _calls(row: Row) -> bool:
    return Trait.BRANCH in row.traits and bool(row.defines)


@cache
def _names_agprs(row: Row) -> bool:
    """Whether instructions of a row may have an AGPR, or call a function."""
    return _calls(row) or any(Kind.AGPR in spec.kinds for spec in row.operands)
