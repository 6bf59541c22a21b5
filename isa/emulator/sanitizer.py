"""The sanitizer: watches a run and stops it at the first fault, at the instruction and its source line.

What depends on a wave's path alone (waits, hazards, registers never written) is worked out once per block and path;
what depends on data (LDS races, bytes never written, bounds) is checked as accesses happen. Per wave, not per lane: a
register that one lane wrote counts as written.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from isa.emulator.access import Indexes, Place
from isa.emulator.faults import ALL_CHECKS, Check, SanitizerError
from isa.emulator.image import Image
from isa.emulator.launch import entry_registers
from isa.emulator.machine import Machine
from isa.emulator.paths import Finding, Paths, Suspect
from isa.emulator.reports import describe, place_of
from isa.emulator.shadow import Accesses, LdsShadow, WrittenBytes, first_false, mark
from isa.emulator.waves import Waves
from isa.hazards import rules_for
from isa.instruction import Instr
from isa.targets import parse_target


class Sanitizer:
    """An observer for one launch."""

    def __init__(self, image: Image, preload: bool, checks: frozenset[Check] = ALL_CHECKS) -> None:
        target = parse_target(image.target, image.place)
        self._operations = image.code.operations
        self._checks = checks
        rules = rules_for(target, image.code.instructions)
        self.paths = Paths(image.code.operations, target.target.counters, rules, entry_registers(image, preload), checks)
        self._global: WrittenBytes | None = None

    def begin(self, w: Waves, machine: Machine) -> None:
        """A new chunk of waves."""
        self._machine = machine
        self._state = np.full(w.count, self.paths.entry, np.int32)
        self._common = self.paths.entry  # the state of all waves, or -1
        self._global = self._global or WrittenBytes(w.memory)
        self._lds = LdsShadow(w.count // w.per_group, w.lds_bytes)
        self._scratch = np.zeros(w.scratch.size, np.uint8)
        self._in_group = (np.arange(w.count) % w.per_group + 1).astype(np.int16)

    def enter(self, w: Waves, start: int, end: int) -> dict[int, Suspect]:
        """The group is about to run operations `start` to `end` - 1. Gives the operations at which an active lane is a fault."""
        whole = w.width == w.count
        if whole and self._common >= 0:
            self._common, suspects = self._through(w, self._common, start, end)
            return suspects
        if self._common >= 0:
            self._state[:] = self._common
            self._common = -1
        states = self._state[w.indexes]
        result: dict[int, Suspect] = {}
        for number in np.unique(states):
            after, suspects = self._through(w, int(number), start, end)
            self._state[w.indexes[states == number]] = after
            result |= suspects
        if whole and (self._state == self._state[0]).all():
            self._common = int(self._state[0])
        return result

    def _through(self, w: Waves, number: int, start: int, end: int) -> tuple[int, dict[int, Suspect]]:
        result = self.paths.through(number, start, end)
        if isinstance(result, Finding):
            wave = int(w.indexes[0]) if self._common >= 0 else int(w.indexes[np.argmax(self._state[w.indexes] == number)])
            raise self.fault(result.check, result.index, wave, result.message, result.notes)
        return result[0], {suspect.index: suspect for suspect in result[1]}

    def fault(self, check: Check, index: int, wave: int, message: str, notes: tuple[str, ...] = ()) -> SanitizerError:
        operation = self._operations[index]
        if not isinstance(operation, Instr):
            return SanitizerError(check, "copy on an edge", str(operation), wave, message, notes)
        return SanitizerError(check, place_of(operation), describe(operation), wave, message, notes)

    def suspect(self, w: Waves, suspect: Suspect) -> None:
        """An operation that is a fault if any lane of the group is active."""
        active = w.exec_masks() != 0
        if active.any():
            raise self.fault(suspect.check, suspect.index, int(w.indexes[np.argmax(active)]), suspect.message)

    def _here(self, w: Waves, place: Place, position: int, check: Check, message: str) -> SanitizerError:
        lane = position if place.lanes is None else int(place.lanes[position])
        return self.fault(check, self._machine.index, int(w.indexes[lane // w.lanes]), f"{message} (lane {lane % w.lanes})")

    def loaded(self, w: Waves, place: Place, size: int) -> None:
        unwritten, race = -1, -1
        if place.store is w.memory.arena:
            assert self._global is not None
            unwritten = self._global.unwritten(place.indexes, size)
        elif np.shares_memory(place.store, w.lds):
            unwritten, race = self._lds.load(self._accesses(w, place, size))
        elif place.indexes.size:
            unwritten = first_false(self._scratch, place.indexes, size)
        self._judge(w, place, size, unwritten, race)

    def stored(self, w: Waves, place: Place, size: int) -> None:
        if place.store is w.memory.arena:
            assert self._global is not None
            self._global.mark(place.indexes, size)
        elif np.shares_memory(place.store, w.lds):
            self._judge(w, place, size, -1, self._lds.store(self._accesses(w, place, size)))
        elif place.indexes.size:
            mark(self._scratch, place.indexes, size)

    def updated(self, w: Waves, place: Place, size: int) -> None:
        if np.shares_memory(place.store, w.lds):
            unwritten, race = self._lds.update(self._accesses(w, place, size))
            self._judge(w, place, size, unwritten, race)
        else:
            self.loaded(w, place, size)

    def read_scalar(self, w: Waves, indexes: Indexes, size: int) -> None:
        assert self._global is not None
        position = self._global.unwritten(indexes, size)
        if position >= 0 and Check.UNINITIALISED in self._checks:
            wave = int(w.indexes[position])
            raise self.fault(Check.UNINITIALISED, self._machine.index, wave, f"{size} bytes of memory are read that were never written")

    def _judge(self, w: Waves, place: Place, size: int, unwritten: int, race: int) -> None:
        if race >= 0 and Check.RACE in self._checks:
            raise self._here(w, place, race, Check.RACE, "another wave accesses the same LDS bytes, with no barrier (and wait before it) in between")
        if unwritten >= 0 and Check.UNINITIALISED in self._checks:
            raise self._here(w, place, unwritten, Check.UNINITIALISED, f"{size} bytes are read of which some were never written")

    def _accesses(self, w: Waves, place: Place, size: int) -> Accesses:
        """The accesses of a group, each with its wave, counted from 1 in its workgroup."""
        ahead = self._each(w, place, w.signalled) if w.signalled.any() else None
        return Accesses(place.indexes, size, self._each(w, place, self._in_group), ahead)

    def _each(self, w: Waves, place: Place, of_waves: NDArray[Any]) -> NDArray[Any]:
        """What each access's wave has."""
        mine = of_waves[w.indexes]
        return np.repeat(mine, w.lanes) if place.lanes is None else mine[place.lanes // w.lanes]

    def out_of_bounds(self, w: Waves, index: int, lane: int, message: str) -> SanitizerError:
        """`lane` counts the active lanes of the group."""
        lanes = np.arange(w.width * w.lanes) if w.full else np.flatnonzero(w.active)
        flat = int(lanes[lane]) if lane < len(lanes) else 0
        return self.fault(Check.BOUNDS, index, int(w.indexes[flat // w.lanes]), f"{message} (lane {flat % w.lanes})")

    def barrier(self, w: Waves, index: int, released: NDArray[np.intp]) -> None:
        """These waves, all that still run of their workgroups, passed a barrier."""
        states = np.full(w.count, self._common) if self._common >= 0 else self._state
        for group in np.unique(w.workgroup[released]):
            members = range(int(group) * w.per_group, (int(group) + 1) * w.per_group)
            kept = [(wave, self.paths.states[int(states[wave])]) for wave in members]
            writing = [int(self._in_group[wave]) for wave, state in kept if state.signalled.stores]
            reading = [int(self._in_group[wave]) for wave, state in kept if state.signalled.loads]
            self._lds.barrier(int(group), writing, reading)
