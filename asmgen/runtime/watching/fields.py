"""The values of a trace's line as text or as JSON: a word for each lane, in few characters if lanes are
alike.

A field of many lines is a matrix of characters. Lines of a field have the same shape if they have the same
key, an integer; lines with equal keys of all fields are written at once.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from asmgen.runtime.watching.columns import Characters, hexadecimal
from isa.named_tuple import NamedTuple

Some = NDArray[np.intp] | slice  # lines
UNIFORM, LISTED, NONE = 0, 1, 2
_LARGEST_STEP = 1 << 16
_STEPS = _LARGEST_STEP + 3  # key of a step of 0


class Words(NamedTuple):
    """Words of lines, [line, lane], and the lanes that have a word."""

    words: NDArray[np.uint32]
    on: NDArray[np.bool_]

    def of(self, some: Some) -> Words:
        return Words(self.words[some], self.on[some])


class Style(Protocol):
    def keys(self, field: Words) -> NDArray[np.int64]:
        """For each line, the key of its shape."""
        ...

    def shown(self, key: int, field: Words) -> list[bytes | Characters]:
        """The parts of lines with the same key."""
        ...


class TextStyle:
    """A word if all lanes that are on have it, `00000000+4*lane` for equal steps, otherwise every lane in
    brackets, with dashes for lanes that are off, and `-` if no lane is on."""

    def keys(self, field: Words) -> NDArray[np.int64]:
        words, on = field
        count, lanes = len(words), words.shape[1]
        first = on.argmax(axis=1)
        lines = np.arange(count)
        at_first = words[lines, first]
        keys = np.where(((words == at_first[:, None]) | ~on).all(axis=1), UNIFORM, LISTED)
        if lanes > 1 and keys.any():
            after = np.minimum(first + 1, lanes - 1)
            step = (words[lines, after] - at_first).view(np.int32).astype(np.int64)
            small = on[lines, after] & (np.abs(step) < _LARGEST_STEP) & (keys == LISTED)
            some = np.flatnonzero(small)
            distance = np.arange(lanes, dtype=np.int64) - first[some, None]
            wanted = at_first[some, None] + np.asarray(distance * step[some, None], np.uint32)
            equal = ((wanted == words[some]) | ~on[some]).all(axis=1)
            keys[some[equal]] = step[some[equal]] + _STEPS
        keys[~on.any(axis=1)] = NONE
        return keys

    def shown(self, key: int, field: Words) -> list[bytes | Characters]:
        words, on = field
        if key == NONE:
            return [b"-"]
        if key == LISTED:
            return [b"[", listed(field, b"--------", b" "), b"]"]
        lines, first = np.arange(len(words)), on.argmax(axis=1)
        at_first = words[lines, first]
        if key == UNIFORM:
            return [hexadecimal(at_first)]
        step = key - _STEPS
        base = at_first - (first * step).astype(np.uint32)
        return [hexadecimal(base), f"{step:+d}*lane".encode()]


class JsonStyle:
    """A list of strings of eight digits, with null for lanes that are off."""

    def keys(self, field: Words) -> NDArray[np.int64]:
        return np.zeros(len(field.words), np.int64)

    def shown(self, key: int, field: Words) -> list[bytes | Characters]:
        return [b"[", listed(field, b"      null", b",", quoted=True), b"]"]


def listed(field: Words, off: bytes, between: bytes, quoted: bool = False) -> Characters:
    """Every lane's word, in columns of a fixed width."""
    count, lanes = field.words.shape
    width = len(off)
    cells = np.empty((count, lanes, width + 1), np.uint8)
    cells[..., width] = between[0]
    if quoted:
        cells[..., 0] = cells[..., 9] = ord('"')
        cells[..., 1:9] = hexadecimal(field.words)
    else:
        cells[..., :width] = hexadecimal(field.words)
    if not field.on.all():
        cells[..., :width][~field.on] = np.frombuffer(off, np.uint8)
    return cells.reshape(count, -1)[:, :-1]
