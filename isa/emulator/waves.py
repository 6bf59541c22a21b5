"""The state of a chunk of waves, and the group of them that steps together.

Vector registers are uint32[row, wave, lane]; scalar ones uint32[pair, wave, half], so that an aligned pair is also one
uint64[pair, wave]. EXEC is such a pair, of which waves of 32 lanes have the low half alone; `full` says that it has every
lane of the current group. A lane mask is a number of as many bits as a wave has lanes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isa.emulator.memory import Memory
from isa.registers import EXEC, NULL
from isa.semantics.mode import Approximation, Mode, decode_mode

LANES = 64  # of a wave, where nothing else is said
UNDEFINED = 0xA5A5A5A5
EXEC_PAIR = EXEC.first // 2
SCALAR_PAIRS = 128
SCRATCH_ADDRESS = 0x0000_7E00_0000_0000


class Waves:
    """Registers of `count` waves of `lanes` lanes in whole workgroups of `per_group` waves, and the current group."""

    def __init__(
        self, count: int, per_group: int, vector_rows: int, scalar_pairs: int, memory: Memory, lds_bytes: int, scratch_bytes: int, lanes: int = LANES,
    ) -> None:  # fmt: skip
        self.count = count
        self.lanes = lanes
        self.per_group = per_group
        self.memory = memory
        self.u32 = np.full((vector_rows, count, lanes), UNDEFINED, np.uint32)
        self.i32 = self.u32.view(np.int32)
        self.f32 = self.u32.view(np.float32)
        self.s32 = np.full((scalar_pairs, count, 2), UNDEFINED, np.uint32)
        self.s64: NDArray[np.uint64] = self.s32.view(np.uint64)[..., 0]
        self.s32[NULL.first >> 1, :, NULL.first & 1] = 0
        self._exec: NDArray[Any] = self.s64[EXEC_PAIR] if lanes == 64 else self.s32[EXEC_PAIR, :, 0]
        self._all_lanes = self._exec.dtype.type((1 << lanes) - 1)
        self.lds = np.full((count // per_group, lds_bytes), 0xA5, np.uint8)
        self.lds_bytes = lds_bytes
        self.scratch = np.full((count, lanes, scratch_bytes), 0xA5, np.uint8)
        self.scratch_bytes = scratch_bytes
        self.workgroup = np.repeat(np.arange(count // per_group), per_group)
        self.signalled = np.zeros(count, np.bool_)  # arrived at a split barrier and not yet let through
        self.mode_bits = np.zeros(count, np.uint32)
        self.approximation = Approximation.NEAREST
        self.mode = Mode()
        self.select: Any = slice(None)
        self.indexes = np.arange(count)
        self.width = count
        self.full = True
        self.active: NDArray[np.bool_] = np.ones((1, 1), np.bool_)
        self.mask: NDArray[np.uint32] = np.zeros((1, 1), np.uint32)
        self.clock = 0

    def choose(self, indexes: NDArray[np.intp]) -> None:
        """Make the waves of these indexes the current group."""
        count = len(indexes)
        first = int(indexes[0])
        contiguous = int(indexes[-1]) - first == count - 1
        self.select = slice(first, first + count) if contiguous else indexes
        self.indexes = indexes
        self.width = count
        self.refresh_exec()
        self.refresh_mode()

    def refresh_exec(self) -> None:
        """Take over EXEC after it changed."""
        masks = self._exec[self.select]
        self.full = bool((masks == self._all_lanes).all())
        if not self.full:
            bits = np.unpackbits(np.ascontiguousarray(masks).view(np.uint8).reshape(self.width, -1), axis=1, bitorder="little")
            self.active = bits.view(np.bool_)
            self.mask = np.uint32(0) - bits.astype(np.uint32)

    def refresh_mode(self) -> None:
        """Take over MODE, which is the same in the whole group."""
        self.mode = decode_mode(int(self.mode_bits[self.indexes[0]]), self.approximation, self.lanes)

    def exec_masks(self) -> NDArray[Any]:
        """EXEC of each wave, as a mask of its lanes."""
        return self._exec[self.select]

    def set_exec(self, masks: NDArray[Any]) -> None:
        """EXEC of every wave of the chunk; what waves of 32 lanes have above it is 0."""
        self.s64[EXEC_PAIR] = masks

    def scratch_offsets(self) -> NDArray[np.uint64]:
        """Where the scratch of each wave of the chunk begins, in bytes from that of the first."""
        return np.arange(self.count, dtype=np.uint64) * np.uint64(self.lanes * self.scratch_bytes)

    def scratch_addresses(self) -> NDArray[np.uint64]:
        """The addresses at which the scratch of the group's waves begins."""
        return self.scratch_offsets()[self.indexes] + np.uint64(SCRATCH_ADDRESS)

    def active_lanes(self) -> NDArray[np.bool_]:
        """bool[wave, lane] of the group, also where it is full."""
        return np.ones((self.width, self.lanes), np.bool_) if self.full else self.active

    def write_row(self, row: int, value: Any) -> None:
        """Put a value into the active lanes of a vector register."""
        if self.full:
            self.u32[row, self.select] = value
        else:
            old = self.u32[row, self.select]
            self.u32[row, self.select] = old ^ ((old ^ value) & self.mask)


Step = Callable[[Waves], None]  # what an instruction does to the current group, once it is decoded


def pack_lanes(lanes: NDArray[np.bool_], shape: tuple[int, int]) -> NDArray[Any]:
    """bool[wave, lane] (or less, broadcast to `shape`) to one mask per wave, uint32 or uint64 by the number of lanes."""
    full = np.ascontiguousarray(np.broadcast_to(lanes, shape))
    return np.packbits(full, axis=1, bitorder="little").view(np.uint64 if shape[1] == 64 else np.uint32)[:, 0]


def unpack_lanes(masks: NDArray[Any]) -> NDArray[np.bool_]:
    """One mask per wave to bool[wave, lane]."""
    return np.unpackbits(np.ascontiguousarray(masks).view(np.uint8).reshape(len(masks), -1), axis=1, bitorder="little").view(np.bool_)
