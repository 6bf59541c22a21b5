"""The least interval between the trips of a loop, and the reason.

No order has a shorter interval than the clocks for which a resource is busy in a trip, nor than a circuit of
dependences takes: its clocks, divided by the trips that it spans. The circuit with the longest interval is
found by raising the interval. With an interval I each edge has the length `clocks - I * trips`. A circuit of
positive length needs a longer interval, so I becomes the interval that this circuit needs, until there is no
such circuit. (R. Reiter, Scheduling parallel computations, 1968; B. R. Rau, Iterative modulo scheduling,
1994.)
"""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.passes.schedule.modulo.problem import Demand, DependenceEdge, LoopProblem, Resource
from isa.named_tuple import NamedTuple


class Bound(NamedTuple):
    """No order of a loop has fewer than `interval` clocks from trip to trip. `resource` binds, or `circuit`,
    the edges of a circuit of dependences; if both need as many clocks, the resource. If instruction `around`
    is named, neither does: it is so many clocks from its next trip (`turns`). `busy` are the clocks of each
    resource in a trip of all waves that share it."""

    interval: int
    resource: Resource | None
    circuit: Sequence[DependenceEdge]
    busy: dict[Resource, int]
    around: int | None = None


def least_interval(problem: LoopProblem) -> Bound:
    """The bound of a loop, with the resource or the circuit that binds."""
    busy = busy_clocks(problem)
    resource = max(busy, key=lambda each: busy[each])
    circuit, interval = _longest_circuit(len(problem.instructions), problem.edges, busy[resource])
    return Bound(interval, None if circuit else resource, circuit, busy)


def takes_longer(problem: LoopProblem, interval: int) -> bool:
    """Whether a circuit of dependences needs more clocks than an interval, or fits in no interval."""
    return bool(_positive_circuit(len(problem.uses), sorted(problem.edges), interval))


def busy_clocks(problem: LoopProblem | Demand) -> dict[Resource, int]:
    """The clocks for which a trip of all waves that share a resource keeps it busy."""
    halves = dict.fromkeys(Resource, 0)
    for uses in problem.uses:
        for resource, count in uses:
            halves[resource] += count
    return {resource: -(-count * problem.sharers[resource] // 2) for resource, count in halves.items()}


def _longest_circuit(
    count: int, edges: Sequence[DependenceEdge], interval: int
) -> tuple[Sequence[DependenceEdge], int]:
    """The circuit that needs the longest interval, and this interval; no circuit if none needs more than
    `interval`."""
    ordered = sorted(edges)  # by the earlier instruction: a pass follows all edges within a trip
    longest: Sequence[DependenceEdge] = ()
    while circuit := _positive_circuit(count, ordered, interval):
        clocks, trips = sum(edge.clocks for edge in circuit), sum(edge.trips for edge in circuit)
        longest, interval = circuit, -(-clocks // trips)
    return longest, interval


def _positive_circuit(count: int, edges: Sequence[DependenceEdge], interval: int) -> Sequence[DependenceEdge]:
    """The edges of a circuit that needs a longer interval, in their order; none if there is no such
    circuit."""
    start, last = [0] * count, list[DependenceEdge | None]([None]) * count
    for _ in range(count + 1):
        is_later = False
        for edge in edges:
            earliest = start[edge.earlier] + edge.clocks - interval * edge.trips
            if earliest > start[edge.later]:
                start[edge.later], last[edge.later], is_later = earliest, edge, True
        if not is_later:
            return ()
        circuit = _circuit(last)
        if circuit:
            return circuit
    return ()


def _circuit(last: Sequence[DependenceEdge | None]) -> Sequence[DependenceEdge]:
    """A circuit among the edges that give each instruction its start; none if there is no circuit."""
    visit = [-1] * len(last)
    for first in range(len(last)):
        number = first
        while visit[number] < 0:
            visit[number] = first
            edge = last[number]
            if edge is None:
                break
            number = edge.earlier
        else:
            if visit[number] == first:
                return _back_to(number, last)
    return ()


def _back_to(number: int, last: Sequence[DependenceEdge | None]) -> Sequence[DependenceEdge]:
    circuit: list[DependenceEdge] = []
    at = number
    while (edge := last[at]) is not None:
        circuit.append(edge)
        at = edge.earlier
        if at == number:
            break
    return circuit[::-1]
