"""The proofs of a kernel's loops that the table of orders has, as lines."""

from __future__ import annotations

from collections.abc import Iterator

from asmgen.passes.schedule.modulo import loop_problems
from asmgen.passes.schedule.modulo.alone import whole_problem
from asmgen.passes.schedule.modulo.certificate import certified
from asmgen.passes.schedule.modulo.exact import with_branch
from asmgen.passes.schedule.modulo.proof_text import proof
from asmgen.passes.schedule.modulo.rotate import headed_loops, rotated
from asmgen.passes.schedule.modulo.values import loop_values
from asmgen.passes.schedule.orders import former, known_order
from isa.program import Kernel
from regalloc.liveness import compute_liveness


def proofs(kernel: Kernel) -> Iterator[str]:
    """A line for each loop with an order in the table, and a line if the table has only orders of another
    size or version of the kernel."""
    target = kernel.target.target.name
    while (headed := next(headed_loops(kernel), None)) is not None:
        kernel = rotated(kernel, headed)
    liveness, is_found = compute_liveness(kernel), False
    for each in loop_problems(kernel):
        problem = with_branch(whole_problem(each, kernel))
        values = loop_values(kernel, problem.label, liveness)
        found = known_order(problem, values, target)
        certificate = None if found is None else certified(kernel, problem, values, found)
        if certificate is not None:
            is_found = True
            yield proof(certificate)
    if not is_found and former(kernel.name, target):
        yield (
            f"{kernel.name}: the table of orders has this kernel in another size or version; "
            "`--order exact` searches the orders of its loops"
        )
