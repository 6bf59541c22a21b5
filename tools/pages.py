"""Prints the generated pages of docs: `python -m tools.pages hazards > docs/hazards.md`,
and the same for `latencies` and `memory`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence

from isa.hazards import Remedy, Rule, every_rule
from isa.hazards.rule import EITHER_WAVE
from isa.targets import TARGETS
from isa.timing.machine import MACHINES, Machine
from isa.trust import Trust
from tools.memory_page import mark, memory

HAZARDS = """\
# Waits and hazards

The hardware does not always wait until a result can be used. Code must then do one of two things:

* **wait** until a counter of outstanding accesses to memory is low enough (`s_waitcnt`);
* keep a distance between two instructions, counted in **wait states**: each instruction is a wait state, whatever it does, and `s_nop N`
  is N+1. An instruction that makes such a distance necessary leaves a **hazard**, and a few hazards need another remedy than a distance.

Two passes insert both on physical registers, after allocation: `asmgen.passes.waits.waitcnt.insert_waits`, and then
`asmgen.passes.waits.hazards.insert_nops`. They follow the control flow of a wave, merge their states at joins of paths, and go around loops
until nothing changes. On their own output they find nothing to do. `python -m tools.pages hazards` prints this page, and a test compares
the two.

| term | meaning |
|---|---|
| VALU, SALU | instructions on vector registers, on scalar registers |
| XDL | matrix instructions with factors of any type but f32 and f64; on gfx90a f32 too |
| pass | four clocks of a matrix instruction |
| pace | the kind of a matrix instruction, its passes and the size of its factors. Only instructions of the same pace forward an accumulator |
| SDWA, DPP | forms of an instruction that read parts of registers, or registers of other lanes |

## Records
`isa/hazards/` has a record for each rule:

| file | rules |
|---|---|
| `vector` | VALU results, wide stores |
| `matrix` | matrix instructions: a table of latencies by kind and passes |
| `scalar` | M0, hardware registers, soft clauses |
| `rdna` | RDNA3 and RDNA4 |

* A *trail* names the producers, the hazard that they leave, and how long it stays open.
* A *rule* names the consumers that must not touch the hazard, how the registers must overlap, the number of states for each target, and
  the remedy.
* A `Window` has the hazards that are open at a point. The pass, the emulator's sanitizer and `check` all use it.
* A rule without a number of states lasts until its remedy, or until the instructions that its trail counts have passed.
* A new rule is a new record. If it needs a new fact about an instruction, add a trait or an operand to the instruction's row; never test
  a name.
* `tests/unit/passes/test_rules.py` draws producers and consumers at random for each rule and target, puts them in a line, over a branch
  and around a loop, and asks LLVM. LLVM must find no wait state missing in our code and none too many. If the rule is dropped, LLVM must
  find a missing wait state.

## LLVM as the judge

| command | compares with LLVM 22.1 |
|---|---|
| `python -m tools.llvm_hazards gfx942 < sequence` | shows what LLVM inserts in a sequence |
| `python -m tools.judge FILE.s` | a whole assembly |
| `python -m tools.fuzz --target T` | random programs |

We ask for less than LLVM only if LLVM asks for more than necessary. We ask for more than LLVM in these cases:

| case | reason |
|---|---|
| DPP forms of dot products, DPP8 forms of transcendentals and of mask readers | LLVM does not recognise them |
| 20 states after an XDL result of 16 passes on gfx950 | LLVM looks back 19 states (llvm-project PR 222040) |
| an accumulator of matrix instructions with different passes or factors | the manual forwards none here (llvm-project PR 218363) |
| a path around a loop that is shorter than the first that LLVM finds | LLVM visits each block once, by the first path to it |
| hazards that two registers make together, if each comes by another path | we join states at the head of a block |
| LDS read, or a barrier, after a load straight to LDS | LLVM needs memory operands to see it |
| LDS accesses before a barrier | LLVM leaves them to its memory legaliser |

LLVM asks for more than necessary in these cases:

| case | ours |
|---|---|
| several matrix instructions reach another over different paths: LLVM combines the distance on one path with the states of another path | exact |
| LLVM treats a packed instruction's `op_sel_hi` of source 0 as a half write | the same |
| LLVM assumes that compares in SDWA write VCC too | the same |
| on gfx942 a write of half of VCC leaves VCCZ unchanged: LLVM inserts `s_mov_b64 vcc, vcc`, a state more, before `s_cbranch_vccz` | without it |

On gfx90a a 64-bit shift by the last VGPR of a wave's allocation reads the wrong register. The passes do not avoid this; `check` reports
it ([CHK013](check.md#faults-that-no-wait-repairs)).

A soft clause is a run of memory instructions that the hardware may repeat together after a page fault (XNACK). A member must not write a
register that another member reads. LLVM's recogniser looks back five wait states, or
nineteen in a function that touches AGPR 0 (or calls a function that may). It accepts conflicts that are farther apart, and clang's code
has them. No manual says how many members are repeated together, so we look back as far as LLVM and no farther.
"""

LATENCIES_PREAMBLE = """\
# Latencies

The latency of an instruction is the time until its result can be used. This page lists, for each target and in clocks, the numbers by which
the scheduler orders instructions and from which the clock model (`isa/timing`) tells how long a kernel takes. `isa/timing/machine.py` has
the records, and what each name means; `python -m tools.pages latencies` prints this page.

* Correctness does not depend on these numbers. Counters and rules ([hazards.md](hazards.md)) say which waits and wait states code needs.
* `vector_memory` is for loads that hit a near cache. A cold load takes 1,300 to 1,700 clocks on RDNA (traces of tinygrad), which no order
  within a block can hide.

A mark says how reliable each number is:

| mark | the number was |
|---|---|
"""


def hazards() -> str:
    """The whole page on hazards."""
    counted = [rule for rule in every_rule() if rule.remedy is Remedy.STATES]
    others = [rule for rule in every_rule() if rule.remedy is not Remedy.STATES]
    return "\n".join(
        (
            HAZARDS,
            "## Wait states: `s_nop`",
            _states_table(counted),
            "## Other remedies",
            _remedy_table(others),
        )
    )


def latencies() -> str:
    """The whole page on latencies."""
    lines = [
        f"| {mark(trust)} | {trust.value} |"
        for trust in sorted(Trust, key=lambda trust: trust is Trust.DERIVED)
    ]
    lines += ["", f"| name | {' | '.join(MACHINES)} |", f"|---{'|---' * len(MACHINES)}|"]
    for place, name in enumerate(Machine._fields):
        cells = [record[place] for record in MACHINES.values()]
        shown = [f"{cell.clocks} {mark(cell.trust)}, {cell.source}" for cell in cells]
        lines.append(f"| `{name}` | {' | '.join(shown)} |")
    return LATENCIES_PREAMBLE + "\n".join(lines) + "\n"


PAGES: Mapping[str, Callable[[], str]] = {"hazards": hazards, "latencies": latencies, "memory": memory}


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


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.pages", description=__doc__)
    _ = parser.add_argument("page", choices=PAGES)
    _ = sys.stdout.write(PAGES[parser.parse_args(arguments).page]())
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
