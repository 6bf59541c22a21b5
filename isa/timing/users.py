"""How many units of a die use the same lines of memory at the same time.

A GPU of several dies gives its workgroups to them in turn, and each die has a second cache of its own. So a
line is asked of the next level once for those units of a die that touch it at the same time:

    gfx950, 4,096 cubed in tiles of 256 by 256, of which those of a row follow each other
    a die has workgroups 0, 8, 16, ..., one on each unit: two columns of 16 tiles
    they touch 32 parts of both factors, 16 + 2 of them different: 3.55 units use a line

Workgroups that run at once on a unit are a single user: they find lines of each other in the unit's cache.

The first execution of each instruction shows which lines workgroups share: in later trips of a loop they
share the lines that follow.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from isa.instruction import Trait
from isa.timing.caches import Caches
from isa.timing.chip import Residence
from isa.timing.trace import Trace
from isa.timing.traffic import LINE, VectorAccesses, vector_accesses

_EVERY = 8  # of the lanes: those between mostly touch the same lines, or lines with the same users
_MOST = 128  # workgroups that are compared
_STORES = frozenset({Trait.STORE, Trait.ATOMIC})


def groups_of_die(where: Residence, caches: Caches, buffer_bytes: int) -> range:
    """The workgroups of the first die that run at the same time, by their places in the grid, or all of them
    if the die's cache has room for the buffers; none if the machine has a single die."""
    level = caches.of_die
    if level is None:
        return range(0)
    own = range(0, where.groups, int(caches.dies.value))
    if 0 < buffer_bytes <= level.size.value:
        return own[:_MOST]
    return own[: min(_MOST, where.at_once * where.units // int(caches.dies.value))]


def die_users(starts: Trace, units: int, at_once: int) -> dict[int, float]:
    """For each instruction that loads, how many units of a die use a line, on average over the lines of the
    instruction: each pays an equal part of a line, whichever instruction loads it. `starts` has the first
    executions by all workgroups of the die that run at the same time, or all if the die's cache keeps their
    lines. The machine has so many units, each with so many workgroups `at_once`; it asks again for those
    that follow."""
    loads = _first_loads(starts)
    rounds, unit = np.divmod(np.array([wave.group for wave in starts.waves], np.int64), units)
    _, asking = np.unique(rounds // at_once * units + unit, return_inverse=True)
    touches: list[tuple[NDArray[np.int32], NDArray[np.int64]]] = []
    for own, batch in loads.rows.by_batch():
        lines = np.sort(batch.addresses[:, :, ::_EVERY].reshape(len(own), -1) // LINE)
        of, at = np.nonzero(np.diff(lines, axis=1, prepend=-1))
        of_unit = lines[of, at] * _MOST + asking[loads.waves[own][of]]
        touches.append((loads.instructions[own][of], of_unit))
    if not touches:
        return {}
    instructions, of_units = [np.concatenate(column) for column in zip(*touches, strict=True)]
    pairs, of_pair = np.unique(of_units, return_inverse=True)
    _, of_line, users = np.unique(pairs // _MOST, return_inverse=True, return_counts=True)
    # an instruction asks for a line once for all workgroups of its unit
    asked = np.unique(of_pair * len(starts.instructions) + instructions)
    of_pair, instructions = np.divmod(asked, len(starts.instructions))
    paid = np.bincount(instructions, 1 / users[of_line[of_pair]])
    touched = np.bincount(instructions)
    return {number: float(touched[number] / paid[number]) for number in np.flatnonzero(touched).tolist()}


def _first_loads(starts: Trace) -> VectorAccesses:
    """The first access of each wave by each instruction that loads."""
    accesses = vector_accesses(starts, starts.waves)
    loads = np.array([_STORES.isdisjoint(instr.row.traits) for instr in starts.instructions])
    accesses = accesses.of(np.flatnonzero(loads[accesses.instructions]))
    pairs = accesses.waves * len(starts.instructions) + accesses.instructions
    return accesses.of(np.unique(pairs, return_index=True)[1])
