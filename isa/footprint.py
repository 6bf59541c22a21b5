"""The memory that an instruction may touch, as the program that it was made from says.

    lds_store[slot=k mod 2](t, lds)         space lds, object lds, slot trip_k mod 2
    ds_write_b128 %at, %t                   bytes 0, 16, 32, ... to 2032 of the slot, 16 in each lane

An object is a buffer argument of the kernel, an allocation in LDS or in scratch, or the kernarg segment.
Objects do not overlap, and neither do the slots of an object. Slots and bytes are index expressions
(`asmgen.index`), here as text. Their symbols are the same in all lanes and waves of a workgroup: the trip
number of a loop around the instruction, and names of other numbers, which do not change while the kernel
runs.
"""

from __future__ import annotations

from enum import Enum

from msgspec import Struct

from isa.named_tuple import NamedTuple


class Space(Enum):
    """A kind of memory."""

    GLOBAL = "global"
    LDS = "lds"
    SCRATCH = "scratch"
    ARGUMENTS = "arguments"  # the kernarg segment, which nothing writes

    __hash__ = object.__hash__


class Bytes(NamedTuple):
    """The active lanes of all waves touch only the `width` bytes of the slot from byte `at + n` on, for n of
    `first`, `first + step`, ..., `last`."""

    at: str
    first: int
    last: int
    step: int
    width: int

    @property
    def extent(self) -> int:
        """The number of these bytes."""
        if self.last == self.first:
            return self.width
        return (self.last - self.first) // self.step * min(self.step, self.width) + self.width

    def piece(self, done: int, width: int) -> Bytes:
        """The bytes that lanes touch from `done` to `done + width`, if they begin within these bytes."""
        return Bytes(self.at, self.first + done, self.last + done, self.step, self.width + width)


class Footprint(Struct, frozen=True):
    """An object, a slot of it, and bytes of the slot; without `bytes` any bytes of the slot. `loop` is the
    name of the trip number of the innermost loop around, if the program names it."""

    space: Space
    object: str
    slot: str = "0"
    bytes: Bytes | None = None
    loop: str = ""

    def piece(self, done: int, width: int) -> Footprint:
        """If the lanes of an access begin within the bytes: the part from byte `done` to `done + width`."""
        if self.bytes is None:
            return self
        return Footprint(self.space, self.object, self.slot, self.bytes.piece(done, width), self.loop)


KERNEL_ARGUMENTS = Footprint(Space.ARGUMENTS, "kernarg")
