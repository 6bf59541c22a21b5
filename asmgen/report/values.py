"""The program points of a kernel, the pressure at each, and the history of the values live at a point."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cache, partial

from msgspec import Struct

from asmgen.report.live import LiveSets, parts_written, writes_half
from asmgen.report.model import FILES, ListedInstruction, LiveValue, Point
from isa.instruction import Instr
from isa.named_tuple import NamedTuple
from isa.names import RegisterNames
from isa.program import Kernel
from isa.registers import FIRST_VIRTUAL, Register, RegisterClass
from regalloc.slots import slot_instruction, unit_class

Slot = tuple[int, int]
"""(block, slot), as in `regalloc.slots`."""

Counts = tuple[int, int, int]
"""The number of units in each of `FILES`."""

_FILE_NUMBERS = {file: FILES.index(file.name) if file.name in FILES else -1 for file in RegisterClass}


class Peak(Struct, frozen=True):
    """A point, such as the first of the largest pressure of a file, and the units of the file that are live
    there: before its instruction, or `after` it."""

    slot: Slot
    units: tuple[int, ...]
    after: bool


def file_number(kernel: Kernel, unit: int) -> int:
    """The file of a unit by its place in `FILES`; -1 if it is in none."""
    return _FILE_NUMBERS[unit_class(kernel, unit)]


class CountedSlot(NamedTuple):
    """A slot with the number of live units before it, the number of those after it with its results, and the
    larger of both, its pressure, by file.

    `live` is the set of units live after the slot, without those that only the slot writes. The set is that
    of the walk: it changes with the next slot.
    """

    slot: Slot
    before: Counts
    after: Counts
    pressure: Counts
    live: set[int]
    changed: tuple[int, ...]
    entering: tuple[int, ...]
    defined: tuple[int, ...]

    def before_units(self) -> set[int]:
        """The units live before the slot, and the parameters that arrive there."""
        return self.live.symmetric_difference(self.changed).union(self.entering)

    def after_units(self) -> set[int]:
        """The units live after the slot, and those that it writes."""
        return self.live.union(self.defined)


def counted_slots(kernel: Kernel, live: LiveSets) -> Iterator[CountedSlot]:
    """The slots of a kernel in layout order."""
    file_of = cache(partial(file_number, kernel))
    for number, slots in enumerate(live.liveness.slots):
        units, changes = live.changes(number)
        counted = _CountedUnits(units, file_of)
        for index, changed in enumerate(changes):
            entering, defined = slots.parameters if index == 0 else (), slots.defines[index]
            before = counted.counts_with(entering)
            counted.toggle(changed)
            after = counted.counts_with(defined)
            pressure = max(before[0], after[0]), max(before[1], after[1]), max(before[2], after[2])
            yield CountedSlot((number, index), before, after, pressure, units, changed, entering, defined)


class _CountedUnits:
    """A set of live units, and their number in each file."""

    def __init__(self, units: set[int], file_of: Callable[[int], int]) -> None:
        self.units = units
        self._file_of = file_of
        self._counts = [0, 0, 0]
        for unit in units:
            self._count(unit, 1)

    def toggle(self, units: Iterable[int]) -> None:
        """Add the units that are not in the set, and remove the others."""
        for unit in units:
            self._count(unit, -1 if unit in self.units else 1)
        self.units.symmetric_difference_update(units)

    def counts_with(self, units: Iterable[int]) -> Counts:
        """The counts if further units were in the set."""
        vgprs, agprs, sgprs = self._counts
        if not self.units.issuperset(units):
            for unit in {*units} - self.units:
                file = self._file_of(unit)
                vgprs, agprs, sgprs = vgprs + (file == 0), agprs + (file == 1), sgprs + (file == 2)
        return vgprs, agprs, sgprs

    def _count(self, unit: int, change: int) -> None:
        file = self._file_of(unit)
        if file >= 0:
            self._counts[file] += change


class LiveKernel:
    """A kernel with its live sets, for the questions of a report."""

    def __init__(self, kernel: Kernel, live: LiveSets) -> None:
        self.kernel = kernel
        self.live = live
        self._names = RegisterNames(kernel.owners)
        self._file_of = cache(partial(file_number, kernel))
        self._slots = live.liveness.slots
        self.peaks: dict[str, Peak] = {}
        self._most = [0, 0, 0]  # units of each file at its peak
        # of each slot of each block, if it is a point
        self._points: list[list[Point | None]] = [[None] * len(block.uses) for block in self._slots]
        self._writes: dict[int, list[Slot]] = {}
        self._reads: dict[int, list[Slot]] = {}
        self._halves: dict[tuple[int, Slot], int] = {}  # the part that a write of a half writes
        # of each slot of each block: the units before it, and those after it with its results
        self.before: list[list[Counts]] = [[] for _ in self._slots]
        self.after: list[list[Counts]] = [[] for _ in self._slots]
        self.points = self._walk()

    def site(self, slot: Slot) -> ListedInstruction:
        block, index = slot
        point = self._points[block][index]
        assert point is not None
        return point.site

    def _walk(self) -> tuple[Point, ...]:
        points: list[Point] = []
        pressures: set[Counts] = set()
        seen: dict[Counts, Counts] = {}  # few are different, and points share them
        for step in counted_slots(self.kernel, self.live):
            number, index = slot = step.slot
            before = seen.setdefault(step.before, step.before)
            self.before[number].append(before)
            self.after[number].append(seen.setdefault(step.after, step.after))
            instr = slot_instruction(self.kernel.blocks[number], index)
            if instr is None and not self._slots[number].uses[index]:
                continue
            if step.pressure not in pressures:
                pressures.add(step.pressure)
                self._note_peaks(step)
            pressure = seen.setdefault(step.pressure, step.pressure)
            label = self.kernel.blocks[number].label
            point = Point(len(points), instr, self._names, label, before, pressure)
            self._points[number][index] = point
            points.append(point)
            self._note(slot, instr)
        return tuple(points)

    def _note_peaks(self, step: CountedSlot) -> None:
        """Note the files that have their most live units at a slot: before its instruction, or after it."""
        for file, name in enumerate(FILES):
            most = step.pressure[file]
            if most > self._most[file]:
                self._most[file] = most
                self.peaks[name] = self._peak_of(step, file)

    def _note(self, slot: Slot, instr: Instr | None) -> None:
        """Note the writes and reads of the instruction of a slot."""
        block, index = slot
        slots = self._slots[block]
        for units, table in ((slots.defines[index], self._writes), (slots.uses[index], self._reads)):
            for unit in units:
                table.setdefault(unit, []).append(slot)
        if instr is not None and writes_half(instr.row):
            parts = parts_written(instr)
            self._halves |= {(part // 2, slot): part for part in parts if part ^ 1 not in parts}

    def _of_file(self, units: Iterable[int], file: int) -> tuple[int, ...]:
        return tuple(sorted(unit for unit in units if self._file_of(unit) == file))

    def most(self, name: str) -> int:
        """The largest pressure of a file."""
        return self._most[FILES.index(name)]

    def values(self, peak: Peak | None, physical: dict[int, int]) -> tuple[LiveValue, ...]:
        """The values live at the peak of a file; `physical` maps virtual units to their allocation."""
        return tuple(value for value, _ in self.grouped_values(peak, physical)) if peak is not None else ()

    def at(self, points: Collection[int]) -> dict[int, tuple[Peak, ...]]:
        """For each of some points the units of each of `FILES` that its pressure counts."""
        found: dict[int, tuple[Peak, ...]] = {}
        for step in counted_slots(self.kernel, self.live) if points else ():
            number, index = step.slot
            point = self._points[number][index]
            if point is not None and point.number in points:
                found[point.number] = tuple(self._peak_of(step, file) for file in range(len(FILES)))
        return found

    def _peak_of(self, step: CountedSlot, file: int) -> Peak:
        """The units of a file at a slot: before its instruction, or after it if there are more."""
        is_after = step.pressure[file] > step.before[file]
        units = step.after_units() if is_after else step.before_units()
        return Peak(step.slot, self._of_file(units, file), is_after)

    def grouped_values(
        self, peak: Peak, physical: dict[int, int]
    ) -> tuple[tuple[LiveValue, tuple[int, ...]], ...]:
        """The values of the units at a point, with these units."""
        groups: dict[tuple[object, ...], list[int]] = {}
        for unit in peak.units:
            if unit >= FIRST_VIRTUAL:
                key: tuple[object, ...] = (self.kernel.owners[unit - FIRST_VIRTUAL].first,)
            else:
                definitions = self.definitions(unit, peak)
                key = (definitions, self._last_use(unit, peak), "" if definitions else self._role(unit))
            groups.setdefault(key, []).append(unit)
        return tuple(
            (self._value(units, peak, physical), tuple(units))
            for group in groups.values()
            for units in _runs(group)
        )

    def _value(self, units: list[int], peak: Peak, physical: dict[int, int]) -> LiveValue:
        unit = units[0]
        definitions = tuple(
            self.site(slot)
            for slot in sorted({slot for unit in units for slot in self.definitions(unit, peak)})
        )
        uses = [slot for unit in units if (slot := self._last_use(unit, peak)) is not None]
        last = self.site(max(uses)) if uses else None
        if unit < FIRST_VIRTUAL:
            name = str(Register(unit, len(units)))
            role = self._role(unit)
            origin = (
                f"on entry: {role}" if role and not definitions else ("" if definitions else "never written")
            )
            return LiveValue(name, len(units), len(units), name, origin, definitions, last)
        owner = self.kernel.owners[unit - FIRST_VIRTUAL]
        registers = ", ".join(
            str(Register(first, count))
            for first, count in _ranges(physical[unit] for unit in units if unit in physical)
        )
        origin = "" if definitions else f"parameter of {self._parameter_of(unit)}"
        return LiveValue(
            self._names(owner.register), len(units), owner.count, registers, origin, definitions, last
        )

    def _parameter_of(self, unit: int) -> str:
        return next(
            (
                block.label
                for block, slots in zip(self.kernel.blocks, self._slots, strict=True)
                if unit in slots.parameters
            ),
            "no block",
        )

    def _role(self, unit: int) -> str:
        return next((role for role, register in self.kernel.abi.entry if unit in register.units), "")

    def touched(self) -> Iterable[int]:
        """The units that some slot reads or writes."""
        return self._reads.keys() | self._writes.keys()

    def reads(self, unit: int) -> Sequence[Slot]:
        """The slots that read a unit, in order."""
        return self._reads.get(unit, ())

    def writes(self, unit: int) -> Sequence[Slot]:
        """The slots that write a unit, in order."""
        return self._writes.get(unit, ())

    def definitions(self, unit: int, peak: Peak) -> tuple[Slot, ...]:
        """The writes that may have given a unit its value at a peak; all writes of a virtual unit."""
        if unit >= FIRST_VIRTUAL:
            return tuple(self._writes.get(unit, ()))
        block, index = peak.slot
        here = _of_block(self.writes(unit), block, 0, index + peak.after)
        last = self._last_writes(unit, here)
        if any((unit, slot) not in self._halves for slot in last) or len(last) == 2:
            return last
        return tuple(
            sorted(
                {*last, *self._search(unit, block, self.live.liveness.flow.linear.predecessors, last=True)}
            )
        )

    def _last_writes(self, unit: int, writes: Sequence[Slot]) -> tuple[Slot, ...]:
        """Of writes in a row, the last of each half, up to a write of the whole unit."""
        by_half: dict[int, Slot] = {}
        for slot in reversed(writes):
            half = self._halves.get((unit, slot))
            if half is None:
                return (slot, *by_half.values()) if len(by_half) < 2 else tuple(sorted(by_half.values()))
            by_half.setdefault(half, slot)
        return tuple(sorted(by_half.values()))

    def _first_whole(self, unit: int, writes: Sequence[Slot]) -> Slot | None:
        """Of some writes of a unit, the first that replaces all of its value."""
        return next((slot for slot in writes if (unit, slot) not in self._halves), None)

    def _last_use(self, unit: int, peak: Peak) -> Slot | None:
        """The last read, by layout, of a unit's value at a peak."""
        uses = self.reads(unit)
        if unit >= FIRST_VIRTUAL:
            return uses[-1] if uses else None
        number, first = peak.slot[0], peak.slot[1] + peak.after
        stop = self._first_whole(unit, _of_block(self.writes(unit), number, first))
        if stop is not None:
            return max(_of_block(uses, number, first, stop[1] + 1), default=None)
        elsewhere = self._search(unit, number, self.live.liveness.flow.linear.successors, last=False)
        return max((*_of_block(uses, number, first), *elsewhere), default=None)

    def _search(self, unit: int, start: int, neighbours: list[tuple[int, ...]], *, last: bool) -> list[Slot]:
        """From a block on: the last write of each block met, or its reads up to the first write; a block that
        writes ends the way."""
        slots: list[Slot] = []
        seen: set[int] = set()
        pending = list(neighbours[start])
        while pending:
            block = pending.pop()
            if block in seen:
                continue
            seen.add(block)
            writes = _of_block(self.writes(unit), block)
            whole = self._first_whole(unit, writes)
            if last:
                slots += self._last_writes(unit, writes)
            else:
                slots += _of_block(self.reads(unit), block, 0, whole[1] + 1 if whole is not None else None)
            if whole is None:
                pending += neighbours[block]
        return slots


def _of_block(slots: Sequence[Slot], block: int, first: int = 0, end: int | None = None) -> Sequence[Slot]:
    """Of slots in order, those of a block from an index on, up to `end`."""
    start = bisect_left(slots, (block, first))
    return slots[start : bisect_left(slots, (block + 1, 0) if end is None else (block, end), start)]


def _runs(units: list[int]) -> list[list[int]]:
    """Units with the same history as adjacent registers; a virtual register is a single run, whatever part of
    it is live."""
    if units[0] >= FIRST_VIRTUAL:
        return [units]
    return [list(range(first, first + count)) for first, count in _ranges(units)]


def _ranges(units: Iterable[int]) -> list[tuple[int, int]]:
    """(first, count) of every run of neighbouring units."""
    ranges: list[tuple[int, int]] = []
    for unit in sorted(units):
        if ranges and ranges[-1][0] + ranges[-1][1] == unit:
            ranges[-1] = (ranges[-1][0], ranges[-1][1] + 1)
        else:
            ranges.append((unit, 1))
    return ranges


def register_ranges(units: Iterable[int]) -> str:
    """Physical units as assembly spells them: `v[0:3], v6`."""
    return ", ".join(str(Register(first, count)) for first, count in _ranges(units))
