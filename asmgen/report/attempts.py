"""What to try against a pressure: changes, each applied to a copy of the program, and the pressure measured.

A change shortens the live range of a value that is live at the peak, and is not used there:

    recompute      its instruction is repeated before the next use
    define later   its instruction moves behind the peak; a load as well, within its block
    use earlier    the instruction that uses it last moves before the peak, and its result lives on instead
    AGPRs          it waits in AGPRs

No estimate is involved: each change is put into a copy of the program, and the live registers of the copy are
counted. A change that frees nothing at the peak is left out.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from msgspec import Struct

from asmgen.report.drafts import Draft, applied, moved, together
from asmgen.report.live import AlongEdges, LiveSets, live_sets
from asmgen.report.model import Attempt, Change, ListedInstruction, LiveValue
from asmgen.report.recount import Recount, Recounted
from asmgen.report.values import LiveKernel, Peak, Slot, counted_slots
from isa.instruction import ExecMode, Instr, Origin, Trait
from isa.lane_masks import writes_exec
from isa.moves import find_crossing
from isa.program import Kernel, VirtualRegister
from isa.registers import FIRST_AGPR, FIRST_VIRTUAL, Register, RegisterClass
from isa.repeatable import depends_on_operands, keeps_modes
from regalloc.cfg import FlowGraph
from regalloc.slots import PARAMETERS, slot_instruction

_VGPR, _AGPR = 0, 1  # places in FILES
_MOST_MEASURED = 250_000  # instructions of all programs that are measured: half a second
_MOST_BY_LANES = 5_000  # if registers live by lanes, which takes longer
_FEWEST_MEASURED = 4  # programs, however large they are
_MOST_SHOWN = 3  # of each kind
_TRIED = Origin("tried")

_ORDERING = frozenset({
    Trait.STORE, Trait.ATOMIC, Trait.BARRIER, Trait.SIGNAL, Trait.SIDE_EFFECT, Trait.CACHE, Trait.AFTER_LOADS,
    Trait.WAIT, Trait.LDS_DMA, Trait.CLAUSE,
})  # fmt: skip
_READS_OTHER_LANES = frozenset({Trait.CROSS_LANE, Trait.PERMLANE, Trait.LANE_READ})


class _Candidate(Struct, frozen=True):
    """A change of a value, before it is measured. `there` is the slot that the instruction or the value moves
    to."""

    change: Change
    value: LiveValue
    draft: Draft
    there: Slot


def attempts(program: LiveKernel, physical: dict[int, int]) -> tuple[Attempt, ...]:
    """The changes that lower the number of VGPRs at their peak, those that free most first; at the end all of
    them together, as far as they do not exclude each other and do not take AGPRs."""
    found = tried(program, physical)
    return tuple(attempt for attempt, _ in found)


def tried(program: LiveKernel, physical: dict[int, int]) -> list[tuple[Attempt, Draft]]:
    """The attempts with their changes."""
    peak = program.peaks.get("VGPR")
    if peak is None:
        return []
    finder, measure = _Finder(program, peak), _Measure(program, peak)
    candidates = [
        candidate
        for value, units in program.grouped_values(peak, physical)
        for candidate in finder.candidates(value, units)
    ]
    # the widest values first, and the cheapest changes, if not all can be measured
    candidates.sort(key=lambda candidate: (-candidate.value.units, candidate.draft.added))
    measured = [
        (attempt, candidate.draft)
        for candidate in candidates[: measure.most]
        if (attempt := measure.attempt(candidate)).frees > 0
    ]
    measured.sort(
        key=lambda pair: (pair[0].change is Change.AGPRS, pair[0].bound, -pair[0].frees, pair[0].instructions)
    )
    shown: Counter[Change] = Counter()
    found: list[tuple[Attempt, Draft]] = []
    chosen: list[Draft] = []
    for attempt, draft in measured:
        # an instruction that moves may be the last use of several values
        if shown[attempt.change] == _MOST_SHOWN or any(draft.is_like(other) for _, other in found):
            continue
        shown[attempt.change] += 1
        found.append((attempt, draft))
        if attempt.change is not Change.AGPRS and not any(draft.excludes(other) for other in chosen):
            chosen.append(draft)
    if len(chosen) > 1:
        whole = together(chosen)
        found.append((measure.of(Change.TOGETHER, "", None, None, whole), whole))
    return found


class _Measure:
    """Counts the registers of changed programs."""

    def __init__(self, program: LiveKernel, peak: Peak) -> None:
        self._program = program
        self._peak = peak
        self._recount = Recount(program) if isinstance(program.live, AlongEdges) else None
        size = max(1, sum(len(block.code) for block in program.kernel.blocks))
        most = _MOST_MEASURED if self._recount is not None else _MOST_BY_LANES
        self.most = max(_FEWEST_MEASURED, most // size)

    def attempt(self, candidate: _Candidate) -> Attempt:
        definitions = candidate.value.definitions
        site = definitions[0] if definitions else None
        return self.of(
            candidate.change, candidate.value.name, site, self._program.site(candidate.there), candidate.draft
        )

    def of(
        self, change: Change, value: str, site: ListedInstruction | None, there: ListedInstruction | None,
        draft: Draft,
    ) -> Attempt:  # fmt: skip
        can_recount = self._recount is not None and self._recount.counts(draft)
        found = (
            self._recount.of(draft, self._peak.slot)
            if self._recount is not None and can_recount
            else _counted(self._program.kernel, draft, self._peak.slot)
        )
        frees = self._program.most("VGPR") - found.at_peak
        return Attempt(change, value, site, there, frees, found.vgprs, found.agprs, draft.added)


def _counted(kernel: Kernel, draft: Draft, peak: Slot) -> Recounted:
    """The registers of the changed program, counted slot by slot."""
    changed, slot = applied(kernel, draft), moved(draft, peak)
    at_peak = vgprs = agprs = 0
    for step in counted_slots(changed, live_sets(changed)):
        vgprs, agprs = max(vgprs, step.pressure[_VGPR]), max(agprs, step.pressure[_AGPR])
        if step.slot == slot:
            at_peak = step.pressure[_VGPR]
    return Recounted(at_peak, vgprs, agprs)


class _Finder:
    """The changes of values that are live at a peak."""

    def __init__(self, program: LiveKernel, peak: Peak) -> None:
        self._program = program
        self._kernel = program.kernel
        self._live: LiveSets = program.live
        self._slots = program.live.liveness.slots
        self._peak = peak
        self._keeps_modes = keeps_modes(self._kernel)
        self._has_names = bool(self._kernel.owners)
        # the slots of each block that change the lanes that are on
        self._mask_writes = {
            number: [index for index, instr in enumerate(block.code) if writes_exec(instr)]
            for number, block in enumerate(self._kernel.blocks)
        }
        self._new_agpr = 1 + max(
            (unit for unit in program.touched() if FIRST_AGPR <= unit < FIRST_VIRTUAL),
            default=FIRST_AGPR - 1,
        )

    def candidates(self, value: LiveValue, units: tuple[int, ...]) -> Iterator[_Candidate]:
        if self._touches(self._peak.slot, units):
            return  # the instruction of the peak needs it
        peak = self._peak
        definitions = {slot for unit in units for slot in self._program.definitions(unit, peak)}
        uses = self._next_uses(units)
        if not uses or any(self._reads_other_lanes(use) for use in uses):
            return
        definition = next(iter(definitions)) if len(definitions) == 1 else None
        instr = self._instr(definition) if definition is not None else None
        if definition is not None and instr is not None and self._defines_all(instr, units):
            yield from self._repeated(value, definition, instr, uses)
            yield from self._loaded_later(value, definition, instr, uses)
        yield from self._in_agprs(value, units, definition, instr, uses)
        if len(uses) == 1 and uses[0][0] == self._peak.slot[0]:
            yield from self._used_earlier(value, uses[0])

    # -- the changes --

    def _repeated(
        self, value: LiveValue, definition: Slot, instr: Instr, uses: list[Slot]
    ) -> Iterator[_Candidate]:
        """Repeat the definition before the next uses; drop the first definition if nothing else needs it
        there."""
        if not (self._keeps_modes and depends_on_operands(instr.row)):
            return
        written, read = instr.units.tracked_written, instr.units.tracked_read
        if not all(self._is_same(definition, use, {*written, *read}) for use in uses):
            return
        is_needed = self._needed_before_peak(written, definition)
        draft = Draft(
            frozenset(() if is_needed else (definition,)), dict.fromkeys(uses, (instr,)),
            moved=frozenset(written), kept=frozenset(read),
        )  # fmt: skip
        change = Change.RECOMPUTE if is_needed or len(uses) > 1 else Change.DEFINE_LATER
        yield _Candidate(change, value, draft, uses[0])

    def _loaded_later(
        self, value: LiveValue, definition: Slot, instr: Instr, uses: list[Slot]
    ) -> Iterator[_Candidate]:
        """Move a load to its next use in the same block. A program on physical registers has waits for it,
        which would have to move as well."""
        traits, row = instr.row.traits, instr.row
        if not self._has_names or Trait.LOAD not in traits or not traits.isdisjoint(_ORDERING):
            return
        if instr.awaits is not None or row.exec_mode is not ExecMode.MASKED or row.ties:
            return
        written, read = instr.units.tracked_written, instr.units.tracked_read
        if len(uses) != 1 or uses[0][0] != definition[0] or self._needed_before_peak(written, definition):
            return
        between = self._between(definition, uses[0])
        if uses[0] < definition or any(self._orders_memory(slot) for slot in between):
            return
        if self._changes_mask(definition[0], definition[1], uses[0][1]):
            return
        if not self._is_same(definition, uses[0], {*written, *read}):
            return
        draft = Draft(
            frozenset((definition,)), {uses[0]: (instr,)}, moved=frozenset(written), kept=frozenset(read)
        )
        yield _Candidate(Change.LOAD_LATER, value, draft, uses[0])

    def _in_agprs(
        self, value: LiveValue, units: tuple[int, ...], definition: Slot | None, instr: Instr | None,
        uses: list[Slot],
    ) -> Iterator[_Candidate]:  # fmt: skip
        """Copy the value to AGPRs behind its definition, and back before its next uses."""
        table = self._kernel.table
        to_agpr = find_crossing(table, RegisterClass.AGPR, RegisterClass.VGPR)
        back = find_crossing(table, RegisterClass.VGPR, RegisterClass.AGPR)
        start = self._start(units) if definition is None else definition
        if to_agpr is None or back is None or start is None:
            return
        if instr is not None and not (self._defines_all(instr, units) and self._can_be_copied(instr)):
            return
        if not all(self._is_same(start, use, {*units}) for use in uses):
            return
        owners: tuple[VirtualRegister, ...] = ()
        first = self._new_agpr
        if self._has_names:
            first = FIRST_VIRTUAL + len(self._kernel.owners)
            owner = VirtualRegister(f"{value.name}.agpr", RegisterClass.AGPR, first, len(units))
            owners = (owner,) * len(units)
        elif first + len(units) > FIRST_AGPR + self._kernel.target.target.arch_vgprs:
            return
        waiting = [Register(first + i) for i in range(len(units))]
        there = [
            Instr(to_agpr, (agpr, Register(unit)), origin=_TRIED)
            for agpr, unit in zip(waiting, units, strict=True)
        ]
        again = [
            Instr(back, (Register(unit), agpr), origin=_TRIED)
            for agpr, unit in zip(waiting, units, strict=True)
        ]
        draft = Draft(
            before=dict.fromkeys(uses, tuple(again)), after={start: tuple(there)}, owners=owners,
            moved=frozenset(units),
        )  # fmt: skip
        yield _Candidate(Change.AGPRS, value, draft, uses[0])

    def _used_earlier(self, value: LiveValue, use: Slot) -> Iterator[_Candidate]:
        """Move the next and last use before the instruction of the peak."""
        instr, (block, index) = self._instr(use), use
        if instr is None or index >= self._slots[block].copies or index <= self._peak.slot[1]:
            return
        if not (self._keeps_modes and depends_on_operands(instr.row)):
            return
        results = set(instr.units.tracked_written)
        for slot in [self._peak.slot, *self._between(self._peak.slot, use)]:
            touched = self._instr(slot)
            if touched is None or writes_exec(touched):
                return
            if not results.isdisjoint((*touched.units.tracked_read, *touched.units.tracked_written)):
                return
            if not set(instr.units.tracked_read).isdisjoint(touched.units.tracked_written):
                return
        touched_units = frozenset((*instr.units.tracked_read, *instr.units.tracked_written))
        draft = Draft(frozenset((use,)), {self._peak.slot: (instr,)}, moved=touched_units)
        yield _Candidate(Change.USE_EARLIER, value, draft, use)

    # -- questions about the program --

    def _instr(self, slot: Slot) -> Instr | None:
        block, index = slot
        return slot_instruction(self._kernel.blocks[block], index) if index >= 0 else None

    def _touches(self, slot: Slot, units: tuple[int, ...]) -> bool:
        block, index = slot
        slots = self._slots[block]
        parameters = slots.parameters if index == 0 else ()
        return not {*slots.uses[index], *slots.defines[index], *parameters}.isdisjoint(units)

    def _defines_all(self, instr: Instr, units: tuple[int, ...]) -> bool:
        """Whether an instruction writes all of these units, each wholly."""
        is_whole = not any(instr.row.operands[i].half for i in instr.row.defines)
        return is_whole and set(units) <= set(instr.units.tracked_written)

    def _can_be_copied(self, instr: Instr) -> bool:
        """Whether a copy behind an instruction has its result: in the lanes that are on, and without a wait,
        which a program on physical registers has elsewhere."""
        return instr.row.exec_mode is ExecMode.MASKED and (self._has_names or not instr.row.events)

    def _reads_other_lanes(self, slot: Slot) -> bool:
        """Whether a use may read lanes that are off, which a repeated definition does not write."""
        instr = self._instr(slot)
        if instr is None:
            return False
        return instr.row.exec_mode is not ExecMode.MASKED or not instr.row.traits.isdisjoint(
            _READS_OTHER_LANES
        )

    def _orders_memory(self, slot: Slot) -> bool:
        instr = self._instr(slot)
        return instr is not None and not instr.row.traits.isdisjoint(_ORDERING)

    def _start(self, units: tuple[int, ...]) -> Slot | None:
        """The start of the block with a virtual register as its parameter, if all lanes of the block are on
        there."""
        return next(
            (
                (number, PARAMETERS)
                for number, slots in enumerate(self._slots)
                if set(units) <= set(slots.parameters) and not self._mask_writes[number]
            ),
            None,
        )

    def _changes_mask(self, block: int, start: int, stop: int) -> bool:
        """Whether an instruction of a part of a block changes the lanes that are on."""
        return any(start <= at < stop for at in self._mask_writes[block])

    def _graph(self) -> FlowGraph:
        """The graph along which vector registers live: on physical registers, logical edges are unknown."""
        flow = self._live.liveness.flow
        return flow.logical if self._has_names else flow.linear

    def _next_uses(self, units: tuple[int, ...]) -> list[Slot]:
        """The first use on each path from the peak on."""
        block, index = self._peak.slot
        return sorted(set(self._met(units, block, index + 1)))

    def _met(
        self, units: Sequence[int], block: int, first: int, behind: Collection[Slot] = ()
    ) -> Iterator[Slot]:
        """The first slot on each path from a slot on that reads one of the units, if none writes it before; a
        path ends at the slots `behind`."""
        graph = self._graph()
        seen: set[int] = set()
        pending = deque([(block, first)])
        while pending:
            number, start = pending.popleft()
            use = self._next(self._program.reads, units, number, start)
            write = self._next(self._program.writes, units, number, start)
            if use is None and write is None:
                following = [target for target in graph.successors[number] if target not in seen]
                seen.update(following)
                pending.extend((target, 0) for target in following)
            elif use is not None and (write is None or use <= write) and (number, use) not in behind:
                yield number, use

    def _next(
        self, table: Callable[[int], Sequence[Slot]], units: Iterable[int], block: int, start: int
    ) -> int | None:
        """The first slot of a block, from an index on, that a table lists for one of the units."""
        found: int | None = None
        for unit in units:
            slots = table(unit)
            at = bisect_left(slots, (block, start))
            if at < len(slots) and slots[at][0] == block and (found is None or slots[at][1] < found):
                found = slots[at][1]
        return found

    def _is_same(self, definition: Slot, use: Slot, units: Iterable[int]) -> bool:
        """Whether every path to a use comes from the definition, and changes none of the units since; on
        physical registers nor the lanes that are on."""
        graph, kept = self._graph(), tuple(units)
        seen: set[int] = set()
        pending = [use]
        while pending:
            block, stop = pending.pop()
            is_found = block == definition[0] and definition[1] < stop
            start = definition[1] + 1 if is_found else 0
            write = self._next(self._program.writes, kept, block, start)
            if write is not None and write < stop:
                return False
            if not self._has_names and self._changes_mask(block, start, stop):
                return False
            if is_found:
                continue
            sources = graph.predecessors[block]
            if block == 0 or not sources or not set(kept).isdisjoint(self._slots[block].parameters):
                return False
            fresh = [source for source in sources if source not in seen]
            seen.update(fresh)
            pending += [(source, len(self._slots[source].uses)) for source in fresh]
        return True

    def _needed_before_peak(self, units: Sequence[int], definition: Slot) -> bool:
        """Whether some path from the definition uses the value before it comes to the next uses behind the
        peak."""
        block, index = definition
        behind = set(self._next_uses(tuple(units)))
        return any(True for _ in self._met(units, block, index + 1, behind))

    def _between(self, first: Slot, last: Slot) -> list[Slot]:
        """The slots between two slots of a block."""
        return [(first[0], index) for index in range(first[1] + 1, last[1])]
