"""Filling gaps: during wait states, a later instruction without dependences on the code in between issues
first.

Runs on physical registers, before waits and NOPs are inserted; `hazards` puts NOPs into the remaining gaps.
An instruction moves only within its block, up to the consumer that must wait, and only if it is ALU work on
registers that no load fills: so no wait for memory comes earlier.

Only wait states are filled, which every instruction in between counts as. Results inside the ALUs, for which
RDNA waits with s_waitcnt_depctr, come no sooner by it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from asmgen.passes.dead import is_removable
from asmgen.passes.dependence.passed import Named, Passed, named_by
from asmgen.passes.forward import entry_states
from asmgen.passes.ssa import names_any
from asmgen.passes.waits.hazards import Remedies, window_of
from isa.hazards import Remedy, Required, Window
from isa.instruction import ExecMode, Instr, Row, Trait
from isa.lane_masks import writes_exec
from isa.named_tuple import NamedTuple
from isa.program import Block, Kernel
from regalloc.flags import scc_awaited_at_ends, scc_sources

REACH = 24  # instructions that are looked at after a gap


def fill(kernel: Kernel) -> Kernel:
    """An equivalent kernel that needs no more wait states, and fewer if an instruction could be moved into
    them."""
    remedies = Remedies(kernel.table)
    entry = window_of(kernel, remedies)
    if all(rule.remedy is not Remedy.STATES for rule in entry.rules.rules):
        return kernel
    first: dict[str, _Gap] = {}  # the first gap of each block, from the last visit

    def pass_through(block: Block, window: Window) -> None:
        _ = first.pop(block.label, None)
        for position, instr in enumerate(block.code):
            needs = window.needs(instr)
            if _is_gap(needs) and block.label not in first and _may_be_filled(block.instructions, position):
                first[block.label] = _Gap(position, window.copy())
                if not block.linear:
                    return  # its final state is not needed
            remedies.give(window, needs, instr, [])

    _ = entry_states(kernel, entry, pass_through)
    if not first:
        return kernel
    return kernel.with_blocks(
        [
            _Filling(block, first[block.label], remedies, is_awaited).run() if block.label in first else block
            for block, is_awaited in zip(kernel.blocks, scc_awaited_at_ends(kernel), strict=True)
        ]
    )


class _Gap(NamedTuple):
    """The position of an instruction that has to wait, and the hazards that are open there."""

    position: int
    window: Window


class _Filling:
    """The instructions of a block, by number, on the way to their places. `is_awaited` says whether SCC is
    read after the block."""

    def __init__(self, block: Block, first: _Gap, remedies: Remedies, is_awaited: bool) -> None:
        self._block = block
        self._code = block.instructions
        self._window = first.window
        self._first = first.position
        self._remedies = remedies
        self._named: dict[int, Named] = {}  # of the instructions after gaps
        self._has_priority = any(Trait.PRIORITY in instr.row.traits for instr in self._code)
        # instructions that write an SCC that is read
        self._awaited = frozenset(scc_sources(self._code, is_awaited).values())
        self._loaded: set[int] = set()  # units that a load may still fill

    def run(self) -> Block:
        rest = list(range(len(self._code)))
        position = self._first  # earlier instructions have no gap and stay
        result = list(self._code[:position])
        for instr in result:
            self._note_loads(instr)
        while position < len(rest):
            number = rest[position]
            needs = self._window.needs(self._code[number])
            filler = self._filler(rest, position) if _is_gap(needs) else None
            if filler is None:
                position += 1
            else:
                number = rest.pop(filler)
                needs = []  # it can issue at once
            instr = self._code[number]
            self._remedies.give(self._window, needs, instr, [])
            result.append(instr)
            self._note_loads(instr)
        return self._block.with_instructions(result)

    def _note_loads(self, instr: Instr) -> None:
        """A reader or writer of a loaded register has waited for the load."""
        if instr.row.events:
            self._loaded.update(instr.units.written)
        elif self._loaded:
            self._loaded.difference_update(instr.units.read, instr.units.written)

    def _filler(self, rest: list[int], position: int) -> int | None:
        """The position of an instruction that may go before `position` and can issue at once."""
        end = min(position + REACH, len(rest))
        candidates = [at for at in range(position + 1, end) if _is_movable(self._code[rest[at]])]
        if not candidates:
            return None
        between = Passed()
        for place in range(position, candidates[-1] + 1):
            instr, named = self._code[rest[place]], self._names(rest[place])
            if named.stays or (named.is_barrier and self._has_priority):
                break
            is_free = place in candidates and between.let(named)
            if is_free and not self._waits_for_memory(instr) and self._window.required(instr) is None:
                return place
            between.add(named)
        return None

    def _names(self, number: int) -> Named:
        named = self._named.get(number)
        if named is None:
            named = self._named[number] = named_by(self._code[number], number in self._awaited)
        return named

    def _waits_for_memory(self, instr: Instr) -> bool:
        return bool(self._loaded) and names_any(instr, self._loaded)


def _is_gap(needs: list[Required]) -> bool:
    """Whether the longest of some waits is one of wait states."""
    return bool(needs) and needs[0].rule.remedy is Remedy.STATES


def _may_be_filled(code: Sequence[Instr], position: int) -> bool:
    """Whether one of the instructions after a gap may move there; not in the gap of a terminator, which is at
    the end of `code`."""
    return any(map(_is_movable, code[position + 1 : position + REACH]))


def _is_movable(instr: Instr) -> bool:
    return _may_move(instr.row) and not writes_exec(instr)


@cache
def _may_move(row: Row) -> bool:
    return not row.events and is_removable(row) and row.exec_mode in (ExecMode.SCALAR, ExecMode.MASKED)
