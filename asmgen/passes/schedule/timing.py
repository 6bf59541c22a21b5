"""When instructions of a block can issue: one wave, in order, each after what it depends on.

An instruction issues when the one before it has, and when the results that it reads are there: after the
latency of the target's record, or after the wait states that a rule asks for, as of a DPP step. What other
blocks loaded is taken to be under way still where the block begins.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import add
from typing import NamedTuple

from asmgen.passes.dependence import Dependence, Graph
from isa.hazards import PairStates
from isa.instruction import Instr
from isa.latencies import Latencies, issue_clocks, result_latency
from isa.program import Kernel
from isa.registers import Register

Gap = tuple[int, int, int]  # producer, consumer, wait states


class Clocks(NamedTuple):
    """When a block is at its end, and when also what it loads for others is there."""

    end: int
    loaded: int

    @property
    def both(self) -> int:
        """What an order is judged by: neither may be bought with the other."""
        return self.end + self.loaded


class Timing:
    """`before[i]` has for each instruction that number `i` comes after the clocks between the two issues;
    `issue[i]` are those until another may issue, `latency[i]` those until its results are there, `arrival[i]`
    those from the beginning of the block until what it reads of other blocks is. `leaving[i]` are those until
    the end of the block may come, and `loading[i]` those until what the block loads for others is there.
    `gaps` are producers and consumers with the wait states that have to pass between them, `gaps_of` the same
    by consumer."""

    __slots__ = ("after", "arrival", "before", "gaps", "gaps_of", "issue", "leaving", "loading")

    def __init__(
        self,
        before: list[dict[int, int]],
        issue: list[int],
        arrival: list[int],
        leaving: list[int],
        loading: list[int],
        gaps: list[Gap],
    ) -> None:
        self.before = before
        self.issue = issue
        self.arrival = arrival
        self.leaving = leaving
        self.loading = loading
        self.gaps = gaps
        self.gaps_of: dict[int, list[Gap]] = {}
        for gap in gaps:
            self.gaps_of.setdefault(gap[1], []).append(gap)
        self.after: list[list[tuple[int, int]]] = [[] for _ in before]
        for number, earlier in enumerate(before):
            for one, clocks in earlier.items():
                self.after[one].append((number, clocks))

    def keep(self, earlier: int, later: int) -> None:
        """Have one instruction come after another for the sake of something else than its operands."""
        if earlier not in self.before[later]:
            self.before[later][earlier] = self.issue[earlier]
            self.after[earlier].append((later, self.issue[earlier]))

    def clocks(self, order: Sequence[int]) -> Clocks:
        """How long a block takes in an order, and how long what it loads for others."""
        issued = [0] * len(self.issue)
        now = end = loaded = 0
        for number in order:
            start = max(now, self.arrival[number])
            for one, clocks in self.before[number].items():
                start = max(start, issued[one] + clocks)
            issued[number] = start
            now = start + self.issue[number]
            end = max(end, start + self.leaving[number])
            loaded = max(loaded, start + self.loading[number])
        end = max(now, end)
        return Clocks(end, max(end, loaded))

    def least(self) -> Clocks:
        """What no order can take less than: the issue of all, and the longest chains."""
        issue = sum(self.issue)
        chain = max(map(add, self.arrival, self.heights(self.leaving)), default=0)
        loads = max(map(add, self.arrival, self.heights(self.loading)), default=0) if any(self.loading) else 0
        return Clocks(max(issue, chain), max(issue, chain, loads))

    def heights(self, ends: Sequence[int]) -> list[int]:
        """For each instruction the clocks from its issue to the last end of what depends on it."""
        found = [0] * len(self.issue)
        for number in range(len(found) - 1, -1, -1):
            longest = max(self.issue[number], ends[number])
            for later, clocks in self.after[number]:
                longest = max(longest, clocks + found[later])
            found[number] = longest
        return found


def timing_of(
    kernel: Kernel, graph: Graph, latencies: Latencies, states: PairStates, loaded: Mapping[int, int]
) -> Timing:
    """The timing of a block. `loaded` are the units that other blocks load, with their latency."""
    code = graph.instructions
    issue = [issue_clocks(instr.row, latencies) for instr in code]
    latency = [result_latency(instr.row, latencies) for instr in code]
    before: list[dict[int, int]] = []
    gaps: list[Gap] = []
    for number, earlier in enumerate(graph.before):
        clocks: dict[int, int] = {}
        for one, why in earlier.items():
            clocks[one] = issue[one]
            if why is Dependence.TRUE:
                waits = states.between(code[one], code[number], kernel.register_class)
                clocks[one] = max(latency[one], (waits + 1) * latencies.issue.clocks if waits else 0)
                if waits:
                    gaps.append((one, number, waits))
        before.append(clocks)
    arrival = [_arrival(instr, loaded) for instr in code] if loaded else [0] * len(code)
    # a load whose result nobody reads here is awaited in another block
    read = {one for earlier in graph.before for one, why in earlier.items() if why is Dependence.TRUE}
    leaving, loading = list(latency), [0] * len(code)
    for number, instr in enumerate(code):
        if instr.row.events:
            leaving[number] = 0
            if instr.row.defines and number not in read:
                loading[number] = latency[number]
    return Timing(before, issue, arrival, leaving, loading, gaps)


def _arrival(instr: Instr, loaded: Mapping[int, int]) -> int:
    most = 0
    for i in instr.row.uses:
        operand = instr.operands[i]
        if isinstance(operand, Register) and operand.is_virtual:
            for unit in operand.units:
                most = max(most, loaded.get(unit, 0))
    return most
