"""The sanitizer: watches a run and stops it at the first fault, at the instruction and its source line. With
`report` the run goes on after a fault.

Checks that depend on a wave's path only (waits, hazards, registers never written) are done once for each
block and path; checks that depend on data (LDS races, bytes never written, bounds) are done at each access. A
register counts as written if any lane wrote it. The folder `paths` has the checks of paths, and `races` finds
races; this module has the other checks of accesses to memory, and the reports of faults.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from isa.emulator.launching.exclusions import accesses_by_wave
from isa.emulator.launching.machine import Machine
from isa.emulator.program.image import Image
from isa.emulator.program.reports import describe, lanes_text, place_of
from isa.emulator.program.scopes import writes_back_for_agent
from isa.emulator.sanitizer.faults import ALL_CHECKS, Check, SanitizerError
from isa.emulator.sanitizer.paths.facts import meaning_of
from isa.emulator.sanitizer.paths.launched import Launched, paths_of
from isa.emulator.sanitizer.paths.wave_paths import WavePaths
from isa.emulator.sanitizer.races.conflicts import Conflict
from isa.emulator.sanitizer.races.order import Complete
from isa.emulator.sanitizer.races.races import Races
from isa.emulator.sanitizer.races.reports import explained
from isa.emulator.sanitizer.races.shadow import WrittenBytes, first_false, mark
from isa.emulator.sanitizer.suspects import Pass, Suspects
from isa.emulator.sanitizer.undefined import FirstRead
from isa.emulator.state.footprint import EmptyLoad, Footprint
from isa.emulator.state.waves import Step, Waves
from isa.instruction import Instr, Trait
from isa.objects.descriptor import USER_ROLES
from isa.semantics.accesses import Store
from isa.targets import parse_target

Report = Callable[[SanitizerError], None]
_OF_CHUNK = ("_along", "_lds", "_scratch", "_w", "_suspects")


class Sanitizer:
    """The checker of a launch. `report` receives each fault, once for an instruction, and may raise to stop
    the run; without it the first fault is raised."""

    def __init__(
        self, image: Image, preload: bool, checks: frozenset[Check] = ALL_CHECKS, report: Report | None = None
    ) -> None:
        self._report = report
        self._reported: set[tuple[Check, int, int]] = set()
        target = parse_target(image.target, image.place)
        self._operations = image.code.operations
        self._checks = checks
        self._looks = not checks.isdisjoint({Check.UNINITIALISED, Check.PARTIAL})
        self._check_user_sgprs(image)
        self.paths = paths_of(Launched(image, preload), checks).again()
        self._global: WrittenBytes | None = None
        self._races: Races | None = None
        if Check.RACE in checks or Check.WAIT in checks:
            self._races = Races(image.code, target.target.wave_size, image.descriptor.spread, self._raced)
        self._writes_back = writes_back_for_agent(image.code)

    def _check_user_sgprs(self, image: Image) -> None:
        """The launch fills as many user SGPRs as the descriptor counts, whatever it enables."""
        descriptor, sizes = image.descriptor, dict(USER_ROLES)
        wanted = sum(sizes[role] for role in descriptor.user) + descriptor.preload_dwords
        if not 0 < descriptor.user_sgprs < wanted or Check.UNINITIALISED not in self._checks:
            return
        message = (
            f"user_sgpr_count is {descriptor.user_sgprs}, and the enabled user SGPRs take {wanted} user SGPRs"
        )
        help = f"`.amdhsa_user_sgpr_count {wanted}`, or none of it: the assembler counts by itself"
        fault = SanitizerError(
            Check.UNINITIALISED, image.place, image.name, 0, message, (", ".join(descriptor.user),), help
        )
        if self._report is None:
            raise fault
        self._report(fault)

    def written(self) -> list[NDArray[np.bool_]]:
        """For each byte of the initially undefined buffers, whether the launch wrote it."""
        return [] if self._global is None else self._global.of_undefined()

    def forget(self) -> None:
        """Let go of the memory of a launch that has ended, at once: its parts know each other."""
        for part in (self._races, vars(self).get("_suspects")):
            if part is not None:
                vars(part).clear()
        vars(self).clear()

    def begin(self, w: Waves, machine: Machine, first: int, total: int) -> None:
        """A new chunk of waves, from wave `first` of the launch's `total` on."""
        self._machine = machine
        self._global = self._global or WrittenBytes(w.memory)
        self._lds = np.zeros(w.lds.size, np.uint8)
        if self._races is not None:
            self._races.begin(w, first, total, self._writes_back)
        self._scratch = np.zeros(w.scratch.size, np.uint8)
        self._w = w
        self._along = WavePaths(self.paths, w.count, self._strayed)
        self._suspects = Suspects(w, self._operations, machine.layout, self.paths, self._decided)

    def enter(self, w: Waves, start: int, end: int) -> Mapping[int, object]:
        """The group is about to run operations `start` to `end` - 1. Returns those that may read undefined
        values."""
        self._along.enter(w, start, end)
        self._expect_pending()
        return self._along.doubts

    def _expect_pending(self) -> None:
        """Accesses that release have so much under way in the block that runs."""
        if self._races is not None:
            self._races.pending = self._along.pending

    def _found(
        self, check: Check, index: int, wave: int, message: str, notes: tuple[str, ...] = (), help: str = "",
        other: int = -1,
    ) -> None:  # fmt: skip
        """Report a fault at an operation, of a wave of the launch. `other` is the operation of the other
        access of a race."""
        if self._report is None:
            raise self._fault(check, index, wave, message, notes, help)
        if (check, index, other) not in self._reported:
            self._reported.add((check, index, other))
            self._report(self._fault(check, index, wave, message, notes, help))

    def _strayed(self, check: Check, index: int, wave: int, message: str, notes: tuple[str, ...]) -> None:
        """Report a fault of a wave's path; the wave counts in the chunk."""
        self._found(check, index, int(self._w.numbers[wave]), message, notes)

    def _number(self, wave: int) -> int:
        """The number in the launch of a wave of the group."""
        return int(self._w.numbers[self._w.indexes[wave]])

    def _fault(
        self, check: Check, index: int, wave: int, message: str, notes: tuple[str, ...], help: str
    ) -> SanitizerError:
        operation = self._operations[index]
        if not isinstance(operation, Instr):
            return SanitizerError(check, "copy on an edge", str(operation), wave, message, notes, help)
        return SanitizerError(check, place_of(operation), describe(operation), wave, message, notes, help)

    def run_suspect(self, w: Waves, index: int, step: Step | None) -> None:
        """Run an operation that may read undefined values."""
        self._suspects.run(index, self._along.doubts[index], step)

    def _decided(self, origin: FirstRead, wave: int, lanes: list[int], what: str) -> None:
        """Report an undefined value that decides something at the current operation."""
        check = Check.PARTIAL if origin.partial else Check.UNINITIALISED
        if check not in self._checks:
            return
        here = self._operations[self._machine.index]
        where = ""
        if self._machine.index != origin.operation and isinstance(here, Instr):
            where = f" of {place_of(here)}: {describe(here)}"
        which = f", in {lanes_text(lanes)}" if lanes else ""
        message = f"{origin.what} is read and was never written"
        note = f"it decides {what}{where}{which}"
        self._found(check, origin.operation, self._number(wave), message, (note,))

    def loaded(self, w: Waves, place: Footprint, size: int) -> None:
        if self._is_of_no_lane(w, place, False):
            return
        flags: NDArray[np.uint8] | None = self._scratch
        if place.store is w.memory.arena:
            assert self._global is not None
            self._race_load(w, place, size, False)
            flags = self._global.flags(place.indexes, size)
        elif place.store.base is w.lds:
            self._race_load(w, place, size, True)
            flags = self._lds
        if flags is not None and self._looks:
            self._met(w, place, size, flags)

    def _is_of_no_lane(self, w: Waves, place: Footprint, writes: bool) -> bool:
        """Whether an access has no active lane. It is outstanding all the same, like an access to scratch."""
        is_empty = not place.indexes.size
        if self._races is not None and (is_empty or place.store.base is w.scratch):
            self._races.elsewhere(self._machine.index, writes)
        return is_empty

    def _race_load(self, w: Waves, place: Footprint, size: int, lds: bool) -> None:
        if self._races is not None and self._suspects.run_of_load is Pass.ONLY:
            self._races.load(place, size, lds, self._machine.index)

    def _met(self, w: Waves, place: Footprint, size: int, flags: NDArray[np.uint8]) -> None:
        """A load of memory with bytes that may never have been written."""
        run = self._suspects.run_of_load
        unwritten = -1 if run is Pass.LAST else first_false(flags, place.indexes, size)
        if unwritten < 0:
            return
        if run is Pass.OTHER:
            self._suspects.swap(place, size, flags)
            return
        operation = self._operations[self._machine.index]
        if not isinstance(operation, Instr) or Trait.LDS_DMA in operation.row.traits:
            self._judge(w, place, size, unwritten)
        self.paths.note_empty_load(self._machine.index)
        self._along.enter_again(w)
        self._expect_pending()
        raise EmptyLoad

    def stored(self, w: Waves, place: Footprint, size: int, values: NDArray[np.uint32] | None = None) -> None:
        if self._is_of_no_lane(w, place, True):
            return
        undefined = self._suspects.undefined_bytes(place, size, self._store())
        if place.store is w.memory.arena:
            assert self._global is not None
            if self._races is not None:
                self._races.store(place, size, False, self._machine.index, values)
            self._global.mark(place.indexes, size)
            if undefined is not None:
                self._suspects.stores_nothing_known(undefined, place)
            return
        flags = self._scratch
        if place.store.base is w.lds:
            flags = self._lds
            if self._races is not None:
                self._races.store(place, size, True, self._machine.index, values)
        mark(flags, place.indexes, size)
        if undefined is not None:
            self._suspects.keep(undefined, place, flags)

    def _store(self) -> Store | None:
        """The stored words of the current operation, if it is an ordinary store."""
        operation = self._operations[self._machine.index]
        meaning = meaning_of(operation) if isinstance(operation, Instr) else None
        return meaning if isinstance(meaning, Store) else None

    def updated(self, w: Waves, place: Footprint, size: int) -> None:
        if self._is_of_no_lane(w, place, True):
            return
        flags: NDArray[np.uint8] | None = self._scratch
        if place.store is w.memory.arena:
            assert self._global is not None
            flags = self._global.flags(place.indexes, size)
        elif place.store.base is w.lds:
            flags = self._lds
        if self._races is not None and place.store.base is not w.scratch:
            self._races.update(place, size, place.store.base is w.lds, self._machine.index)
        self._judge(w, place, size, -1 if flags is None else first_false(flags, place.indexes, size))
        if flags is self._lds:
            mark(self._lds, place.indexes, size)

    def read_scalar(self, w: Waves, place: Footprint, size: int) -> None:
        assert self._global is not None
        if self._races is not None and place.lanes is None:
            self._races.load_scalar(place.indexes, size, self._machine.index)
        position = self._global.unwritten(place.indexes, size)
        if position >= 0 and Check.UNINITIALISED in self._checks:
            message = f"{size} bytes of memory are read that were never written"
            wave = position if place.lanes is None else int(place.lanes[position])
            self._found(Check.UNINITIALISED, self._machine.index, self._number(wave), message)

    def _judge(self, w: Waves, place: Footprint, size: int, unwritten: int) -> None:
        """`unwritten` is the first access of the footprint that reads undefined bytes, or -1."""
        if unwritten < 0 or Check.UNINITIALISED not in self._checks:
            return
        lane = unwritten if place.lanes is None else int(place.lanes[unwritten])
        message = f"{size} bytes are read of which some were never written (lane {lane % w.lanes})"
        self._found(Check.UNINITIALISED, self._machine.index, self._number(lane // w.lanes), message)

    def cached(self, w: Waves) -> None:
        if self._races is not None:
            self._races.cached(self._machine.index)

    def arrived(self, w: Waves) -> None:
        """Waves of the group say at a split barrier that they have come."""
        if self._races is None:
            return
        order = self._races.order
        for number, waves in self._along.by_state(w, w.indexes):
            pending = self.paths.states[number].signalled
            order.arrive(waves, order.complete(waves, pending, self._races.now()))

    def end(self) -> None:
        """Every wave of the chunk has ended."""
        if self._races is not None:
            self._races.flags.settle()

    def suspend(self) -> object:
        """The state of the current chunk, before another chunk runs."""
        return {
            name: getattr(self, name) for name in _OF_CHUNK
        }, None if self._races is None else self._races.suspend()

    def resume(self, kept: Any) -> None:
        """Continue a chunk that gave way to others, with the result of `suspend`."""
        own, races = kept
        for name, value in own.items():
            setattr(self, name, value)
        if self._races is not None:
            self._races.resume(races)

    def _raced(self, conflict: Conflict) -> None:
        """Report an access without an order after an earlier access."""
        assert self._races is not None
        if (Check.RACE, conflict.operation, conflict.earlier) in self._reported:
            return
        lanes = self._w.lanes
        check, message, notes, help = explained(conflict, self._operations, self._races, self._w)
        if check in self._checks:
            wave = conflict.lane // lanes
            self._found(check, conflict.operation, wave, message, notes, help, conflict.earlier)

    def out_of_bounds(self, w: Waves, index: int, lane: int, message: str) -> None:
        """`lane` counts the active lanes of the group, or its waves for a scalar load."""
        if accesses_by_wave(self._operations[index]):
            self._found(Check.BOUNDS, index, self._number(lane), message)
            return
        lanes = np.arange(w.width * w.lanes) if w.full else np.flatnonzero(w.active)
        flat = int(lanes[lane]) if lane < len(lanes) else 0
        self._found(Check.BOUNDS, index, self._number(flat // w.lanes), f"{message} (lane {flat % w.lanes})")

    def barrier(self, w: Waves, index: int, released: NDArray[np.intp]) -> None:
        """These waves, all that still run of their workgroups, passed a barrier."""
        if self._races is None:
            return
        self._races.flags.settle_lds()
        order, now = self._races.order, self._races.now()
        groups = np.unique(w.workgroup[released])
        members = (groups[:, None] * w.per_group + np.arange(w.per_group)).reshape(-1)
        parts = [
            (waves, order.complete(waves, self.paths.states[number].signalled, now))
            for number, waves in self._along.by_state(w, members)
        ]
        if len(parts) == 1:
            order.barrier(groups, parts[0][1], now)
            return
        where = np.argsort(np.concatenate([waves for waves, _ in parts]))
        done = Complete(
            *(np.concatenate(times)[where] for times in zip(*(part for _, part in parts), strict=True))
        )
        order.barrier(groups, done, now)
