"""The live sets of a block from its changes."""

from __future__ import annotations

from asmgen.report.live import LiveSets


def sets_before(sets: LiveSets, block: int) -> list[set[int]]:
    """The units live before each slot, and at the end of the block."""
    first, changes = sets.changes(block)
    found = [first]
    for units in changes:
        found.append(found[-1] ^ set(units))
    return found
