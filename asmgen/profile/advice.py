"""What to try, with the figures that speak for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from asmgen.profile.charged import Charge
from asmgen.profile.model import Advice, Line, Use
from asmgen.report.model import Occupancy
from isa.instruction import Unit
from isa.text.printing import format_instr
from isa.timing.chip import Residence
from isa.timing.timeline import Cause
from isa.timing.trace import Trace

_WORTH = 0.03  # of the waves' clocks, from which on a cause is worth a line
_MOST = 6


def advice_for(
    trace: Trace, charges: Sequence[Charge], lines: Sequence[Line], uses: Sequence[Use], waves: Occupancy,
    where: Residence, total: int,
) -> tuple[Advice, ...]:  # fmt: skip
    """What to try, the largest gain first."""
    found = [
        advice
        for advice in (
            *_memory(trace, charges, total), *_occupancy(charges, waves, where, total),
            *_conflicts(trace, charges, total), *_others(trace, charges, total), *_grid(where),
        )
        if advice.gain >= _WORTH
    ]  # fmt: skip
    return tuple(sorted(found, key=lambda advice: -advice.gain)[:_MOST])


def _part(charges: Sequence[Charge], *causes: Cause) -> int:
    return sum(charge.clocks for charge in charges if charge.cause in causes)


def _worst(charges: Sequence[Charge], cause: Cause) -> Charge | None:
    return max((each for each in charges if each.cause is cause), key=lambda each: each.clocks, default=None)


def _memory(trace: Trace, charges: Sequence[Charge], total: int) -> Iterator[Advice]:
    """Waits for loads which the wave issues shortly before."""
    waits = [charge for charge in charges if charge.cause is Cause.COUNTER and charge.culprit >= 0]
    for charge in sorted(waits, key=lambda each: -each.clocks)[:2]:
        load = trace.instructions[charge.culprit]
        between = abs(charge.line - charge.culprit) - 1
        text = f"issue line {charge.culprit} ({load.row.mnemonic}) earlier: line {charge.line} waits for it"
        yield Advice(f"{text} after {between} instructions", charge.clocks / total, charge.line)


def _occupancy(charges: Sequence[Charge], waves: Occupancy, where: Residence, total: int) -> Iterator[Advice]:
    """More waves hide latency, if the launch has them."""
    if waves.next_step and where.of_unit > where.at_once:
        hidden = _part(charges, Cause.COUNTER, Cause.DEPENDENCY, Cause.BARRIER, Cause.BRANCH)
        yield Advice(f"more waves to hide latency: {waves.next_step}", hidden / total)


def _grid(where: Residence) -> Iterator[Advice]:
    """Units without work."""
    idle = 1 - where.groups / (where.units * where.of_unit)
    if where.groups < where.units:
        text = f"more and smaller workgroups: {where.units - where.groups} of {where.units} units have none"
        yield Advice(text, idle)
    elif where.of_unit > where.at_once and where.rounds % 1:
        text = f"another grid: the last round of workgroups leaves {idle:.0%} of the units' time empty"
        yield Advice(text, idle)


def _conflicts(trace: Trace, charges: Sequence[Charge], total: int) -> Iterator[Advice]:
    clocks = _part(charges, Cause.LDS_CONFLICT)
    worst = _worst(charges, Cause.LDS_CONFLICT)
    if worst is not None:
        line = worst.culprit if worst.culprit >= 0 else worst.line
        text = f"another layout in LDS (padding or a swizzle): lanes of line {line} share banks"
        yield Advice(text, clocks / total, line)


def _others(trace: Trace, charges: Sequence[Charge], total: int) -> Iterator[Advice]:
    chain = _worst(charges, Cause.DEPENDENCY)
    if chain is not None:
        between = f"independent work between line {chain.culprit} and line {chain.line}"
        text = f"{between}, such as two rows at a time"
        yield Advice(text, _part(charges, Cause.DEPENDENCY) / total, chain.line)
    late = _worst(charges, Cause.BARRIER)
    if late is not None:
        text = f"fewer waves at the barrier of line {late.line}, or work between its two halves"
        yield Advice(text, _part(charges, Cause.BARRIER) / total, late.line)
    slept = _worst(charges, Cause.SLEEP)
    if slept is not None:
        line = slept.culprit if slept.culprit >= 0 else slept.line
        nop = format_instr(trace.instructions[line])
        text = f"instructions in place of wait states, such as {nop} at line {line}"
        yield Advice(text, _part(charges, Cause.SLEEP) / total, line)
    branch = _worst(charges, Cause.BRANCH)
    if branch is not None:
        line = branch.culprit if branch.culprit >= 0 else branch.line
        text = f"unroll the loop of line {line}: its taken branches cost time"
        yield Advice(text, _part(charges, Cause.BRANCH) / total, line)
    fetch = _part(charges, Cause.FETCH)
    yield Advice("shorter code, or a loop: waves wait for instructions", fetch / total)
    scratch = [charge for charge in charges if trace.instructions[charge.line].row.unit is Unit.SCRATCH]
    if scratch:
        text = "fewer live registers: spilled values go through memory"
        yield Advice(text, sum(charge.clocks for charge in scratch) / total, scratch[0].line)
