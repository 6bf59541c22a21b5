"""The state of a chunk of waves, the group of them that steps together, and an observer of their accesses.

Vector registers are uint32[row, wave, lane]; scalar registers are uint32[pair, wave, half], so an aligned
pair is also uint64[pair, wave]. EXEC is such a pair; waves of 32 lanes have its low half only. `full` is True
if EXEC has every lane of the current group. A lane mask is a number with a bit for each lane of the wave.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from isa.emulator.state.barriers import SplitBarrier
from isa.emulator.state.footprint import Footprint
from isa.emulator.state.gathered import Gathered
from isa.emulator.state.global_memory import Memory, MemoryFault
from isa.emulator.state.views import Group, adjacent_group
from isa.registers import EXEC, NULL
from isa.semantics.mode import Approximation, Mode, decode_mode

LANES = 64  # of a wave, by default
UNDEFINED = 0xA5A5A5A5
EXEC_PAIR = EXEC.first // 2
_FEW_WAVES = 4  # up to which a masked copy takes less time than three operations on all bits
_GROUPS_KEPT = 64  # slices of the chunk with cached views
SCALAR_PAIRS = 128
SCRATCH_ADDRESS = 0x0000_7E00_0000_0000


class Watch(Protocol):
    """An observer of memory accesses, such as the sanitizer. It raises at a wrong access.

    `values` are the stored words, [lane, word]. `read_scalar` is a scalar load: the lanes of its place are
    waves of the group. `cached` is a cache operation, `arrived` the first half of a split barrier."""

    def loaded(self, w: Waves, place: Footprint, size: int) -> None: ...
    def stored(
        self, w: Waves, place: Footprint, size: int, values: NDArray[np.uint32] | None = None
    ) -> None: ...
    def updated(self, w: Waves, place: Footprint, size: int) -> None: ...
    def read_scalar(self, w: Waves, place: Footprint, size: int) -> None: ...
    def cached(self, w: Waves) -> None: ...
    def arrived(self, w: Waves) -> None: ...


class NoWatch:
    """An observer that ignores every access."""

    def loaded(self, w: Waves, place: Footprint, size: int) -> None:
        pass

    updated = read_scalar = loaded

    def stored(self, w: Waves, place: Footprint, size: int, values: NDArray[np.uint32] | None = None) -> None:
        pass

    def cached(self, w: Waves) -> None:
        pass

    arrived = cached


class Waves:
    """Registers of `count` waves of `lanes` lanes in whole workgroups of `per_group` waves, and the current
    group. `numbers` are the waves' numbers in the launch."""

    def __init__(
        self, count: int, per_group: int, vector_rows: int, scalar_pairs: int, memory: Memory, lds_bytes: int,
        scratch_bytes: int, lanes: int = LANES,
    ) -> None:  # fmt: skip
        self.count = count
        self.lanes = lanes
        self.per_group = per_group
        self.memory = memory
        self.watch: Watch = NoWatch()
        self._vectors = np.full((vector_rows, count, lanes), UNDEFINED, np.uint32)
        self._scalars = np.full((scalar_pairs, count, 2), UNDEFINED, np.uint32)
        self._scalars[NULL.first >> 1, :, NULL.first & 1] = 0
        self._all_lanes = (np.uint64 if lanes == 64 else np.uint32)((1 << lanes) - 1)
        self._groups: dict[tuple[int, int], Group] = {}
        self._gathered: Gathered | None = None  # the current group, if its waves are not adjacent
        self.lds = np.full((count // per_group, lds_bytes), 0xA5, np.uint8)
        self.lds_bytes = lds_bytes
        self.scratch = np.full((count, lanes, scratch_bytes), 0xA5, np.uint8)
        self.scratch_bytes = scratch_bytes
        self.workgroup = np.repeat(np.arange(count // per_group), per_group)
        self.numbers = np.arange(count)
        self.barrier = SplitBarrier(count, per_group)
        self.mode_bits = np.zeros(count, np.uint32)
        self.approximation = Approximation.NEAREST
        self.mode = Mode()
        self.clock = 0
        self._active: NDArray[np.bool_] | None = None
        self._mask: NDArray[np.uint32] | None = None
        self._lanes_on: NDArray[np.intp] | None = None
        self.full = True
        self._take(np.arange(count))

    def _take(self, indexes: NDArray[np.intp]) -> None:
        """Make the waves of these indexes the current group, whatever their EXEC and MODE."""
        group = self._group(indexes)
        self.indexes = indexes
        self._lds_starts: NDArray[np.int64] | None = None
        self.width = len(indexes)
        self.select = group.select
        self.rows, self.signed_rows, self.float_rows = group.rows, group.signed_rows, group.float_rows
        self.changing, self.targets, self.blocks = group.changing, group.targets, group.blocks
        self.scalars, self.signed_scalars, self.scalar_pairs = (
            group.scalars,
            group.signed_scalars,
            group.pairs,
        )
        self.columns, self.signed_columns, self.float_columns = (
            group.columns,
            group.signed_columns,
            group.float_columns,
        )

    def _group(self, indexes: NDArray[np.intp]) -> Group:
        gathered = self._gathered
        if gathered is not None:
            if gathered.holds(indexes):
                return gathered.group
            gathered.settle()
        first, count = int(indexes[0]), len(indexes)
        if int(indexes[-1]) - first != count - 1:
            self._gathered = Gathered(self._vectors, self._scalars, indexes)
            return self._gathered.group
        self._gathered = None
        group = self._groups.get((first, count))
        if group is None:
            if len(self._groups) > _GROUPS_KEPT:
                self._groups.clear()
            group = self._groups[first, count] = adjacent_group(self._vectors, self._scalars, first, count)
        return group

    @property
    def u32(self) -> NDArray[np.uint32]:
        """The vector registers of every wave, to be used before the next step."""
        if self._gathered is not None:
            self._gathered.settle()
        return self._vectors

    @property
    def s32(self) -> NDArray[np.uint32]:
        """The scalar registers of every wave, to be used before the next step."""
        if self._gathered is not None:
            self._gathered.settle()
        return self._scalars

    @property
    def s64(self) -> NDArray[np.uint64]:
        """The same by pairs."""
        return self.s32.view(np.uint64)[..., 0]

    def choose(self, indexes: NDArray[np.intp]) -> None:
        """Make the waves of these indexes, which ascend, the current group."""
        self._take(indexes)
        self.mode = decode_mode(int(self.mode_bits[indexes[0]]), self.approximation, self.lanes)
        self.refresh_exec()

    def refresh_exec(self) -> None:
        """Take over EXEC after it changed."""
        masks = self.scalar_pairs[EXEC_PAIR] if self.lanes == 64 else self.scalars[EXEC_PAIR, 0]
        self.full = bool((masks if self.width == 1 else np.bitwise_and.reduce(masks)) == self._all_lanes)
        self._active = self._mask = self._lanes_on = None
        self.direct = self.full and self.mode.keeps_denormals

    def refresh_mode(self) -> None:
        """Take over MODE, which is the same in the whole group."""
        self.mode = decode_mode(int(self.mode_bits[self.indexes[0]]), self.approximation, self.lanes)
        self.direct = self.full and self.mode.keeps_denormals

    @property
    def active(self) -> NDArray[np.bool_]:
        """bool[wave, lane]: the lanes of the group that EXEC has on."""
        if self._active is None:
            self._active = unpack_lanes(self.exec_masks())
        return self._active

    @property
    def mask(self) -> NDArray[np.uint32]:
        """The same with all bits of a lane that is on."""
        if self._mask is None:
            self._mask = np.uint32(0) - self.active.astype(np.uint32)
        return self._mask

    @property
    def lanes_on(self) -> NDArray[np.intp]:
        """The lanes that EXEC has on, counted through the group."""
        if self._lanes_on is None:
            self._lanes_on = np.flatnonzero(self.active)
        return self._lanes_on

    @property
    def lds_starts(self) -> NDArray[np.int64]:
        """int64[lane] of the group: the start of the workgroup's LDS in the chunk's."""
        if self._lds_starts is None:
            self._lds_starts = np.repeat(self.workgroup[self.indexes] * self.lds_bytes, self.lanes)
        return self._lds_starts

    def within(self, active: NDArray[np.bool_], action: Callable[[], None]) -> None:
        """Run an action with these lanes, bool[wave, lane], as the active lanes."""
        kept = self.full, self.direct, self._active, self._mask, self._lanes_on
        self.full, self.direct, self._active, self._mask, self._lanes_on = False, False, active, None, None
        try:
            action()
        except MemoryFault as fault:
            on = np.ones(active.shape, np.bool_) if kept[0] else unpack_lanes(self.exec_masks())
            raise fault.among(np.searchsorted(np.flatnonzero(on), np.flatnonzero(active))) from None
        finally:
            self.full, self.direct, self._active, self._mask, self._lanes_on = kept

    def exec_masks(self) -> NDArray[Any]:
        """EXEC of each wave, as a mask of its lanes."""
        masks = self.scalar_pairs[EXEC_PAIR] if self.lanes == 64 else self.scalars[EXEC_PAIR, 0]
        return masks.reshape(self.width)

    def set_exec(self, masks: NDArray[Any]) -> None:
        """EXEC of every wave of the chunk; what waves of 32 lanes have above it is 0."""
        self.s64[EXEC_PAIR] = masks

    def scratch_offsets(self) -> NDArray[np.uint64]:
        """The scratch offset of each wave of the chunk, in bytes from the first wave's."""
        return np.arange(self.count, dtype=np.uint64) * np.uint64(self.lanes * self.scratch_bytes)

    def scratch_addresses(self) -> NDArray[np.uint64]:
        """The addresses at which the scratch of the group's waves begins."""
        return self.scratch_offsets()[self.indexes] + np.uint64(SCRATCH_ADDRESS)

    def active_lanes(self) -> NDArray[np.bool_]:
        """bool[wave, lane] of the group, even if it is full."""
        return np.ones((self.width, self.lanes), np.bool_) if self.full else self.active

    def write_row(self, row: int, value: Any) -> None:
        """Put a value into the active lanes of a vector register."""
        if self.full:
            self.rows[row] = value
            return
        target = self.changing[row]
        if self.width <= _FEW_WAVES:
            np.copyto(target, value, where=self.active)
        else:
            change = target ^ value
            change &= self.mask
            target ^= change


Step = Callable[[Waves], None]  # the effect of a decoded instruction on the current group


def pack_lanes(lanes: NDArray[np.bool_], shape: tuple[int, int]) -> NDArray[Any]:
    """bool[wave, lane] (or less, broadcast to `shape`) to a mask for each wave, uint32 or uint64 by the
    number of lanes."""
    if lanes.shape != shape:
        lanes = np.broadcast_to(lanes, shape)
    return np.packbits(np.ascontiguousarray(lanes), 1, "little").view(
        np.uint64 if shape[1] == 64 else np.uint32
    )[:, 0]


def unpack_lanes(masks: NDArray[Any]) -> NDArray[np.bool_]:
    """A mask for each wave to bool[wave, lane]."""
    octets = np.ascontiguousarray(masks).view(np.uint8).reshape(len(masks), -1)
    return np.unpackbits(octets, 1, None, "little").view(np.bool_)
