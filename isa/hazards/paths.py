"""The rules by which one path through a program is judged, as the emulator's sanitizer walks it.

LLVM joins the paths that meet, so code that it made may rely on what another path did. In a loop with a call,
for example, every SGPR counts as read by VALU from the loop's first round on, and a SALU read of any of them
settles what VALU writes.

It looks at one function at a time, and a path goes through several. A called function has no wait for the
address to come back to, which the call itself has just written.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from isa.hazards.rule import Rule, Trail, nothing
from isa.instruction import Instr, Row, Trait


def on_one_path(rule: Rule) -> Rule:
    """The rule with a trail that goes wherever it would go if another path had been taken too."""
    trail = rule.trail
    if trail.settles is nothing:
        return rule
    one_path = replace(
        trail, ends=_ends_or_settles(trail), settles=nothing, may_leave=_unless_call(trail.may_leave)
    )
    return replace(rule, trail=one_path)


def _ends_or_settles(trail: Trail) -> Callable[[Instr], bool]:
    def ends(instr: Instr) -> bool:
        return trail.ends(instr) or bool(trail.settles(instr))

    return ends


def _unless_call(may_leave: Callable[[Row], bool]) -> Callable[[Row], bool]:
    def leaves(row: Row) -> bool:
        return may_leave(row) and Trait.CALL not in row.traits

    return leaves
