"""The dependence graph of the instructions of a block, before its terminator.

    v_add_f32 %a, %x, %y        0
    v_mul_f32 %b, %a, %a        1   after 0 (TRUE): it reads the result of 0
    global_store %at, %b        2   after 1 (TRUE)
    global_load %c, %at         3   after 2 (MEMORY), if the two may touch the same buffer

Every order of the block that keeps these dependences computes the same. On virtual registers, each with a
single definition for each unit, only TRUE dependences of registers arise. Physical registers add ANTI (a
register is overwritten after it was read) and OUTPUT (it is overwritten twice). EXEC, VCC, M0 and the rest
are registers like others. So is SCC, but an SCC without readers is not a value: its writers are in any order
among each other, outside of the ranges in which the SCC of another writer is awaited.

The terminator and the copies of edges come after all instructions. The last writer of a physical register
that is live out of the block stays the last writer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING

from asmgen.passes.dependence.facts import OrderFacts, order_facts, ordered_units
from asmgen.passes.dependence.memory import Memory, MemoryOrder, writes_memory
from isa.diagnostics import InternalError
from isa.instruction import Instr, Trait
from isa.program import Kernel
from isa.registers import FIRST_VGPR, FIRST_VIRTUAL, SCC, Register
from regalloc.flags import scc_awaited_at_ends, scc_sources

if TYPE_CHECKING:
    from asmgen.passes.dependence.carried import Pair


class Dependence(Enum):
    """The reason why an instruction comes after another; the first of these reasons if there are several."""

    TRUE = "reads its result"
    OUTPUT = "overwrites its result"
    ANTI = "overwrites its operand"
    MEMORY = "may access the same memory"
    FENCE = "nothing passes it"
    PHASE = "is of an earlier phase"

    __hash__ = object.__hash__


class Graph:
    """`before[i]` are the instructions that number `i` comes after, each with the reason."""

    __slots__ = ("__dict__", "before", "instructions")

    def __init__(self, instructions: Sequence[Instr], before: list[dict[int, Dependence]]) -> None:
        self.instructions = instructions
        self.before = before

    @cached_property
    def after(self) -> list[list[int]]:
        """The instructions that come after each, ascending."""
        later: list[list[int]] = [[] for _ in self.before]
        for number, earlier in enumerate(self.before):
            for before in earlier:
                later[before].append(number)
        return later

    def allows(self, order: Sequence[int]) -> bool:
        """Whether an order of all instructions, by number, keeps all dependences."""
        place = {number: position for position, number in enumerate(order)}
        return len(place) == len(self.before) and all(
            place[before] < place[number] for number, earlier in enumerate(self.before) for before in earlier
        )


class Dependences:
    """The graphs of a kernel's blocks, and the facts about the whole kernel that they need."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._memory = Memory(kernel)

    @cached_property
    def _flag_ends(self) -> list[bool]:
        return scc_awaited_at_ends(self._kernel)

    def of_block(self, number: int) -> Graph:
        """The graph of a block as the kernel has it."""
        return self.of_code(number, self._kernel.blocks[number].instructions)

    def beside_waits(self, number: int) -> Graph:
        """The same, but matrix instructions on virtual registers may pass the waits that the program states:
        the pass `waits` inserts those that their operands need."""
        code = self._kernel.blocks[number].instructions
        builder = _Builder(code, self._memory, self.flags_awaited(number, code), may_pass_waits=True)
        return Graph(code, builder.run())

    def of_code(self, number: int, code: Sequence[Instr]) -> Graph:
        """The graph of other code in the place of a block's, before the same terminator."""
        return self.of_span(code, self.flags_awaited(number, code))

    def of_span(
        self, code: Sequence[Instr], awaited: frozenset[int], first: int = 0, end: int | None = None
    ) -> Graph:
        """The graph of the instructions from `first` to before `end`, numbered from 0. `awaited` are the
        instructions of all the code that write an SCC that is read."""
        span = code[first:end]
        inside = frozenset([number - first for number in awaited if number >= first]) if first else awaited
        return Graph(span, _Builder(span, self._memory, inside).run())

    def between_trips(self, number: int, graph: Graph | None = None) -> list[Pair]:
        """The dependences between the trips of a loop that has the block as its body. A later instruction of
        the block that already comes after the earlier instruction in each trip is left out, and so are other
        numbers of trips than the fewest. `graph` is that of the block, if it is known. Raises `InternalError`
        if the block is no such loop."""
        from asmgen.passes.dependence import carried  # few kernels have loops that may overlap

        block = self._kernel.blocks[number]
        edges = carried.back_edges(self._kernel, block)
        if edges is None:
            raise InternalError("dependence", block.label, "the block is not the body of a loop")
        code, within = block.instructions, (graph or self.of_block(number)).before
        pairs = list(carried.through_parameters(block, edges, code))
        pairs += self._through_registers(number, code)
        facts = [order_facts(instr.row) for instr in code]
        accesses = [fact.is_access or fact.barrier for fact in facts]
        pairs += carried.through_memory(
            [
                list(self._memory.touches(instr, fact)) if is_access else []
                for instr, fact, is_access in zip(code, facts, accesses, strict=True)
            ],
            within,
        )
        fewest: dict[tuple[int, int], int] = {}
        for earlier, later, trips in pairs:
            known = fewest.get((earlier, later), trips)
            fewest[earlier, later] = min(known, trips)
        return [
            carried.Pair(*ends, trips)
            for ends, trips in sorted(fewest.items())
            if ends[0] not in within[ends[1]]
        ]

    def _through_registers(self, number: int, code: Sequence[Instr]) -> Iterator[Pair]:
        """Dependences by physical registers and fences: those of the code on itself, one time after the
        other."""
        from asmgen.passes.dependence import carried

        count = len(code)
        awaited = self.flags_awaited(number, code)
        twice = awaited | {number + count for number in awaited}
        for later, before in enumerate(_Builder([*code, *code], None, twice).run()[count:]):
            yield from [carried.Pair(earlier, later, 1) for earlier in before if earlier < count]

    def flags_awaited(self, number: int, code: Sequence[Instr]) -> frozenset[int]:
        """The instructions of `code`, in place of a block's code, that write an SCC that is read there or
        later."""
        return frozenset(scc_sources(code, self._flag_ends[number]).values())


def _is_virtual(instr: Instr) -> bool:
    """Whether an instruction names no physical register."""
    return all(operand.first >= FIRST_VIRTUAL for operand in instr.operands if isinstance(operand, Register))


class _Builder:
    """`may_pass_waits` says whether matrix instructions may pass waits."""

    def __init__(
        self,
        code: Sequence[Instr],
        memory: Memory | None,
        awaited: frozenset[int],
        may_pass_waits: bool = False,
    ) -> None:
        self._code = code
        self._facts = [order_facts(instr.row) for instr in code]
        self._memory = memory
        self._awaited = awaited
        self._overwritten = self._physical_results()
        self._writer: dict[int, int] = {}
        self._readers: dict[int, list[int]] = {}  # of physical units, since their last writer
        self._flag_writer = -1  # the last writer of an SCC that is read
        self._flag_readers: list[int] = []
        self._flag_unread: list[int] = []  # later writers of SCC without a reader
        self._accesses = MemoryOrder()
        self._fence = self._wait = -1
        self._staying = list[int]()
        self._may_pass_waits = may_pass_waits and any(fact.is_wait for fact in self._facts)
        self._has_priority = False  # barriers after it say which waves multiply, so nothing passes them
        self._phase, self._of_phase, self._phase_before = 0, list[int](), list[int]()

    def _physical_results(self) -> set[int]:
        """The physical units that the code writes. A reader of any other unit has no dependence here."""
        results: set[int] = set()
        for instr, fact in zip(self._code, self._facts, strict=True):
            if fact.writes:
                results.update(fact.writes)
            for i in instr.row.defines:
                operand = instr.operands[i]
                if isinstance(operand, Register) and operand.first < FIRST_VIRTUAL:
                    results.update(ordered_units(operand))
        return results

    def run(self) -> list[dict[int, Dependence]]:
        before: list[dict[int, Dependence]] = []
        memory = self._memory if writes_memory(self._facts) else None
        for number, instr in enumerate(self._code):
            here: dict[int, Dependence] = {}
            fact = self._facts[number]
            self._registers(number, instr, fact, here)
            if memory is not None and (fact.is_access or fact.barrier):
                for touch in memory.touches(instr, fact):
                    for earlier in self._accesses.add(number, touch):
                        if earlier != number:
                            _ = here.setdefault(earlier, Dependence.MEMORY)
            if instr.phase:
                self._order_phases(number, instr.phase, here)
            is_fence = fact.fence or (fact.barrier and self._has_priority)
            if self._may_pass_waits:
                is_fence = is_fence and not fact.is_wait
                if fact.is_wait or not (fact.passes_waits and _is_virtual(instr)):
                    self._order_waits(number, fact, here)
            if is_fence:
                for earlier in range(self._fence + 1, number):
                    _ = here.setdefault(earlier, Dependence.FENCE)
            if self._fence >= 0:
                _ = here.setdefault(self._fence, Dependence.FENCE)
            if is_fence:
                self._fence, self._wait, self._staying = number, -1, []
                self._has_priority |= Trait.PRIORITY in instr.row.traits
            before.append(here)
        return before

    def _order_waits(self, number: int, fact: OrderFacts, here: dict[int, Dependence]) -> None:
        """A wait and instructions that may not pass it are in their order. `_staying` are those since the
        last wait or fence."""
        if self._wait >= 0:
            _ = here.setdefault(self._wait, Dependence.FENCE)
        if not fact.is_wait:
            self._staying.append(number)
            return
        for earlier in self._staying:
            _ = here.setdefault(earlier, Dependence.FENCE)
        self._wait, self._staying = number, []

    def _order_phases(self, number: int, phase: int, here: dict[int, Dependence]) -> None:
        """An instruction comes after those of the phase before; a next trip of a loop has its first phase
        after its last."""
        if phase != self._phase:
            self._phase, self._of_phase, self._phase_before = phase, [], self._of_phase
        self._of_phase.append(number)
        for earlier in self._phase_before:
            _ = here.setdefault(earlier, Dependence.PHASE)

    # ---- registers

    def _registers(self, number: int, instr: Instr, fact: OrderFacts, here: dict[int, Dependence]) -> None:
        operands, writer = instr.operands, self._writer
        reads_flag = fact.reads_flag
        for i in instr.row.uses:
            operand = operands[i]
            if not isinstance(operand, Register):
                continue
            first, count = operand
            if first >= FIRST_VIRTUAL:
                for unit in (first,) if count == 1 else range(first, first + count):
                    if unit in writer:
                        here[writer[unit]] = Dependence.TRUE
            elif first >= FIRST_VGPR:
                self._read(number, (first,) if count == 1 else range(first, first + count), here)
            elif operand == SCC:
                reads_flag = True
            else:
                self._read(number, ordered_units(operand), here)
        if not self._overwritten.isdisjoint(fact.reads):
            self._read(number, fact.reads, here)
        if reads_flag or fact.writes_flag:
            self._flag(number, reads_flag, fact.writes_flag, here)
        for i in instr.row.defines:
            operand = operands[i]
            if not isinstance(operand, Register):
                continue
            first, count = operand
            if first >= FIRST_VIRTUAL:
                for unit in (first,) if count == 1 else range(first, first + count):
                    writer[unit] = number
            else:
                self._write(number, ordered_units(operand), here)
        if fact.writes:
            self._write(number, fact.writes, here)

    def _read(self, number: int, units: Iterable[int], here: dict[int, Dependence]) -> None:
        writer, readers = self._writer, self._readers
        for unit in units:
            if unit in writer:
                here[writer[unit]] = Dependence.TRUE
            if unit in readers:
                readers[unit].append(number)
            else:
                readers[unit] = [number]

    def _write(self, number: int, units: Iterable[int], here: dict[int, Dependence]) -> None:
        for unit in units:
            if unit in self._writer and here.get(self._writer[unit]) is not Dependence.TRUE:
                here[self._writer[unit]] = Dependence.OUTPUT
            for reader in self._readers.pop(unit, ()):
                if reader != number:
                    _ = here.setdefault(reader, Dependence.ANTI)
            self._writer[unit] = number

    # ---- SCC

    def _flag(self, number: int, reads: bool, writes: bool, here: dict[int, Dependence]) -> None:
        if reads:
            if self._flag_writer >= 0:
                here[self._flag_writer] = Dependence.TRUE
            self._flag_readers.append(number)
        if not writes:
            return
        for reader in self._flag_readers:
            if reader != number:
                _ = here.setdefault(reader, Dependence.ANTI)
        if self._flag_writer >= 0:
            _ = here.setdefault(self._flag_writer, Dependence.OUTPUT)
        if number not in self._awaited:
            self._flag_unread.append(number)
            return
        for unread in self._flag_unread:
            _ = here.setdefault(unread, Dependence.OUTPUT)
        self._flag_writer = number
        self._flag_readers, self._flag_unread = [], []
