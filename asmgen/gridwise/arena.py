"""The arena of a program: its temporaries share memory if they are not kept at the same time.

A temporary is placed at the lowest offset at which it overlaps no other that is kept at the same time. The
size of the arena then depends on the order in which temporaries are placed. The largest comes first to begin
with. If that takes more memory than the launch that needs most, and there are few temporaries, other orders
are tried too.

    a: 8 KiB, launches 1 to 2    at 0
    b: 4 KiB, launches 2 to 3    at 8 KiB
    c: 8 KiB, launches 3 to 4    at 0: 12 KiB in all, without sharing 20
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

from asmgen.gridwise.program import LaunchProgram
from asmgen.index.size import number
from isa.named_tuple import NamedTuple

ALIGNMENT = 256  # bytes, as for an allocation of HIP
_MOST_ORDERED = 5  # temporaries: up to so many, all orders are tried (120)


class Kept(NamedTuple):
    """A temporary: its size in bytes, and the numbers of its first and its last launch."""

    name: str
    size: int
    first: int
    last: int


class Arena(NamedTuple):
    """`size` in bytes, and the offset of each temporary."""

    size: int
    offsets: dict[str, int]


def plan(program: LaunchProgram) -> Arena:
    """The arena of a program that keeps the rules."""
    types = program.types
    return place(
        [
            Kept(
                each.name,
                number(types[each.name].span) * each.shape.element.bytes,
                program.position(each.first),
                program.position(each.last),
            )
            for each in program.temporaries
        ]
    )


def place(kept: Sequence[Kept]) -> Arena:
    """The smallest arena of the orders tried."""
    at_least = most_at_once(kept)
    by_size = sorted(kept, key=lambda each: (-each.size, each.first))
    best = _placed(by_size)
    if best.size > at_least and len(kept) <= _MOST_ORDERED:
        best = min((_placed(order) for order in permutations(by_size)), key=lambda arena: arena.size)
    return Arena(best.size, {each.name: best.offsets[each.name] for each in kept})


def most_at_once(kept: Sequence[Kept]) -> int:
    """The bytes of the launch that needs most. No arena can be smaller."""
    launches = {each.first for each in kept}
    return max(
        (
            sum(aligned(each.size) for each in kept if each.first <= launch <= each.last)
            for launch in launches
        ),
        default=0,
    )


def aligned(size: int) -> int:
    return -(-size // ALIGNMENT) * ALIGNMENT


def _placed(order: Sequence[Kept]) -> Arena:
    offsets: dict[str, int] = {}
    done: list[Kept] = []
    for each in order:
        taken = sorted(
            (offsets[other.name], other.size)
            for other in done
            if other.first <= each.last and each.first <= other.last
        )
        offset = 0
        for start, size in taken:
            if offset + aligned(each.size) <= start:
                break
            offset = max(offset, start + aligned(size))
        offsets[each.name] = offset
        done.append(each)
    return Arena(max((offsets[each.name] + aligned(each.size) for each in done), default=0), offsets)
