"""The registers that no order of a loop undercuts if matrix instructions keep their order; and fragments.

    ds_read_b128 %a;  v_mfma %next, %a, %b, %sum       %a and %b are fragments of the factors, %next is a sum

If the matrix pipe is full, each matrix instruction has its slot, and so each fragment has a slot until which
it lives. It follows from the distances and the slots that are taken when the fragments are loaded at the
latest (`beside_fixed`), how long any value lives at least (`least_lives`), and which lives are above each
other (`stacks`).

    gfx950, a product of f16, 256 by 256 by 64, 4 waves with slices: 96 VGPRs of fragments, and 366 in all, in
    0.1 s. An order has so many, so both are the least. Any order has 334, by `least_lives` alone

This needs no solver.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from asmgen.passes.schedule.modulo.distances import Distances, Restriction, most_stages
from asmgen.passes.schedule.modulo.least_lives import least_of_distances
from asmgen.passes.schedule.modulo.merged import VECTORS, Lives, merged
from asmgen.passes.schedule.modulo.order import LoopOrder
from asmgen.passes.schedule.modulo.problem import LoopProblem, Resource
from asmgen.passes.schedule.modulo.stacks import least_by_stacks
from asmgen.passes.schedule.modulo.values import LoopValue, registers


def fragments(problem: LoopProblem, values: Iterable[LoopValue]) -> list[LoopValue]:
    """The values that matrix instructions read and that other instructions of the loop make."""
    of_matrix = _of_matrix(problem)
    return [
        value
        for value in values
        if value.maker is not None
        and value.maker not in of_matrix
        and any(number in of_matrix for number, _ in value.readers)
    ]


def vectors_of(values: Sequence[LoopValue], order: LoopOrder) -> int:
    """The VGPRs of values that an order has live at once."""
    taken = registers(values, order)
    return sum(taken.get(file, 0) for file in VECTORS)


def least_in_order(problem: LoopProblem, values: Iterable[LoopValue], interval: int, most: int) -> int:
    """The VGPRs of values that are live at once at least, `most` at most, in each order of an interval that
    keeps the order of matrix instructions; 0 if the loop has none, or if there is no such order."""
    if not _of_matrix(problem):
        return 0
    rules = Distances(problem, interval, Restriction(True, 0, most_stages(problem, interval)))
    return 0 if rules.windows is None else least_by_rules(rules, merged(values), most)


def least_by_rules(rules: Distances, lives: Lives, most: int) -> int:
    """The registers of lives that are live at once at least, `most` at most, in each order that keeps the
    rules; `most` if no order does."""
    if rules.windows is None:
        return most
    distances = rules.with_windows(rules.windows)
    least = min(most, least_of_distances(distances, lives, rules.slots))
    return max(least, least_by_stacks(rules.windows, distances, lives, rules.slots, most))


def _of_matrix(problem: LoopProblem) -> frozenset[int]:
    return frozenset(
        number
        for number, uses in enumerate(problem.uses)
        if any(use.resource is Resource.MATRIX and use.halves for use in uses)
    )
