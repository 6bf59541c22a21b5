"""Simulated global memory: buffers at fake addresses far apart, in a single numpy arena.

Addresses straddle a multiple of 2**32, so a program that drops the carry into the upper half is caught.
Gigabytes without an owner lie between any two buffers, so an access out of bounds is always detected.
"""

from __future__ import annotations

from bisect import bisect_right

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
_FIRST_ADDRESS = 0x7F10_0000_0000
_SPACING = 1 << 33
_CARRY = 1 << 32
_ALIGNMENT = 4096
_ALIGNMENTS = (
    (2 * _ALIGNMENT, _ALIGNMENT),
    (512, 256),
    (0, 64),
)  # of buffers above a size, so that small buffers straddle too


class MemoryRange(Struct):
    """A buffer: `size` bytes at `address`, kept from `offset` on in the arena.

    `defined` marks the bytes with a defined value; None if all are defined.
    """

    name: str
    address: int
    size: int
    offset: int
    writable: bool = True
    defined: NDArray[np.bool_] | None = None

    @property
    def end(self) -> int:
        return self.address + self.size


class MemoryFault(Exception):
    """An access that no buffer covers. `lane` is its position among the addresses that were asked for,
    `wrong` has the positions of all such accesses; None if it is every access."""

    def __init__(self, message: str, lane: int, wrong: NDArray[np.intp] | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.lane = lane
        self.wrong = wrong

    def among(self, lanes: NDArray[np.intp]) -> MemoryFault:
        """The fault, if only these lanes of those that are on asked for an address."""
        wrong = lanes if self.wrong is None else lanes[self.wrong]
        return MemoryFault(self.message, int(lanes[self.lane]), wrong)


class Memory:
    """The regions, and the arena of their bytes. `freeze` allocates it after every region is known."""

    def __init__(self) -> None:
        self.regions: list[MemoryRange] = []
        self.arena: Bytes = np.zeros(0, np.uint8)
        self._starts: list[int] = []
        self._used = 0
        self._next = _FIRST_ADDRESS

    def add(
        self, name: str, size: int, writable: bool = True, defined: NDArray[np.bool_] | None = None
    ) -> MemoryRange:
        """A new region of `size` bytes; its content is zero until `freeze` and `content` fill it. `defined`
        are its bytes with a defined value; None if all are."""
        alignment = next(least for most, least in _ALIGNMENTS if size >= most)
        half = -(-size // 2 // alignment) * alignment
        address = self._next - half
        self._next = (address + size) // _SPACING * _SPACING + 2 * _SPACING
        region = MemoryRange(name, address, size, self._used, writable, defined)
        self._used += -(-max(size, 1) // 64) * 64 + 64
        self.regions.append(region)
        self._starts.append(address)
        return region

    def place(self, name: str, address: int, size: int, writable: bool) -> MemoryRange:
        """A region at a given address, below every other: those are placed first, in the order of their
        addresses."""
        region = MemoryRange(name, address, size, self._used + address % 64, writable)
        self._used += -(-(max(size, 1) + address % 64) // 64) * 64 + 64
        self.regions.append(region)
        self._starts.append(address)
        return region

    def freeze(self) -> None:
        self.arena = np.zeros(self._used, np.uint8)

    def content(self, region: MemoryRange) -> Bytes:
        return self.arena[region.offset : region.offset + region.size]

    def find(self, low: int, high: int) -> MemoryRange | None:
        """The region that contains bytes low to high - 1, or None."""
        index = bisect_right(self._starts, low) - 1
        if index >= 0 and high <= self.regions[index].end:
            return self.regions[index]
        return None

    def locate(self, addresses: NDArray[np.uint64], size: int, writes: bool) -> NDArray[np.int64]:
        """Arena offsets of accesses of `size` bytes. Raises MemoryFault for an access outside of the regions
        that allow it."""
        if not addresses.size:
            return addresses.astype(np.int64)
        low, high = int(addresses.min()), int(addresses.max())
        region = self.find(low, high + size)
        if region is not None:
            if writes and not region.writable:
                raise MemoryFault(
                    f"a store of {size} bytes at {low:#x} into {region.name}, which is read-only", 0
                )
            return addresses.view(np.int64) - np.int64(region.address - region.offset)
        return self._locate_apart(addresses, size, writes)

    def _locate_apart(self, addresses: NDArray[np.uint64], size: int, writes: bool) -> NDArray[np.int64]:
        """Offsets of lanes that access several regions."""
        starts = np.array(self._starts, np.uint64)
        ends = np.array([region.end for region in self.regions], np.uint64)
        writable = np.array([region.writable for region in self.regions], np.bool_)
        shifts = np.array([region.address - region.offset for region in self.regions], np.int64)
        index = np.searchsorted(starts, addresses, "right") - 1
        inside = (
            (index >= 0)
            & (addresses <= ends[index] - np.uint64(size))
            & (ends[index] - starts[index] >= np.uint64(size))
        )
        legal = inside & (writable[index] | (not writes))
        if not legal.all():
            wrong = np.flatnonzero(~legal.ravel())
            lane = int(wrong[0])
            raise MemoryFault(self._describe(int(addresses.ravel()[lane]), size, writes), lane, wrong)
        return addresses.view(np.int64) - shifts[index]

    def addresses(self, offsets: NDArray[np.int64]) -> NDArray[np.int64]:
        """The addresses of arena offsets: the reverse of `locate`."""
        starts = np.array([region.offset for region in self.regions], np.int64)
        shifts = np.array([region.address - region.offset for region in self.regions], np.int64)
        return offsets + shifts[np.searchsorted(starts, offsets, "right") - 1]

    def _describe(self, address: int, size: int, writes: bool) -> str:
        what = f"a {'store' if writes else 'load'} of {size} bytes at {address:#x}"
        if not self.regions:
            return f"{what}, and the kernel has no buffer"
        nearest = min(self.regions, key=lambda region: max(region.address - address, address - region.end, 0))
        if nearest.address <= address < nearest.end and not nearest.writable and writes:
            return f"{what} into {nearest.name}, which is read-only"
        away = max(nearest.address - address, address - nearest.end)
        for region in self.regions:
            for step in (_CARRY, -_CARRY):
                if region.address <= address + step and address + step + size <= region.end:
                    lost = f"byte {address + step - region.address} of {region.name}, but for 2**32"
                    return (
                        f"{what} is out of bounds: it is {lost}, so a carry into the upper half of "
                        f"the address was lost"
                    )
        if away > _SPACING:
            near = "a null pointer" if address < _ALIGNMENT else "an address that nothing was given"
            return (
                f"{what} is out of bounds: {near}, wanted an address inside of "
                f"{', '.join(region.name for region in self.regions)}"
            )
        return (
            f"{what} is out of bounds: {nearest.name} has {nearest.size} bytes, and this is byte "
            f"{address - nearest.address} of it"
        )
