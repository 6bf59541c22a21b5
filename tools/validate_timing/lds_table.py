"""LDS by width and stride: a wave reads 64 times and waits, between two reads of the clock (amd-shark-ai,
docs/empirical-lds). The figures are the rows, and the ten ratios of reads that conflict fully to reads
without."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from isa.named_tuple import NamedTuple
from isa.table import table_of
from isa.targets import TARGETS
from isa.timing.lds import LdsClocks
from isa.timing.trace import Access
from tools.validate_timing.goals import Goal, table
from tools.validate_timing.lds_neighbours import NEIGHBOURS, block_clocks

_WITHIN = 0.10
_FACT = re.compile(r"64 x ds_read_b(\d+), lane stride (\d+) B")


class LdsResult(NamedTuple):
    """A row of the table. Clocks are of 64 reads; some sources have ticks of another clock."""

    target: str
    bits: int
    stride: int
    measured: float
    modelled: float


def turns(target: str, bits: int, stride: int) -> int:
    """The clocks that LDS takes for a read of all lanes, `stride` bytes apart."""
    machine = TARGETS[target]
    row = next(row for row in table_of(machine).rows if row.operation == f"ds_read_b{bits}")
    lanes = np.arange(machine.wave_size)
    return LdsClocks(machine).cost(row, Access(lanes, stride * lanes[None], bits // 8)).clocks


def compare_lds(data: Path) -> list[LdsResult]:
    """The rows of micro.json beside the model."""
    if not data.exists():
        return []
    results: list[LdsResult] = []
    for fact in json.loads(data.read_text())["facts"]:
        match = _FACT.fullmatch(fact["what"])
        if match and fact["target"] in NEIGHBOURS:
            bits, stride = map(int, match.groups())
            clocks = block_clocks(fact["target"], bits // 8, turns(fact["target"], bits, stride))
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
    worst: defaultdict[str, float] = defaultdict(float)
    for result in results:
        error = abs(result.modelled / result.measured - 1)
        worst[result.target] = max(worst[result.target], error)
    for target, error in worst.items():
        yield Goal(f"LDS, {target}, reads by width and stride: largest relative error", error, _WITHIN)
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
