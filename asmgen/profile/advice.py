"""Advice for a faster kernel, with the figures that speak for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from asmgen.profile.charged import Charge
from asmgen.profile.model import Advice, Use
from asmgen.report.model import Occupancy
from isa.instruction import Row, Unit
from isa.named_tuple import NamedTuple
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


class Measured(NamedTuple):
    """A launch as the clock model has it. `total` are the clocks of the charges, `waves` the occupancy,
    `where` the workgroups on the machine, `conflicts` those of LDS."""

    charges: Sequence[Charge]
    clocks: LaunchClocks
    waves: Occupancy
    where: Residence
    total: int
    uses: Sequence[Use] = ()
    conflicts: Conflicts = Conflicts(0.0, -1)

    @property
    def trace(self) -> Trace:
        return self.clocks.timeline.trace

    @property
    def of_memory(self) -> float:
        """The part of the launch's time that memory needs at least."""
        return self.clocks.memory / max(1.0, self.clocks.launch)

    def part(self, *causes: Cause) -> float:
        """The part of the clocks that these causes take."""
        return sum(charge.clocks for charge in self.charges if charge.cause in causes) / self.total

    def worst(self, cause: Cause) -> Charge | None:
        """The largest charge for a cause."""
        charges = [each for each in self.charges if each.cause is cause]
        return max(charges, key=lambda each: each.clocks, default=None)


def advice_for(measured: Measured) -> tuple[Advice, ...]:
    """The advice for a launch, the largest gain first. Whatever hides latency gains at most the time for
    which the busiest unit is idle."""
    clocks = measured.clocks
    hidden = (*_waits(measured), *_occupancy(measured), *_others(measured))
    idle = 1 - max(clocks.memory, clocks.busiest) / max(1.0, clocks.launch)
    found = [
        *_bytes(measured), *_lines(measured), *_conflicts(measured), *_spills(measured),
        *_grid(measured.where),
        *(Advice(advice.text, min(advice.gain, idle), advice.line) for advice in hidden),
    ]  # fmt: skip
    worth = [advice for advice in found if advice.gain >= _WORTH]
    return tuple(sorted(worth, key=lambda advice: -advice.gain)[:_MOST])


def _bytes(measured: Measured) -> Iterator[Advice]:
    """The bytes of a launch that memory bounds."""
    share = measured.of_memory
    if share >= _BOUND:
        moved = f"{measured.clocks.bytes / 1e6:,.1f} MB in {share:.0%} of the time"
        yield Advice(f"fewer bytes, by narrower types or fusion: the launch moves {moved}", share)


def _lines(measured: Measured) -> Iterator[Advice]:
    """Accesses with lanes that use a small part of the lines of memory; similar accesses count together."""
    trace, waits = measured.trace, dict[int, int]()
    for charge in measured.charges:
        if charge.cause in (Cause.COUNTER, Cause.QUEUE) and charge.culprit >= 0:
            waits[charge.culprit] = waits.get(charge.culprit, 0) + charge.clocks
    alike: dict[tuple[Row, float], list[int]] = {}
    for line, part in used_parts(trace).items():
        if part < _DENSE and line in waits:
            alike.setdefault((trace.instructions[line].row, round(part, 2)), []).append(line)
    for (_, part), lines in alike.items():
        uses = f"it uses {part:.0%} of its" if len(lines) == 1 else f"each uses {part:.0%} of its"
        text = f"addresses of {_named(lines)} that follow each other: {uses} lines of memory"
        gain = sum(waits[line] for line in lines) / measured.total * (1 - part)
        yield Advice(text, gain, max(lines, key=lambda line: waits[line]))


def _named(lines: Sequence[int]) -> str:
    """`line 6`, or `lines 6, 7 and 9`; of many, the first few."""
    if len(lines) == 1:
        return f"line {lines[0]}"
    shown = [str(line) for line in lines[:_MOST_NAMED]]
    last = f"{len(lines) - _MOST_NAMED} more" if len(lines) > _MOST_NAMED else shown.pop()
    return f"lines {', '.join(shown)} and {last}"


def _waits(measured: Measured) -> Iterator[Advice]:
    """Waits for loads; not for those of memory if its rate bounds the launch."""
    rows = [instr.row for instr in measured.trace.instructions]
    is_bound = measured.of_memory >= _BOUND
    waits = [
        charge
        for charge in measured.charges
        if charge.cause is Cause.COUNTER
        and charge.culprit >= 0
        and not (is_bound and rows[charge.culprit].unit in _VECTOR_MEMORY)
    ]
    for charge in sorted(waits, key=lambda each: -each.clocks)[:2]:
        load = rows[charge.culprit].mnemonic
        between = abs(charge.line - charge.culprit) - 1
        work = "no instruction" if not between else f"{between} instruction{'s' * (between > 1)}"
        text = f"issue line {charge.culprit} ({load}) earlier, or run more waves"
        gain = charge.clocks / measured.total
        yield Advice(f"{text}: {work} before line {charge.line} waits", gain, charge.line)


def _occupancy(measured: Measured) -> Iterator[Advice]:
    """More waves hide latency, if the launch has them."""
    waves, where = measured.waves, measured.where
    if waves.next_step and where.of_unit > where.at_once:
        hidden = measured.part(Cause.COUNTER, Cause.DEPENDENCY, Cause.BARRIER, Cause.BRANCH)
        yield Advice(f"more waves to hide latency: {waves.next_step}", hidden)


def _grid(where: Residence) -> Iterator[Advice]:
    """Units without work."""
    idle = 1 - where.groups / (where.units * where.of_unit)
    if where.groups < where.units:
        text = f"more and smaller workgroups: {where.units - where.groups} of {where.units} units have none"
        yield Advice(text, idle)
    elif where.of_unit > where.at_once:
        text = f"another grid: the last round of workgroups leaves {idle:.0%} of the units' time empty"
        yield Advice(text, idle)


def _conflicts(measured: Measured) -> Iterator[Advice]:
    """Accesses of LDS by lanes that share banks. If LDS is full, waves mostly wait behind the accesses of
    others, so the gain is the time for which LDS serves conflicts."""
    conflicts = measured.conflicts
    if conflicts.line < 0:
        return
    busy = max((use.share for use in measured.uses if use.unit == LDS_NAME), default=0.0)
    gain = measured.part(Cause.LDS_CONFLICT)
    if busy >= _BOUND:
        gain = max(gain, min(busy, 1.0) * conflicts.part)
    text = f"another layout in LDS (padding or a swizzle): lanes of line {conflicts.line} share banks"
    yield Advice(f"{text}, which takes {conflicts.part:.0%} of the clocks of LDS", gain, conflicts.line)


def _others(measured: Measured) -> Iterator[Advice]:
    instructions = measured.trace.instructions
    chain = measured.worst(Cause.DEPENDENCY)
    if chain is not None:
        between = f"independent work between line {chain.culprit} and line {chain.line}"
        is_product = instructions[chain.line].row.unit is Unit.MATRIX
        text = f"{between}, such as two {'tiles of results' if is_product else 'rows'} at a time"
        yield Advice(text, measured.part(Cause.DEPENDENCY), chain.line)
    late = measured.worst(Cause.BARRIER)
    if late is not None:
        text = f"fewer waves at the barrier of line {late.line}, or work between its two halves"
        yield Advice(text, measured.part(Cause.BARRIER), late.line)
    slept = measured.worst(Cause.SLEEP)
    if slept is not None:
        line = slept.culprit if slept.culprit >= 0 else slept.line
        nop = format_instr(instructions[line])
        text = f"instructions in place of wait states, such as {nop} at line {line}"
        yield Advice(text, measured.part(Cause.SLEEP), line)
    branch = measured.worst(Cause.BRANCH)
    if branch is not None:
        line = branch.culprit if branch.culprit >= 0 else branch.line
        text = f"unroll the loop of line {line}: its taken branches cost time"
        yield Advice(text, measured.part(Cause.BRANCH), line)
    fetch = measured.part(Cause.FETCH)
    yield Advice("shorter code, or a loop: waves wait for instructions", fetch)


def _spills(measured: Measured) -> Iterator[Advice]:
    instructions = measured.trace.instructions
    scratch = [each for each in measured.charges if instructions[each.line].row.unit is Unit.SCRATCH]
    if scratch:
        text = "fewer live registers: spilled values go through memory"
        yield Advice(text, sum(charge.clocks for charge in scratch) / measured.total, scratch[0].line)
