"""The readers of a word that several waves of a workgroup read, and the times of their reads.

Few words are shared in this way and then written, so each has a dictionary. Accesses to many such words are
not recorded.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

_MOST = 1024  # words of an access


class Sharers:
    """By the word of a shadow: the time of the last read of each wave."""

    def __init__(self) -> None:
        self._of: dict[int, dict[int, int]] = {}

    def of(self, at: NDArray[Any]) -> list[dict[int, int]] | None:
        """The waves and times of each of these words; None if a word is not recorded."""
        if not self._of or len(at) > _MOST:
            return None
        waves_of = [self._of.get(word) for word in at.tolist()]
        known = [waves for waves in waves_of if waves is not None]
        return known if len(known) == len(waves_of) else None

    def split(self, parts: int) -> None:
        """Words become so many each."""
        self._of = {parts * word + i: dict(waves) for word, waves in self._of.items() for i in range(parts)}

    def enter(
        self, at: NDArray[Any], shared: NDArray[np.bool_], waves: NDArray[Any], time: int,
        old_times: NDArray[Any], old: NDArray[Any], lanes: int,
    ) -> None:  # fmt: skip
        """Waves read words at a time, of which several waves have read those that are `shared` by now.
        `old_times` are of the reads before that the wave does not know of, 0 for none; a lane `old` made
        them, or if that is negative the waves that are remembered here."""
        if not shared.any() or int(np.count_nonzero(shared)) > _MOST:
            if self._of:
                for word in at.tolist():
                    _ = self._of.pop(word, None)
            return
        entered: dict[int, dict[int, int] | None] = {}
        for i in np.flatnonzero(shared).tolist():
            word = int(at[i])
            before = self._before(word, int(old_times[i]), int(old[i]), lanes)
            sharers = entered.get(word, {})
            entered[word] = (
                None if before is None or sharers is None else sharers | before | {int(waves[i]): time}
            )
        for word in at[~shared].tolist() if self._of else ():
            _ = self._of.pop(word, None)
        for word, sharers in entered.items():
            if sharers is None:
                _ = self._of.pop(word, None)
            else:
                self._of[word] = sharers

    def _before(self, word: int, time: int, reader: int, lanes: int) -> dict[int, int] | None:
        """The earlier readers of a word that still count; None if they are not recorded."""
        if not time:
            return {}
        return {reader // lanes: time} if reader >= 0 else self._of.get(word)
