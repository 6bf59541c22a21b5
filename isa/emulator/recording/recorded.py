"""A recorder's notes, wave by wave, as a trace of the clock model."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from isa.emulator.program.code import Code
from isa.emulator.recording.recorded_accesses import ChunkAccesses
from isa.emulator.recording.recorder import ChunkRecord
from isa.instruction import Instr
from isa.size import code_bytes
from isa.target import Target, round_up
from isa.timing.trace import TracedWave

_BOUNDARY = 256  # bytes: the alignment of the entry for firmware that preloads arguments


def byte_addresses(code: Code, target: Target) -> tuple[int, ...]:
    """The byte address of each instruction, from the start of the code; of assembly by its encodings."""
    if code.addresses:
        return tuple([address - code.addresses[0] for address in code.addresses])
    addresses: list[int] = []
    at = 0
    for index, instr in enumerate(code.operations):
        assert isinstance(instr, Instr), "loaded code has instructions only"
        at = round_up(at, _BOUNDARY) if index and index == code.preload_entry else at
        addresses.append(at)
        at += code_bytes(instr, target)
    return tuple(addresses)


def waves_of(chunk: ChunkRecord, waves_a_group: int) -> Iterator[TracedWave]:
    """The waves of a chunk, in order."""
    paths, accessed = _Paths(chunk), ChunkAccesses(chunk)
    for wave, number in enumerate(chunk.numbers.tolist()):
        steps, idle, at = paths.of(wave)
        accesses = accessed.of(wave, at)
        yield TracedWave(number // waves_a_group, number % waves_a_group, steps, idle, accesses)


class _Paths:
    """The stretches of a chunk as arrays."""

    def __init__(self, chunk: ChunkRecord) -> None:
        stretches = chunk.stretches
        self._starts = np.array([stretch.start for stretch in stretches], np.int64)
        self._lengths = np.array([stretch.end for stretch in stretches], np.int64) - self._starts
        numbers: dict[int, int] = {}
        sets: list[NDArray[np.intp]] = []
        self._set = np.zeros(len(stretches), np.intp)  # the set of waves of each stretch
        for i, stretch in enumerate(stretches):
            number = numbers.setdefault(id(stretch.waves), len(sets))
            if number == len(sets):
                sets.append(stretch.waves)
            self._set[i] = number
        self._members = np.zeros((len(sets), len(chunk.numbers)), np.bool_)
        for number, waves in enumerate(sets):
            self._members[number, waves] = True
        off = [i for i, stretch in enumerate(stretches) if stretch.idle is not None]
        self._off = np.array(off, np.intp)
        self._idle = [idle for stretch in stretches if (idle := stretch.idle) is not None]

    def of(self, wave: int) -> tuple[NDArray[np.int32], NDArray[np.bool_], NDArray[np.int64]]:
        """The instructions of a wave, whether EXEC was 0, and for each stretch of the chunk the wave's step
        at its start, or -1."""
        own = np.flatnonzero(self._members[self._set, wave])
        lengths = self._lengths[own]
        firsts = np.cumsum(lengths) - lengths
        steps = np.arange(int(lengths.sum())) + np.repeat(self._starts[own] - firsts, lengths)
        flags = np.zeros(len(self._starts), np.bool_)
        flags[self._off] = [bool(idle[wave]) for idle in self._idle]
        at = np.full(len(self._starts), -1, np.int64)
        at[own] = firsts
        return steps.astype(np.int32), np.repeat(flags[own], lengths), at
