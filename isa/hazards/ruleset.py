"""The rules of a target, with the facts of each row and each instruction cached."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from graphlib import TopologicalSorter

from msgspec import Struct

from isa.hazards.rule import (
    STATES,
    Clock,
    Expiry,
    Registers,
    Remedy,
    Rule,
    Trail,
    never,
    nothing,
    states_of,
)
from isa.instruction import Instr, ModifierValue, Operand, Row, Trait
from isa.named_tuple import NamedTuple
from isa.registers import Register

# An entry of a trail: a register, with the producer's row if only the nearest producer counts, else with the
# half that it wrote.
Key = tuple[Register, Row | int | None]


class Bound(NamedTuple):
    """A rule as the target has it. `counts` says that states pass; else the hazard is there in full until its
    trail is gone."""

    rule: Rule
    states: int
    counts: bool


class Meeting:
    """The rules of a trail that the instructions of a row touch by the same registers."""

    __slots__ = ("_made", "bound", "touches", "trail")

    def __init__(self, trail: int, bound: tuple[Bound, ...]) -> None:
        self.trail = trail
        self.bound = bound
        self.touches = bound[0].rule.touches
        self._made: dict[Row, tuple[Bound, ...]] = {}

    def made_by(self, row: Row) -> tuple[Bound, ...]:
        """The rules for which an instruction of `row` is a producer."""
        bounds = self._made.get(row)
        if bounds is None:
            bounds = self._made[row] = tuple(bound for bound in self.bound if bound.rule.made(row))
        return bounds


class TrailStep(Struct, frozen=True):
    """The effects of an instruction on a trail, in this order; see `isa.hazards.rule.Trail`. `units` has a
    bit for each unit of `leaves`."""

    trail: int
    ends: bool
    closes: Registers
    settles: Registers
    leaves: Registers
    units: int
    adds: tuple[Key, ...] = ()  # its keys there, if the instruction only leaves registers


# Instructions with cached effects; a process that compiles for days then clears the cache.
REMEMBERED = 1 << 14

_OfInstr = Callable[[Instr], Registers]
_NOTHING = -1  # the number of the function that gives no registers


class _PlannedTrail(NamedTuple):
    """A trail that instructions of a row may change: `closes`, `settles` and `leaves` are numbers of
    functions of the plan."""

    trail: int
    ends: Callable[[Instr], bool]
    closes: int
    settles: int
    leaves: int


class _Plan(NamedTuple):
    """The functions that compute the facts of a row's instructions, each once, and their users."""

    functions: tuple[_OfInstr, ...]
    trails: tuple[_PlannedTrail, ...]
    meetings: tuple[tuple[Meeting, int], ...]
    met: int  # a bit for each trail of the meetings
    ticks: tuple[int, ...]  # of the clocks, as if an s_nop were a single wait state


class Effects:
    """The effects of an instruction on clocks and trails, and the registers by which it meets them.

    `met` and `left` have a bit for each trail that an instruction of its row may meet, and for each in which
    it leaves registers. Of `meetings`, `touched` gives the registers, which are computed when they are first
    asked for: most trails are empty then.
    """

    __slots__ = ("_instr", "_plan", "_registers", "left", "meetings", "met", "steps", "ticks")

    def __init__(self, instr: Instr, plan: _Plan, is_plain: Sequence[bool]) -> None:
        self._instr = instr
        self._plan = plan
        # of each function of the plan, and of `_NOTHING`
        self._registers: list[tuple[Registers, int] | None] = [*[None] * len(plan.functions), ((), 0)]
        self.meetings = plan.meetings
        self.met = plan.met
        self.ticks = plan.ticks
        if Trait.NOP in instr.row.traits:
            self.ticks = states_of(instr), *plan.ticks[1:]
        steps = [self._step(planned, is_plain[planned.trail]) for planned in plan.trails]
        self.steps = tuple([step for step in steps if step is not None])
        self.left = sum([1 << step.trail for step in self.steps if step.leaves])

    def touched(self, number: int) -> tuple[Registers, int]:
        """The registers that a function of the plan gives, each once, and a bit for each of their units."""
        known = self._registers[number]
        if known is None:
            registers = tuple(dict.fromkeys(self._plan.functions[number](self._instr)))
            known = self._registers[number] = registers, _bits_of(registers)
        return known

    def _step(self, planned: _PlannedTrail, is_plain: bool) -> TrailStep | None:
        """The effects on a trail; None if there are none."""
        trail, ends, closes, settles, leaves = planned
        left, units = self.touched(leaves)
        is_end = ends is not never and ends(self._instr)
        closed = () if closes == _NOTHING else self.touched(closes)[0]
        settled = () if settles == _NOTHING else self.touched(settles)[0]
        if is_end or closed or settled:
            return TrailStep(trail, is_end, closed, settled, left, units)
        if not left:
            return None
        half = half_written(self._instr) if is_plain else None
        adds = tuple([(register, half) for register in left]) if is_plain else ()
        return TrailStep(trail, is_end, closed, settled, left, units, adds)


class RuleSet:
    """The rules of a target.

    `trails` are in the order in which an instruction leaves them; `clocks` have wait states first. For trail
    i, `lives[i]` has the clocks, by index, that end it, and the counts.
    """

    def __init__(self, rules: Sequence[Rule], target: str) -> None:
        self.rules = tuple(rules)
        self.bound = tuple(Bound(rule, rule.states[target], rule.trail.lasts is None) for rule in rules)
        self.trails = _in_order(self.rules)
        self._indices = {trail: i for i, trail in enumerate(self.trails)}
        self.clocks = _clocks(self.trails)
        longest = {
            trail: max((bound.states for bound in self.bound if bound.rule.trail is trail), default=0)
            for trail in self.trails
        }
        self.lives = tuple(
            self._life((Expiry(STATES, longest[trail]),) if trail.lasts is None else trail.lasts)
            for trail in self.trails
        )
        self.early = tuple((self.index(bound.rule.trail), bound) for bound in self.bound if bound.rule.early)
        self._sources = [frozenset(self._read_with(trail)) for trail in self.trails]
        self._is_plain = [self._grows_alone(trail) for trail in self.trails]
        self._consumers = self._by_registers()
        self._predicates = tuple(dict.fromkeys(bound.rule.may_touch for bound in self.bound))
        self._plans = lru_cache(maxsize=None)(self._plan_of)
        self._facts: dict[
            tuple[Row, tuple[Operand, ...], tuple[tuple[str, ModifierValue], ...]], Effects
        ] = {}
        # an instruction is asked about several times in a row
        self._latest: tuple[Instr, Effects] | None = None

    def may_wait(self, producer: Row, consumer: Row) -> bool:
        """Whether an instruction of a row may leave a register that makes an instruction of another row wait
        so many states."""
        left = {step.trail for step in self._plans(producer).trails if step.leaves != _NOTHING}
        return any(
            bound.rule.remedy is Remedy.STATES
            for meeting, _ in self._plans(consumer).meetings
            if meeting.trail in left
            for bound in meeting.made_by(producer)
        )

    def index(self, trail: Trail) -> int:
        return self._indices[trail]

    def _read_with(self, trail: Trail) -> set[int]:
        """A trail, and the trails that decide whether its entries count, by index."""
        trails: set[Trail] = set()
        pending = [trail]
        while pending:
            reached = pending.pop()
            if reached in trails:
                continue
            trails.add(reached)
            pending += [other for other in (reached.after, reached.carries) if other is not None]
            pending += [] if reached.within is None else [reached.within[0]]
            pending += [
                rule.given.trail for rule in self.rules if rule.trail is reached and rule.given is not None
            ]
        return {self.index(trail) for trail in trails}

    def _grows_alone(self, trail: Trail) -> bool:
        """Whether a trail's entries depend on no other trail, and no other trail uses them."""
        index = self.index(trail)
        return (
            not trail.nearest
            and trail.after is None
            and trail.carries is None
            and trail.within is None
            and all(index != early for early, _ in self.early)
            and all(index not in read for other, read in enumerate(self._sources) if other != index)
        )

    def facts(self, instr: Instr) -> Effects:
        latest = self._latest  # read once: other threads may ask meanwhile
        if latest is not None and latest[0] is instr:
            return latest[1]
        key = (instr.row, instr.operands, instr.modifiers)
        facts = self._facts.get(key)
        if facts is None:
            if len(self._facts) >= REMEMBERED:
                self._facts.clear()
            facts = self._facts[key] = Effects(instr, self._plans(instr.row), self._is_plain)
        self._latest = instr, facts
        return facts

    def _life(self, limits: tuple[Expiry, ...]) -> tuple[tuple[int, int], ...]:
        return tuple((self.clocks.index(limit.clock), limit.ticks) for limit in limits)

    def _by_registers(self) -> tuple[tuple[int, tuple[Bound, ...]], ...]:
        """The rules of each trail by the registers that they look at, with the index of the trail."""
        grouped: dict[tuple[int, _OfInstr], list[Bound]] = {}
        for bound in self.bound:
            grouped.setdefault((self.index(bound.rule.trail), bound.rule.touches), []).append(bound)
        return tuple((trail, tuple(rules)) for (trail, _), rules in grouped.items())

    def _meetings(self, row: Row) -> list[Meeting]:
        touching = {predicate for predicate in self._predicates if predicate(row)}
        if not touching:
            return []
        meetings: list[Meeting] = []
        for trail, bounds in self._consumers:
            rules = tuple([bound for bound in bounds if bound.rule.may_touch in touching])
            if rules:
                meetings.append(Meeting(trail, rules))
        return meetings

    def _plan_of(self, row: Row) -> _Plan:
        functions: dict[_OfInstr, int] = {}

        def number(function: _OfInstr) -> int:
            return _NOTHING if function is nothing else functions.setdefault(function, len(functions))

        trails: list[_PlannedTrail] = []
        for i, trail in enumerate(self.trails):
            leaves = number(trail.leaves) if trail.may_leave(row) else _NOTHING
            if leaves != _NOTHING or _changes(trail):
                trails.append(
                    _PlannedTrail(i, trail.ends, number(trail.closes), number(trail.settles), leaves)
                )
        meetings = tuple([(meeting, number(meeting.touches)) for meeting in self._meetings(row)])
        ticks = tuple([clock.ticks(row) for clock in self.clocks])
        met = sum({1 << meeting.trail for meeting, _ in meetings})
        return _Plan(tuple(functions), tuple(trails), meetings, met, ticks)


@lru_cache(REMEMBERED)
def units_mask(register: Register) -> int:
    """A bit for each unit of a register."""
    return ((1 << register.count) - 1) << register.first


def _bits_of(registers: Registers) -> int:
    """A bit for each unit of some registers."""
    mask = 0
    for register in registers:
        mask |= units_mask(register)
    return mask


@cache
def _half_results(row: Row) -> tuple[int, ...]:
    """The results that are half of a register, by operand index."""
    return tuple(i for i in row.defines if row.operands[i].half)


def half_written(instr: Instr) -> int | None:
    """The bits of `half` for the halves that an instruction writes; None if it writes whole registers."""
    places = _half_results(instr.row)
    chosen = dict(instr.modifiers).get("half", 0) if places else None
    return sum(chosen & 1 << i for i in places) if isinstance(chosen, int) else None


def _changes(trail: Trail) -> bool:
    return trail.ends is not never or trail.closes is not nothing or trail.settles is not nothing


def _in_order(rules: Sequence[Rule]) -> tuple[Trail, ...]:
    """Each trail once. A trail that another comes `after` is before it if the same instruction's entries
    count, otherwise after it."""
    earlier: dict[Trail, set[Trail]] = {}

    def add(trail: Trail) -> None:
        if trail in earlier:
            return
        before = earlier[trail] = set[Trail]()
        if trail.within is not None:
            add(trail.within[0])
            before.add(trail.within[0])
        if trail.carries is not None:
            add(trail.carries)
        if trail.after is not None:
            add(trail.after)
            first, second = (trail.after, trail) if trail.after_itself else (trail, trail.after)
            earlier[second].add(first)

    for rule in rules:
        add(rule.trail)
        if rule.given is not None:
            add(rule.given.trail)
    return tuple(TopologicalSorter(earlier).static_order())


def _clocks(trails: Sequence[Trail]) -> tuple[Clock, ...]:
    limits = [
        limit
        for trail in trails
        for limit in (*(trail.lasts or ()), *((trail.within[1],) if trail.within is not None else ()))
    ]
    return tuple(dict.fromkeys((STATES, *(limit.clock for limit in limits))))
