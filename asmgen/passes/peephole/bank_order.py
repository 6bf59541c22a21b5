"""An order of the vector instructions of loops in which few wait for banks of vector registers.

Two instructions read their registers at a time. They share the read of a register that both need, and do not
read a second source again that the instruction before the last had too (`isa.timing.collectors`). So the
order decides how long products with common factors read. The pass takes next what executes first, of the
instructions that the dependence graph allows.

Runs on physical registers, after `pair`. Instructions move only among neighbours that are vector instructions
too, so each keeps its place among waits and accesses. Registers and the number of instructions stay.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from asmgen.passes.dependence import Dependence, Dependences, Graph
from isa.instruction import Unit
from isa.program import Block, Kernel
from isa.target import Target
from isa.timing.collectors import Collectors, Gatherings
from isa.timing.machine import MACHINES
from isa.timing.operation import Operation, operations_of
from regalloc.cfg import build_control_flow

REACH = 16  # instructions in their earlier order, from which the next is taken
LEAST = 32  # vector instructions of a block: in a shorter one the waits for results cover the reads
# A block keeps its order if another does not shorten it by so many clocks in a hundred.
GAIN = 2


def order_by_banks(kernel: Kernel) -> Kernel:
    """An equivalent kernel with fewer waits for banks; the kernel itself if reads take no time on the
    target."""
    target = kernel.target.target
    if not MACHINES[target.name].banks.clocks:
        return kernel
    long = [number for number, block in enumerate(kernel.blocks) if _is_long(block)]
    depths = build_control_flow(kernel).logical.depths if long else ()
    inner = [number for number in long if depths[number]]
    if not inner:
        return kernel
    dependences = Dependences(kernel)
    blocks = list(kernel.blocks)
    for number in inner:
        blocks[number] = _ordered(blocks[number], dependences.of_block(number), target)
    return kernel.with_blocks(blocks)


def _is_long(block: Block) -> bool:
    return sum(instr.row.unit is Unit.VALU for instr in block.instructions) >= LEAST


def _ordered(block: Block, graph: Graph, target: Target) -> Block:
    operations = operations_of(block.instructions, target, MACHINES[target.name]).operations
    before, after = _LoneWave(operations, graph, target), _LoneWave(operations, graph, target)
    order: list[int] = []
    for is_vector, run in groupby(
        range(len(operations)), lambda n: graph.instructions[n].row.unit is Unit.VALU
    ):
        numbers = list(run)
        for number in numbers:
            before.issue(number)
        order += after.issue_first(numbers) if is_vector else after.issue_all(numbers)
    if (100 - GAIN) * before.clock < 100 * after.clock:
        return block
    return block.with_instructions([block.instructions[number] for number in order])


class _LoneWave:
    """A wave that has the vector ALU for itself and waits for no memory. `clock`: from which on it may issue
    its next instruction without a wait for a collector."""

    def __init__(self, operations: Sequence[Operation], graph: Graph, target: Target) -> None:
        machine = MACHINES[target.name]
        self.clock = 0
        self._operations = operations
        self._before = graph.before
        self._execute = machine.execute.clocks
        self._collectors = Collectors(Gatherings(machine, operations))
        self._ready: dict[int, int] = {}  # by instruction: the first issue at which its result is there

    def issue_all(self, numbers: Sequence[int]) -> Sequence[int]:
        """Issue instructions in their order, and return them."""
        for number in numbers:
            self.issue(number)
        return numbers

    def issue_first(self, numbers: Sequence[int]) -> list[int]:
        """Issue instructions, each time one that executes first, and return their order."""
        left, order = list(numbers), list[int]()
        waiting = set(numbers)
        while left:
            best = self._soonest([each for each in left[:REACH] if waiting.isdisjoint(self._before[each])])
            self.issue(best)
            left.remove(best)
            waiting.discard(best)
            order.append(best)
        return order

    def _soonest(self, numbers: Sequence[int]) -> int:
        """The first of the instructions that execute first, if each were the next."""
        best, soonest = numbers[0], None
        for number in numbers:
            executes = self._gather(self._collectors.copy(), number, self._issues(number))
            if soonest is None or executes < soonest:
                best, soonest = number, executes
            if executes <= self.clock + self._execute:
                break
        return best

    def issue(self, number: int) -> None:
        """Issue an instruction."""
        clock = self._issues(number)
        executes = self._gather(self._collectors, number, clock)
        operation = self._operations[number]
        if operation.gathered:
            self._ready[number] = executes + operation.latency - self._execute
            self.clock = max(clock + operation.hold, self._collectors.free)

    def _issues(self, number: int) -> int:
        """When an instruction issues that is the next."""
        results = (
            self._ready.get(earlier, 0)
            for earlier, why in self._before[number].items()
            if why is Dependence.TRUE
        )
        return max(self.clock, *results, 0)

    def _gather(self, collectors: Collectors, number: int, clock: int) -> int:
        """When an instruction executes that issues at a clock and reads its registers by some collectors."""
        is_gathered = bool(self._operations[number].gathered)
        return collectors.gather(0, number, clock, clock + self._execute) if is_gathered else clock
