"""The clocks at which the instructions of a block can issue: a wave, in order, each instruction after its
dependences.

An instruction issues after the previous instruction, and when its operands are ready: after the latency in
the target's record, or after the wait states of a rule, for example for a DPP step. Loads of other blocks
count as pending at the start of the block.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from operator import add

from asmgen.passes.dependence import Dependence, Graph
from asmgen.passes.schedule.pipes import NO_PIPES, PIPES, Pipe, Pipes, fills_lds
from asmgen.passes.waits.delays import TRANSES_TOLD
from isa.hazards import PairStates
from isa.instruction import Instr, Row, Trait, Unit
from isa.named_tuple import NamedTuple
from isa.program import Kernel
from isa.registers import Register
from isa.timing.machine import MACHINES
from isa.timing.row_clocks import TRANSCENDENTAL_PIPE, row_clocks

ARGUMENTS = "kernarg_segment_ptr"
Gap = tuple[int, int, int]  # producer, consumer, wait states


class Clocks(NamedTuple):
    """The clock at the end of a block, and the clock at which its loads for other blocks have arrived too."""

    end: int
    loaded: int

    @property
    def both(self) -> int:
        """The two numbers by which orders are compared. An improvement of either must not worsen the
        other."""
        return self.end + self.loaded


class Rates:
    """A target's clocks of each row, looked up once: those until another instruction may issue, and those
    until the results are there."""

    def __init__(self, target: str) -> None:
        self._machine = MACHINES[target]
        self.a_state = self._machine.issue.clocks
        self.scalar_load = self._machine.vector_memory.clocks // 2  # as an order should expect its data
        self._by_row: dict[Row, tuple[int, int]] = {}

    def of(self, row: Row) -> tuple[int, int]:
        clocks = self._by_row.get(row)
        if clocks is None:
            of_row = row_clocks(row, self._machine)
            self._by_row[row] = clocks = of_row.hold, of_row.latency
        return clocks


@cache
def rates_of(target: str) -> Rates:
    """The clocks of a target's rows, by its name."""
    return Rates(target)


def latency_of(instr: Instr, rates: Rates, kernel: Kernel) -> int:
    """The clocks until the results of an instruction are there. The scalar cache has the data of some scalar
    loads: from 100 to 220 clocks, sums of 64 parts on gfx942 take 2,850 clocks and sobel filters 4,911; with
    the 20 of the nearest cache 7,370 and 4,943, with the 320 of vector loads 3,203 and 5,797. A kernel's
    arguments count as near: all orders wait for them."""
    _, clocks = rates.of(instr.row)
    if instr.row.unit is not Unit.SMEM or not instr.row.defines:
        return clocks
    arguments = [register for role, register in kernel.abi.entry if role == ARGUMENTS]
    return clocks if any(each in instr.operands for each in arguments) else max(clocks, rates.scalar_load)


class Timing:
    """The dependences and delays of a block's instructions, by number.

    | field | content |
    |---|---|
    | `before[i]` | the instructions that `i` follows, with the clocks between the two issues |
    | `issue[i]` | clocks until another instruction may issue |
    | `latency[i]` | clocks until the results are ready |
    | `arrival[i]` | clocks from the start of the block until operands from other blocks are ready |
    | `leaving[i]` | clocks until the end of the block may come |
    | `loading[i]` | clocks until loads for other blocks have arrived |
    | `gaps`, `gaps_of` | producers and consumers with the wait states between them; the same by consumer |
    | `twins` | instructions that may become a dual instruction with the next |
    | `twin_of` | the other of both, if neither needs the other's result |
    | `pipes`, `binding` | the pipes of instructions, and the pipe that should never be idle (`Pipes`) |
    | `apart` | clocks after which a reader of the result needs no `s_delay_alu`, if pipes slow the issue |
    """

    __slots__ = (
        "after", "apart", "arrival", "before", "binding", "gaps", "gaps_of", "heights_to_end", "issue",
        "leaving", "loading", "pipes", "twin_of", "twins",
    )  # fmt: skip

    def __init__(
        self,
        before: list[list[tuple[int, int]]],
        issue: list[int],
        arrival: list[int],
        leaving: list[int],
        loading: list[int],
        gaps: list[Gap],
        twins: frozenset[int] = frozenset(),
        pipes: Pipes = NO_PIPES,
        apart: Mapping[int, int] | None = None,
    ) -> None:
        self.before = before
        self.issue = issue
        self.arrival = arrival
        self.leaving = leaving
        self.loading = loading
        self.gaps = gaps
        self.twins = twins
        self.twin_of: dict[int, int] = {}
        for number in twins:
            if all(producer != number for producer, _ in before[number + 1]):
                self.twin_of |= {number: number + 1, number + 1: number}
        self.pipes, self.binding = pipes
        self.apart = apart or {}
        self.gaps_of: dict[int, list[Gap]] = {}
        for gap in gaps:
            self.gaps_of.setdefault(gap[1], []).append(gap)
        self.after: list[list[tuple[int, int]]] = [[] for _ in before]
        for number, earlier in enumerate(before):
            for producer, clocks in earlier:
                self.after[producer].append((number, clocks))
        self.heights_to_end = self.heights(leaving)

    def clocks(self, order: Sequence[int]) -> Clocks:
        """The clocks of a block in an order, and the clocks until its loads for other blocks have arrived."""
        issued = [0] * len(self.issue)
        now = end = loaded = 0
        before, issue, arrival, leaving = self.before, self.issue, self.arrival, self.leaving
        pipes, free = self.pipes, [0] * PIPES
        for number in order:
            start = arrival[number]
            if now > start:
                start = now
            for producer, clocks in before[number]:
                ready = issued[producer] + clocks
                if ready > start:
                    start = ready
            if number in pipes:
                pipe, clocks = pipes[number]
                start = max(start, free[pipe])
                free[pipe] = start + clocks
            issued[number] = start
            now = start + issue[number]
            if start + leaving[number] > end:
                end = start + leaving[number]
        if any(self.loading):
            loaded = max(map(add, issued, self.loading))
        end = max(now, end)
        return Clocks(end, max(end, loaded))

    def least(self) -> Clocks:
        """A lower bound for all orders: the issue of all instructions, and the longest chains."""
        issue = max(sum(self.issue), *[self._pipe_clocks(pipe) for pipe in range(PIPES)])
        chain = max(map(add, self.arrival, self.heights_to_end), default=0)
        loads = max(map(add, self.arrival, self.heights(self.loading)), default=0) if any(self.loading) else 0
        return Clocks(max(issue, chain), max(issue, chain, loads))

    def _pipe_clocks(self, pipe: int) -> int:
        """The clocks for which instructions keep a pipe, but for the last of them."""
        clocks = [held for which, held in self.pipes.values() if which == pipe]
        return sum(clocks) - max(clocks, default=0)

    def heights(self, ends: Sequence[int], twins: frozenset[int] = frozenset()) -> list[int]:
        """For each instruction, the clocks from its issue to the last end of its dependants. An instruction
        of `twins` and the next have the longer of both."""
        heights = list(map(max, self.issue, ends))
        for number in range(len(heights) - 1, -1, -1):
            longest = heights[number]
            for later, clocks in self.after[number]:
                height = clocks + heights[later]
                if height > longest:
                    longest = height
            if number in twins:
                longest = heights[number + 1] = max(longest, heights[number + 1])
            heights[number] = longest
        return heights

    def heights_to_both(self, with_pipes: bool = False) -> list[int]:
        """The same to the end of the block and to the last that is loaded for others; with the clocks for
        which pipes are busy, if asked. An order by these heights keeps twins together."""
        loads = any(self.loading)
        if not loads and not self.twins and not with_pipes:
            return self.heights_to_end
        ends = list(map(max, self.leaving, self.loading)) if loads else self.leaving
        heights = self.heights(ends, self.twins)
        return self.heights(self._pipe_ends(heights, ends), self.twins) if with_pipes else heights

    def _pipe_ends(self, heights: Sequence[int], ends: Sequence[int]) -> list[int]:
        """The ends of instructions, if each instruction that keeps a pipe is followed there by all with less
        height."""
        behind, found = [0] * PIPES, list(ends)
        for number in sorted(self.pipes, key=lambda number: (heights[number], -number)):
            pipe, clocks = self.pipes[number]
            behind[pipe] = max(heights[number], clocks + behind[pipe])
            found[number] = max(ends[number], behind[pipe])
        return found


def timing_of(
    kernel: Kernel, graph: Graph, states: PairStates, loaded: Mapping[int, int], pipes: Pipes = NO_PIPES,
    kept: Iterable[tuple[int, int]] = (),
) -> Timing:  # fmt: skip
    """The timing of a block. `loaded` are the units that other blocks load, with their latency; `kept` are
    pairs that stay in their order for the sake of something else than operands."""
    code = graph.instructions
    rates = rates_of(kernel.target.target.name)
    issue = [rates.of(instr.row)[0] for instr in code]
    latency = [latency_of(instr, rates, kernel) for instr in code]
    a_state = rates.a_state
    before: list[list[tuple[int, int]]] = []
    gaps: list[Gap] = []
    read: set[int] = set()
    may_ask = states.may_ask
    # otherwise another workgroup multiplies during the wait
    is_alone = pipes.binding is not None and fills_lds(kernel)
    for number, earlier in enumerate(graph.before):
        here: list[tuple[int, int]] = []
        for producer, why in earlier.items():
            if why is not Dependence.TRUE:
                awaited = is_alone and is_awaited(code[number], code[producer])
                # the last of the waves gets its data when the pipe has served all
                served = latency[producer] + pipes.of[producer][1] if awaited else issue[producer]
                here.append((producer, served))
                continue
            read.add(producer)
            waits = states.between(code[producer], code[number], kernel.register_class) if may_ask else 0
            if waits:
                gaps.append((producer, number, waits))
                here.append((producer, max(latency[producer], (waits + 1) * a_state)))
            else:
                here.append((producer, latency[producer]))
        before.append(here)
    for earlier, later in dict.fromkeys(kept):
        if earlier not in graph.before[later]:
            before[later].append((earlier, issue[earlier]))
    arrival = [_arrival(instr, loaded) for instr in code] if loaded else [0] * len(code)
    # a load without a reader in this block is awaited in another block, or in the next trip
    leaving, loading = list(latency), [0] * len(code)
    for number, instr in enumerate(code):
        if instr.row.events:
            leaving[number] = 0
            if number not in read and (instr.row.defines or Trait.LDS_DMA in instr.row.traits):
                loading[number] = latency[number]
    has_delay = kernel.table.target.has_delay_alu and pipes.binding is None
    apart = _apart(code, latency, pipes.of) if has_delay else {}
    return Timing(before, issue, arrival, leaving, loading, gaps, _twins(kernel, graph), pipes, apart)


def is_awaited(barrier: Instr, access: Instr) -> bool:
    """Whether a wave waits for an access before a barrier: other waves write there after it."""
    is_barrier = Trait.BARRIER in barrier.row.traits
    return is_barrier and access.row.unit is Unit.LDS and bool(access.row.events)


def _apart(code: Sequence[Instr], latency: Sequence[int], pipes: Mapping[int, Pipe]) -> dict[int, int]:
    """For vector instructions of a block with transcendental instructions, the clocks after which a reader
    needs no `s_delay_alu`. That counts instructions. While the pipe is busy with an instruction, this and
    another issue; a reader of the pipe has three of its instructions before it."""
    held = {number: clocks for number, (pipe, clocks) in pipes.items() if pipe == TRANSCENDENTAL_PIPE}
    if not held:
        return {}
    half, vectors = max(held.values()) // 2, [instr.row.unit is Unit.VALU for instr in code]
    apart = {number: latency[number] * half for number, is_vector in enumerate(vectors) if is_vector}
    return apart | {number: TRANSES_TOLD * clocks + 1 for number, clocks in held.items()}


def _twins(kernel: Kernel, graph: Graph) -> frozenset[int]:
    """Instructions that do the same to two elements as the next, if a dual instruction may do both."""
    components = kernel.table.components
    if not components:
        return frozenset()
    code, twins, number = graph.instructions, set[int](), 0
    while number + 1 < len(code):
        is_twin = code[number].row.operation in components and _are_twins(code[number], code[number + 1])
        if is_twin:
            twins.add(number)
        number += 1 + is_twin
    return frozenset(twins)


def _are_twins(first: Instr, second: Instr) -> bool:
    """Whether the same operation makes neighbours of a tuple, as two elements of a vector."""
    if first.row is not second.row:
        return False
    made, other = first.operands[0], second.operands[0]
    return isinstance(made, Register) and isinstance(other, Register) and other.first == made.first + 1


def _arrival(instr: Instr, loaded: Mapping[int, int]) -> int:
    read = instr.units.read
    return 0 if loaded.keys().isdisjoint(read) else max([loaded[unit] for unit in read if unit in loaded])
