"""The lines of `--trace order`: the least interval of each loop of one block with the reason, and the loops
with overlapping trips."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from asmgen.passes.schedule.modulo.bound import Bound, least_interval
from asmgen.passes.schedule.modulo.pipeline import Overlapped
from asmgen.passes.schedule.modulo.problem import LoopProblem, loop_problems
from asmgen.passes.schedule.modulo.rotate import headed_loops, rotated
from isa.names import RegisterNames
from isa.program import Kernel
from isa.text.printing import format_instr


def intervals(kernel: Kernel) -> Iterator[str]:
    """A line for each loop of one block, and for each loop of a header and one further block; a single line
    if there is no such loop."""
    is_without = True
    while (loop := next(headed_loops(kernel), None)) is not None:
        kernel = rotated(kernel, loop)
    for problem in loop_problems(kernel):
        is_without = False
        bound = least_interval(problem)
        reason = _reason(problem, bound, RegisterNames(kernel.owners))
        yield (
            f"{kernel.name}: {problem.label}: no order of its {len(problem.instructions)} instructions takes "
            f"fewer than {bound.interval} clocks a trip: {reason}"
        )
    if is_without:
        yield f"{kernel.name}: no loop has a single block"


def overlaps(kernel: Kernel, overlapped: Overlapped) -> Iterator[str]:
    """A line for each loop that got an order of several stages, and for each that loads and got none."""
    for label, why in overlapped.left:
        yield f"{kernel.name}: {label}: trips do not overlap: {why.value}"
    for loop in overlapped.loops:
        yield (
            f"{kernel.name}: {loop.label}: {loop.after} clocks a trip, {loop.before} before, in an order of "
            f"{loop.stages} stages with {loop.copies} copies of the kernel; no order takes fewer than "
            f"{loop.least}"
        )


def _reason(problem: LoopProblem, bound: Bound, names: RegisterNames) -> str:
    if bound.resource is not None:
        waves = problem.sharers[bound.resource]
        of = "of a wave" if waves == 1 else f"of the {waves} waves of a workgroup that share it"
        return f"{bound.resource.value} is busy in all of them with a trip {of}"
    clocks, trips = sum(edge.clocks for edge in bound.circuit), sum(edge.trips for edge in bound.circuit)
    after = "a trip" if trips == 1 else f"{trips} trips"
    chain = ", ".join(_links(problem, bound, names))
    return f"a chain of {clocks} clocks returns to its start after {after}: {chain}"


def _links(problem: LoopProblem, bound: Bound, names: RegisterNames) -> Iterator[str]:
    """The instructions of a chain; several of a row in succession as their number."""
    links = [(problem.instructions[edge.earlier], edge.clocks) for edge in bound.circuit]
    for (row, clocks), group in groupby(links, key=lambda link: (link[0].row, link[1])):
        instructions = [instr for instr, _ in group]
        if len(instructions) == 1:
            yield f"{format_instr(instructions[0], names)} ({clocks} clocks)"
        else:
            yield f"{len(instructions)} {row.name} ({clocks} clocks each)"
