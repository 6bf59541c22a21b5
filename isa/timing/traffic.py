"""The bytes of memory that the units of a machine ask for."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from isa.instruction import Unit
from isa.named_tuple import NamedTuple
from isa.timing.batches import Rows, located
from isa.timing.trace import Trace, TracedWave

LINE = 64  # bytes: the smallest transfer of memory
_DWORD = 4
_SAMPLES = 16  # accesses of an instruction
_VECTOR_MEMORY = frozenset({Unit.VMEM, Unit.FLAT})


def asked_bytes(trace: Trace) -> float:
    """The bytes that the units of a launch ask of the caches which they share, if all ask as the unit of
    `trace` does: of the lines that its vector accesses touch. Workgroups of a unit that run at once ask for a
    line once, and find it in the unit's own cache then."""
    touched = [np.zeros(0, np.int64)]
    for _, batch in vector_accesses(trace, trace.waves).rows.by_batch():
        lines = _lines(batch.addresses.reshape(-1), batch.size)
        # neighbours mostly touch the same line
        touched.append(lines[np.flatnonzero(np.diff(lines, prepend=-1))])
    replayed = len(trace.waves) // trace.waves_a_group
    return _different(np.concatenate(touched)) * LINE * trace.groups / replayed


def together(asked: float, buffer_bytes: int) -> float:
    """How many units use a line, if those of the launch ask for so many bytes, and together use all bytes of
    its buffers; 1 if the buffers are unknown."""
    return max(1.0, asked / buffer_bytes) if buffer_bytes else 1.0


def used_parts(trace: Trace) -> dict[int, float]:
    """For each instruction that accesses memory by lanes, the part of the lines it touches that its lanes
    use; by some of its accesses."""
    vector = vector_accesses(trace, trace.waves[: trace.waves_a_group])
    vector = vector.of(_firsts(vector.instructions, _SAMPLES))
    used, touched = np.zeros((2, len(trace.instructions)), np.int64)
    for own, batch in vector.rows.by_batch():
        addresses = batch.addresses.reshape(len(own), -1)
        lines = np.sort(_lines(addresses, batch.size))
        counts = (np.count_nonzero(np.diff(lines), axis=1) + bool(lines.shape[1])) * LINE
        instructions = vector.instructions[own]
        np.add.at(used, instructions, np.minimum(addresses.shape[1] * batch.size, counts))
        np.add.at(touched, instructions, counts)
    found: list[int] = np.flatnonzero(touched).tolist()
    return {instruction: float(used[instruction] / touched[instruction]) for instruction in found}


def _firsts(values: NDArray[np.int32], most: int) -> NDArray[np.intp]:
    """The places of the first `most` of equal values."""
    order = np.argsort(values, kind="stable")
    own = values[order]
    return order[np.arange(len(own)) - own.searchsorted(own) < most]


def _different(lines: NDArray[np.int64]) -> int:
    """How many different lines there are. To sort is faster than `np.unique`."""
    return int(np.count_nonzero(np.diff(np.sort(lines)))) + bool(len(lines))


def _lines(addresses: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """The first, and if they may differ the last lines of accesses, along the last axis."""
    first = addresses // LINE
    return first if size <= _DWORD else np.concatenate((first, (addresses + size - 1) // LINE), axis=-1)


class VectorAccesses(NamedTuple):
    """Accesses by lanes, wave by wave in the order of their steps: the places of their waves, the
    instructions that make them, and their addresses."""

    waves: NDArray[np.intp]
    instructions: NDArray[np.int32]
    rows: Rows

    def of(self, places: NDArray[np.intp]) -> VectorAccesses:
        """Some of them."""
        return VectorAccesses(self.waves[places], self.instructions[places], self.rows.of(places))


def vector_accesses(trace: Trace, waves: Sequence[TracedWave]) -> VectorAccesses:
    """Those of some waves of a trace."""
    is_vector = np.array([instr.row.unit in _VECTOR_MEMORY for instr in trace.instructions])
    every = located(waves)
    lengths = np.array([len(wave.steps) for wave in waves])
    firsts = np.cumsum(lengths) - lengths
    steps = np.concatenate([wave.steps for wave in waves])
    instructions = steps[firsts[every.waves] + every.steps]
    own = np.flatnonzero(is_vector[instructions])
    return VectorAccesses(every.waves[own], instructions[own], every.rows.of(own))
