"""The missing and the wasted waits of a function, by the analyses of the compiler's own passes."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from msgspec import Struct

from asmgen.check.analyses import WAITING, FixedPoint, States, Waits
from asmgen.check.certain import filling_counters
from asmgen.check.listing import ListedFunction
from asmgen.check.mistakes import Mistake, freed_flow, gives_back
from asmgen.check.notes import lds_notes, raised_priorities, same_banks
from asmgen.check.wasted import Needed, Stronger, TooLongError, left_out, stronger_waits
from asmgen.passes.waits.hazards import Remedies
from isa.hazards import Required, Window
from isa.instruction import Instr, Label, Trait
from isa.target import Target
from isa.targets import TargetId
from isa.text.printing import format_instr
from isa.waits import waited, waits_for

# Rows before which a wait may order memory for others, which registers do not show.
_ORDERED = frozenset({Trait.BARRIER, Trait.SIGNAL, Trait.CACHE, Trait.ATOMIC, Trait.STORE, Trait.SIDE_EFFECT})


class Missing(Struct, frozen=True):
    """A wait or NOP that is missing before instruction `index` (after it, with `is_after`), and its reason;
    `fix` are the instructions that supply it."""

    index: int
    code: str
    text: str
    rule: str
    producer: Instr
    fix: tuple[str, ...]
    is_after: bool = False


class Examined:
    """A function at the fixed points of the analyses."""

    def __init__(self, function: ListedFunction, target: TargetId) -> None:
        self.function = function
        self.instructions = function.instructions
        self.kernel = function.kernel(target)
        self._firsts = [first for first, _ in function.block_ranges()]
        self._waits = FixedPoint(self.kernel, Waits(self.kernel))
        self._rules = function.rules(target)
        self._states = FixedPoint(self.kernel, States(self.kernel, self._rules))
        self._freed = freed_flow(function, self.kernel, target)

    def missing(self) -> list[Missing]:
        """The waits and wait states that the function lacks, in the order of its instructions."""
        missing_here = [*self._missing_waits(), *self._missing_states()]
        return sorted(missing_here, key=lambda missing: (missing.index, missing.code))

    def _missing_waits(self) -> Iterator[Missing]:
        for block, first in zip(self.kernel.blocks, self._firsts, strict=True):
            for position, (name, count, producer) in self._waits.lacks[block.label]:
                index = first + (position or 0)
                fix = tuple(format_instr(wait.instr) for wait in waits_for(self.kernel.table, {name: count}))
                wants = _wants(self.instructions[index])
                rule = f"{name} counts {producer.row.mnemonic} as under way, and this {wants}"
                yield Missing(index, "CHK001", "; ".join(fix), rule, producer, fix)

    def _missing_states(self) -> Iterator[Missing]:
        ends = [*self._firsts[1:], len(self.instructions)]
        for block, first, end in zip(self.kernel.blocks, self._firsts, ends, strict=True):
            for position, needed in self._states.lacks[block.label]:
                index = end - 1 if position is None else first + position
                rule = f"{needed.rule.name} ({needed.rule.source})"
                consumer = None if position is None else self.instructions[index]
                fix = self._remedy(needed, consumer)
                yield Missing(index, "CHK002", needed.text, rule, needed.producer, fix, position is None)

    def _remedy(self, needed: Required, consumer: Instr | None) -> tuple[str, ...]:
        put_in: list[Instr] = []
        Remedies(self.kernel.table).remedy(Window(self._rules), [needed], consumer, put_in)
        return tuple(format_instr(instr) for instr in put_in)

    def notes(self) -> list[Mistake]:
        """The findings that may be right, or are only slower, in the order of the instructions."""
        function = self.function
        notes = [
            *lds_notes(function, self._waits),
            *raised_priorities(function, self.kernel),
            *same_banks(function, self.kernel.table.target),
        ]
        return sorted(notes, key=lambda note: (note.index, note.code))

    def wasted(self) -> list[int] | None:
        """The waits and NOPs that can each be left out alone without a new lack, except those that have to
        stay. None if the search would take too long."""
        wasted = {index for index, instr in enumerate(self.instructions) if waiting(instr)}
        wasted -= self._have_to_stay()
        waits = {index for index in wasted if Trait.WAIT in self.instructions[index].row.traits}
        try:
            wasted -= Needed(self._waits, self._firsts, left_out(waits)).found
            wasted -= Needed(self._states, self._firsts, left_out(wasted)).found
            if self._freed is not None:
                wasted -= Needed(self._freed, self._firsts, left_out(wasted)).found
        except TooLongError:
            return None
        return sorted(wasted)

    def stronger(self, wasted: Collection[int]) -> list[Stronger]:
        """The waits that would suffice at a larger count, except those that are wasted or have to stay; none
        if the search would take too long."""
        kept = {*wasted, *self._have_to_stay()}
        try:
            return stronger_waits(self._waits, self._firsts, kept, self._cannot_be)
        except TooLongError:
            return []

    def _cannot_be(self, weaker: Mapping[int, Instr]) -> set[int]:
        """The waits, by index, that those weaker waits cannot replace."""
        needed = Needed(self._waits, self._firsts, weaker).found
        return needed if self._freed is None else needed | Needed(self._freed, self._firsts, weaker).found

    def _have_to_stay(self) -> set[int]:
        return have_to_stay(self.instructions, self.kernel.table.target)


def missing_in(function: ListedFunction, target: TargetId) -> list[Missing]:
    """The waits and wait states that a function lacks, in the order of its instructions."""
    return Examined(function, target).missing()


def _wants(instr: Instr) -> str:
    """Why an instruction has to wait."""
    if Trait.SIGNAL in instr.row.traits:
        return "tells other waves that it is done"
    return "is to come after the loads" if Trait.AFTER_LOADS in instr.row.traits else "touches it"


def waiting(instr: Instr) -> bool:
    """Whether an instruction only waits."""
    return bool(instr.row.traits & WAITING)


def have_to_stay(instructions: Sequence[Instr], target: Target) -> set[int]:
    """The waits that may order memory for other waves, which registers do not show.

    They are before a barrier, cache control, an atomic, a store, a message or a jump away, after cache
    control, or at the start of a function. Before a jump away, the code there may need the wait. In a
    function that loads straight to LDS every wait for such loads stays. A NOP stays before the message that
    gives the VGPRs back.
    """
    filling = filling_counters(instructions, target)
    staying = (
        {i for i, instr in enumerate(instructions) if not filling.isdisjoint(waited(instr))}
        if filling
        else set[int]()
    )
    run: list[int] = []  # the waits since `before`
    before: Instr | None = None
    for index, instr in enumerate(instructions):
        if waiting(instr):
            run.append(index)
        elif Trait.DELAY not in instr.row.traits:
            staying.update(i for i in run if _has_to_stay(instructions[i], before, instr))
            before, run = instr, []
    return staying.union(i for i in run if _has_to_stay(instructions[i], before, None))


def _has_to_stay(wait: Instr, before: Instr | None, after: Instr | None) -> bool:
    """Whether a wait has to stay between two instructions, or none, that do something."""
    traits = wait.row.traits
    if not traits & {Trait.WAIT, Trait.WAIT_ALU}:
        return after is not None and gives_back(after)
    if after is None or _jumps_away(after):
        return True
    if Trait.WAIT_ALU in traits:
        return False
    return (
        before is None
        or Trait.CACHE in before.row.traits
        or (bool(after.row.traits & _ORDERED) and Trait.END not in after.row.traits)
    )


def _jumps_away(instr: Instr) -> bool:
    """Whether an instruction jumps to a register's value: a call, or a return."""
    return Trait.BRANCH in instr.row.traits and not isinstance(instr.operands[-1], Label)
