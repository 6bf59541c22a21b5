"""The problem of a loop of one block: which instructions, which distances, which resources.

    loop(%old):  v_add_f32 %x, 1.0, %old;  loop(%x)      an edge from v_add_f32 to itself, 4 clocks, 1 trip

An order of the trips gives each instruction a clock. It is legal if, for each edge, the later instruction
issues at least `clocks` after the earlier instruction of `trips` trips before. `bound` computes the least
interval between trips of any legal order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum

from asmgen.passes.dependence import Dependences, Graph
from asmgen.passes.dependence.carried import Pair, back_edges, through_parameters
from asmgen.passes.schedule.pipes import Waves, lds_clocks
from asmgen.passes.schedule.timing import rates_of, timing_of
from isa.diagnostics import InternalError
from isa.hazards import PairStates, pair_states
from isa.instruction import Encoding, Instr, Row, Unit
from isa.named_tuple import NamedTuple
from isa.program import Block, Edge, Kernel
from isa.timing.machine import MACHINES, Machine
from isa.timing.row_clocks import MATRIX_PIPE, TRANSCENDENTAL_PIPE, row_clocks


class Resource(Enum):
    """A part of the machine that works on one instruction at a time."""

    ISSUE = "the issue of the wave"
    VECTOR = "the vector ALU"
    MATRIX = "the matrix pipe"
    TRANSCENDENTAL = "the transcendental pipe"
    SCALAR = "the scalar ALU"
    LDS = "LDS"

    __hash__ = object.__hash__


class DependenceEdge(NamedTuple):
    """Instruction `later` issues at least `clocks` after instruction `earlier` of `trips` trips before."""

    earlier: int
    later: int
    clocks: int
    trips: int


class Use(NamedTuple):
    """An instruction keeps a resource busy for so many half clocks. They are halves because two vector
    instructions may become a dual instruction, which issues once."""

    resource: Resource
    halves: int


class Demand(NamedTuple):
    """The resources that each instruction uses. `sharers` is the number of waves of a workgroup that use each
    resource."""

    uses: Sequence[Sequence[Use]]
    sharers: dict[Resource, int]


class LoopProblem(NamedTuple):
    """A loop: its block, its instructions with the terminator, its edges, and the resources that each
    instruction uses (`Demand`)."""

    label: str
    instructions: Sequence[Instr]
    edges: Sequence[DependenceEdge]
    uses: Sequence[Sequence[Use]]
    sharers: dict[Resource, int]


_PIPES = {MATRIX_PIPE: Resource.MATRIX, TRANSCENDENTAL_PIPE: Resource.TRANSCENDENTAL}
_PORTS = {
    Unit.VALU: Resource.VECTOR, Unit.TRANS: Resource.VECTOR, Unit.MATRIX: Resource.VECTOR,
    Unit.SALU: Resource.SCALAR,
}  # fmt: skip


def loop_problems(kernel: Kernel) -> Iterator[LoopProblem]:
    """The problem of each loop of one block of a kernel in SSA, in the order of the blocks."""
    numbers = [number for number, block in enumerate(kernel.blocks) if back_edges(kernel, block) is not None]
    if numbers:
        yield from problems_of(kernel, numbers)


def problems_of(kernel: Kernel, numbers: Iterable[int]) -> Iterator[LoopProblem]:
    """The problems of some loops, by the numbers of their blocks. Raises `InternalError` if a block is no
    such loop."""
    dependences = Dependences(kernel)
    for number in numbers:
        block = kernel.blocks[number]
        states = pair_states(kernel.target, block.code)
        edges = back_edges(kernel, block)
        if edges is None:
            raise InternalError("modulo", block.label, "the block is not the body of a loop")
        graph = dependences.beside_waits(number)
        found = [*_within(kernel, graph, states), *_between(dependences, number, graph)]
        found += _values(kernel, states, block, edges)
        found += _branch(kernel, block)
        yield LoopProblem(block.label, block.code, found, *demand_of(kernel, block.code))


def demand_of(kernel: Kernel, code: Iterable[Instr]) -> Demand:
    """The demand of instructions. It needs no graph."""
    machine, known = MACHINES[kernel.target.target.name], dict[Row, list[Use]]()
    uses: list[list[Use]] = []
    for instr in code:
        if instr.row not in known:
            known[instr.row] = list(_uses(kernel, instr.row, machine))
        uses.append(known[instr.row])
    return Demand(uses, _sharers(kernel))


def _within(kernel: Kernel, graph: Graph, states: PairStates) -> Iterator[DependenceEdge]:
    """The edges within a trip."""
    timing = timing_of(kernel, graph, states, {})
    for later, before in enumerate(timing.before):
        for earlier, clocks in before:
            yield DependenceEdge(earlier, later, clocks, 0)


def _between(dependences: Dependences, number: int, graph: Graph) -> Iterator[DependenceEdge]:
    """The edges between trips, as far as they only keep an order."""
    for earlier, later, trips in dependences.between_trips(number, graph):
        yield DependenceEdge(earlier, later, 0 if earlier == later else 1, trips)


def _values(
    kernel: Kernel, states: PairStates, block: Block, edges: tuple[Edge, Edge]
) -> Iterator[DependenceEdge]:
    """The edges of values that a trip gets from a trip before."""
    rates, code = rates_of(kernel.target.target.name), block.instructions
    pairs: set[Pair] = set(through_parameters(block, edges, code))
    for earlier, later, trips in sorted(pairs):
        _, latency = rates.of(code[earlier].row)
        waits = states.between(code[earlier], code[later], kernel.register_class)
        clocks = max(latency, (waits + 1) * rates.a_state) if waits else latency
        yield DependenceEdge(earlier, later, clocks, trips)


def _branch(kernel: Kernel, block: Block) -> Iterator[DependenceEdge]:
    """The edges of a block's branch: it reads its flags before the next trip writes them."""
    branch, number = block.terminator, len(block.instructions)
    if branch is None:
        return
    rates, read = rates_of(kernel.target.target.name), set(branch.units.read)
    writers = [
        writer
        for writer, instr in enumerate(block.instructions)
        if (branch.units.reads_scc and instr.units.writes_scc) or not read.isdisjoint(instr.units.written)
    ]
    for writer in writers[-1:]:
        yield DependenceEdge(writer, number, rates.of(block.instructions[writer].row)[1], 0)
    for writer in writers:
        yield DependenceEdge(number, writer, 1, 1)


def _uses(kernel: Kernel, row: Row, machine: Machine) -> Iterator[Use]:
    clocks = row_clocks(row, machine)
    # any vector instruction: allocation may give it the registers and the form of a component
    may_pair = bool(kernel.table.components) and row.unit is Unit.VALU and row.encoding is not Encoding.DUAL
    hold = clocks.hold if may_pair else 2 * clocks.hold
    yield Use(Resource.ISSUE, hold)
    if row.unit in _PORTS:
        yield Use(_PORTS[row.unit], hold)
    if clocks.pipe in _PIPES:
        yield Use(_PIPES[clocks.pipe], 2 * clocks.pipe_hold)
    if row.unit is Unit.LDS:
        yield Use(Resource.LDS, 2 * lds_clocks(row, kernel.target.target))


def _sharers(kernel: Kernel) -> dict[Resource, int]:
    """The waves of a workgroup that share each resource: a single wave, those of a SIMD, or those of a
    compute unit."""
    waves = Waves.of(kernel)
    sharers = dict.fromkeys(Resource, waves.of_simd)
    sharers[Resource.ISSUE] = 1
    sharers[Resource.LDS] = waves.of_unit
    return sharers
