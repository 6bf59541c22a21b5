"""Orders of loops that `tools.find_orders` found, shipped in `orders.json`: their proofs need no solver.

A loop has the order of its *shape*: the target, the rows of its instructions, its edges, uses and values, but
no names. So the loop of a kernel that changed has no order here; `former` says that it had an order.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import msgspec

from asmgen.passes.schedule.modulo.bound import least_interval
from asmgen.passes.schedule.modulo.distances import Restriction
from asmgen.passes.schedule.modulo.exact import ExactOrder
from asmgen.passes.schedule.modulo.least_lives import least_vectors
from asmgen.passes.schedule.modulo.legal import violations
from asmgen.passes.schedule.modulo.order import LoopOrder
from asmgen.passes.schedule.modulo.problem import LoopProblem
from asmgen.passes.schedule.modulo.turns import bound_by_turns
from asmgen.passes.schedule.modulo.values import LoopValue
from isa.diagnostics import InternalError

TABLE = Path(__file__).with_name("orders.json")
_DIGITS = 24  # of a shape's name


class KnownOrder(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The result of a search (`ExactOrder`), and the kernel and the target of the loop."""

    kernel: str
    target: str
    interval: int
    start: list[int]
    refuted: list[int]
    least_interval: int
    least_vectors: int
    is_in_order: bool
    copies: int
    seconds: float


@cache
def table() -> dict[str, KnownOrder]:
    """The orders by the shapes of their loops."""
    return msgspec.json.decode(TABLE.read_bytes(), type=dict[str, KnownOrder])


def shape(problem: LoopProblem, values: Sequence[LoopValue], target: str) -> str:
    """The name of a loop's shape: equal for loops with the same orders."""
    facts = (
        target,
        [instr.row.mnemonic for instr in problem.instructions],
        [tuple(edge) for edge in problem.edges],
        [[(use.resource.name, use.halves) for use in uses] for uses in problem.uses],
        {resource.name: waves for resource, waves in problem.sharers.items()},
        [(value.register_class.value, value.units, value.maker, value.readers) for value in values],
    )
    return hashlib.sha256(msgspec.json.encode(facts)).hexdigest()[:_DIGITS]


def known_order(problem: LoopProblem, values: Sequence[LoopValue], target: str) -> ExactOrder | None:
    """The order of a loop with its proofs; None if the table has none of its shape. `problem` has the edges
    of its branch."""
    known = _known(problem, values, target)
    if known is None:
        return None
    order = LoopOrder(known.interval, known.start)
    restriction = Restriction(known.is_in_order, known.copies, 0)
    of_lives = least_vectors(problem.edges, values, known.interval)
    return ExactOrder(
        order, bound_by_turns(problem, least_interval(problem)), known.refuted, known.least_interval,
        max(of_lives, known.least_vectors), of_lives, restriction, known.seconds,
    )  # fmt: skip


def order_within_a_trip(problem: LoopProblem, values: Sequence[LoopValue], target: str) -> LoopOrder | None:
    """The order of a loop in which no value lives longer than a trip; None if the table has none of its
    shape. `problem` has the edges of its branch."""
    known = _known(problem, values, target)
    return None if known is None or known.copies != 1 else LoopOrder(known.interval, known.start)


def _known(problem: LoopProblem, values: Sequence[LoopValue], target: str) -> KnownOrder | None:
    known = table().get(shape(problem, values, target))
    if known is None:
        return None
    broken = next(violations(problem, LoopOrder(known.interval, known.start)), None)
    if broken is not None:
        raise InternalError("orders", problem.label, broken.message)
    return known


def former(kernel: str, target: str) -> bool:
    """Whether the table has an order of a loop of a kernel, in any size or version."""
    return any(known.kernel == kernel and known.target == target for known in table().values())
