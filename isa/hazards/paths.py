"""The rules by which one path through a program is judged, as the emulator's sanitizer walks it.

LLVM joins the paths that meet, so code that it made may rely on what another path did. In a loop with a call,
for example, every SGPR counts as read by VALU from the loop's first round on, and a SALU read of any of them
settles what VALU writes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from isa.hazards.rule import Rule, Trail, nothing
from isa.instruction import Instr


def on_one_path(rule: Rule) -> Rule:
    """The rule with a trail that goes wherever it would go if another path had been taken too."""
    trail = rule.trail
    if trail.settles is nothing:
        return rule
    return replace(rule, trail=replace(trail, ends=_ends_or_settles(trail), settles=nothing))


def _ends_or_settles(trail: Trail) -> Callable[[Instr], bool]:
    def ends(instr: Instr) -> bool:
        return trail.ends(instr) or bool(trail.settles(instr))

    return ends
