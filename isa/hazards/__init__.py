"""What software must keep apart: one record per hazard rule, for the passes, the sanitizer and `check` alike."""

from __future__ import annotations

from functools import cache

from isa.hazards.matrix import MATRIX_RULES
from isa.hazards.rdna import RDNA_RULES
from isa.hazards.rule import Relation, Remedy, Rule, states_of
from isa.hazards.ruleset import RuleSet
from isa.hazards.scalar import SCALAR_RULES
from isa.hazards.vector import VECTOR_RULES
from isa.hazards.window import Required, Window
from isa.targets import TargetId

__all__ = ["RULES", "Relation", "Remedy", "Required", "Rule", "RuleSet", "Window", "rules_for", "states_of"]

RULES: tuple[Rule, ...] = VECTOR_RULES + MATRIX_RULES + SCALAR_RULES + RDNA_RULES


@cache
def rules_for(target: TargetId) -> RuleSet:
    """The rules that hold for a target id; the plain id of a target that has XNACK means that it may be on."""
    name, lanes = target.target.name, target.target.wave_size
    return RuleSet([rule for rule in RULES if name in rule.states and lanes in rule.waves and rule.unless not in target.features], name)
