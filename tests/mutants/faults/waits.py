"""Faults of waits and wait states, which the hardware alone would show: the sanitizer has to name them."""

from __future__ import annotations

from tests.mutants.planting import faults_in

FAULTS = (
    *faults_in(
        "asmgen/passes/counters.py",
        (
            "min(younger, self", "min(younger + 1, self",
            "a wait lets one access too many be under way", "vecadd(n=261)",
        ),
        (
            "0 if self.unordered or any_shared else self", "self",
            "scalar loads count as landing in order", "nine inputs",
        ),
        (
            "(last is None or entry[0] > last[0])", "last is None",
            "a wait is for the first operand alone", "vecadd(n=261)",
        ),
        (
            "unit: entry for unit, entry in self.pending.items() if self.issued - entry[0] < count", "",
            "what is still under way after a wait counts as landed", "muladd(n=777)",
        ),
        (
            "(LDS_FILLED, LDS_READ, LDS_WRITTEN)", "(LDS_FILLED,)",
            "a barrier does not wait for the wave's LDS accesses", "row_sum(rows=5,cols=300)",
        ),
        (
            "return instr.used()", "return ()",
            "nothing waits for what it reads", "vecadd(n=261)",
        ),
        timing=True,
    ),
    *faults_in(
        "asmgen/passes/hazards.py",
        (", needed.states", ", needed.states - 1", "a wait state is missing", "row_sum(rows=5,cols=300)"),
        (
            "if needed.rule.remedy is Remedy.STATES:\n                self._states(window, needed, consumer, result)\n            elif",
            "if",
            "wait states are left out", "row_sum(rows=5,cols=300)",
        ),
        (
            "if waited:\n            self", "if False:\n            self",
            "waits for the ALUs are left out", "softmax(rows=33,cols=50)@gfx1201",
        ),
        timing=True,
    ),
    *faults_in(
        "asmgen/emission/prologue.py",
        (
            '(*loads, build(table.row("s_waitcnt"), lgkmcnt=0, origin=_ORIGIN)', "tuple(loads",
            "older firmware does not wait for the pointers", "vecadd(n=261)",
        ),
        timing=True,
    ),
    *faults_in(
        "asmgen/lanewise/math/reductions.py",
        (
            "        builder.barrier()\n", "",
            "a wave reads what the others have not yet written", "row_sum(rows=5,cols=300)",
        ),
        timing=True,
    ),
    *faults_in(
        "asmgen/emission/code.py",
        (
            'writer.lines.append("\\t.p2align\\t8")', "_ = writer",
            "the code is not where firmware that preloads enters", "vecadd(n=261)",
        ),
        timing=True,
    ),
    *faults_in(
        "asmgen/select/lds.py",
        ('emitter.put("s_barrier")', "_ = s", "the barrier has no instruction", "row_sum(rows=5,cols=300)"),
        ("s.lds_offsets[buffer] + Access", "Access", "every LDS buffer lies at 0", "softmax(rows=5,cols=300)"),
        timing=True,
    ),
)  # fmt: skip
