"""The dependences between trips of a loop with a body of one block.

    ds_read_b64 %x, slot trip mod 2           0
    ds_write_b64 %y, slot (trip + 1) mod 2    1     the read of the next trip comes after it: 1, 0, one trip
    v_add_f32 %sum, %sum_before, %x           2     the next sum reads its result: 2, 2, one trip

With the dependences within a trip (`graph`) they say which orders of the instructions of all trips compute
the same. Values pass to the next trip by the parameters of the block.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from asmgen.passes.dependence.footprints import trips_between
from asmgen.passes.dependence.memory import Touch
from isa.instruction import Immediate, Instr
from isa.named_tuple import NamedTuple
from isa.program import Block, Edge, Kernel
from isa.registers import FIRST_VIRTUAL, Register


class Pair(NamedTuple):
    """Instruction `later` comes after `earlier` of `trips` trips before."""

    earlier: int
    later: int
    trips: int


def back_edges(kernel: Kernel, block: Block) -> tuple[Edge, Edge] | None:
    """The linear and the logical edge by which a block enters itself again, from the block or from a block
    without instructions; None if it is no loop of this form."""
    blocks = {each.label: each for each in kernel.blocks}
    for leaving in (block, *[blocks[edge.target] for edge in block.linear]):
        if leaving is not block and (
            leaving.instructions or leaving.scalar_parameters or leaving.vector_parameters
        ):
            continue
        linear = next((edge for edge in leaving.linear if edge.target == block.label), None)
        logical = next((edge for edge in leaving.logical if edge.target == block.label), None)
        if linear is not None and logical is not None:
            return linear, logical
    return None


def through_parameters(block: Block, edges: tuple[Edge, Edge], code: Sequence[Instr]) -> Iterator[Pair]:
    """The readers of values that a trip gets from a trip before."""
    made: dict[int, int] = {}
    for number, instr in enumerate(code):
        made.update(dict.fromkeys(instr.units.written, number))
    passed = dict(_passed(block.scalar_parameters, edges[0]))
    passed.update(_passed(block.vector_parameters, edges[1]))
    for number, instr in enumerate(code):
        read = instr.units.read
        if passed.keys().isdisjoint(read):
            continue
        for unit in sorted({unit for unit in read if unit >= FIRST_VIRTUAL and unit in passed}):
            trips, seen = 0, set[int]()
            while unit in passed and unit not in seen:
                seen.add(unit)
                unit, trips = passed[unit], trips + 1
            if unit in made:
                yield Pair(made[unit], number, trips)


def _passed(parameters: tuple[Register, ...], edge: Edge) -> Iterator[tuple[int, int]]:
    """The unit of each parameter, and the unit that it gets from the trip before."""
    for parameter, argument in zip(parameters, edge.arguments, strict=True):
        if not isinstance(argument, Immediate):
            yield from zip(parameter.units, argument.units, strict=True)


def through_memory(
    touches: Sequence[Sequence[Touch]], within: Sequence[Mapping[int, object]]
) -> Iterator[Pair]:
    """The accesses that may meet an access of a trip before. `within` are the instructions that each comes
    after in its own trip."""
    accesses = [(number, touch) for number, some in enumerate(touches) for touch in some]
    for earlier, before in accesses:
        for later, after in accesses:
            if (
                before.space is after.space
                and (before.writes or after.writes)
                and earlier not in within[later]
            ):
                trips = _trips(before, after)
                if trips:
                    yield Pair(earlier, later, trips)


def _trips(earlier: Touch, later: Touch) -> int:
    """The fewest trips after which an access may meet an earlier access; 0 if it never does."""
    return 1 if earlier.of is None or later.of is None else trips_between(earlier.of, later.of)
