"""Whole kernels: the time of a launch by shape, beside the fastest published implementation of that shape.

The code of most implementations is not public. Kernels that read rows are compiled here from a program of
tensors; products of matrices and attention are the tutorial's loops at that shape. So a row says how well the
model predicts a good kernel, and its figures are ratios after one factor a target, for the clock frequency
under load.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import ceil
from pathlib import Path
from statistics import median
from typing import Any

from asmgen import compile as compile_program
from asmgen.profile.launches import LaunchOptions
from asmgen.profile.sources import launches_of_source, profiled
from isa.named_tuple import NamedTuple
from isa.targets import TARGETS
from isa.timing.chips import CHIPS
from tools.validate_timing.gaps import rank_correlation, spread
from tools.validate_timing.goals import Goal, table
from tools.validate_timing.loops.attention import LAZY, attention
from tools.validate_timing.loops.gemm import (
    GFX942_8_WAVES,
    GFX950_8_WAVES,
    GFX950_BF8_8_WAVES,
    PING_PONG,
    PING_PONG_950,
    PING_PONG_950_WAITS,
    PING_PONG_BF8,
    PING_PONG_WAITS,
)  # fmt: skip
from tools.validate_timing.loops.running import clocks_a_trip
from tools.validate_timing.loops.writing import Loop

Shape = Mapping[str, Any]

_PROGRAMS = {
    "rmsnorm": """x = @param:x -> {dtype}, {{{rows},{cols}}}
w = @param:w -> {dtype}, {{{cols}}}
o = rmsnorm(x, w)
@return(o)
""",
    "softmax": """x = @param:x -> {dtype}, {{{rows},{cols}}}
o = softmax[axis=1](x)
@return(o)
""",
    "softmax backward": """g = @param:g -> {dtype}, {{{rows},{cols}}}
y = @param:y -> {dtype}, {{{rows},{cols}}}
p = mul(g, y)
s = reduce_sum[axes={{1}}](p)
d = sub(g, s)
o = mul(y, d)
@return(o)
""",
    "layernorm": """x = @param:x -> {dtype}, {{{rows},{cols}}}
r = @param:r -> {dtype}, {{{rows},{cols}}}
w = @param:w -> {dtype}, {{{cols}}}
b = @param:b -> {dtype}, {{{cols}}}
t = add(x, r)
o = layernorm(t, w, b)
@return(t, o)
""",
    "rotary": """x = @param:x -> {dtype}, {{{heads},{seq},{d}}}
c = @param:c -> {dtype}, {{1,{seq},{half}}}
s = @param:s -> {dtype}, {{1,{seq},{half}}}
a = slice[axes={{2}}, starts={{0}}, ends={{{half}}}](x)
b = slice[axes={{2}}, starts={{{half}}}, ends={{{d}}}](x)
ac = mul(a, c)
bs = mul(b, s)
bc = mul(b, c)
as = mul(a, s)
first = sub(ac, bs)
last = add(bc, as)
o = concat[axis=2](first, last)
@return(o)
""",
    "copy": """x = @param:x -> {dtype}, {{{n}}}
o = neg(x)
@return(o)
""",
}
_PRODUCTS: dict[tuple[str, str], tuple[Callable[[], Loop], int]] = {  # the loop, and its steps of 256 rows
    ("gfx942", "bf16"): (lambda: GFX942_8_WAVES.loop(PING_PONG, PING_PONG_WAITS), 64),
    ("gfx950", "bf16"): (lambda: GFX950_8_WAVES.loop(PING_PONG_950, PING_PONG_950_WAITS), 128),
    ("gfx950", "fp8"): (lambda: GFX950_BF8_8_WAVES.loop(PING_PONG_BF8, PING_PONG_950_WAITS), 256),
}
_TILE, _BLOCK, _COLUMNS = 256, 256, 128  # rows and columns of a tile; rows, and columns a trip, of attention
_OTHER_DEVICES = {"MI308X": "it has 80 of gfx942's 304 compute units"}
_LOADED_MEGAHERTZ = {"gfx942": 1500, "gfx950": 1400}
"""The clock of a machine of which all matrix pipes are busy, by its limit of power: AMD's tutorial measured
gfx942's (kernels/gemm/gfx942, section 3.3), and has 1442 TFLOPS at 99.8 % of the pipes of gfx950."""


class KernelResult(NamedTuple):
    """A shape: the fastest published microseconds, the model's, and the row's id."""

    id: str
    kind: str
    target: str
    measured: float
    modelled: float


class KernelResults(NamedTuple):
    """The shapes that are modelled, and why others are not."""

    results: tuple[KernelResult, ...]
    left: tuple[str, ...]

    def factors(self) -> dict[str, float]:
        """For each target the factor between the model's times and the measured times."""
        ratios: defaultdict[str, list[float]] = defaultdict(list)
        for one in self.results:
            ratios[one.target].append(one.measured / one.modelled)
        return {target: median(some) for target, some in ratios.items()}

    def scaled(self) -> list[KernelResult]:
        factors = self.factors()
        return [one._replace(modelled=one.modelled * factors[one.target]) for one in self.results]


def compare_kernels(data: Path) -> KernelResults:
    """The rows of kernels.json."""
    rows: list[Mapping[str, Any]] = json.loads(data.read_text())["kernels"] if data.exists() else []
    fastest: dict[str, Mapping[str, Any]] = {}
    left: dict[str, str] = {}
    for row in rows:
        reason = _unmodelled(row)
        if reason:
            left[f"{row['kind']}, {row['target']}"] = reason
            continue
        key = json.dumps([row["kind"], row["target"], row["shape"], row["dtype"]])
        if key not in fastest or row["us"] < fastest[key]["us"]:
            fastest[key] = row
    results = [
        KernelResult(row["id"], row["kind"], row["target"], row["us"], _microseconds(row))
        for row in fastest.values()
    ]
    return KernelResults(tuple(results), tuple([f"{what}: {why}" for what, why in left.items()]))


def _unmodelled(row: Mapping[str, Any]) -> str:
    """Why a row is not modelled; empty if it is."""
    kind, target, shape = row["kind"], row["target"], row.get("shape", {})
    if row.get("device") in _OTHER_DEVICES:
        return _OTHER_DEVICES[row["device"]]
    if target not in TARGETS:
        return "no target of ours"
    if kind in _PROGRAMS:
        return ""
    if kind == "gemm":
        if (target, row["dtype"]) not in _PRODUCTS or min(shape["M"], shape["N"]) < _TILE:
            return "no loop of the tutorial for its type, target or size"
        return ""
    if kind == "attention":
        return "" if shape.get("d") == 128 and "variant" in shape else "no loop of the tutorial for its head"
    return "no program for its kind"


def _microseconds(row: Mapping[str, Any]) -> float:
    kind, shape, target = row["kind"], row["shape"], row["target"]
    if kind == "gemm":
        make, step = _PRODUCTS[target, row["dtype"]]
        groups = ceil(shape["M"] / _TILE) * ceil(shape["N"] / _TILE)
        return _of_groups(target, groups, shape["K"] / step * clocks_a_trip(make()))
    if kind == "attention":
        heads, rows = shape["batch"] * shape["q_heads"], shape["seq"]
        part = 0.5 + _BLOCK / (2 * rows) if "_causal" in shape["variant"].replace("non_causal", "") else 1.0
        clocks = part * rows / _COLUMNS * clocks_a_trip(attention(LAZY))
        return _of_groups(target, heads * ceil(rows / _BLOCK), clocks)
    return _of_program(_PROGRAMS[kind], shape, row["dtype"], target)


def _of_groups(target: str, groups: int, clocks: float) -> float:
    """The time of workgroups that keep the matrix pipes busy; a compute unit runs one of them at a time."""
    chip, units = CHIPS[target], TARGETS[target].compute_units
    idle = chip.megahertz.value
    megahertz = idle - (idle - _LOADED_MEGAHERTZ[target]) * min(1, groups / units)
    return ceil(groups / units) * clocks / megahertz + chip.launch_ns.value / 1000


def _of_program(text: str, shape: Shape, dtype: str, target: str) -> float:
    """The time of a compiled program. The first dim of a shape has the whole batch."""
    sizes = {name: size for name, size in shape.items() if isinstance(size, int)}
    batch = sizes.pop("batch", 1)
    for name in ("rows", "heads"):
        if name in sizes:
            sizes[name] *= batch
    sizes["half"] = sizes.get("d", 0) // 2
    source = compile_program(text.format(dtype=dtype, **sizes), target=target)
    launches = launches_of_source(source, "a kernel of the data", LaunchOptions())
    return sum(profile.microseconds for profile in profiled(launches).profiles)


def kernel_goals(results: KernelResults) -> Iterator[Goal]:
    scaled = results.scaled()
    error = spread((one.measured, one.modelled) for one in scaled)
    yield Goal("kernels after one factor a target, median error", error, 0.12)
    for kind, pairs in _by_kind(scaled):
        if len(pairs) > 2:
            what = f"kernels, {kind}: rank correlation"
            yield Goal(what, rank_correlation(pairs), 0.95, at_least=True)


def _by_kind(results: Sequence[KernelResult]) -> list[tuple[str, list[tuple[float, float]]]]:
    found: defaultdict[str, list[tuple[float, float]]] = defaultdict(list)
    for one in results:
        found[f"{one.kind} of {one.target}"].append((one.measured, one.modelled))
    return sorted(found.items())


def kernel_tables(results: KernelResults) -> str:
    scaled = results.scaled()
    rows = [
        (one.id, one.target, one.measured, one.modelled, f"{100 * (one.modelled / one.measured - 1):+.0f} %")
        for one in scaled
    ]
    kinds = [(kind, len(pairs), spread(pairs), rank_correlation(pairs)) for kind, pairs in _by_kind(scaled)]
    factors = ", ".join(f"{target} {factor:.2f}" for target, factor in results.factors().items())
    parts = [
        table(("kind", "shapes", "median error", "rank"), kinds),
        table(("fastest of a shape", "target", "us", "modelled, scaled", "error"), rows),
        f"factors: {factors}", *[f"not modelled: {why}" for why in results.left],
    ]  # fmt: skip
    return "\n\n".join(parts)
