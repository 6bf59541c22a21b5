"""Advice for a faster kernel, with the figures that speak for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from asmgen.profile.charged import Charge
from asmgen.profile.model import Advice, Use
from asmgen.report.model import Occupancy
from isa.instruction import Row, Unit
from isa.text.printing import format_instr
from isa.timing.busy import Conflicts
from isa.timing.chip import LaunchClocks, Residence
from isa.timing.memory import LDS_NAME
from isa.timing.timeline import Cause
from isa.timing.trace import Trace
from isa.timing.traffic import used_parts

_WORTH = 0.03  # of the waves' clocks, from which on a cause is worth a line
_MOST = 6
_MOST_NAMED = 4  # lines of one advice
_VECTOR_MEMORY = frozenset({Unit.VMEM, Unit.FLAT})
_BOUND = 0.6  # of the launch's time, from which on memory or LDS bounds it
_DENSE = 0.6  # the part of lines that lanes use, below which an access is sparse


def advice_for(
    charges: Sequence[Charge], clocks: LaunchClocks, waves: Occupancy, where: Residence, total: int,
    uses: Sequence[Use] = (), conflicts: Conflicts = Conflicts(0.0, -1),
) -> tuple[Advice, ...]:  # fmt: skip
    """What to try, the largest gain first. Whatever hides latency gains at most the time for which the
    busiest unit is idle. `total` are the clocks of the charges, `conflicts` those of LDS."""
    trace, is_bound = clocks.timeline.trace, _bound(clocks) >= _BOUND
    hidden = (
        *_waits(trace, charges, is_bound, total), *_occupancy(charges, waves, where, total),
        *_others(trace, charges, total),
    )  # fmt: skip
    idle = 1 - max(clocks.memory, clocks.busiest) / max(1.0, clocks.launch)
    found = [
        *_bytes(clocks), *_lines(trace, charges, total), *_conflicts(charges, total, uses, conflicts),
        *_spills(trace, charges, total), *_grid(where),
        *(Advice(advice.text, min(advice.gain, idle), advice.line) for advice in hidden),
    ]  # fmt: skip
    worth = [advice for advice in found if advice.gain >= _WORTH]
    return tuple(sorted(worth, key=lambda advice: -advice.gain)[:_MOST])


def _part(charges: Sequence[Charge], *causes: Cause) -> int:
    return sum(charge.clocks for charge in charges if charge.cause in causes)


def _worst(charges: Sequence[Charge], cause: Cause) -> Charge | None:
    return max((each for each in charges if each.cause is cause), key=lambda each: each.clocks, default=None)


def _bound(clocks: LaunchClocks) -> float:
    """The part of the launch's time that memory needs at least."""
    return clocks.memory / max(1.0, clocks.launch)


def _bytes(clocks: LaunchClocks) -> Iterator[Advice]:
    """The bytes of a launch that memory bounds."""
    share = _bound(clocks)
    if share >= _BOUND:
        moved = f"{clocks.bytes / 1e6:,.1f} MB in {share:.0%} of the time"
        yield Advice(f"fewer bytes, by narrower types or fusion: the launch moves {moved}", share)


def _lines(trace: Trace, charges: Sequence[Charge], total: int) -> Iterator[Advice]:
    """Accesses with lanes that use a small part of the lines of memory; similar accesses count together."""
    waits: dict[int, int] = {}
    for charge in charges:
        if charge.cause in (Cause.COUNTER, Cause.QUEUE) and charge.culprit >= 0:
            waits[charge.culprit] = waits.get(charge.culprit, 0) + charge.clocks
    alike: dict[tuple[Row, float], list[int]] = {}
    for line, part in used_parts(trace).items():
        if part < _DENSE and line in waits:
            alike.setdefault((trace.instructions[line].row, round(part, 2)), []).append(line)
    for (_, part), lines in alike.items():
        uses = f"it uses {part:.0%} of its" if len(lines) == 1 else f"each uses {part:.0%} of its"
        text = f"addresses of {_named(lines)} that follow each other: {uses} lines of memory"
        gain = sum(waits[line] for line in lines) / total * (1 - part)
        yield Advice(text, gain, max(lines, key=lambda line: waits[line]))


def _named(lines: Sequence[int]) -> str:
    """`line 6`, or `lines 6, 7 and 9`; of many, the first few."""
    if len(lines) == 1:
        return f"line {lines[0]}"
    shown = [str(line) for line in lines[:_MOST_NAMED]]
    last = f"{len(lines) - _MOST_NAMED} more" if len(lines) > _MOST_NAMED else shown.pop()
    return f"lines {', '.join(shown)} and {last}"


def _waits(trace: Trace, charges: Sequence[Charge], is_bound: bool, total: int) -> Iterator[Advice]:
    """Waits for loads; not for those of memory if its rate bounds the launch."""
    rows = [instr.row for instr in trace.instructions]
    waits = [
        charge
        for charge in charges
        if charge.cause is Cause.COUNTER
        and charge.culprit >= 0
        and not (is_bound and rows[charge.culprit].unit in _VECTOR_MEMORY)
    ]
    for charge in sorted(waits, key=lambda each: -each.clocks)[:2]:
        load = rows[charge.culprit].mnemonic
        between = abs(charge.line - charge.culprit) - 1
        work = "no instruction" if not between else f"{between} instruction{'s' * (between > 1)}"
        text = f"issue line {charge.culprit} ({load}) earlier, or run more waves"
        yield Advice(f"{text}: {work} before line {charge.line} waits", charge.clocks / total, charge.line)


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
    elif where.of_unit > where.at_once:
        text = f"another grid: the last round of workgroups leaves {idle:.0%} of the units' time empty"
        yield Advice(text, idle)


def _conflicts(
    charges: Sequence[Charge], total: int, uses: Sequence[Use], conflicts: Conflicts
) -> Iterator[Advice]:
    """Accesses of LDS by lanes that share banks. If LDS is full, waves mostly wait behind the accesses of
    others, so the gain is the time for which LDS serves conflicts."""
    if conflicts.line < 0:
        return
    busy = max((use.share for use in uses if use.unit == LDS_NAME), default=0.0)
    gain = _part(charges, Cause.LDS_CONFLICT) / total
    if busy >= _BOUND:
        gain = max(gain, min(busy, 1.0) * conflicts.part)
    text = f"another layout in LDS (padding or a swizzle): lanes of line {conflicts.line} share banks"
    yield Advice(f"{text}, which takes {conflicts.part:.0%} of the clocks of LDS", gain, conflicts.line)


def _others(trace: Trace, charges: Sequence[Charge], total: int) -> Iterator[Advice]:
    chain = _worst(charges, Cause.DEPENDENCY)
    if chain is not None:
        between = f"independent work between line {chain.culprit} and line {chain.line}"
        is_product = trace.instructions[chain.line].row.unit is Unit.MATRIX
        text = f"{between}, such as two {'tiles of results' if is_product else 'rows'} at a time"
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


def _spills(trace: Trace, charges: Sequence[Charge], total: int) -> Iterator[Advice]:
    scratch = [charge for charge in charges if trace.instructions[charge.line].row.unit is Unit.SCRATCH]
    if scratch:
        text = "fewer live registers: spilled values go through memory"
        yield Advice(text, sum(charge.clocks for charge in scratch) / total, scratch[0].line)
