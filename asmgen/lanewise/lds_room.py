"""The places of buffers in LDS. Barriers of all waves part the phases of a kernel, and buffers that are never
accessed in the same phase share memory."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct


class Use(Struct):
    """A buffer of so many bytes, and the phases in which it is accessed, from the first to the last."""

    bytes: int
    first: int = 1 << 31
    last: int = -1

    def extend(self, phase: int) -> None:
        self.first, self.last = min(self.first, phase), max(self.last, phase)

    def meets(self, other: Use) -> bool:
        """Whether both are accessed in a phase."""
        return self.first <= other.last and other.first <= self.last


def places(uses: Sequence[Use]) -> list[int]:
    """The first byte of each buffer: the lowest free place when those before it have theirs."""
    placed: list[tuple[int, Use]] = []
    for use in uses:
        at = 0
        for first, other in sorted([each for each in placed if use.meets(each[1])], key=lambda each: each[0]):
            if at + use.bytes > first:
                at = max(at, first + other.bytes)
        placed.append((at, use))
    return [at for at, _ in placed]


def room_of(uses: Sequence[Use]) -> int:
    """The bytes from the first to the last place."""
    return max([at + use.bytes for at, use in zip(places(uses), uses, strict=True)], default=0)
