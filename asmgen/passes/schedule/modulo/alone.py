"""The problem of a loop of products if its workgroup has a compute unit alone, with a wave on each SIMD.

Nothing hides the waits of such a wave, and the waves do the same at about the same time. If a trip of the
loop copies from memory straight to LDS and loads fragments that the next trip multiplies, its text already
says how trips overlap. So an order of the loop orders the instructions of a trip, and the code of the loop
may take this order as it is:

| part of the machine | rule |
|---|---|
| memory | a copy follows the copy before once memory has served those of all waves |
| LDS | an access keeps it busy for those of all waves. Readers of a load, and barriers, wait for all |
| issue | a barrier and a branch keep the wave from issuing for as long as they take |
| trips | each instruction issues before the branch that ends its trip |
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from asmgen.passes.clauses import is_lds_load
from asmgen.passes.schedule.modulo.distances import HALVES
from asmgen.passes.schedule.modulo.problem import DependenceEdge, LoopProblem, Resource, Use
from asmgen.passes.schedule.pipes import Waves, fills_lds, lds_clocks, memory_clocks
from asmgen.passes.schedule.timing import is_awaited, rates_of
from isa.instruction import Instr, Row, Trait, Unit
from isa.program import Kernel
from isa.timing.machine import MACHINES, Machine

_CACHE = 1  # the accesses of a workgroup that is alone are bound by the second cache


def whole_problem(problem: LoopProblem, kernel: Kernel) -> LoopProblem:
    """The problem of a loop with these rules; the problem itself if the loop is no such loop."""
    if not is_alone(kernel, problem.instructions) or not _loads_ahead(problem):
        return problem
    target, waves = kernel.target.target, Waves.of(kernel).of_unit
    idle = [_idle(instr.row, MACHINES[target.name]) for instr in problem.instructions]
    uses = [[_of_all(use, waves, more) for use in own] for own, more in zip(problem.uses, idle, strict=True)]
    edges = [_served(problem, kernel, edge) for edge in problem.edges]
    whole = LoopProblem(problem.label, problem.instructions, edges, uses, problem.sharers | {Resource.LDS: 1})
    return whole._replace(edges=[*edges, *_queue(whole, kernel), *_within_a_trip(whole)])


def is_alone(kernel: Kernel, code: Sequence[Instr]) -> bool:
    """Whether the code of a loop has products and copies to LDS, and its workgroup a unit alone, with a wave
    on each SIMD."""
    return (
        fills_lds(kernel)
        and Waves.of(kernel).of_simd == 1
        and any(Trait.LDS_DMA in instr.row.traits for instr in code)
        and any(instr.row.unit is Unit.MATRIX for instr in code)
    )


def _loads_ahead(problem: LoopProblem) -> bool:
    """Whether matrix instructions read loads from LDS of the trip before."""
    code = problem.instructions
    return any(
        edge.trips and is_lds_load(code[edge.earlier]) and code[edge.later].row.unit is Unit.MATRIX
        for edge in problem.edges
        if edge.clocks > 1
    )


def _of_all(use: Use, waves: int, idle: int) -> Use:
    if use.resource is Resource.LDS:
        return use._replace(halves=use.halves * waves)
    return use._replace(halves=use.halves + HALVES * idle) if use.resource is Resource.ISSUE else use


def _idle(row: Row, machine: Machine) -> int:
    """The clocks after the issue of an instruction in which its wave issues nothing."""
    if row.unit is Unit.BRANCH:
        return machine.branch.clocks - machine.issue.clocks
    return machine.barrier.clocks if Trait.BARRIER in row.traits else 0


def _served(problem: LoopProblem, kernel: Kernel, edge: DependenceEdge) -> DependenceEdge:
    """An edge from a load from LDS to an instruction that waits for it, with the clocks of the other waves'
    loads."""
    earlier, later = problem.instructions[edge.earlier], problem.instructions[edge.later]
    target = kernel.target.target
    if edge.trips or not is_lds_load(earlier):
        return edge
    _, latency = rates_of(target.name).of(earlier.row)
    if edge.clocks < latency and not is_awaited(later, earlier):
        return edge
    turns = (Waves.of(kernel).of_unit - 1) * lds_clocks(earlier.row, target)
    return edge._replace(clocks=max(edge.clocks, latency) + turns)


def _queue(problem: LoopProblem, kernel: Kernel) -> Iterator[DependenceEdge]:
    """The edges from each copy to the next, also to the first of the next trip: they keep their order."""
    target, waves = kernel.target.target, Waves.of(kernel).of_unit
    copies = [at for at, instr in enumerate(problem.instructions) if Trait.LDS_DMA in instr.row.traits]
    for earlier, later in zip(copies, [*copies[1:], copies[0]], strict=True):
        clocks = memory_clocks(problem.instructions[earlier].row, target, waves, _CACHE)
        yield DependenceEdge(earlier, later, clocks, int(later <= earlier))


def _within_a_trip(problem: LoopProblem) -> Iterator[DependenceEdge]:
    last = len(problem.instructions) - 1
    for number in range(last):
        halves = sum(use.halves for use in problem.uses[number] if use.resource is Resource.ISSUE)
        yield DependenceEdge(number, last, -(-halves // HALVES), 0)
