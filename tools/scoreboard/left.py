"""Rows in which ours may be worse than the best peer: by how much, and why they are left as they are."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct


class Left(Struct, frozen=True):
    """A row that is left. `figure` is `instructions` or `cycles`, and `most` the largest ratio of ours to the
    best peer's. It is for every target if `targets` is empty."""

    program: str
    figure: str
    most: float
    why: str
    targets: tuple[str, ...] = ()


LEFT: tuple[Left, ...] = ()


def left_of(target: str, program: str, figure: str, rows: Sequence[Left] = LEFT) -> Left | None:
    """The entry for a figure of a row, if there is any."""
    for row in rows:
        if (row.program, row.figure) == (program, figure) and target in (row.targets or (target,)):
            return row
    return None
