"""Loops that have reached a steady state: whole periods are skipped.

If the state of the compute unit at the head of a loop is that of an earlier trip, but for the clocks that
have passed, the next trips take as long as those in between, as long as the waves execute the same
instructions with the same costs. They are noted without a look at their instructions.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import attrgetter, sub

import numpy as np
from numpy.typing import NDArray

from isa.named_tuple import NamedTuple
from isa.timing.machine import Machine
from isa.timing.memory import Cost
from isa.timing.returns import Returns
from isa.timing.state import INSTRUCTION_BITS, PENDING, WHO_BITS, Group, Shared, Wave

_ADDED = (
    "vector", "transcendental", "scalar_to_vector", "scalar_done", "vector_done", "vector_to_memory",
    "before_wait", "packed", "barrier",
)  # fmt: skip
"""The numbers of a machine that the clock loop adds to a time of the past: an issue, an execution, the end of
a pipe, or a barrier that has opened."""

_MOST_MARKS = 64  # states that are remembered
_MANY = 8  # periods that are worth a skip, and after which no longer period is expected
_FIRST = 16  # trips of which each is looked at; later only those that may be at a known state

State = tuple[object, ...]


def past_of(machine: Machine, costs: Sequence[Cost]) -> int:
    """The clocks after which a time no longer matters: nothing that is added to a time is longer."""
    backs = [cost.returns.clocks for cost in costs if cost.returns]
    return max(*[getattr(machine, name).clocks for name in _ADDED], *backs)


class _Mark(NamedTuple):
    """A state that was seen: its clock, and for each wave its position, its charges and its barriers so
    far."""

    clock: int
    waves: tuple[tuple[int, int, int], ...]
    releases: tuple[int, ...]


class Trips:
    """The trips of a loop: how long each took, and how many steps each wave did meanwhile.

    A state takes long to look at. A state that comes again has the same trips before it, so it is enough to
    look when the last two trips are those of some trips ago, and again as many trips later.
    """

    def __init__(self) -> None:
        self._clock = 0
        self._positions: list[int] = []
        self._made: list[tuple[int, ...]] = []
        self._last: dict[tuple[int, ...], int] = {}  # the number of the last trip like it
        self._period = self._same = 0  # so many trips are those of a period before

    def may_return(self, clock: int, positions: list[int]) -> bool:
        """Note a trip. Returns whether the state after it may be known, or may come again."""
        trip = (clock - self._clock, *map(sub, positions, self._positions))
        self._clock, self._positions = clock, positions
        number = len(self._made)
        self._made.append(trip)
        if self._period and self._made[number - self._period] == trip:
            self._same += 1
        else:
            self._period, self._same = number - self._last.get(trip, number), 1
        self._last[trip] = number
        if number < _FIRST:
            return True
        periods, rest = divmod(self._same - 2, max(1, self._period))
        return not rest and periods >= 0 and not periods & (periods - 1)


class Steady:
    """Watches the trips of the oldest wave that is not done, the leader. A time that is further back than
    `past` does not matter."""

    def __init__(
        self, waves: Sequence[Wave], shared: Shared, groups: Mapping[int, Group], returns: Sequence[Returns],
        past: int,
    ) -> None:  # fmt: skip
        self._waves = waves
        self._returns = returns
        self._shared = shared
        self._past = past
        self._groups = tuple(groups.values())
        self._group_of = {wave.index: groups[wave.group] for wave in waves}
        self._marks: dict[State, list[_Mark]] = {}
        self._marked = 0
        self._trips = Trips()
        self._is_patient = True
        self.leader: Wave | None = next(self._going(), None)

    def _going(self) -> Iterator[Wave]:
        return (wave for wave in self._waves if wave.position < wave.length)

    def leave(self) -> None:
        """Look for another leader: the present leader is done."""
        self.leader = next(self._going(), None)
        self._is_patient = True
        self._forget()

    def skip(self, clock: int) -> int:
        """Skip the periods that follow the leader's branch back at a clock. Returns by how many clocks
        every time is later."""
        if not self._trips.may_return(clock, [wave.position for wave in self._waves]):
            return 0
        if self._marked >= _MOST_MARKS:
            self._marks.clear()
            self._marked = 0
        marks = self._marks.setdefault(self._state(clock), [])
        # what comes next may be what came after an earlier mark
        counts = [self._periods(mark) for mark in marks]
        lengths = [count * (clock - mark.clock) for count, mark in zip(counts, marks, strict=True)]
        best = lengths.index(max(lengths)) if any(lengths) else -1
        if best < 0 or self._waits_for_longer(marks[best], counts[best], len(marks)):
            self._remember(marks, clock)
            return 0
        mark, count = marks[best], counts[best]
        before = [wave.position for wave in self._waves]
        moved = [
            wave for wave, past in zip(self._waves, mark.waves, strict=True) if wave.position > past[0]
        ]
        self._repeat(mark, count, clock - mark.clock)
        steps = {wave.index: wave.position - past for wave, past in zip(self._waves, before, strict=True)}
        self._shift(moved, lengths[best], steps)
        self._forget()
        return lengths[best]

    def _waits_for_longer(self, mark: _Mark, count: int, seen: int) -> bool:
        """Whether the loop should go on until a longer period comes than that since a mark, which comes
        `count` times again. A loop may be at the same state after each trip, with costs that come again every
        fourth trip only: its loads then reach lines of memory by turns. If a state was `seen` often without a
        longer period, the loop takes the periods that there are."""
        if count >= _MANY or not self._costs_change(mark):
            self._is_patient = True
            return False
        self._is_patient = self._is_patient and seen < _MANY
        return self._is_patient

    def _costs_change(self, mark: _Mark) -> bool:
        """Whether the costs of a period since a mark change while its steps still come again."""
        return any(
            _repetitions(wave, wave.position - position) < _repeated_steps(wave, wave.position - position)
            for wave, (position, _, _) in zip(self._waves, mark.waves, strict=True)
            if wave.position > position
        )

    def _forget(self) -> None:
        self._marks.clear()
        self._marked = 0
        self._trips = Trips()

    def _remember(self, marks: list[_Mark], clock: int) -> None:
        self._marked += 1
        waves = tuple([(wave.position, len(wave.charges), wave.phase) for wave in self._waves])
        marks.append(_Mark(clock, waves, tuple([len(group.released) for group in self._groups])))

    def _state(self, now: int) -> State:
        """All that decides about the clocks from now on, by clocks from now."""
        shared = self._shared
        past = self._past
        since = now - past
        going = [wave for wave in self._waves if wave.position < wave.length]
        return (
            *[_state_of(wave, now, past) for wave in going],
            *[self._barrier_of(wave, now) for wave in going],
            *[(group.members, group.arrived) for group in self._groups],
            # the first event is the branch's own
            tuple(sorted([event - (now << WHO_BITS) for event in shared.events[1:]])),
            tuple(map(tuple, shared.port_waiting)),
            *[_relative(times, now, past) for times in _times_of(shared)],
            *[collectors.state(now, past) for collectors in shared.collectors],
            *[queue.state(now, past) for queue in shared.matrix_queues],
            *[tuple([(at - now, *user) for at, *user in queue if at > since]) for queue in shared.unit_queue],
            *[tuple([(at - now, room) for at, room in taken if at > since]) for taken in shared.unit_taken],
            *[way.state(now) for way in self._returns],
            *self._fetched(going, now),
            # a line that is on its way comes once, so this state does not come again
            tuple([(line, at - now) for line, at in shared.lines.items() if at > now]),
        )

    def _barrier_of(self, wave: Wave, now: int) -> State:
        """The barriers that have opened and that a wave has not passed, and whether it waits for another."""
        group = self._group_of[wave.index]
        return (
            *[max(opened - now, -self._past) for opened, _ in group.released[wave.phase :]],
            any(waiting is wave for waiting in group.waiting),
        )

    def _periods(self, mark: _Mark) -> int:
        """How often every wave repeats its steps since a mark."""
        counts = [
            _repetitions(wave, wave.position - position)
            for wave, (position, _, _) in zip(self._waves, mark.waves, strict=True)
            if wave.position > position
        ]
        return min(counts, default=0)

    def _repeat(self, mark: _Mark, count: int, clocks: int) -> None:
        for wave, (position, charges, phase) in zip(self._waves, mark.waves, strict=True):
            steps = wave.position - position
            wave.journal.repeat(steps, charges, count, clocks)
            wave.position += steps * count
            wave.phase += (wave.phase - phase) * count
        later = clocks * count
        for group, releases in zip(self._groups, mark.releases, strict=True):
            opened = group.released[releases:]
            if opened:
                group.released += opened * (count - 1)
                group.released += [(clock + later, last) for clock, last in opened]

    def _fetched(self, going: Sequence[Wave], now: int) -> State:
        """The lines that waves share: when they are there, and how far the waves are from the steps that
        fetched them."""
        if not self._shared.fetched:
            return ()
        positions = {wave.index: wave.position for wave in self._waves}
        return (
            *[wave.position - going[0].position for wave in going],
            *sorted(
                [
                    (number, max(0, at - now), step - positions[owner])
                    for number, (at, step, owner) in self._shared.fetched.items()
                ]
            ),
        )

    def _shift(self, moved: Sequence[Wave], clocks: int, steps: Mapping[int, int]) -> None:
        """Move every time by some clocks, and every step of a wave by `steps`. A wave that has not moved has
        waited all along, for a port or at a barrier: all its times are long past."""
        shared = self._shared
        for wave in moved:
            _shift_wave(wave, clocks)
        for times in _times_of(shared):
            _shift(times, clocks)
        for collectors in shared.collectors:
            collectors.shift(clocks)
        for queue in shared.matrix_queues:
            queue.shift(clocks)
        shared.events[:] = [event + (clocks << WHO_BITS) for event in shared.events]  # still a heap
        for queue in shared.unit_queue:
            queue.extend([(at + clocks, what, whose) for at, what, whose in tuple(queue)])
        for way in self._returns:
            way.shift(clocks)
        for wave in self._waves:
            wave.returning = deque([load._replace(soonest=load.soonest + clocks) for load in wave.returning])
        for lines, (at, step, owner) in shared.fetched.items():
            shared.fetched[lines] = at + clocks, step + steps.get(owner, 0), owner
        for taken in shared.unit_taken:
            later = [(at + clocks, room) for at, room in taken]
            taken.clear()
            taken.extend(later)


def _times_of(shared: Shared) -> list[list[int] | deque[int]]:
    """The lists of times that waves share."""
    return [
        shared.port_free, shared.execute_free, shared.drained, shared.scalar_free, shared.pipe_free,
        shared.unit_free, *shared.leaving, *shared.scalars_leaving,
    ]  # fmt: skip


_CHARGED = ("bound", "next", "charged")
"""The times of a wave between which its next clocks are charged. They matter however long ago they are: a
wave may wait at a barrier for longer than any number of the machine."""
_CLOCKS = (
    "clock", "overwrite_until", "scalar_busy", "scalar_clock", "scalar_source", "sent", "vector_busy",
)  # fmt: skip
"""The other times of a wave."""

_charged_of, _clocks_of = attrgetter(*_CHARGED), attrgetter(*_CLOCKS)


def _lists_of(wave: Wave) -> tuple[list[int] | deque[int], ...]:
    """The lists of times of a wave."""
    return (
        wave.vector_ready, wave.from_vector, wave.from_scalar, wave.overwrite, wave.matrix_again,
        wave.in_order, wave.masks_done,
    )  # fmt: skip


def _state_of(wave: Wave, now: int, past: int) -> State:
    """All of a wave that decides about the clocks from now on."""
    least, since = now << INSTRUCTION_BITS, now - past
    for outstanding in wave.counters:
        # complete accesses no longer count
        del outstanding[: bisect_left(outstanding, least)]
    return (
        wave.index, wave.rank, wave.path[wave.position].number, wave.last_kind, wave.cause, wave.culprit,
        wave.next_cause, wave.next_culprit, wave.blocked, tuple(wave.delays), wave.behind_matrix, wave.piece,
        tuple([time - now for time in _charged_of(wave)]), _relative(_clocks_of(wave), now, past),
        *[_ahead(times, now, since) for times in _lists_of(wave)],
        *[
            tuple([each if each >= PENDING else each - least for each in outstanding])
            for outstanding in wave.counters
        ],
        tuple([load._replace(soonest=load.soonest - now) for load in wave.returning]),
        (wave.awaits, wave.clause, wave.follows) if wave.returning else None,
        tuple([(clock - now, instruction) for clock, instruction in wave.vector_issues if clock > since]),
        tuple([(clock - now, what) for clock, what in wave.transcendental_issues if clock > since]),
        wave.reserved and _relative(wave.reserved, now, past),
    )  # fmt: skip


def _shift_wave(wave: Wave, clocks: int) -> None:
    for name in (*_CHARGED, *_CLOCKS):
        setattr(wave, name, getattr(wave, name) + clocks)
    for times in _lists_of(wave):
        _shift(times, clocks)
    for outstanding in wave.counters:
        outstanding[:] = [
            each if each >= PENDING else each + (clocks << INSTRUCTION_BITS) for each in outstanding
        ]
    for issues in (wave.vector_issues, wave.transcendental_issues):
        issues.extend([(clock + clocks, instruction) for clock, instruction in tuple(issues)])
    if wave.reserved is not None:
        opens, read, done = wave.reserved
        wave.reserved = opens + clocks, read + clocks, done + clocks


def _relative(times: Iterable[int], now: int, past: int) -> tuple[int, ...]:
    """Times from now; all that are long past are alike."""
    since = now - past
    return tuple([time - now if time > since else -past for time in times])


def _ahead(times: Sequence[int], now: int, since: int) -> tuple[tuple[int, int], ...]:
    """Those of many times that are not long past, by clocks from now, each with its place."""
    if max(times, default=0) <= since:
        return ()
    return tuple([(place, time - now) for place, time in enumerate(times) if time > since])


def _shift(times: list[int] | deque[int], clocks: int) -> None:
    for place, time in enumerate(times):
        times[place] = time + clocks


def _repetitions(wave: Wave, steps: int) -> int:
    """How often a wave does its last `steps` steps again at the same costs, from its position on."""
    return min(_repeated_steps(wave, steps), _periods(wave.cost_numbers, wave.position, steps))


def _repeated_steps(wave: Wave, steps: int) -> int:
    """How often a wave does its last `steps` steps again, from its position on."""
    of_steps = wave.traced.steps, wave.traced.idle
    return min(_periods(each, wave.position, steps) for each in of_steps)


def _periods(of_steps: NDArray[np.generic], position: int, steps: int) -> int:
    """How often the last `steps` elements before a position come again from there on."""
    same, ahead, chunk = 0, len(of_steps) - position, 4 * steps
    while same < ahead:
        begin, end = position + same, position + min(same + chunk, ahead)
        differ = of_steps[begin:end] != of_steps[begin - steps : end - steps]
        if differ.any():
            same += int(differ.argmax())
            break
        same, chunk = end - position, 2 * chunk
    return max(0, same - 2) // steps
