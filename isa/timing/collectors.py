"""How a vector instruction of RDNA gets its registers: a SIMD has four banks of them and two collectors.

* Vector instructions take turns in the two collectors, in the order of issue. An instruction enters when the
  instruction before the last has left, and leaves when all its registers are read.
* A bank reads a register a clock, for the older of the two instructions first, and sources in their order. If
  the other instruction needs the same register, it gets it too.
* A collector keeps the second source of its last instruction. The next does not read it again.
* The halves of a VOPD instruction are in a collector together.

docs/timing.md has what of the thread traces the rule explains.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from isa.timing.machine import Machine
from isa.timing.operation import Gathering, Operation

_NONE = -1  # no instruction, or an instruction of another wave, of which no register is the same
_MOST = 1 << 30  # clocks
_KEPT = 1  # the source that a collector keeps, counted from 0

_Read = tuple[int, int]
"""A read of a bank: its place, which is the bank, plus the number of banks for each clock since the
instruction entered; and the register."""


class Gatherings:
    """How the instructions of a program read their registers, for each case that the clock loop has met.

    A case is the number of an instruction, those of the instructions before it in its collector and in the
    other (`_NONE` if they are of another wave), the number of the latter's reads, and the clocks from its
    entry to that of the instruction (both 0 if its reads are over). `met` has the clocks from the entry of
    the instruction to its last read, and the number of its reads.
    """

    def __init__(self, machine: Machine, operations: Sequence[Operation | Gathering]) -> None:
        self._banks = machine.banks.clocks
        self.read = machine.read.clocks
        self.after = machine.execute.clocks - machine.read.clocks
        self.met: dict[tuple[int, int, int, int, int], tuple[int, int]] = {}
        self._operations = operations
        # by instruction, the registers that its collector keeps and those that it writes; at the end those of
        # no instruction (`_NONE`)
        self._kept = [*map(_kept, operations), frozenset[int]()]
        self._writes = [*[operation.writes for operation in operations], ()]
        self._reads: list[tuple[_Read, ...]] = [()]
        self._numbers: dict[tuple[_Read, ...], int] = {(): 0}

    def meet(self, case: tuple[int, int, int, int, int]) -> tuple[int, int]:
        """Find how the instruction of a case reads its registers."""
        number, before, last, reads, since = case
        kept, written = self._kept[before], self._writes[last]
        banks, busy = self._banks, self.busy(last, reads, since)
        own: list[_Read] = []
        latest, held = 0, busy.get
        for source, bank, register in self._operations[number].gathered:
            if source == _KEPT and register in kept and register not in written:
                continue
            place = bank
            while held(place, register) != register:
                place += banks
            busy[place] = register
            own.append((place, register))
            if place > latest:
                latest = place
        found, clocks = tuple(own), latest // banks if latest else 0
        kind = self._numbers.setdefault(found, len(self._reads))
        if kind == len(self._reads):
            self._reads.append(found)
        met = self.met[case] = clocks, kind
        return met

    def busy(self, last: int, reads: int, since: int) -> dict[int, int | None]:
        """The places at which the last instruction reads registers after an entry, and the registers; None
        for those of another wave, which are different registers."""
        is_same, passed = last != _NONE, self._banks * since
        return {
            place - passed: register if is_same else None
            for place, register in self._reads[reads]
            if place >= passed
        }

    def clocks_before(
        self, number: int, before: int, last: int, busy: Mapping[int, int | None], most: int
    ) -> int:
        """The clocks of an instruction from its entry to its last read, as `meet` finds them, if they are
        fewer than `most`; `most` if not. `busy` are the reads of the last instruction."""
        kept, written = self._kept[before], self._writes[last]
        banks, taken, latest, end = self._banks, dict(busy), 0, self._banks * most
        for source, bank, register in self._operations[number].gathered:
            if source == _KEPT and register in kept and register not in written:
                continue
            place = bank
            while taken.get(place, register) != register:
                place += banks
            if place >= end:
                return most
            taken[place] = register
            if place > latest:
                latest = place
        return latest // banks


def _kept(operation: Operation | Gathering) -> frozenset[int]:
    """The registers that a collector keeps of an instruction, which does not write them."""
    kept = frozenset([register for source, _, register in operation.gathered if source == _KEPT])
    return kept.difference(operation.writes)


class Collectors:
    """The two collectors of a SIMD. All times are clocks."""

    __slots__ = (
        "_after", "_before", "_clocks", "_entered", "_gatherings", "_last", "_left", "_left_before", "_met",
        "_read", "_reads",
    )  # fmt: skip

    def __init__(self, gatherings: Gatherings) -> None:
        self._gatherings, self._met = gatherings, gatherings.met
        self._read, self._after = gatherings.read, gatherings.after
        # the last two instructions: the wave and the number of each; and when they entered and left
        self._last = self._before = _NONE, _NONE
        self._entered = self._left = self._left_before = -1
        # of the last instruction: the number of its reads, and the clocks until the last of them
        self._reads = self._clocks = 0

    def gather(self, wave: int, number: int, clock: int, execute: int) -> int:
        """Let an instruction that issues at a clock read its registers. Returns when it executes, which is
        `execute` if that is later for other reasons."""
        enter, reads, since = self._entering(clock)
        other, last = self._last
        own, before = self._before
        case = number, before if own == wave else _NONE, last if other == wave else _NONE, reads, since
        self._clocks, self._reads = self._met.get(case) or self._gatherings.meet(case)
        self._before, self._last = self._last, (wave, number)
        self._entered, self._left_before = enter, self._left
        left = enter + self._clocks
        if left + self._after > execute:
            self._left = left
            return left + self._after
        self._left = execute - self._after
        return execute

    def executes_first(
        self, wave: int, numbers: Sequence[int], clocks: Sequence[int], execute: int
    ) -> tuple[int, int]:
        """The place of the first of the instructions that execute first, if each were the next, and when it
        executes. Each issues at its own of `clocks`, and executes no less than `execute` clocks later. Stops
        at an instruction that executes as soon as the first of the clocks allows."""
        first, soonest, at_once = 0, -1, min(clocks) + execute
        (own, before), (other, last) = self._before, self._last
        before, last = before if own == wave else _NONE, last if other == wave else _NONE
        known, busy, enter = -1, dict[int, int | None](), 0
        for place, clock in enumerate(clocks):
            if 0 <= soonest <= clock + execute:
                continue
            if clock != known:
                known = clock
                enter, reads, since = self._entering(clock)
                busy = self._gatherings.busy(last, reads, since)
            most = soonest - enter - self._after if soonest >= 0 else _MOST
            if most <= 0:
                continue
            read = self._gatherings.clocks_before(numbers[place], before, last, busy, most)
            executes = max(clock + execute, enter + read + self._after)
            if soonest < 0 or executes < soonest:
                first, soonest = place, executes
                if executes <= at_once:
                    break
        return first, soonest

    def _entering(self, clock: int) -> tuple[int, int, int]:
        """When an instruction that issues at a clock enters, the number of the last instruction's reads, and
        the clocks since that entered; both are 0 if it has read everything."""
        enter = clock + self._read
        if self._left_before >= enter:
            enter = self._left_before + 1
        since = enter - self._entered
        if since < 1:
            enter, since = self._entered + 1, 1
        return (enter, 0, 0) if since > self._clocks else (enter, self._reads, since)

    @property
    def free(self) -> int:
        """From which clock on the next instruction may issue without a wait for a collector."""
        return self._left_before + 1 - self._read

    def state(self, now: int, past: int) -> tuple[object, ...]:
        """The state that decides about the next instructions, by clocks from now; all events longer ago than
        `past` are alike."""
        times = self._entered, self._left_before, self._left
        return (
            self._before,
            self._last,
            self._reads,
            self._clocks,
            *[max(time - now, -past) for time in times],
        )

    def shift(self, clocks: int) -> None:
        """Move every time by some clocks."""
        self._entered += clocks
        self._left += clocks
        self._left_before += clocks
