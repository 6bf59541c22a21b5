"""The points that `--at` names: a number, the label of a block, or a source line."""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.report.model import Point

PLACES = "a point's number, the label of a block, or FILE:LINE"


def point_at(points: Sequence[Point], place: str) -> int | None:
    """The point that a place names; None if it names none.

    * `40`: that point
    * `loop`: the first point of the block
    * `k.cl:12`, `:12`: of the points of the source line, the first with the most VGPRs
    """
    if place.isdecimal():
        return int(place) if int(place) < len(points) else None
    name, colon, line = place.rpartition(":")
    if colon and line.isdecimal():
        named = [number for number, point in enumerate(points) if _is_of_line(point.place, name, line)]
        return max(named, key=lambda number: points[number].pressure[0], default=None)
    return next((number for number, point in enumerate(points) if point.block == place), None)


def _is_of_line(place: str, name: str, line: str) -> bool:
    """Whether a place (`FILE:LINE:COLUMN`) is in a line of a file that ends with a name."""
    file, _, rest = place.rpartition(":")
    file, _, number = file.rpartition(":")
    return bool(rest) and number == line and (not name or file == name or file.endswith(f"/{name}"))
