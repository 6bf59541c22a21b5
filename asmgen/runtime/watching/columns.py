"""Lines of text as matrices of characters, uint8[line, column]: numpy writes many lines of a shape at
once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Characters = NDArray[np.uint8]
_SPACE, _ZERO = 32, 48


@cache
def _hexadecimal() -> NDArray[np.uint32]:
    """The four characters of every 16-bit number."""
    return np.frombuffer("".join(f"{number:04x}" for number in range(1 << 16)).encode(), np.uint32)


def hexadecimal(words: NDArray[np.uint32]) -> Characters:
    """uint8[..., 8]: each word in eight digits."""
    halves = np.ascontiguousarray(words, np.dtype("<u4")).view("<u2").reshape(*words.shape, 2)[..., ::-1]
    return _hexadecimal().take(halves).view(np.uint8)


def decimal(numbers: NDArray[Any], width: int) -> Characters:
    """uint8[line, width]: each number right-aligned."""
    rest = np.asarray(numbers, np.int64).copy()
    result = np.full((len(rest), width), _SPACE, np.uint8)
    for column in range(width - 1, -1, -1):
        rest, digit = np.divmod(rest, 10)
        shown = (rest > 0) | (digit > 0) | (column == width - 1)
        result[:, column] = np.where(shown, digit + _ZERO, _SPACE)
        if not rest.any():
            break
    return result


def side_by_side(count: int, parts: Sequence[bytes | Characters]) -> Characters:
    """The parts of `count` lines next to each other; bytes are the same in each line."""
    widths = [len(part) if isinstance(part, bytes) else part.shape[1] for part in parts]
    result = np.empty((count, sum(widths)), np.uint8)
    start = 0
    for part, width in zip(parts, widths, strict=True):
        result[:, start : start + width] = np.frombuffer(part, np.uint8) if isinstance(part, bytes) else part
        start += width
    return result


class Lines:
    """Lines of several shapes, which `joined` puts into an order."""

    def __init__(self) -> None:
        self._lines: list[bytes] = []
        self._keys: list[tuple[NDArray[np.int64], NDArray[np.int64]]] = []

    @property
    def count(self) -> int:
        return len(self._lines)

    def add(self, lines: Characters, waves: NDArray[np.int64], steps: NDArray[np.int64]) -> None:
        content, width = lines.tobytes(), lines.shape[1]
        self._lines += [content[start : start + width] for start in range(0, len(content), width)]
        self._keys.append((waves, steps))

    def joined(self) -> list[tuple[int, bytes]]:
        """The lines of each wave, in the order of their steps."""
        waves = np.concatenate([waves for waves, _ in self._keys])
        steps = np.concatenate([steps for _, steps in self._keys])
        order = np.lexsort((steps, waves))
        ordered = waves[order]
        ends = np.append(np.flatnonzero(np.diff(ordered)) + 1, len(ordered)).tolist()
        places: list[int] = order.tolist()
        lines = self._lines
        starts = [0, *ends[:-1]]
        return [
            (int(ordered[first]), b"".join([lines[place] for place in places[first:end]]))
            for first, end in zip(starts, ends, strict=True)
        ]
