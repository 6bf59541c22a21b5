"""The rules for code that has waits: a text, or a path through a program, as the emulator's sanitizer follows
it.

SALU that reads an SGPR waits until VALU has written all of them (`VA_SDST` is 0; AMD's engineers say so in
llvm-project 131111 and 145728). LLVM relies on it only if VALU has read that SGPR before, which may have
happened on another path: in a loop with a call every SGPR counts as read from the first trip on.

LLVM looks at a single function, but a path goes through several. A called function has no wait for its return
address, which the call itself has just written.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from isa.hazards.rule import Rule, Trail, nothing
from isa.instruction import Instr, Row, Trait


def with_reads_that_wait(rule: Rule) -> Rule:
    """The rule with a trail that is gone wherever SALU reads an SGPR, whatever VALU has read before."""
    trail = rule.trail
    if trail.settles is nothing:
        return rule
    return replace(rule, trail=replace(trail, ends=_ends_or_settles(trail), settles=nothing))


def on_one_path(rule: Rule) -> Rule:
    """The same for a path, on which a call leaves no trail."""
    if rule.trail.settles is nothing:
        return rule
    waits = with_reads_that_wait(rule)
    return replace(waits, trail=replace(waits.trail, may_leave=_unless_call(rule.trail.may_leave)))


def _ends_or_settles(trail: Trail) -> Callable[[Instr], bool]:
    def ends(instr: Instr) -> bool:
        return trail.ends(instr) or bool(trail.settles(instr))

    return ends


def _unless_call(may_leave: Callable[[Row], bool]) -> Callable[[Row], bool]:
    def leaves(row: Row) -> bool:
        return may_leave(row) and Trait.CALL not in row.traits

    return leaves
