"""Gives a lane of a light pointwise kernel several accesses, which share the computation of addresses.

    relu of {4194304} f32, gfx942      pointwise[vector=4, waves=4, repeat=4] in place of repeat=1

An element is light if addresses cost a good part of its clocks. A lane has two or four accesses if

- every SIMD still has `LEAST_WAVES` waves (RDNA: `LEAST_LANES` lanes): fewer do not hide each other's
  latencies. A launch of few waves has its code and one latency, which repeated accesses lengthen. A wave is
  enough if the number of an element is divided by dims, which costs more than the wait for the additional
  accesses, unless elements have much work (`Work.is_heavy`);
- the elements that it reads at a time fit in `MOST_REGISTERS`;
- its code has at most `MOST_STATEMENTS` statements, by the estimate of `budget`.

A workgroup then has fewer waves, if a launch would otherwise have too few workgroups (`GROUPS_OF_UNIT`). On
RDNA it also has fewer waves if a lane has a single access: units with two workgroups of eight waves keep
others waiting.
"""

from __future__ import annotations

from math import prod

from msgspec.structs import replace

from asmgen.blockwise.schedules.choices import Pointwise
from asmgen.blockwise.schedules.choosing.budget import cost_of
from asmgen.blockwise.schedules.choosing.room import floor_power
from asmgen.blockwise.schedules.elements.sections import Section
from asmgen.blockwise.schedules.kernel_graph import Graph
from asmgen.blockwise.schedules.work import GROUPS_OF_UNIT
from asmgen.index.size import Size, at_least, most
from asmgen.ir.program import tensor_type
from asmgen.ir.types import F32
from isa.target import Target

# By the clock model (`tools.judge_choices --neighbours`) programs change by less than 1 % with half or
# double of MOST_ACCESSES, but half takes up to 1.9 times the instructions (roll_f32), and double 1.7 times
# the VGPRs. A single wave for LEAST_WAVES takes 0.98 times the clocks on gfx942, and 1.00 on the others,
# with up to twice the VGPRs.
MOST_ACCESSES = 4
LEAST_WAVES = 2  # of a SIMD of CDNA
# Fewest lanes of a SIMD of RDNA. With half as many, exp of {200000} f32 takes 1.13 times the clocks on
# gfx1100. With twice as many and waves of 64, nothing is faster, and gather_add of {1048576} f32 takes 1.3
# times the clocks.
LEAST_LANES = 256
MOST_REGISTERS = 48  # of a lane for the elements that it reads at a time: a SIMD still has all its waves
MOST_STATEMENTS = 384  # of a lane


def lightened(choice: Pointwise, graph: Graph, target: Target) -> Pointwise:
    """The choice for light work (`Work.is_light`), with as many accesses a lane as its elements are light."""
    work = graph.work
    if choice.repeat > 1 or isinstance(work.dims[0], Size):
        return choice
    accesses = work.planned[0] // (choice.vector * target.wave_size)  # of a wave each
    copies = max([section.copies.number for section in graph.sections], default=1)
    least = LEAST_WAVES if target.has_agprs else LEAST_LANES // target.wave_size
    if any(len(section.groups) > 1 for section in graph.sections) and not work.is_heavy:
        least = 1
    fit = min(
        MOST_ACCESSES,
        accesses // (least * target.simds * target.units),
        MOST_STATEMENTS // (choice.vector * cost_of(graph, target) * copies),
    )
    repeat = floor_power(max(1, fit))
    while repeat > 1 and _registers(graph, choice, repeat) > MOST_REGISTERS:
        repeat //= 2
    if repeat == 1 and (target.has_agprs or accesses <= choice.waves * target.units):
        return choice
    waves = floor_power(max(1, accesses // (repeat * GROUPS_OF_UNIT * target.compute_units)))
    return replace(choice, repeat=repeat, waves=min(choice.waves, waves))


def _registers(graph: Graph, choice: Pointwise, repeat: int) -> int:
    """Registers of all that a lane reads for `repeat` accesses."""
    in_rows = choice.row is not None
    return sum(
        [_of_section(section, section.vector(choice.vector, in_rows), repeat) for section in graph.sections]
    )


def _of_section(section: Section, vector: int, repeat: int) -> int:
    """Accesses share the elements of a buffer that has at most half of the section's."""
    total = 0
    for value in section.read:
        type_ = tensor_type(value)
        is_shared = 2 * most(type_.elements) <= most(section.elements)
        total += -(-vector * type_.element.bytes // F32.bytes) * (1 if is_shared else repeat)
    return total


def with_short_rows(choice: Pointwise, section: Section, target: Target) -> Pointwise:
    """The choice for rows of a length that only the launch knows: many rows that would leave three quarters
    of their workgroups idle share workgroups. Each further division by a dim that only the launch knows
    halves the length of such rows. A bias added to {131072,64} of f32 takes 26,661 clocks on gfx942, 51,445
    with a workgroup a row; to {64,64} it takes 1.3 times the clocks in shared workgroups.
    """
    tile = section.vector(choice.vector) * choice.repeat * choice.waves * target.wave_size
    divided = sum(isinstance(size, Size) for size in section.merged[1:])
    longer = tile >> divided + 1  # a power of two is the least length of a longer row
    many = GROUPS_OF_UNIT * target.units
    rows = prod([size for sizes in section.outer for size in sizes])
    if at_least(section.of_block, longer).is_shown or not at_least(rows, many).is_possible:
        return choice
    return replace(choice, short=longer - 1, many=many)
