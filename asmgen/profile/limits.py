"""The limits of a launch: busy units, the bytes of memory, latencies, or too few workgroups."""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.profile.charged import Charge
from asmgen.profile.model import Bound, Use
from isa.instruction import Trait, Unit
from isa.timing.busy import Busy
from isa.timing.caches import MEMORY, Caches
from isa.timing.chip import LaunchClocks
from isa.timing.machine import Machine
from isa.timing.timeline import Cause
from isa.timing.trace import Trace
from isa.timing.trusted import rate_trust

_FULL = 0.6  # of the time, from which on a busy unit limits a launch


def uses_of(
    busy: Sequence[Busy], clocks: LaunchClocks, of_unit: int, machine: Machine, caches: Caches
) -> tuple[Use, ...]:
    """How busy the units are during the launch, of which each runs `of_unit` workgroups, and its memory, or
    the cache that has its buffers; the busiest first."""
    trace, launch = clocks.timeline.trace, max(1.0, clocks.launch)
    groups = max(1, len(trace.waves) // trace.waves_a_group)
    at_least = {each.unit: each.clocks / groups * of_unit for each in busy if each.unit != MEMORY}
    # of all units together, some of which have fewer workgroups
    at_least[caches.rate_of] = max(at_least.get(caches.rate_of, 0.0), clocks.memory)
    target = trace.target.name
    uses = [
        Use(unit, least / launch, least, rate_trust(unit, target, machine, caches).name.lower())
        for unit, least in at_least.items()
    ]
    return tuple(sorted(uses, key=lambda use: -use.share))


_LATENCIES = {Unit.LDS: "LDS", Unit.SMEM: "scalar memory"}


def bound_of(uses: Sequence[Use], charges: Sequence[Charge], trace: Trace) -> Bound:
    """The limit that costs a launch most."""
    if uses and uses[0].share >= _FULL:
        return Bound("throughput", uses[0].unit, uses[0].share)
    sums: dict[tuple[str, str], int] = {}
    for charge in charges:
        key = _kind(charge, trace)
        sums[key] = sums.get(key, 0) + charge.clocks
    total = max(1, sum(sums.values()))
    (kind, what), clocks = max(sums.items(), key=lambda each: each[1], default=(("issue", "nothing"), 0))
    return Bound(kind, what, clocks / total)


def _kind(charge: Charge, trace: Trace) -> tuple[str, str]:
    """The limit that a charge belongs to."""
    match charge.cause:
        case Cause.COUNTER if charge.culprit >= 0:
            row = trace.instructions[charge.culprit].row
            what = "stores to memory" if Trait.STORE in row.traits else "vector memory"
            return "latency", _LATENCIES.get(row.unit, what)
        case Cause.DEPENDENCY:
            return "latency", "results of earlier instructions"
        case Cause.PORT | Cause.QUEUE if charge.culprit >= 0:
            unit = _UNITS.get(trace.instructions[charge.culprit].row.unit, "port")
            return "issue", f"waves that share the {unit}"
        case Cause.LDS_CONFLICT:
            return "throughput", "LDS with bank conflicts"
        case Cause.ISSUED | Cause.SLEEP | Cause.END:
            return "issue", "the instructions of each wave in turn"
        case _:
            return "latency", _CAUSES.get(charge.cause, charge.cause.value)


_UNITS = {
    Unit.VALU: "vector ALU", Unit.TRANS: "vector ALU", Unit.MATRIX: "matrix cores", Unit.SALU: "scalar ALU",
    Unit.LDS: "LDS port", Unit.VMEM: "memory port", Unit.FLAT: "memory port", Unit.SMEM: "scalar memory port",
}  # fmt: skip
_CAUSES = {
    Cause.BARRIER: "barriers", Cause.FETCH: "instruction fetch", Cause.BRANCH: "taken branches",
}  # fmt: skip
