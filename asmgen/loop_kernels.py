"""The loops of a program as the scheduler gets them: their problems and values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from asmgen.budget import vgpr_budget
from asmgen.options import Options
from asmgen.passes.combine.combine import combine
from asmgen.passes.motion.group_loads import group_loads
from asmgen.passes.motion.invariants import move_invariants
from asmgen.passes.schedule.modulo import LoopProblem, loop_problems
from asmgen.passes.schedule.modulo.alone import whole_problem
from asmgen.passes.schedule.modulo.exact import with_branch
from asmgen.passes.schedule.modulo.rotate import headed_loops, rotated
from asmgen.passes.schedule.modulo.values import LoopValue, loop_values
from asmgen.trace import OFF
from isa.named_tuple import NamedTuple
from isa.program import Kernel
from regalloc.liveness import LivenessOf, RememberedLiveness


class Loop(NamedTuple):
    """A loop of one block in a kernel: its problem with the edges of its branch, and its values."""

    kernel: Kernel
    problem: LoopProblem
    values: Sequence[LoopValue]


def loops_of(kernel: Kernel, options: Options) -> Iterator[Loop]:
    """The loops of one block of a kernel as it was selected, after the passes before the scheduler."""
    moved, liveness_of = before_overlap(kernel, options)
    for each in loop_problems(moved):
        problem = with_branch(whole_problem(each, moved))
        yield Loop(moved, problem, loop_values(moved, problem.label, liveness_of(moved)))


def before_overlap(kernel: Kernel, options: Options) -> tuple[Kernel, LivenessOf]:
    """The kernel after the passes before the scheduler, and its liveness. A loop of a header that tests and
    one block is a loop of one block."""
    liveness_of = RememberedLiveness()
    max_vgprs, _ = vgpr_budget(kernel, options)
    moved = move_invariants(combine(kernel, OFF), max_vgprs, liveness_of)
    if options.schedule:
        moved = group_loads(moved, liveness_of)
    while (headed := next(headed_loops(moved), None)) is not None:
        moved = rotated(moved, headed)
    return moved, liveness_of
