"""The figures that the clock model has to reach, and the figures that it has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from isa.named_tuple import NamedTuple


class Goal(NamedTuple):
    """A figure of the model and its goal: at most `wanted`, or at least if `at_least`."""

    what: str
    value: float
    wanted: float
    at_least: bool = False

    @property
    def is_reached(self) -> bool:
        return self.value >= self.wanted if self.at_least else self.value <= self.wanted

    def __str__(self) -> str:
        bound = "at least" if self.at_least else "at most"
        mark = "" if self.is_reached else "   MISSED"
        return f"{self.what}: {self.value:.3f}, wanted {bound} {self.wanted:g}{mark}"


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table for people and for Markdown."""
    cells = [[*map(str, head)], *[[*map(_spelt, row)] for row in rows]]
    widths = [max(len(row[i]) for row in cells) for i in range(len(head))]
    lines = [
        f"| {' | '.join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))} |"
        for row in cells
    ]
    lines.insert(1, f"|{'|'.join('-' * (width + 2) for width in widths)}|")
    return "\n".join(lines)


def _spelt(cell: object) -> str:
    if isinstance(cell, float):
        return f"{cell:.3f}" if abs(cell) < 10 else f"{cell:,.0f}"
    return str(cell)
