"""The program points of a kernel, the pressure at each, and the history of the values live at a point."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from asmgen.report.live import LiveSets, parts_written
from asmgen.report.model import FILES, ListedInstruction, LiveValue, Point
from isa.instruction import Instr
from isa.names import RegisterNames
from isa.program import Kernel
from isa.registers import FIRST_VIRTUAL, Register, RegisterClass
from isa.text.printing import format_instr
from regalloc.slots import slot_instruction, unit_class

Slot = tuple[int, int]
"""(block, slot), as in `regalloc.slots`."""


class Peak(Struct, frozen=True):
    """The first point of the largest pressure of a class, and the units live there: before its instruction,
    or `after` it."""

    slot: Slot
    units: tuple[int, ...]
    after: bool


class LiveKernel:
    """A kernel with its live sets, for the questions of a report."""

    def __init__(self, kernel: Kernel, live: LiveSets) -> None:
        self.kernel = kernel
        self._live = live
        self._names = RegisterNames(kernel.owners)
        self._slots = live.liveness.slots
        self.peaks: dict[str, Peak] = {}
        self._sites: dict[Slot, ListedInstruction] = {}
        self._defines: dict[int, list[Slot]] = {}
        self._uses: dict[int, list[Slot]] = {}
        self._halves: dict[tuple[int, Slot], int] = {}  # the part that a write of a half writes
        self.points = self._walk()

    def site(self, slot: Slot) -> ListedInstruction:
        return self._sites[slot]

    def _walk(self) -> tuple[Point, ...]:
        points: list[Point] = []
        for number, block in enumerate(self.kernel.blocks):
            before, slots = self._live.before(number), self._slots[number]
            for index in range(len(slots.uses)):
                instr = slot_instruction(block, index)
                if instr is None and not slots.uses[index]:
                    continue
                site = self._sites[number, index] = _site(len(points), instr, self._names)
                after = before[index + 1] | set(slots.defines[index])
                arriving = before[index] | set(slots.parameters) if index == 0 else before[index]
                points.append(
                    Point(
                        site, block.label, self._count(arriving),
                        self._pressure((number, index), arriving, after),
                    )
                )  # fmt: skip
                self._note(number, index)
        return tuple(points)

    def _note(self, block: int, index: int) -> None:
        slots = self._slots[block]
        for units, table in ((slots.defines[index], self._defines), (slots.uses[index], self._uses)):
            for unit in units:
                table.setdefault(unit, []).append((block, index))
        instr = slot_instruction(self.kernel.blocks[block], index)
        parts = parts_written(instr) if instr is not None else ()
        self._halves |= {(part // 2, (block, index)): part for part in parts if part ^ 1 not in parts}

    def _by_file(self, units: Iterable[int]) -> dict[str, list[int]]:
        by_file: dict[str, list[int]] = {name: [] for name in FILES}
        for unit in units:
            register_class = unit_class(self.kernel, unit)
            if register_class is not RegisterClass.SPECIAL:
                by_file[register_class.name].append(unit)
        return by_file

    def _count(self, units: set[int]) -> tuple[int, int, int]:
        vgprs, agprs, sgprs = (len(units_of_file) for units_of_file in self._by_file(units).values())
        return vgprs, agprs, sgprs

    def _pressure(self, slot: Slot, arriving: set[int], leaving: set[int]) -> tuple[int, int, int]:
        first, second = self._by_file(arriving), self._by_file(leaving)
        pressure: list[int] = []
        for name in FILES:
            after = len(second[name]) > len(first[name])
            units = second[name] if after else first[name]
            if units and (name not in self.peaks or len(units) > len(self.peaks[name].units)):
                self.peaks[name] = Peak(slot, tuple(sorted(units)), after)
            pressure.append(len(units))
        vgprs, agprs, sgprs = pressure
        return vgprs, agprs, sgprs

    def values(self, name: str, physical: dict[int, int]) -> tuple[LiveValue, ...]:
        """The values live at the peak of a file; `physical` maps virtual units to their allocation."""
        peak = self.peaks.get(name)
        if peak is None:
            return ()
        groups: dict[tuple[object, ...], list[int]] = {}
        for unit in peak.units:
            if unit >= FIRST_VIRTUAL:
                key: tuple[object, ...] = (self.kernel.owners[unit - FIRST_VIRTUAL].first,)
            else:
                definitions = self._definitions(unit, peak)
                key = (definitions, self._last_use(unit, peak), "" if definitions else self._role(unit))
            groups.setdefault(key, []).append(unit)
        return tuple(
            self._value(units, peak, physical) for group in groups.values() for units in _runs(group)
        )

    def _value(self, units: list[int], peak: Peak, physical: dict[int, int]) -> LiveValue:
        unit = units[0]
        definitions = tuple(
            self._sites[slot]
            for slot in sorted({slot for unit in units for slot in self._definitions(unit, peak)})
        )
        uses = [slot for unit in units if (slot := self._last_use(unit, peak)) is not None]
        last = self._sites[max(uses)] if uses else None
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

    def _definitions(self, unit: int, peak: Peak) -> tuple[Slot, ...]:
        """The writes that may have given a unit its value at a peak; all writes of a virtual unit."""
        if unit >= FIRST_VIRTUAL:
            return tuple(self._defines.get(unit, ()))
        block, index = peak.slot
        here = [
            slot for slot in self._defines.get(unit, ()) if slot[0] == block and slot[1] < index + peak.after
        ]
        last = self._last_writes(unit, here)
        if any((unit, slot) not in self._halves for slot in last) or len(last) == 2:
            return last
        return tuple(
            sorted(
                {*last, *self._search(unit, block, self._live.liveness.flow.linear.predecessors, last=True)}
            )
        )

    def _last_writes(self, unit: int, writes: list[Slot]) -> tuple[Slot, ...]:
        """Of writes in a row, the last of each half, up to a write of the whole unit."""
        by_half: dict[int, Slot] = {}
        for slot in reversed(writes):
            half = self._halves.get((unit, slot))
            if half is None:
                return (slot, *by_half.values()) if len(by_half) < 2 else tuple(sorted(by_half.values()))
            by_half.setdefault(half, slot)
        return tuple(sorted(by_half.values()))

    def _whole(self, unit: int) -> list[Slot]:
        """The writes that replace all of a unit's value."""
        return [slot for slot in self._defines.get(unit, ()) if (unit, slot) not in self._halves]

    def _last_use(self, unit: int, peak: Peak) -> Slot | None:
        """The last read, by layout, of a unit's value at a peak."""
        uses = self._uses.get(unit, [])
        if unit >= FIRST_VIRTUAL:
            return uses[-1] if uses else None
        number, first = peak.slot[0], peak.slot[1] + peak.after
        stop = next((index for block, index in self._whole(unit) if block == number and index >= first), None)
        reads = [
            use for use in uses if use[0] == number and use[1] >= first and (stop is None or use[1] <= stop)
        ]
        if stop is None:
            reads += self._search(unit, number, self._live.liveness.flow.linear.successors, last=False)
        return max(reads, default=None)

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
            whole = [slot for slot in self._whole(unit) if slot[0] == block]
            if last:
                slots += self._last_writes(
                    unit, [slot for slot in self._defines.get(unit, ()) if slot[0] == block]
                )
            else:
                slots += [
                    slot
                    for slot in self._uses.get(unit, ())
                    if slot[0] == block and (not whole or slot <= whole[0])
                ]
            if not whole:
                pending += neighbours[block]
        return slots


def _site(number: int, instr: Instr | None, names: RegisterNames) -> ListedInstruction:
    if instr is None:
        return ListedInstruction(number, "edge arguments")
    text = format_instr(instr, names)
    origin = instr.origin
    place = origin.place if origin is not None else None
    return ListedInstruction(
        number, text, origin.op if origin is not None else "", "" if place is None else str(place)
    )


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
