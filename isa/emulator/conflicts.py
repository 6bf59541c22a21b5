"""Two accesses to a word that nothing orders, of which one writes: what the search for races reports."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class Conflict(NamedTuple):
    """An access, and an earlier one that nothing orders before it: operations, lanes of the launch, the word.

    `earlier_lane` is as in `isa.emulator.shadow` where several waves read. `knew`: the later wave knew of the
    earlier access when it loaded, only its caches did not. `passed`: it has passed a barrier since that
    access.
    """

    lds: bool
    operation: int
    lane: int
    earlier: int
    earlier_lane: int
    byte: int
    time: int
    reads: bool  # the later access
    read: bool  # the earlier one
    same_wave: bool = False  # lanes of one wave at once
    when: int = 0  # the time of the later access
    knew: bool = False
    passed: bool = False


Report = Callable[[Conflict], None]
