"""LDS by width and stride: a wave reads 64 times and waits, between two reads of the clock (amd-shark-ai,
docs/empirical-lds). The figures are the ten ratios of reads that conflict fully to reads without."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from isa.named_tuple import NamedTuple
from isa.targets import TARGETS
from tools.validate_timing.goals import Goal, table
from tools.validate_timing.loops.running import clocks_between
from tools.validate_timing.loops.writing import Line, Loop, lanes_at, lines, same

_READS = 64
_READ = {"cdna": "ds_read_b", "rdna": "ds_load_b"}
_WAIT = {"dscnt": "s_wait_dscnt 0", "lgkmcnt": "s_waitcnt lgkmcnt(0)"}
_WITHIN = 0.10
_FACT = re.compile(r"64 x ds_read_b(\d+), lane stride (\d+) B")


class LdsResult(NamedTuple):
    """A row of the table. Clocks are of 64 reads; some sources have ticks of another clock."""

    target: str
    bits: int
    stride: int
    measured: float
    modelled: float


def block(target: str, bits: int, stride: int) -> Loop:
    """64 reads of a stride, and a wait."""
    read = _READ[TARGETS[target].generation[:4]]
    wait = next(_WAIT[counter.name] for counter in TARGETS[target].counters if counter.name in _WAIT)
    registers = bits // 32
    where = same(lanes_at([lane * stride for lane in range(TARGETS[target].wave_size)], bits // 8))
    body: list[Line] = [*lines("s_nop 0")]
    for number in range(_READS):
        first = number * registers % 64
        data = f"v[{first}:{first + registers - 1}]" if registers > 1 else f"v{first}"
        body.append(Line(f"{read}{bits} {data}, v100", where))
    return Loop(target, (*body, *lines(wait, "s_nop 0")), waves=1)


def compare_lds(data: Path) -> list[LdsResult]:
    """The rows of micro.json beside the model."""
    if not data.exists():
        return []
    results: list[LdsResult] = []
    for fact in json.loads(data.read_text())["facts"]:
        match = _FACT.fullmatch(fact["what"])
        if match and fact["target"] in TARGETS:
            bits, stride = map(int, match.groups())
            clocks = clocks_between(block(fact["target"], bits, stride), 0, _READS + 2)
            results.append(LdsResult(fact["target"], bits, stride, fact["cycles"], clocks))
    return results


def _ratios(results: Sequence[LdsResult]) -> Iterator[tuple[str, float, float]]:
    """For each target and width the ratio of reads that conflict fully to reads without conflicts, as
    measured and as modelled."""
    found: defaultdict[tuple[str, int], list[LdsResult]] = defaultdict(list)
    for result in results:
        found[result.target, result.bits].append(result)
    for (target, bits), some in sorted(found.items()):
        free, full = min(some, key=lambda one: one.stride), max(some, key=lambda one: one.stride)
        yield f"{target} ds_read_b{bits}", full.measured / free.measured, full.modelled / free.modelled


def lds_goals(results: Sequence[LdsResult]) -> Iterator[Goal]:
    for name, measured, modelled in _ratios(results):
        what = f"LDS, {name}, conflicted to free: relative error of the ratio"
        yield Goal(what, abs(modelled / measured - 1), _WITHIN)


def lds_tables(results: Sequence[LdsResult]) -> str:
    rows = [(*result, f"{100 * (result.modelled / result.measured - 1):+.0f} %") for result in results]
    ratios = [(*ratio, f"{100 * (ratio[2] / ratio[1] - 1):+.1f} %") for ratio in _ratios(results)]
    return "\n\n".join([
        table(("conflicted to free", "measured", "modelled", "error"), ratios),
        table(("GPU", "bits", "stride", "measured", "modelled", "error"), rows),
    ])  # fmt: skip
