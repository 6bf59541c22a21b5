"""`python -m tools.hazard_page > docs/hazards.md`: the page on waits and hazards, its tables from the records
themselves."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from isa.hazards import RULES, Remedy, Rule
from isa.hazards.rule import EITHER_WAVE
from isa.targets import TARGETS

PREAMBLE = """\
# Waits and hazards

Two passes run last, on physical registers: `asmgen.passes.waitcnt.insert_waits`, then `asmgen.passes.hazards.insert_nops`.
Both join states over all linear edges, around loops to a fixed point, and find nothing to do on their own output.
This page is what `python -m tools.hazard_page` prints, and a test holds it to that.

## How a rule is said
`isa/hazards/` has one record per rule: `vector` (VALU results, wide stores), `matrix` (a table of latencies by kind and passes),
`scalar` (M0, hardware registers, soft clauses), `rdna` (RDNA3 and RDNA4). A *trail* says which instructions leave what
and how long it stays open; a *rule* says who may not touch it, how the registers must overlap, for how many states on which
target, and the remedy. `Window` holds what is open at a point; the pass, the emulator's sanitizer and `check` all use it.

* A new rule is a new record; a fact it needs is a trait or an operand of the row, never a name.
* A wait state is one instruction, whatever it does; `s_nop N` is N+1. Rules without states hold until the remedy, or until what
  their trail counts has passed.
* `tests/unit/passes/test_rules.py` draws producers and consumers for each rule on each machine, puts them in a line, over a
  branch and around a loop, and asks LLVM: it must miss nothing in our code, find nothing too long, and miss what goes when the
  rule is dropped.

## LLVM as the judge
`python -m tools.llvm_hazards gfx942 < sequence` shows what LLVM 22.1 inserts; `python -m tools.judge FILE.s` compares a whole
assembly, `python -m tools.fuzz --target T` random programs. Ours is never weaker but where LLVM is wrong, and stronger in these places:

| where | why |
|---|---|
| DPP forms of dot products, DPP8 forms of transcendentals and of mask readers | LLVM does not take them for what they are |
| 20 states after an XDL result of 16 passes on gfx950 | LLVM's look-back ends at 19 (llvm-project PR 222040) |
| an accumulator of matrix instructions of different passes or factors | the manual forwards none there (llvm-project PR 218363) |
| a way around a loop that is shorter than the first LLVM finds | LLVM visits each block once, by the first way to it |
| hazards that need two registers, where two ways bring one each | states are joined at the head of a block |
| LDS read, or a barrier, after a load straight to LDS | LLVM wants memory operands to see it |
| LDS accesses before a barrier | LLVM leaves that to its memory legaliser |

LLVM is stronger than needed where several matrix instructions reach one over different paths: it takes the distance of one and
the states of another. It takes a packed instruction's `op_sel_hi` of source 0 for a half write, and compares in SDWA to write
VCC too; ours follows. On gfx942 a write of half of VCC leaves VCCZ as it was: LLVM puts `s_mov_b64 vcc, vcc`, one more state, before
`s_cbranch_vccz`. Not here: on gfx90a a 64-bit shift by the last VGPR of a wave's allocation reads the wrong one.

LLVM's recognizer says that no member of a soft clause may write what another reads, and keeps only the last five wait states,
or nineteen in a function that touches AGPR 0 (or calls one that may). What is farther apart it lets through, and clang's code
has it. No manual says how many members are replayed together, so ours looks as far back as LLVM's and no farther.
"""


def page() -> str:
    """The whole page."""
    counted = [rule for rule in RULES if rule.remedy is Remedy.STATES]
    others = [rule for rule in RULES if rule.remedy is not Remedy.STATES]
    return "\n".join(
        (
            PREAMBLE,
            "## Wait states: `s_nop`",
            _states_table(counted),
            "## Until something has passed or is waited for",
            _remedy_table(others),
        )
    )


def _states_table(rules: Sequence[Rule]) -> str:
    targets = [target for target in TARGETS if any(target in rule.states for rule in rules)]
    lines = [f"| rule | {' | '.join(targets)} | unless | source |", "|---|" + "---|" * (len(targets) + 2)]
    for rule in rules:
        states = " | ".join(str(rule.states.get(target, "")) for target in targets)
        lines.append(f"| {rule.name} | {states} | {rule.unless} | {rule.source} |")
    return "\n".join(lines) + "\n"


def _remedy_table(rules: Sequence[Rule]) -> str:
    lines = ["| rule | targets | remedy | source |", "|---|---|---|---|"]
    for rule in rules:
        waves = (
            "" if rule.waves == EITHER_WAVE else f", waves of {' and '.join(map(str, sorted(rule.waves)))}"
        )
        lines.append(
            f"| {rule.name} | {', '.join(rule.states)}{waves} | {rule.remedy.text} | {rule.source} |"
        )
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.stdout.write(page())
