"""The vector registers of a changed program, from the counts of the unchanged program.

A change of a few instructions changes the live ranges of the units that these name, and of no others. So only
these units are followed, in the unchanged and in the changed program; the counts of all other units stay.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import compress, count
from operator import ne

from msgspec import Struct

from asmgen.report.drafts import Draft
from asmgen.report.model import FILES
from asmgen.report.values import Counts, LiveKernel, Slot, file_number
from isa.instruction import Instr
from isa.registers import FIRST_VIRTUAL
from regalloc.slots import PARAMETERS, is_vector_unit

_VECTOR_FILES = (FILES.index("VGPR"), FILES.index("AGPR"))


class Recounted(Struct, frozen=True):
    """The VGPRs at the peak of the unchanged program, and the largest pressures."""

    at_peak: int
    vgprs: int
    agprs: int


class _Event(Struct, frozen=True):
    """A slot that names followed units: those that it reads and writes, as sets of bits. An instruction put
    in stands `before` a slot of the unchanged program."""

    index: int
    reads: int
    writes: int
    is_new: bool = False


_Events = dict[int, list[_Event]]
"""By block, in order."""


class _Track(Struct, frozen=True):
    """The followed units at the slots of a block: live before each, and after it with its results; and those
    of instructions put in, by the slot before which they stand."""

    before: list[int]
    after: list[int]
    new: list[tuple[int, int, int]]


class _Both(Struct, frozen=True):
    """A block's counts, and its followed units of a file in the unchanged and in the changed program."""

    before: Sequence[Counts]
    after: Sequence[Counts]
    was: _Track
    is_: _Track
    file: int
    mask: int

    def pressures(self, unchanged: Sequence[int], gone: Iterable[int]) -> list[int]:
        """The pressure at each slot, 0 if it is gone, and then at each instruction put in. It is `unchanged`
        if the same followed units are live."""
        pressures, was, is_ = [*unchanged], self.was, self.is_
        for index in compress(count(), map(ne, was.before, is_.before)):
            pressures[index] = self._pressure(index)
        for index in compress(count(), map(ne, was.after, is_.after)):
            pressures[index] = self._pressure(index)
        for index in gone:
            pressures[index] = 0
        for index, above, below in is_.new:
            others = self.before[index][self.file] - self._count(was.before[index])
            pressures.append(others + max(self._count(above), self._count(below)))
        return pressures

    def _pressure(self, index: int) -> int:
        """The pressure of the changed program at a slot."""
        was, is_ = self.was, self.is_
        return max(
            self.before[index][self.file] - self._count(was.before[index]) + self._count(is_.before[index]),
            self.after[index][self.file] - self._count(was.after[index]) + self._count(is_.after[index]),
        )

    def _count(self, units: int) -> int:
        return (units & self.mask).bit_count()


class Recount:
    """Counts of a program with registers that live along edges."""

    def __init__(self, program: LiveKernel) -> None:
        self._program = program
        self._slots = program.live.liveness.slots
        self._graph = program.live.liveness.flow.logical
        # the pressure by file, block and slot
        self._pressure = [
            [
                [max(before[file], after[file]) for before, after in zip(*of_block, strict=True)]
                for of_block in zip(program.before, program.after, strict=True)
            ]
            for file in _VECTOR_FILES
        ]
        self._most = [[max(of_block, default=0) for of_block in of_file] for of_file in self._pressure]

    def of(self, draft: Draft, peak: Slot) -> Recounted:
        units = self._followed(draft)
        bits = {unit: 1 << number for number, unit in enumerate(units)}
        masks = [
            sum(bit for unit, bit in bits.items() if self._file_of(unit) == file) for file in _VECTOR_FILES
        ]
        old = self._events(bits)
        new = self._changed(old, draft, bits)
        parameters = [_bits_of(slots.parameters, bits) for slots in self._slots]
        old_leaving, new_leaving = self._leaving(old, parameters), self._leaving(new, parameters)
        most = [[*of_file] for of_file in self._most]
        at_peak = self._pressure[0][peak[0]][peak[1]]
        for block in range(len(self._slots)):
            was, is_ = old.get(block, []), new.get(block, [])
            if was == is_ and old_leaving[block] == new_leaving[block]:
                continue
            before = self._track(block, was, old_leaving[block], parameters[block])
            after = self._track(block, is_, new_leaving[block], parameters[block])
            gone = {index for number, index in draft.removed if number == block}
            for file, mask in enumerate(masks):
                if mask:
                    both = _Both(
                        self._program.before[block], self._program.after[block], before, after,
                        _VECTOR_FILES[file], mask,
                    )  # fmt: skip
                    pressures = both.pressures(self._pressure[file][block], gone)
                    most[file][block] = max(pressures)
                    if file == 0 and block == peak[0]:
                        at_peak = pressures[peak[1]]
        return Recounted(at_peak, max(most[0]), max(most[1]))

    def counts(self, draft: Draft) -> bool:
        """Whether a draft can be counted: no instruction is put in before the first of a block with
        parameters, which arrive there."""
        starts = [(block, index) for block, index in draft.before if index == 0]
        starts += [(block, index) for block, index in draft.after if index == PARAMETERS]
        return not any(self._slots[block].parameters for block, _ in starts)

    def _followed(self, draft: Draft) -> list[int]:
        instrs = [instr for table in (draft.before, draft.after) for put in table.values() for instr in put]
        instrs += [self._program.kernel.blocks[block].instructions[index] for block, index in draft.removed]
        units = {
            unit for instr in instrs for unit in (*instr.units.tracked_read, *instr.units.tracked_written)
        }
        return sorted(
            unit for unit in units if self._is_added(unit) or is_vector_unit(self._program.kernel, unit)
        )

    def _is_added(self, unit: int) -> bool:
        """Whether a draft adds the unit; drafts add AGPRs."""
        return unit - FIRST_VIRTUAL >= len(self._program.kernel.owners) and unit >= FIRST_VIRTUAL

    def _file_of(self, unit: int) -> int:
        return _VECTOR_FILES[1] if self._is_added(unit) else file_number(self._program.kernel, unit)

    def _events(self, bits: dict[int, int]) -> _Events:
        """The slots that name followed units."""
        reads: dict[Slot, int] = {}
        writes: dict[Slot, int] = {}
        for unit, bit in bits.items():
            for slots, table in ((self._program.reads(unit), reads), (self._program.writes(unit), writes)):
                for slot in slots:
                    table[slot] = table.get(slot, 0) | bit
        events: _Events = {}
        for slot in sorted({*reads, *writes}):
            block, index = slot
            events.setdefault(block, []).append(_Event(index, reads.get(slot, 0), writes.get(slot, 0)))
        return events

    def _changed(self, events: _Events, draft: Draft, bits: dict[int, int]) -> _Events:
        """The events of the changed program."""
        changed = {
            block: [event for event in of_block if (block, event.index) not in draft.removed]
            for block, of_block in events.items()
        }
        put_in: dict[int, list[tuple[tuple[int, int], int, tuple[Instr, ...]]]] = {}
        for (block, index), instrs in draft.before.items():
            at = min(index, self._slots[block].copies)  # before the terminator is before the copies
            put_in.setdefault(block, []).append(((index, 0), at, instrs))
        for (block, index), instrs in draft.after.items():
            put_in.setdefault(block, []).append(((index, 1), index + 1, instrs))
        for block, groups in put_in.items():
            new = [
                _Event(
                    at,
                    _bits_of(instr.units.tracked_read, bits),
                    _bits_of(instr.units.tracked_written, bits),
                    True,
                )
                for _, at, instrs in sorted(groups, key=lambda group: group[0])
                for instr in instrs
            ]
            # stable: those put in stay in their order, before the slot
            changed[block] = sorted(
                [*new, *changed.get(block, [])], key=lambda event: (event.index, not event.is_new)
            )
        return changed

    def _leaving(self, events: _Events, parameters: list[int]) -> list[int]:
        """The followed units that are live at the end of each block."""
        exposed, kept = [0] * len(self._slots), [-1] * len(self._slots)
        for block, of_block in events.items():
            live, through = 0, -1
            for event in reversed(of_block):
                live = (live & ~event.writes) | event.reads
                through &= ~event.writes
            exposed[block], kept[block] = live, through
        leaving = [0] * len(self._slots)
        pending = [block for block in events if exposed[block]]
        entering = [0] * len(self._slots)
        while pending:
            block = pending.pop()
            live = (exposed[block] | (leaving[block] & kept[block])) & ~parameters[block]
            if live == entering[block]:
                continue
            entering[block] = live
            for source in self._graph.predecessors[block]:
                leaving[source] |= live
                pending.append(source)
        return leaving

    def _track(self, block: int, events: list[_Event], leaving: int, parameters: int) -> _Track:
        count = len(self._slots[block].uses)
        before, after, new = [0] * count, [0] * count, list[tuple[int, int, int]]()
        live, end = leaving, count
        for event in reversed(events):
            # the slots behind it name none of the units
            first = event.index if event.is_new else event.index + 1
            before[first:end] = after[first:end] = [live] * (end - first)
            end = event.index
            below = live | event.writes
            live = (live & ~event.writes) | event.reads
            if event.is_new:
                new.append((event.index, live, below))
            else:
                before[end], after[end] = live, below
        before[:end] = after[:end] = [live] * end
        before[0] |= parameters
        return _Track(before, after, new)


def _bits_of(units: Iterable[int], bits: dict[int, int]) -> int:
    return sum({unit: bits[unit] for unit in units if unit in bits}.values())
