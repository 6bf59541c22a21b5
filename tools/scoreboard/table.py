"""The scoreboard's columns, verdicts and tables: coloured on a terminal, plain otherwise, or JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from math import exp, log
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import asdict

from tools.scoreboard.figures import Figures
from tools.scoreboard.left import LEFT, Left, left_of

SAME = 1e-6  # relative difference that is only rounding
FAR = 1.15  # a ratio above it is named in the summary


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
RATIOS = ("instructions", "cycles")  # the figures that are compared with the best peer's
_SUMMED = (*RATIOS, "clocks")
_BESIDE = ("load", "store", "passes", "launches", "groups", "waves", "conflicts")
_TITLE_OF = {column.field: column.title for column in COLUMNS} | {"launches": "launches"}


class KernelFigures(Struct, frozen=True):
    """The figures of a peer's kernel."""

    name: str
    figures: Figures


class Row(Struct, frozen=True):
    """A program for a target: our figures, and those of each peer."""

    target: str
    program: str
    ours: Figures
    peers: tuple[KernelFigures, ...]

    def best(self, figure: str) -> KernelFigures:
        """The peer with the least of a figure."""
        return min(self.peers, key=lambda peer: least(peer.figures, figure))

    @property
    def judged(self) -> tuple[str, ...]:
        """The figures that decide whether ours is worse: the clocks of the clock model, if they were asked
        for. Instructions and cycles, which take a tenth of the time to find, stand for them otherwise."""
        return RATIOS if self.ratio("clocks") is None else ("clocks",)

    def ratio(self, figure: str) -> float | None:
        """Ours over the best peer's; None if either is unknown."""
        mine, theirs = getattr(self.ours, figure), getattr(self.best(figure).figures, figure)
        return None if mine is None or not theirs else mine / theirs


def least(figures: Figures, field: str) -> float:
    """A figure that is better if it is less; infinity if it is unknown."""
    value = getattr(figures, field)
    return float("inf") if value is None else value


def worse_in(ours: Figures, peer: Figures) -> list[str]:
    """The titles of the columns in which ours is worse. Figures that are unknown for either are skipped."""
    worse: list[str] = []
    for column in COLUMNS:
        mine, theirs = getattr(ours, column.field), getattr(peer, column.field)
        if mine is None or theirs is None:
            continue
        if column.more and mine < min(theirs, column.enough or theirs) * (1 - SAME):
            worse.append(column.title)
        if not column.more and mine > theirs * (1 + SAME):
            worse.append(column.title)
    return worse


def geometric_mean(parts: Sequence[float]) -> float:
    """The geometric mean of a non-empty sequence."""
    return exp(sum(map(log, parts)) / len(parts))


class Limit(NamedTuple):
    """A set of programs, and the most that the geometric mean of their ratios may be."""

    name: str
    programs: frozenset[str]
    most: float


class Summary(Struct, frozen=True):
    """A figure of a target's rows: the geometric mean of the ratios of a set of programs, how many of its
    `rows` are no worse than the best peer, and how many are far worse."""

    target: str
    programs: str
    figure: str
    mean: float
    rows: int
    good: int
    far: int

    def __str__(self) -> str:
        share = f"{self.target:8} {self.programs:10} {self.figure:13} {self.mean:.3f} of the best peer's"
        return f"{share}; {self.good} of {self.rows} rows no worse, {self.far} above {FAR:g}"


def summaries(rows: Sequence[Row], limits: Sequence[Limit]) -> Iterator[Summary]:
    """Each target's figures of each set."""
    for target in dict.fromkeys(row.target for row in rows):
        for limit in limits:
            for figure in _SUMMED:
                own = [row for row in rows if row.target == target and row.program in limit.programs]
                ratios = [ratio for row in own if (ratio := row.ratio(figure)) is not None]
                if ratios:
                    good = sum(ratio <= 1 + SAME for ratio in ratios)
                    far = sum(ratio > FAR for ratio in ratios)
                    mean = geometric_mean(ratios)
                    yield Summary(target, limit.name, figure, mean, len(ratios), good, far)


def failures(rows: Sequence[Row], limits: Sequence[Limit], left: Sequence[Left] = LEFT) -> Iterator[str]:
    """Why the scoreboard fails: rows that are worse than the best peer, unless they are left, and means that
    are above their limits."""
    for row in rows:
        for figure in row.judged:
            ratio, known = row.ratio(figure), left_of(row.target, row.program, figure, left)
            if ratio is not None and ratio > (known.most if known else 1) * (1 + SAME):
                wanted = f"at most {known.most:g} ({known.why})" if known else "at most 1"
                yield (
                    f"{row.target} {row.program}: {ratio:.3f} of the {figure} of {row.best(figure).name}, "
                    f"wanted {wanted}"
                )
    most = {limit.name: limit.most for limit in limits}
    for summary in summaries(rows, limits):
        if summary.figure == "instructions" and summary.mean > most[summary.programs]:
            yield f"{summary}, wanted {most[summary.programs]:g}"


def disagreements(rows: Sequence[Row]) -> Iterator[str]:
    """The rows in which ours has fewer instructions than a peer and more clocks, or the reverse. The peer is
    the kernel with the fewest clocks."""
    for row in rows:
        peer = row.best("clocks")
        mine, theirs = row.ours.clocks, peer.figures.clocks
        if mine is None or theirs is None:
            continue
        fewer = row.ours.instructions < peer.figures.instructions * (1 - SAME)
        more = row.ours.instructions > peer.figures.instructions * (1 + SAME)
        if (fewer and mine > theirs * (1 + SAME)) or (more and mine < theirs * (1 - SAME)):
            ratio = row.ours.instructions / peer.figures.instructions
            yield (
                f"{row.target} {row.program}: {mine:,.0f} clocks and {theirs:,.0f} of {peer.name} "
                f"({mine / theirs:.3f}), instructions {ratio:.3f}"
            )


def slower(rows: Sequence[Row]) -> Iterator[str]:
    """The rows in which ours takes more clocks than the best peer, the worst first."""
    ratios = [(ratio, row) for row in rows if (ratio := row.ratio("clocks")) is not None and ratio > 1 + SAME]
    for ratio, row in sorted(ratios, key=lambda each: -each[0]):
        peer = row.best("clocks")
        yield (
            f"{row.target} {row.program}: {least(row.ours, 'clocks'):,.0f} clocks, {ratio:.3f} of those of "
            f"{peer.name}"
        )


_SHORT = ("target", "program", "instr/e", "peer", "ratio", "cycles/e", "peer", "ratio")
_SHORT_TITLES = (*_SHORT, *[_TITLE_OF[field] for field in _BESIDE], "peers with the fewest")
_SHORT_LAYOUT = "{:<8} {:<24}" + " {:>8} {:>8} {:>6}" * 2 + " {:>13}" * len(_BESIDE) + "  {}"


def _short_cells(row: Row) -> list[str]:
    cells = [row.target, row.program]
    for figure in RATIOS:
        ratio, peer = row.ratio(figure), getattr(row.best(figure).figures, figure)
        cells += [_number(getattr(row.ours, figure)), _number(peer)]
        cells.append("-" if ratio is None else f"{ratio:.2f}")
    best = row.best("instructions")
    for field in _BESIDE:
        cells.append(f"{_number(getattr(row.ours, field))} : {_number(getattr(best.figures, field))}")
    names = dict.fromkeys(row.best(figure).name for figure in RATIOS)
    return [*cells, "; ".join(names)]


_SCORED = [column.title for column in COLUMNS]
_TITLES = ("target", "program", "compiler", "e/lane", "launches", "VGPRs", *_SCORED, "")
_LAYOUT = "{:<8} {:<24} {:<29} {:>6} {:>8} {:>5}" + " {:>8}" * len(COLUMNS) + "  {}"


def _full_cells(row: Row) -> Iterator[list[str]]:
    yield [row.target, row.program, *_kernel_cells("asmgen", row.ours), ""]
    for peer in row.peers:
        worse = worse_in(row.ours, peer.figures)
        verdict = f"ours is worse in {', '.join(worse)}" if worse else "ours is no worse"
        yield ["", "", *_kernel_cells(peer.name, peer.figures), verdict]


def _kernel_cells(name: str, figures: Figures) -> list[str]:
    shown = [
        _number(getattr(figures, column.field), 1024 if column.field == "in_flight" else 1)
        for column in COLUMNS
    ]
    return [name, f"{figures.elements_a_lane:.4g}", str(figures.launches), str(figures.vgprs), *shown]


def _number(value: float | None, unit: int = 1) -> str:
    return "-" if value is None else f"{value / unit:.4g}"


def show(rows: Sequence[Row], every_peer: bool) -> None:
    """Print the table on standard output: a line for each row, or for each of its kernels."""
    if every_peer:
        lines = [cells for row in rows for cells in _full_cells(row)]
        _print(_TITLES, _LAYOUT, lines, ["" if line[0] else "dim" for line in lines])
    else:
        styles = ["red" if (row.ratio("instructions") or 0) > 1 + SAME else "" for row in rows]
        _print(_SHORT_TITLES, _SHORT_LAYOUT, [_short_cells(row) for row in rows], styles)


def _print(titles: Sequence[str], layout: str, lines: Sequence[Sequence[str]], styles: Sequence[str]) -> None:
    if not sys.stdout.isatty():
        print(layout.format(*titles).rstrip())
        for line in lines:
            print(layout.format(*line).rstrip())
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="bold")
    for number, title in enumerate(titles):
        table.add_column(title, justify="right" if number > 1 else "left", no_wrap=number < len(titles) - 1)
    for line, style in zip(lines, styles, strict=True):
        table.add_row(*(Text(cell, style) for cell in line))
    Console().print(table)


def as_json(rows: Sequence[Row], summed: Sequence[Summary]) -> str:
    """Everything as JSON, with unrounded figures."""
    programs: list[dict[str, Any]] = [
        {
            "target": row.target,
            "program": row.program,
            "ratios": {figure: row.ratio(figure) for figure in _SUMMED},
            "ours": asdict(row.ours),
            "peers": {peer.name: asdict(peer.figures) for peer in row.peers},
        }
        for row in rows
    ]
    return json.dumps({"rows": programs, "targets": [asdict(each) for each in summed]}, indent=1)
