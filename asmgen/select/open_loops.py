"""The loops around what is being selected, as far as their addresses can be advanced from trip to trip."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from msgspec import Struct, field

from asmgen.ir.program import Region, Value
from isa.program import Block
from isa.registers import Register


class Advanced(Struct):
    """An address in a VGPR that begins at `initial` and grows by `step` bytes a trip."""

    register: Register
    initial: Register
    step: int


class OpenLoop(Struct):
    """A loop whose lanes make the same trips, by a known step.

    `inside` are the values that may differ from trip to trip. `before` is the block that enters the loop,
    `header` the one with its parameters. `advanced` are its addresses by linear form, and `pointers` the
    scalar bases that were made for it.
    """

    start: Value
    counter: Value
    step: int
    makes_few_trips: bool
    inside: frozenset[Value]
    before: Block
    header: Block
    advanced: dict[Hashable, Advanced] = field(default_factory=dict)
    pointers: set[Hashable] = field(default_factory=set)


def values_inside(region: Region) -> frozenset[Value]:
    """The parameters of a region and what its statements define, and the same of the regions inside."""
    return frozenset(_values(region))


def _values(region: Region) -> Iterator[Value]:
    yield from region.parameters
    for statement in region.statements:
        yield from statement.results
        for inner in statement.regions:
            yield from _values(inner)
