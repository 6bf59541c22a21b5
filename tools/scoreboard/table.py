"""The scoreboard's columns, its verdicts, and its table: coloured on a terminal, plain otherwise, or JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from math import exp, log
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import asdict

from tools.scoreboard.figures import Figures

MOST_INSTRUCTIONS = 0.85  # of the best peer's, as geometric mean over the kernels that reduce or move data
_SAME = 1e-6  # relative difference that is only rounding


class Column(NamedTuple):
    """A figure that scores: its field, its title, whether more is better, and the value that is enough.

    `in_flight`: a compute unit keeps about 44 KB of loads outstanding, its cache of 32 KB and a queue of
    twelve accesses, as measured on CDNA3 and CDNA4. `groups`: with two workgroups, each runs while the other
    waits at a barrier. `waves` stands for VGPRs: fewer VGPRs gain nothing unless the SIMD gets more waves.
    """

    field: str
    title: str
    more: bool = False
    enough: float = 0.0


COLUMNS = (
    Column("instructions", "instr/e"),
    Column("nops", "nop/e"),
    Column("waves", "waves", True),
    Column("load", "B/load", True, 16),
    Column("store", "B/store", True, 16),
    Column("in_flight", "KB/CU", True, 44 * 1024),
    Column("groups", "wg/CU", True, 2),
    Column("passes", "passes"),
    Column("conflicts", "confl/e"),
    Column("cycles", "cycles/e"),
)


def worse_in(ours: Figures, peer: Figures) -> list[str]:
    """The titles of the columns in which ours is worse. Figures that are unknown for either are skipped."""
    worse: list[str] = []
    for column in COLUMNS:
        mine, theirs = getattr(ours, column.field), getattr(peer, column.field)
        if mine is None or theirs is None:
            continue
        if column.more and mine < min(theirs, column.enough or theirs) * (1 - _SAME):
            worse.append(column.title)
        if not column.more and mine > theirs * (1 + _SAME):
            worse.append(column.title)
    return worse


def geometric_mean(parts: Sequence[float]) -> float:
    """The geometric mean of a non-empty sequence."""
    return exp(sum(map(log, parts)) / len(parts))


_SCORED = [column.title for column in COLUMNS]
_TITLES = ("target", "program", "compiler", "e/lane", "launches", "VGPRs", *_SCORED, "")
_LAYOUT = "{:<8} {:<22} {:<29} {:>6} {:>8} {:>5}" + " {:>8}" * len(COLUMNS) + "  {}"


class CompilerFigures(Struct, frozen=True):
    """A compiler's figures for a program. `worse` lists the columns in which ours is worse than this peer; it
    is None in our own row."""

    target: str
    program: str
    compiler: str
    figures: Figures
    worse: tuple[str, ...] | None = None

    @property
    def verdict(self) -> str:
        if self.worse is None:
            return ""
        return f"worse in {', '.join(self.worse)}" if self.worse else "no worse"


class Means(Struct, frozen=True):
    """The summary for a target: the geometric mean of our instructions over the best peer's, and the programs
    for which a peer takes fewer cycles."""

    target: str
    instructions: float
    more_cycles: tuple[str, ...]

    def __str__(self) -> str:
        share = f"{self.target}: {self.instructions:.3f} of the best peer's instructions"
        cycles = ", ".join(self.more_cycles) or "none"
        return f"{share} (wanted {MOST_INSTRUCTIONS:g}); more cycles in {cycles}"


def _cells(row: CompilerFigures) -> list[str]:
    figures = row.figures
    shown = [
        _number(getattr(figures, column.field), 1024 if column.field == "in_flight" else 1)
        for column in COLUMNS
    ]
    names = [row.target, row.program, row.compiler] if row.worse is None else ["", "", row.compiler]
    counts = [f"{figures.elements_a_lane:.4g}", str(figures.launches), str(figures.vgprs)]
    return [*names, *counts, *shown, row.verdict]


def _number(value: float | None, unit: int) -> str:
    return "-" if value is None else f"{value / unit:.4g}"


def show(rows: Sequence[CompilerFigures], means: Sequence[Means]) -> None:
    """Print the table on standard output."""
    if sys.stdout.isatty():
        _show_rich(rows, means)
        return
    print(_LAYOUT.format(*_TITLES).rstrip())
    for row in rows:
        print(_LAYOUT.format(*_cells(row)).rstrip())
    for mean in means:
        print(mean)


def _show_rich(rows: Sequence[CompilerFigures], means: Sequence[Means]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold")
    for number, title in enumerate(_TITLES):
        right = 2 < number < len(_TITLES) - 1
        table.add_column(title, justify="right" if right else "left", no_wrap=number < len(_TITLES) - 1)
    for row in rows:
        style = "" if row.worse is None else "red" if row.worse else "dim"
        table.add_row(*(Text(cell, style) for cell in _cells(row)))
    console = Console()
    console.print(table)
    for mean in means:
        is_short = mean.more_cycles or mean.instructions > MOST_INSTRUCTIONS
        console.print(Text(str(mean), "red" if is_short else "green"))


def as_json(rows: Sequence[CompilerFigures], means: Sequence[Means]) -> str:
    """Everything as JSON, with unrounded figures."""
    kernels: list[dict[str, Any]] = [asdict(row) | {"figures": asdict(row.figures)} for row in rows]
    return json.dumps({"kernels": kernels, "targets": [asdict(mean) for mean in means]}, indent=1)
