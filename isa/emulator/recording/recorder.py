"""An observer that records what waves do, for the clock model: instructions, EXEC, and addresses.

It notes straight stretches of instructions, and the accesses as the emulator located them. `recorded` makes
of them what each wave did, a wave at a time.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from msgspec import Struct, field
from numpy.typing import NDArray

from isa.emulator.observers import Access, AccessKind, Observer, Space
from isa.emulator.program.code import Operation
from isa.emulator.state.global_memory import Memory
from isa.emulator.state.waves import Waves
from isa.instruction import Instr
from isa.lane_masks import writes_exec
from isa.named_tuple import NamedTuple


class Stretch(NamedTuple):
    """Waves, by their numbers in the chunk, ran operations `start` to `end` - 1. EXEC was 0 in the waves of
    `idle`, bool[wave of the chunk]; None: in no wave."""

    waves: NDArray[np.intp]
    start: int
    end: int
    idle: NDArray[np.bool_] | None


class Located(NamedTuple):
    """Bytes that an operation of a stretch accesses, `size` at each of the indexes into the store of a space.

    `lanes` count through the waves of the stretch (None: all lanes). For a scalar load they are waves.
    """

    stretch: int
    operation: int
    space: Space
    is_scalar: bool
    lanes: NDArray[np.intp] | None
    indexes: NDArray[np.int64]
    size: int


class ChunkRecord(Struct):
    """A chunk of waves; `numbers` are the numbers of its waves in the launch."""

    numbers: NDArray[np.intp]
    lanes: int
    lds_bytes: int
    scratch_bytes: int
    memory: Memory
    stretches: list[Stretch] = field(default_factory=list[Stretch])
    located: list[Located] = field(default_factory=list[Located])


class Recorder(Observer):
    """Records the chunks of a launch."""

    def __init__(self) -> None:
        self.chunks: list[ChunkRecord] = []
        self._current: dict[int, ChunkRecord] = {}
        self._past = 0  # the end of the block that runs

    def begin(self, w: Waves) -> None:
        chunk = ChunkRecord(w.numbers, w.lanes, w.lds_bytes, w.scratch_bytes, w.memory)
        self.chunks.append(chunk)
        self._current[id(w)] = chunk

    def end(self, w: Waves) -> None:
        del self._current[id(w)]

    def enter(self, w: Waves, start: int, past: int) -> None:
        self._past = past
        self._current[id(w)].stretches.append(Stretch(w.indexes, start, past, _idle(w)))

    def watches(self, index: int, operation: Operation) -> bool:
        return isinstance(operation, Instr) and (bool(operation.row.events) or writes_exec(operation))

    def after(self, w: Waves, index: int, accesses: Sequence[Access]) -> None:
        chunk = self._current[id(w)]
        stretches = chunk.stretches
        for kind, place, size in accesses:
            space = Space.LDS if place.store.base is w.lds else Space.SCRATCH
            space = Space.GLOBAL if place.store is w.memory.arena else space
            is_scalar = kind is AccessKind.SCALAR_LOAD
            chunk.located.append(
                Located(len(stretches) - 1, index, space, is_scalar, place.lanes, place.indexes, size)
            )
        idle = _idle(w)
        last = stretches[-1]
        if index + 1 < self._past and not _same(idle, last.idle):
            stretches[-1] = last._replace(end=index + 1)
            stretches.append(Stretch(w.indexes, index + 1, self._past, idle))


def _idle(w: Waves) -> NDArray[np.bool_] | None:
    """The waves of the group without an active lane, bool[wave of the chunk]; None if there are none."""
    if w.full:
        return None
    off = w.exec_masks() == 0
    if not off.any():
        return None
    idle = np.zeros(w.count, np.bool_)
    idle[w.indexes] = off
    return idle


def _same(one: NDArray[np.bool_] | None, other: NDArray[np.bool_] | None) -> bool:
    if one is None or other is None:
        return one is other
    return bool((one == other).all())
