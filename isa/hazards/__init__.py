"""Wait states that software must keep between instructions: one record per rule, for the NOP pass and the sanitizer alike."""

from __future__ import annotations

from functools import cache

from isa.hazards.matrix import MATRIX_RULES
from isa.hazards.rule import Relation, Rule, states_of
from isa.hazards.scalar import SCALAR_RULES
from isa.hazards.vector import VECTOR_RULES
from isa.hazards.window import Required, RuleSet, Window
from isa.targets import TargetId

__all__ = ["RULES", "Relation", "Required", "Rule", "RuleSet", "Window", "rules_for", "states_of"]

RULES: tuple[Rule, ...] = VECTOR_RULES + MATRIX_RULES + SCALAR_RULES


@cache
def rules_for(target: TargetId) -> RuleSet:
    """The rules that hold for a target id; the plain id of gfx942 means that XNACK may be on."""
    return RuleSet([rule for rule in RULES if rule.unless not in target.features])
