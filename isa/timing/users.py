"""How many workgroups of a die use the same lines of memory at the same time.

A GPU of several dies gives its workgroups to them in turn, and each die has a second cache of its own. So a
line is asked of the next level once for those workgroups of a die that run at the same time and touch it:

    gfx950, 4,096 cubed in tiles of 256 by 256, of which those of a row follow each other
    a die has workgroups 0, 8, 16, ...: two columns of 16 tiles
    they touch 32 parts of both factors, 16 + 2 of them different: 3.55 workgroups use a line

The first execution of each instruction shows which lines workgroups share: in later trips of a loop they
share the lines that follow.
"""

from __future__ import annotations

import numpy as np

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


def die_users(starts: Trace) -> dict[int, float]:
    """For each instruction that loads, how many workgroups of a die use a line, on average. `starts` has the
    first executions by all workgroups of the die that run at the same time."""
    accesses = _firsts(starts)
    groups, numbers = np.array([(wave.group, wave.number) for wave in starts.waves], np.int64).T
    touched, different = np.zeros((2, len(starts.instructions)), np.int64)
    for own, batch in accesses.rows.by_batch():
        lines = np.sort(batch.addresses[:, :, ::_EVERY].reshape(len(own), -1) // LINE)
        of, at = np.nonzero(np.diff(lines, axis=1, prepend=-1))
        instructions, waves = accesses.instructions[own][of], accesses.waves[own][of]
        order = np.lexsort((groups[waves], lines[of, at], numbers[waves], instructions))
        columns = np.stack((instructions, numbers[waves], lines[of, at]))[:, order]
        is_new = (np.diff(columns, axis=1, prepend=-1) != 0).any(axis=0)
        np.add.at(touched, columns[0], 1)
        np.add.at(different, columns[0], is_new)
    return {
        number: float(touched[number] / different[number])
        for number in np.flatnonzero(touched).tolist()
        if _STORES.isdisjoint(starts.instructions[number].row.traits)
    }


def _firsts(starts: Trace) -> VectorAccesses:
    """The first access of each wave by each instruction."""
    accesses = vector_accesses(starts, starts.waves)
    pairs = accesses.waves * len(starts.instructions) + accesses.instructions
    return accesses.of(np.unique(pairs, return_index=True)[1])
