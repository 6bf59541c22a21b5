"""The hazards open at one point of a program: the state of the NOP pass, of the emulator's sanitizer and of
`check`."""

from __future__ import annotations

from operator import add

from msgspec import Struct
from msgspec.structs import replace

from isa.hazards.rule import Expiry, Remedy, Rule, Trail
from isa.hazards.ruleset import Key, Meeting, RuleSet, TrailStep, half_written, units_mask
from isa.instruction import Instr
from isa.named_tuple import NamedTuple
from isa.registers import Register

Times = tuple[int, ...]  # what each clock of the rule set showed
LINGERING = 32  # entries of a trail, of which those with no time left are dropped at the next request


class Entry(Struct, frozen=True):
    """A register in a trail: the time at which it was left, and the instruction that left it.

    `hidden` has a bit for each unit of nearer producers: a consumer's register with such a unit does not see
    the entry. The nearer producers from number `since` on are still in the window's list for the trail.
    `partners` are those of `isa.hazards.rule.Trail`.
    """

    then: Times
    producer: Instr
    hidden: int = 0
    partners: frozenset[Key] = frozenset()
    since: int = 0


class Required(NamedTuple):
    """A distance that a consumer still needs: `states` more of the rule's remedy, because `producer` left a
    hazard in `register`."""

    states: int
    rule: Rule
    register: Register
    producer: Instr

    @property
    def text(self) -> str:
        """The missing remedy, in words."""
        if self.rule.remedy is Remedy.STATES:
            return f"{self.states} more wait state{'s' * (self.states != 1)}"
        return self.rule.remedy.text


class Window:
    """Open hazards: of each trail the registers that were left, oldest first.

    Issue every instruction in order with `issue`; ask `required` or `needs` before. `merge` joins the windows
    of two paths: the shortest distance of each hazard counts.
    """

    __slots__ = ("_hiding", "_marks", "_now", "_open", "_spans", "rules")

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self._now: Times = (0,) * len(rules.clocks)
        self._open: list[dict[Key, Entry]] = [{} for _ in rules.trails]
        self._marks = 0  # a bit for each trail that may have something
        self._spans = [0] * len(rules.trails)  # a bit for each unit that a trail may have
        # the units of the latest producers of a trail, which hide older entries
        self._hiding: list[tuple[int, ...]] = [()] * len(rules.trails)

    def copy(self) -> Window:
        other = Window(self.rules)
        other._now = self._now
        other._open = [dict(entries) for entries in self._open]
        other._marks = self._marks
        other._spans = list(self._spans)
        other._hiding = list(self._hiding)
        return other

    def __bool__(self) -> bool:
        return any(self._open)

    def state(self) -> frozenset[tuple[int, Key, Times, int, frozenset[Key]]]:
        """All open entries: the index of the trail, register and row, counts of its clocks since, hiding
        units, partners. Windows with equal states behave alike from here on."""
        now = self._now
        open_entries: list[tuple[int, Key, Times, int, frozenset[Key]]] = []
        for index, entries in enumerate(self._open):
            self._settle_hidden(index)
            life = self.rules.lives[index]
            for key, entry in entries.items():
                ages = tuple(now[clock] - entry.then[clock] for clock, _ in life)
                if all(age < count for age, (_, count) in zip(ages, life, strict=True)):
                    open_entries.append((index, key, ages, entry.hidden, entry.partners))
        return frozenset(open_entries)

    def required(self, instr: Instr) -> Required | None:
        """The longest wait that `instr` still needs here, or None if it may issue."""
        return next(iter(self.needs(instr)), None)

    def needs(self, instr: Instr) -> list[Required]:
        """The distances that `instr` still needs here: the largest for each remedy, largest first."""
        facts = self.rules.facts(instr)
        if not facts.met & self._marks:
            return []
        longest: dict[Remedy, Required] = {}
        spans, opened = self._spans, self._open
        for meeting, number in facts.meetings:
            trail = meeting.trail
            if not self._marks >> trail & 1:
                continue
            touched, units = facts.touched(number)
            if not units & spans[trail] and len(opened[trail]) < LINGERING:
                continue
            if self._expire(trail) and units & self._spanned(trail):
                for register in touched:
                    self._meet(meeting, opened[trail], register, instr, longest)
        if len(longest) <= 1:
            return list(longest.values())
        return sorted(longest.values(), key=lambda needed: -needed.states)

    def _meet(
        self, meeting: Meeting, entries: dict[Key, Entry], register: Register, instr: Instr,
        longest: dict[Remedy, Required],
    ) -> None:  # fmt: skip
        """Add what `instr` needs because of `register`, which it touches."""
        first, end, units = register.first, register.first + register.count, units_mask(register)
        for (left, _), entry in entries.items():
            begin, count = left
            if begin >= end or first >= begin + count or self._hidden(meeting.trail, entry) & units:
                continue
            producer, passed = entry.producer, self._now[0] - entry.then[0]
            for rule, full, counts in meeting.made_by(producer.row):
                states = full - passed if counts else full
                before = longest.get(rule.remedy)
                if states <= (before.states if before is not None else 0) or not rule.meets(left, register):
                    continue
                if rule.spares is not None and rule.spares(producer, instr):
                    continue
                if rule.given is None or self._is_given(rule, register, entry, instr):
                    longest[rule.remedy] = Required(states, rule, left, producer)

    def _is_given(self, rule: Rule, met: Register, entry: Entry, instr: Instr) -> bool:
        """Whether `instr` touches the further trail too, by another register."""
        assert rule.given is not None
        index = self.rules.index(rule.given.trail)
        if not self._open[index] or not self._expire(index):
            return False
        touched = [register for register in rule.given.touches(instr) if register != met]
        before = entry.then[0]
        for key, other in self._open[index].items():
            if rule.trail.within is not None and (key not in entry.partners or other.then[0] >= before):
                continue
            if rule.spares is not None and rule.spares(other.producer, instr):
                continue
            if any(register.overlaps(key[0]) for register in touched):
                return True
        return False

    def pressing(self) -> list[Required]:
        """The remedies of `early` rules: insert them here, whatever follows."""
        longest: dict[Remedy, Required] = {}
        for index, (rule, states, _) in self.rules.early:
            for (register, _), entry in self._open[index].items():
                if rule.made(entry.producer.row):
                    _ = longest.setdefault(rule.remedy, Required(states, rule, register, entry.producer))
        return list(longest.values())

    def issue(self, instr: Instr) -> None:
        """Issue `instr`: advance the clocks, and add the entries that it leaves."""
        facts = self.rules.facts(instr)
        now = self._now = tuple(map(add, self._now, facts.ticks))
        opened, entry = self._open, None
        for step in facts.steps:
            trail, adds = step.trail, step.adds
            if not adds:
                self._take(step, instr)
                continue
            entries, entry = opened[trail], entry or Entry(now, instr)
            for key in adds:  # the newest comes last; old entries are dropped on the next request
                if key in entries:
                    del entries[key]
                entries[key] = entry
            self._spans[trail] |= step.units
        self._marks |= facts.left  # last, since expired entries are dropped on the way

    def _take(self, step: TrailStep, instr: Instr) -> None:
        index = step.trail
        entries = self._open[index]
        if entries:
            if step.ends or (step.settles and self._is_settled(step)):
                entries.clear()
            elif step.closes:
                for key in [
                    key for key in entries if any(key[0].overlaps(register) for register in step.closes)
                ]:
                    del entries[key]
            if entries:
                _ = self._expire(index)
        if not step.leaves:
            return
        trail = self.rules.trails[index]
        if trail.carries is not None:
            carried = self.rules.index(trail.carries)
            _ = self._expire(carried)
            self._settle_hidden(carried)
            since = len(self._hiding[index])
            entries |= {key: replace(entry, since=since) for key, entry in self._open[carried].items()}
            self._spans[index] |= self._spans[carried]
            return
        entry = Entry(self._now, instr)
        if trail.within is not None:
            partners = self._recent(*trail.within)
            if not partners:
                for register in step.leaves if trail.nearest else ():
                    self._hide(index, register)
                return
            entry = replace(entry, partners=partners)
        apart = instr.row if trail.nearest else half_written(instr)
        for register in step.leaves:
            if trail.after is None or self._has(self.rules.index(trail.after), register):
                if trail.nearest:
                    self._hide(index, register)
                    entry = Entry(self._now, instr, 0, entry.partners, len(self._hiding[index]))
                _ = entries.pop((register, apart), None)
                entries[register, apart] = entry
        self._spans[index] |= step.units

    def _hide(self, index: int, register: Register) -> None:
        """A nearer producer of `register`: later consumers of `register` do not see the older entries."""
        entries, units = self._open[index], units_mask(register)
        if not entries:
            return
        if units & self._spans[index] and units & self._spanned(index):
            first, end = register.first, register.first + register.count
            for key in list(entries):
                begin, count = key[0]
                if first <= begin and begin + count <= end:
                    del entries[key]
        if len(self._hiding[index]) >= LINGERING:
            self._settle_hidden(index)
        self._hiding[index] += (units,)

    def _hidden(self, index: int, entry: Entry) -> int:
        """A bit for each unit of the producers of a trail that are nearer than an entry."""
        units = entry.hidden
        for nearer in self._hiding[index][entry.since :]:
            units |= nearer
        return units

    def _settle_hidden(self, index: int) -> None:
        """Let each entry of a trail have the units that hide it."""
        if self._hiding[index]:
            for key, entry in self._open[index].items():
                self._open[index][key] = replace(entry, hidden=self._hidden(index, entry), since=0)
            self._hiding[index] = ()

    def _spanned(self, index: int) -> int:
        """A bit for each unit that a trail has."""
        units = 0
        for register, _ in self._open[index]:
            units |= units_mask(register)
        self._spans[index] = units
        return units

    def _is_settled(self, step: TrailStep) -> bool:
        after = self.rules.trails[step.trail].after
        return after is not None and any(
            self._has(self.rules.index(after), register) for register in step.settles
        )

    def _has(self, index: int, register: Register) -> bool:
        """Whether a trail has a register that overlaps `register`."""
        entries = self._open[index]
        return (register, None) in entries or any(left.overlaps(register) for left, _ in entries)

    def _recent(self, trail: Trail, limit: Expiry) -> frozenset[Key]:
        """The entries of a trail that are no older than the limit."""
        clock = self.rules.clocks.index(limit.clock)
        entries = self._open[self.rules.index(trail)]
        return frozenset(
            key for key, entry in entries.items() if self._now[clock] - entry.then[clock] < limit.ticks
        )

    def _expire(self, index: int) -> bool:
        """Drop the entries with no time left; return whether any entry remains."""
        entries, life, now = self._open[index], self.rules.lives[index], self._now
        if not life:
            return bool(entries)
        while entries:
            key = next(iter(entries))
            then = entries[key].then
            for clock, count in life:
                if now[clock] - then[clock] >= count:
                    del entries[key]
                    break
            else:
                return True
        self._marks &= ~(1 << index)
        self._hiding[index] = ()
        return False

    def merge(self, other: Window) -> bool:
        """Join the hazards open on another path to this point; True if this window changed."""
        changed = False
        shift = tuple(mine - theirs for mine, theirs in zip(self._now, other._now, strict=True))
        for index, theirs in enumerate(other._open):
            if not theirs or not other._expire(index):
                continue
            _ = self._expire(index)
            self._settle_hidden(index)
            other._settle_hidden(index)
            mine = self._open[index]
            joined = False
            for key, entry in theirs.items():
                then = tuple(map(add, entry.then, shift))
                before = mine.get(key)
                if before is None:
                    mine[key] = replace(entry, then=then)
                    joined = True
                    continue
                latest, hidden = tuple(map(max, before.then, then)), before.hidden & entry.hidden
                partners = before.partners | entry.partners
                if (hidden, partners) != (before.hidden, before.partners) or any(
                    latest[clock] != before.then[clock] for clock, _ in self.rules.lives[index]
                ):
                    mine[key] = Entry(
                        latest, entry.producer if then[0] > before.then[0] else before.producer, hidden,
                        partners,
                    )  # fmt: skip
                    joined = True
            if joined:
                self._marks |= 1 << index
                self._spans[index] |= other._spans[index]
                self._open[index] = dict(sorted(mine.items(), key=lambda item: item[1].then))
                changed = True
        return changed
