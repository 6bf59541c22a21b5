"""A wave that issues the instructions of a block alone, to find an order in which few wait for banks."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from asmgen.passes.dependence import Dependence, Graph
from isa.instruction import Unit
from isa.target import Target
from isa.timing.collectors import Collectors, Gatherings
from isa.timing.machine import MACHINES
from isa.timing.operation import Gathering, gatherings_of

REACH = 16  # instructions in their earlier order, from which the next is taken
GAIN = 2  # clocks in a hundred: a block with less to gain keeps its order


def order_of(graph: Graph, target: Target) -> list[int] | None:
    """The instructions of a block by number, in an order in which a lone wave issues them sooner; None if
    they should stay in theirs. Only neighbours that are all vector instructions change places."""
    code = graph.instructions
    operations = gatherings_of(code, MACHINES[target.name])
    readers = [
        [later for later in after if graph.before[later][number] is Dependence.TRUE]
        if operations[number].gathered
        else []
        for number, after in enumerate(graph.after)
    ]
    before, after = [LoneWave(operations, graph, readers, target) for _ in range(2)]
    before.issue_all(range(len(code)))
    if (100 - GAIN) * before.clock < 100 * sum(each.hold for each in operations if each.gathered):
        return None
    order: list[int] = []
    for is_vector, run in groupby(range(len(code)), lambda number: code[number].row.unit is Unit.VALU):
        numbers = list(run)
        order += after.issue_first(numbers) if is_vector else after.issue_all(numbers)
    return order if 100 * after.clock <= (100 - GAIN) * before.clock else None


class LoneWave:
    """A wave that has the vector ALU for itself and waits for no memory. `clock`: from which on it may issue
    its next instruction without a wait for a collector. `readers`: of each instruction those that read its
    result."""

    def __init__(
        self,
        operations: Sequence[Gathering],
        graph: Graph,
        readers: Sequence[Sequence[int]],
        target: Target,
    ) -> None:
        machine = MACHINES[target.name]
        self.clock = 0
        self._operations = operations
        self._graph, self._readers = graph, readers
        self._execute = machine.execute.clocks
        self._collectors = Collectors(Gatherings(machine, operations))
        self._ready = [0] * len(operations)  # the first issue at which the operands are there

    def issue_all(self, numbers: Sequence[int]) -> Sequence[int]:
        """Issue instructions in their order, and return them."""
        for number in numbers:
            self.issue(number)
        return numbers

    def issue_first(self, numbers: Sequence[int]) -> list[int]:
        """Issue successive instructions, each time an instruction that executes first, and return their
        order."""
        first, left, order = numbers[0], list(numbers), list[int]()
        blocking = [sum(earlier >= first for earlier in self._graph.before[number]) for number in numbers]
        while left:
            best = self._soonest([number for number in left[:REACH] if not blocking[number - first]])
            self.issue(best)
            left.remove(best)
            order.append(best)
            for later in self._graph.after[best]:
                if later <= numbers[-1]:
                    blocking[later - first] -= 1
        return order

    def _soonest(self, numbers: Sequence[int]) -> int:
        """The first of the instructions that execute first, if each were the next."""
        if len(numbers) == 1:
            return numbers[0]
        clocks = [max(self.clock, self._ready[number]) for number in numbers]
        first, _ = self._collectors.executes_first(0, numbers, clocks, self._execute)
        return numbers[first]

    def issue(self, number: int) -> None:
        """Issue an instruction."""
        operation = self._operations[number]
        if not operation.gathered:
            return
        clock = max(self.clock, self._ready[number])
        executes = self._collectors.gather(0, number, clock, clock + self._execute)
        self.clock = max(clock + operation.hold, self._collectors.free)
        ready = executes + operation.latency - self._execute
        for later in self._readers[number]:
            if self._ready[later] < ready:
                self._ready[later] = ready
