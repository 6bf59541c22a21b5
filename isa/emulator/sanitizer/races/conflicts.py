"""Conflicts: two unordered accesses to a word, at least one of them a write."""

from __future__ import annotations

from collections.abc import Callable

from isa.named_tuple import NamedTuple


class Conflict(NamedTuple):
    """An access, and an earlier access without an order between them: operations, lanes of the launch, the
    word.

    * `earlier_lane`: as in `shadow.py` if several waves read
    * `knew`: the later wave knew of the earlier access, but its caches were not invalidated
    * `passed`: the later wave has passed a barrier since the earlier access
    """

    lds: bool
    operation: int
    lane: int
    earlier: int
    earlier_lane: int
    byte: int
    time: int
    reads: bool  # the later access
    read: bool  # the earlier access
    same_wave: bool = False  # lanes of a wave in the same instruction
    when: int = 0  # the time of the later access
    knew: bool = False
    passed: bool = False


Report = Callable[[Conflict], None]
