"""The bits of a layout along an axis, in the order of their steps.

{1,1024} @ reg(0:1 0:2) lane(0:4 ... 0:128) wave(0:256 0:512)    register bits 0 and 1, lane bits 0 to 5, then
                                                                wave bits 0 and 1
"""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.blockwise.layout.algebra import Part
from asmgen.blockwise.layout.layout import Layout, is_power_of_two, split
from isa.named_tuple import NamedTuple


class Step(NamedTuple):
    """A bit along the axis: the size of the blocks that it joins, and its place in register, lane or wave."""

    size: int
    part: Part
    bit: int


def steps_along(layout: Layout, axis: int) -> list[Step] | None:
    """The bits along an axis, the lowest first; None if a bit is not a single step."""
    parts = ((Part.REGISTERS, layout.registers), (Part.LANES, layout.lanes), (Part.WAVES, layout.waves))
    steps: list[Step] = []
    for part, bases in parts:
        for bit, basis in enumerate(bases):
            size = split(basis, layout.sizes)[axis]
            if not size:
                continue
            if not is_power_of_two(basis):
                return None
            steps.append(Step(size, part, bit))
    return sorted(steps, key=lambda step: step.size)


def leading(steps: Sequence[Step], of: Part) -> list[int]:
    """The bits of registers or waves with which the steps begin."""
    found: list[int] = []
    for _, part, bit in steps:
        if part is not of:
            break
        found.append(bit)
    return found
