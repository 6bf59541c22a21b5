"""Hazards that software must avoid: a record for each rule, shared by the passes, the sanitizer and
`check`."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache

from msgspec.structs import replace

from isa.hazards.pairs import PairStates
from isa.hazards.relevant import TargetRules
from isa.hazards.rule import Relation, Remedy, Rule, states_of
from isa.hazards.ruleset import RuleSet
from isa.hazards.window import Required, Window
from isa.instruction import Instr, Kind, Row, Trait
from isa.registers import FIRST_AGPR, Register
from isa.targets import TargetId, targets_of

__all__ = [
    "PairStates", "Relation", "Remedy", "Required", "Rule", "RuleSet", "Window", "every_rule", "pair_states",
    "rules_for", "rules_of", "rules_of_path", "rules_of_text", "states_of", "touches_a0",
]  # fmt: skip

_RDNA = frozenset(targets_of("rdna3", "rdna4"))
_PAIRS = 64  # rule sets that keep their pairs of instructions


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


def rules_of(target: TargetId) -> RuleSet:
    """Every rule for functions of a target that do not touch AGPR 0."""
    return _rules(target, False).every


def rules_for(target: TargetId, code: Iterable[Instr]) -> RuleSet:
    """The rules that a function of a target id may meet. The plain id of a target with XNACK means that it
    may be on."""
    instructions = tuple(code)
    return _rules(target, _with_a0(instructions)).met_by(instructions)


def rules_of_text(target: TargetId, code: Iterable[Instr], calls_touch_a0: bool) -> RuleSet:
    """The rules for a text with waits; `calls_touch_a0` is False if no function that it may call touches
    AGPR 0.

    No rule is `early` there: LLVM merges neighbouring waits for lane masks into the last of them, so a wait
    may stand anywhere before the consumer. SALU that reads an SGPR waits for all of them, see
    `isa.hazards.paths`.
    """
    touches = _may_touch_a0 if calls_touch_a0 else touches_a0
    return _text_rules(target, any(touches(instr) for instr in code if _names_agprs(instr.row)))


def pair_states(target: TargetId, code: Iterable[Instr]) -> PairStates:
    """The states between two instructions of some code, as far as AGPR 0 is not touched."""
    return _pairs(_rules(target, False).met_by(code))


def rules_of_path(target: TargetId, code: Iterable[Instr], judged: Iterable[Instr]) -> RuleSet:
    """The rules that code may meet on a single path through it; see `isa.hazards.paths`. `judged` are the
    instructions by which LLVM decides whether AGPR 0 is touched."""
    return _path_rules(target, _with_a0(judged)).met_by(code)


def _with_a0(code: Iterable[Instr]) -> bool:
    return any(_may_touch_a0(instr) for instr in code if _names_agprs(instr.row))


@lru_cache(_PAIRS)
def _pairs(rules: RuleSet) -> PairStates:
    return PairStates(rules)


@cache
def _rules(target: TargetId, with_a0: bool) -> TargetRules:
    return TargetRules(_held(target, with_a0), target.target.name)


@cache
def _text_rules(target: TargetId, with_a0: bool) -> RuleSet:
    from isa.hazards.paths import with_reads_that_wait

    held = [with_reads_that_wait(rule) for rule in _held(target, with_a0)]
    return RuleSet([replace(rule, early=False) if rule.early else rule for rule in held], target.target.name)


@cache
def _path_rules(target: TargetId, with_a0: bool) -> TargetRules:
    from isa.hazards.paths import on_one_path

    return TargetRules([on_one_path(rule) for rule in _held(target, with_a0)], target.target.name)


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
