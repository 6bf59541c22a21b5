"""The waves and the instructions that an observer is to look at."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from isa.diagnostics import InputError
from isa.named_tuple import NamedTuple

_PART = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?\Z")


class WaveRanges(NamedTuple):
    """Numbers of waves in a launch, from the first to the last of each range."""

    option: str
    ranges: tuple[tuple[int, int], ...]

    def among(self, numbers: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Which of these waves are chosen."""
        chosen = np.zeros(len(numbers), np.bool_)
        for first, last in self.ranges:
            chosen |= (numbers >= first) & (numbers <= last)
        return chosen

    def __str__(self) -> str:
        return ",".join(f"{first}-{last}" if last > first else str(first) for first, last in self.ranges)


def parse_waves(option: str, text: str) -> WaveRanges:
    """`W`, `W-W`, or several by commas. Raises InputError WAT004 at the option."""
    ranges: list[tuple[int, int]] = []
    for part in text.split(","):
        match = _PART.match(part)
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
        if first > last:
            message = f"got {text!r}, wanted numbers of waves from 0 on, such as 0-3,7"
            raise InputError(f"{option} {text}", "WAT004", message)
        ranges.append((first, last))
    return WaveRanges(f"{option} {text}", tuple(ranges))
