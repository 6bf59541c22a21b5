"""What a recorder noted, wave by wave, as a trace of the clock model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from isa.emulator.code import Code
from isa.emulator.observers import Space
from isa.emulator.recorder import ChunkRecord, Located
from isa.emulator.waves import SCRATCH_ADDRESS
from isa.instruction import Instr
from isa.size import code_bytes
from isa.target import Target, round_up
from isa.timing.trace import Access, TracedWave

_BOUNDARY = 256  # bytes: the alignment of the entry for firmware that preloads arguments
_DWORD = 4
_Part = tuple[NDArray[np.intp], NDArray[np.int64]]
"""The lanes of a wave that access memory, and their addresses."""


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
    paths, places = _Paths(chunk), _Places(chunk)
    for wave, number in enumerate(chunk.numbers.tolist()):
        steps, idle, at = paths.of(wave)
        accesses = _Accesses(places, wave, number, paths.accesses(at))
        yield TracedWave(number // waves_a_group, number % waves_a_group, steps, idle, accesses)


class _Paths:
    """The stretches of a chunk as arrays."""

    def __init__(self, chunk: ChunkRecord) -> None:
        stretches = chunk.stretches
        self._located = chunk.located
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
        self._stretch = np.array([located.stretch for located in chunk.located], np.intp)
        self._operation = np.array([located.operation for located in chunk.located], np.int64)

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

    def accesses(self, at: NDArray[np.int64]) -> Mapping[int, Sequence[Located]]:
        """The accesses of a wave by step, from its step at the start of each stretch."""
        if not self._located:
            return {}
        firsts = at[self._stretch]
        own = np.flatnonzero(firsts >= 0)
        steps = firsts[own] + self._operation[own] - self._starts[self._stretch[own]]
        records: dict[int, list[Located]] = {}
        for step, number in zip(steps.tolist(), own.tolist(), strict=True):
            records.setdefault(step, []).append(self._located[number])
        return records


class _Places:
    """Where the accesses of a chunk go: the addresses of the emulator's indexes."""

    def __init__(self, chunk: ChunkRecord) -> None:
        self.chunk = chunk
        self._lanes = np.arange(chunk.lanes)
        regions = chunk.memory.regions
        self._starts = np.array([region.offset for region in regions], np.int64)
        self._shifts = np.array([region.address - region.offset for region in regions], np.int64)

    def part(self, located: Located, wave: int, number: int) -> _Part:
        """The lanes of a wave, with its numbers in the chunk and in the launch, and their addresses."""
        chunk = self.chunk
        waves = chunk.stretches[located.stretch].waves
        place = wave if len(waves) == len(chunk.numbers) else int(waves.searchsorted(wave))
        width = 1 if located.is_scalar else chunk.lanes
        first, end = place * width, (place + 1) * width
        lanes = self._lanes[:width]
        if located.lanes is not None:
            first, end = located.lanes.searchsorted((first, end))
            lanes = located.lanes[first:end] - place * width
        indexes = located.indexes[first:end]
        if located.space is Space.GLOBAL:
            return lanes, indexes + self._shifts[self._starts.searchsorted(indexes, "right") - 1]
        if located.space is Space.LDS:
            return lanes, indexes % max(1, chunk.lds_bytes)
        return lanes, self._scratch(lanes, indexes % max(1, chunk.scratch_bytes), number)

    def _scratch(self, lanes: NDArray[np.intp], offsets: NDArray[np.int64], number: int) -> NDArray[np.int64]:
        """The same dword of all lanes lies together."""
        width = self.chunk.lanes
        wave = SCRATCH_ADDRESS + number * width * self.chunk.scratch_bytes
        return wave + offsets // _DWORD * _DWORD * width + lanes * _DWORD + offsets % _DWORD


class _Accesses(Mapping[int, Access]):
    """The accesses of a wave by step, each made when it is asked for."""

    def __init__(
        self, places: _Places, wave: int, number: int, records: Mapping[int, Sequence[Located]]
    ) -> None:
        self._places = places
        self._wave = wave
        self._number = number
        self._records = records

    def __getitem__(self, step: int) -> Access:
        located = self._records[step]
        first = located[0]  # a load straight to LDS also stores there
        if len(located) == 1:
            lanes, addresses = self._places.part(first, self._wave, self._number)
            return Access(lanes, addresses[None, :], first.size)
        own = [each for each in located if each.space is first.space]
        parts = [self._places.part(each, self._wave, self._number) for each in own]
        return _joined(parts, first.size)

    def __iter__(self) -> Iterator[int]:
        return iter(self._records)

    def __len__(self) -> int:
        return len(self._records)


def _joined(parts: Sequence[_Part], size: int) -> Access:
    """Several accesses a lane. A lane that makes fewer than others repeats its last."""
    lanes = np.unique(np.concatenate([lanes for lanes, _ in parts]))
    rows = np.zeros((len(parts), len(lanes)), np.int64)
    known = np.zeros(len(lanes), np.bool_)
    for row, (own, addresses) in enumerate(parts):
        place = np.searchsorted(lanes, own)
        if row:
            rows[row] = rows[row - 1]
        rows[row, place] = addresses
        rows[:row, place[~known[place]]] = addresses[~known[place]]
        known[place] = True
    return Access(lanes, rows, size)
