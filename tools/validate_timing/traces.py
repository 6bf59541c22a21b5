"""The model beside the thread traces."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from statistics import median

from isa.instruction import Instr
from isa.named_tuple import NamedTuple
from isa.text.printing import format_instr
from isa.timing.cached import CachedMemory
from isa.timing.timeline import Timeline
from isa.timing.unit import Code, replay
from tools.validate_timing.emulated import with_accesses
from tools.validate_timing.gaps import (
    Gap,
    Warmth,
    agreement,
    gaps_of,
    rank_correlation,
    residences,
    spread,
    warm_parts,
)
from tools.validate_timing.goals import Goal, table
from tools.validate_timing.repeats import figures_of, repeats_of
from tools.validate_timing.thread_traces import ThreadTrace, read_thread_traces

RDNA = ("gfx1100", "gfx1200", "gfx1201")
"""The GPUs of the figures for RDNA; gfx1151 is extra."""
CDNA = ("gfx950",)


class Compared(NamedTuple):
    """A trace, the model's timeline of it, and the gaps of both."""

    thread: ThreadTrace
    timeline: Timeline
    gaps: tuple[Gap, ...]


class TraceResults(NamedTuple):
    """The comparisons, and the files that the reader or the model refused, with the reason."""

    compared: tuple[Compared, ...]
    refused: tuple[str, ...]

    def predictions(self) -> dict[str, dict[str, list[int]]]:
        """The modelled clock of each event, in the form of score.py: by file and by wave."""
        return {
            one.thread.name: {
                str(number): one.timeline.waves[wave].issue[events].tolist()
                for number, (wave, events) in enumerate(
                    zip(one.thread.traced, one.thread.events, strict=True)
                )
            }
            for one in self.compared
        }


def compare_traces(folder: Path) -> TraceResults:
    """Read the traces of a folder and replay each."""
    threads, faults = read_thread_traces(folder)
    refused = [str(fault) for fault in faults]
    compared: list[Compared] = []
    for read in threads:
        thread = read._replace(trace=with_accesses(read.trace, read.grid, read.block))
        memory = CachedMemory(caches=thread.caches)
        timeline = replay(thread.trace, memory, thread.placements, thread.machine, Code())
        compared.append(Compared(thread, timeline, tuple(gaps_of(thread, timeline))))
    return TraceResults(tuple(compared), tuple(refused))


def trace_goals(results: TraceResults) -> list[Goal]:
    """The brief's figures of thread traces."""
    goals: list[Goal] = []
    for name, gpus, middle, weighted in (("RDNA", RDNA, 0.10, 0.15), ("gfx950", CDNA, 0.15, 0.15)):
        some = _of(results, lambda one, gpus=gpus: one.thread.gpu in gpus)
        warm = agreement(gap for one in some for gap in one.gaps if gap.warmth is Warmth.WARM)
        goals.append(Goal(f"{name}: warm stalls, median of the relative error", warm.median, middle))
        goals.append(Goal(f"{name}: warm stalls, time-weighted error", warm.time_weighted, weighted))
    pairs = [pair for one in results.compared for pair in _warm_waves(one)]
    goals.append(Goal("whole waves without waits and first executions, median error", spread(pairs), 0.08))
    return goals


def _warm_waves(one: Compared) -> Iterator[tuple[int, int]]:
    """The measured and the modelled clocks of each wave, cold memory apart."""
    of_waves: defaultdict[int, list[Gap]] = defaultdict(list)
    for gap in one.gaps:
        of_waves[gap.wave].append(gap)
    yield from map(warm_parts, of_waves.values())


def trace_tables(results: TraceResults, misses: int) -> str:
    """The tables of the traces: by GPU, by unit, by trace, what their own repetitions predict, and the worst
    misses."""
    parts = [
        _by_gpu(results), _by_unit(results), _by_trace(results), _by_repeats(results),
        f"The {misses} instructions of warm code with the most clocks wrong:\n\n{_worst(results, misses)}",
    ]  # fmt: skip
    stand_ins = sorted(
        {
            (one.thread.gpu, text, format_instr(instr))
            for one in results.compared
            for text, instr in one.thread.stand_ins
        }
    )
    parts.append(f"{len(stand_ins)} lines of the listings have no row here; a stand-in is modelled.")
    parts += [f"not read: {fault}" for fault in results.refused]
    return "\n\n".join(parts)


def _of(results: TraceResults, chosen: Callable[[Compared], bool]) -> list[Compared]:
    return [one for one in results.compared if chosen(one)]


def _by_gpu(results: TraceResults) -> str:
    rows: list[Sequence[object]] = []
    for gpu in sorted({one.thread.gpu for one in results.compared}):
        some = _of(results, lambda one, gpu=gpu: one.thread.gpu == gpu)
        for warmth in Warmth:
            found = agreement(gap for one in some for gap in one.gaps if gap.warmth is warmth)
            rows.append(
                (gpu, warmth.value, "measured", found.gaps, found.stalls, found.median, found.time_weighted)
            )
        pairs = [pair for one in some for pair in residences(one.thread, one.timeline)]
        warm = [pair for one in some for pair in _warm_waves(one) if pair[0]]
        rows.append((gpu, "whole waves, warm", "measured", len(warm), "", spread(warm), ""))
        rows.append(
            (
                gpu,
                "whole waves",
                "measured",
                len(pairs),
                "",
                spread(pairs),
                f"rank {rank_correlation(pairs):.3f}",
            )
        )
    return table(("GPU", "gaps", "trust", "number", "stalls", "median error", "time-weighted"), rows)


def _by_unit(results: TraceResults) -> str:
    found: defaultdict[tuple[str, str], list[Gap]] = defaultdict(list)
    for one in results.compared:
        for gap in one.gaps:
            if gap.warmth is Warmth.WARM:
                found[one.thread.gpu, one.thread.trace.instructions[gap.after].row.unit.value].append(gap)
    rows = [(*key, *agreement(gaps)) for key, gaps in sorted(found.items())]
    return table(("GPU", "warm, before", "number", "stalls", "median error", "time-weighted"), rows)


def _by_trace(results: TraceResults) -> str:
    rows: list[Sequence[object]] = []
    for one in results.compared:
        warm = agreement(gap for gap in one.gaps if gap.warmth is Warmth.WARM)
        whole = spread(residences(one.thread, one.timeline))
        rows.append(
            (one.thread.name.removesuffix(".json"), warm.stalls, warm.median, warm.time_weighted, whole)
        )
    return table(("trace", "warm stalls", "median error", "time-weighted", "whole waves"), rows)


def _by_repeats(results: TraceResults) -> str:
    """The prediction by the other gaps of a pair and the other waves, by GPU and for RDNA."""
    repeats = [(one.thread.gpu, repeats_of(one.gaps)) for one in results.compared]
    gpus = sorted({gpu for gpu, _ in repeats})
    rows: list[Sequence[object]] = []
    for name, chosen in (*[(gpu, (gpu,)) for gpu in gpus], ("RDNA", RDNA), ("all", gpus)):
        warm, waves = figures_of([each for gpu, each in repeats if gpu in chosen])
        rows.append((name, warm.stalls, warm.median, warm.time_weighted, waves))
    return table(("by repetition", "warm stalls", "median error", "time-weighted", "whole waves, warm"), rows)


def _worst(results: TraceResults, count: int) -> str:
    """The gaps of warm code by pairs of instructions, those with the most clocks wrong first."""
    found: defaultdict[tuple[str, str, str], list[Gap]] = defaultdict(list)
    for one in results.compared:
        code = one.thread.trace.instructions
        for gap in one.gaps:
            if gap.warmth is Warmth.WARM:
                found[one.thread.gpu, _name(code[gap.before]), _name(code[gap.after])].append(gap)
    worst = sorted(found.items(), key=lambda item: -_wrong(item[1]))[:count]
    rows = [
        (
            *names,
            len(gaps),
            _wrong(gaps),
            median(gap.measured for gap in gaps),
            median(gap.modelled for gap in gaps),
        )
        for names, gaps in worst
    ]
    return table(("GPU", "after", "instruction", "number", "clocks wrong", "measured", "modelled"), rows)


def _name(instr: Instr) -> str:
    return instr.row.name


def _wrong(gaps: Iterable[Gap]) -> int:
    return sum(abs(gap.modelled - gap.measured) for gap in gaps)
