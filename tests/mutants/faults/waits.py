"""Faults of waits and wait states. Only hardware shows them in results, so the sanitizer must name them."""

from __future__ import annotations

from tests.mutants.planting import fault

FAULTS = (
    fault(
        "CounterState.needed", "min(younger, self.counter.maximum - 1)", "min(younger + 1, self.counter.maximum - 1)",
        "a wait leaves one access too many in flight", "vecadd(n=261)", timing=True,
    ),
    fault(
        "CounterState.needed", "0 if self.unordered or any_shared else self.issued - last[0]", "self.issued - last[0]",
        "scalar loads count as returning in order", "nine inputs", timing=True,
    ),
    fault(
        "CounterState.latest", "last is None or entry[0] > last[0]", "last is None",
        "a wait covers only the first operand", "vecadd(n=261)", timing=True,
    ),
    fault(
        "CounterState.wait", "{unit: entry for unit, entry in self.pending.items() if self.issued - entry[0] < count}", "{}",
        "accesses in flight after a wait count as done", "muladd(n=777)", timing=True,
    ),
    fault(
        "lds_needs", "(LDS_FILLED, LDS_READ, LDS_WRITTEN)", "(LDS_FILLED,)",
        "a barrier does not wait for the wave's LDS accesses", "row_sum(rows=5,cols=300)", timing=True,
    ),
    fault("counters._read", "instr.units.read", "()", "no instruction waits for its operands", "vecadd(n=261)", timing=True),
    fault(
        "Remedies._states", "needed.states", "needed.states - 1",
        "a wait state is missing", "row_sum(rows=5,cols=300)", timing=True,
    ),
    fault(
        "Remedies.remedy", "needed.rule.remedy is Remedy.STATES", "False",
        "wait states are left out", "row_sum(rows=5,cols=300)", timing=True,
    ),
    fault(
        "Remedies.remedy",
        "if waited:\n    self._wait(window, waited, result)",
        "if False:\n    self._wait(window, waited, result)",
        "waits for the ALUs are left out", "layernorm(rows=5,cols=1000)@gfx1201", timing=True,
    ),
    fault(
        "_loads", '(*loads, build(table.row("s_waitcnt"), lgkmcnt=0, origin=_ORIGIN))', "tuple(loads)",
        "older firmware does not wait for the pointers", "vecadd(n=261)", timing=True,
    ),
    fault(
        "reduce_waves.expand", "builder.barrier()", "",
        "a wave reads what the others have not yet written", "row_sum(rows=5,cols=300)", timing=True,
    ),
    fault(
        "code_lines", 'writer.lines.append("\\t.p2align\\t8")', "_ = writer",
        "the code is not at the entry of firmware that preloads", "vecadd(n=261)", timing=True,
    ),
    fault(
        "put_barrier", 'emitter.put("s_barrier")', "_ = emitter",
        "the barrier has no instruction", "row_sum(rows=5,cols=300)", timing=True,
    ),
    fault(
        "lds_address", "s.lds_offsets[buffer] + Access.of(statement).offset", "Access.of(statement).offset",
        "every LDS buffer lies at 0", "softmax(rows=5,cols=300)", timing=True,
    ),
)  # fmt: skip
