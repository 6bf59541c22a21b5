"""The order of accesses to memory, by their footprints.

Two accesses are in order if one of them writes and they may touch the same byte (`footprints`). An access
without a footprint may touch every byte of the memory that its row reaches: it is ordered with each access
there. A barrier keeps its place among all accesses of LDS and of buffers that the kernel writes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct, field

from asmgen.passes.dependence.facts import OrderFacts
from asmgen.passes.dependence.footprints import may_meet
from isa.footprint import Footprint, Space
from isa.instruction import Instr
from isa.named_tuple import NamedTuple
from isa.program import Kernel

MOST_COMPARED = 64  # accesses of an object, of each kind, that a later access is compared with
# copies to LDS keep their order among each other: waits count them
_COPIES = Footprint(Space.LDS, ".copies")
_SHARED = (Space.GLOBAL, Space.LDS)


class Touch(NamedTuple):
    """A part of the memory that an instruction accesses. `of` is None for any byte of the space."""

    space: Space
    of: Footprint | None
    writes: bool


class Memory:
    """The memory of a kernel; the buffers that the kernel only reads have no order."""

    def __init__(self, kernel: Kernel) -> None:
        self._constant = {one.name for one in kernel.arguments if one.is_buffer and one.access == "read_only"}

    def touches(self, instr: Instr, facts: OrderFacts) -> Iterator[Touch]:
        """The memory that an access touches, or that a barrier keeps in place."""
        if facts.barrier and not facts.is_access:
            yield from [Touch(space, None, True) for space in _SHARED]
            return
        for of in instr.touches:
            writes = facts.is_write or (facts.fills_lds and of.space is Space.LDS)
            if writes or not self._is_constant(of):
                yield Touch(of.space, of, writes)
        if instr.touches and not facts.fills_lds:
            return
        if facts.fills_lds:
            yield Touch(Space.LDS, _COPIES, True)
        named = {of.space for of in instr.touches}
        for space in _spaces(facts):
            if space not in named:
                yield Touch(space, None, facts.is_write or (facts.fills_lds and space is Space.LDS))

    def _is_constant(self, of: Footprint) -> bool:
        return of.space is Space.ARGUMENTS or (of.space is Space.GLOBAL and of.object in self._constant)


def _spaces(facts: OrderFacts) -> list[Space]:
    """The memory that an access reaches by its row."""
    reached = (
        (Space.GLOBAL, facts.in_global),
        (Space.LDS, facts.in_lds or facts.fills_lds),
        (Space.SCRATCH, facts.in_scratch),
    )
    return [space for space, is_reached in reached if is_reached]


def writes_memory(facts: Sequence[OrderFacts]) -> bool:
    """Whether something in a block writes memory or is a barrier."""
    return any(fact.is_write or fact.fills_lds or fact.barrier for fact in facts)


class _Object(Struct):
    """The accesses of an object, by number; without a footprint those that meet every access of it."""

    written: list[tuple[int, Footprint | None]] = field(default_factory=list)
    read: list[tuple[int, Footprint | None]] = field(default_factory=list)


class _State(Struct):
    """The accesses of a space: the last that may have written any byte, those since that may have read any
    byte, and those of each object."""

    writer: int = -1
    readers: list[int] = field(default_factory=list)
    objects: dict[str, _Object] = field(default_factory=dict)


class MemoryOrder:
    """The accesses of a block so far. `add` gives those that the next access comes after."""

    def __init__(self) -> None:
        self._states = {space: _State() for space in Space}

    def add(self, number: int, touch: Touch) -> Iterator[int]:
        state = self._states[touch.space]
        if state.writer >= 0:
            yield state.writer
        if touch.writes:
            yield from state.readers
        if touch.of is None:
            yield from self._add_anywhere(number, state, touch.writes)
        else:
            object_ = state.objects.setdefault(touch.of.object, _Object())
            add = self._add_write if touch.writes else self._add_read
            yield from add(number, object_, touch.of)

    @staticmethod
    def _add_anywhere(number: int, state: _State, writes: bool) -> Iterator[int]:
        for object_ in state.objects.values():
            yield from [earlier for earlier, _ in object_.written]
            if writes:
                yield from [earlier for earlier, _ in object_.read]
        if writes:
            state.writer, state.readers, state.objects = number, [], {}
        else:
            state.readers.append(number)

    @staticmethod
    def _add_read(number: int, object_: _Object, of: Footprint) -> Iterator[int]:
        yield from _meeting(object_.written, of)
        object_.read.append((number, of if len(object_.read) < MOST_COMPARED else None))

    @staticmethod
    def _add_write(number: int, object_: _Object, of: Footprint) -> Iterator[int]:
        if len(object_.written) == MOST_COMPARED:  # too many to compare: it comes after all
            yield from [earlier for earlier, _ in (*object_.written, *object_.read)]
            object_.written, object_.read = [(number, None)], []
            return
        yield from _meeting(object_.written, of)
        yield from _meeting(object_.read, of)
        # what meets the same bytes as this write comes after this write
        object_.written = [entry for entry in object_.written if entry[1] != of]
        object_.read = [entry for entry in object_.read if entry[1] != of]
        object_.written.append((number, of))


def _meeting(entries: list[tuple[int, Footprint | None]], of: Footprint) -> Iterator[int]:
    """The accesses, of the same object, that an access may meet. Each access of a tile is compared with many
    others, and most of these are apart by their bytes alone."""
    if of.bytes is None:
        yield from [number for number, earlier in entries if earlier is None or may_meet(earlier, of)]
        return
    slot, (at, first, last, step, width) = of.slot, of.bytes
    for number, earlier in entries:
        if earlier is None:
            yield number
            continue
        if earlier.bytes is not None and earlier.slot == slot:
            its_at, its_first, its_last, its_step, its_width = earlier.bytes
            if its_at == at:
                if its_last + its_width <= first or last + width <= its_first:
                    continue
                if its_step == step and its_first < its_last and first < last:
                    ahead = (first - its_first) % step
                    if its_width <= ahead <= step - width:
                        continue
        if may_meet(earlier, of):
            yield number
