"""The rules that an order of a loop's trips breaks. Nothing here comes from a scheduler or a solver.

| rule | text |
|---|---|
| `shape` | the interval is at least a clock, and each instruction has a start of at least 0 |
| `edge` | the later instruction issues at least `clocks` after the earlier of `trips` trips before |
| `resource` | in each clock of the interval, a wave uses each resource for at most two half clocks |
| `busy` | the waves that share a resource keep it busy for no longer than the interval |
| `registers` | the values that are live at once need no more registers than there are |

A use of an odd number of half clocks leaves half of its last clock to another.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from types import MappingProxyType

from asmgen.passes.schedule.modulo.order import LoopOrder
from asmgen.passes.schedule.modulo.problem import LoopProblem, Resource
from asmgen.passes.schedule.modulo.values import LoopValue, registers
from isa.named_tuple import NamedTuple
from isa.registers import RegisterClass

_HALVES = 2  # of a clock


class Rule(Enum):
    """A rule of an order."""

    SHAPE = "shape"
    EDGE = "edge"
    RESOURCE = "resource"
    BUSY = "busy"
    REGISTERS = "registers"


class Violation(NamedTuple):
    """A rule that an order breaks. `number` is the edge, the instruction or the clock at which it does, or
    the clocks or the registers that the order needs."""

    rule: Rule
    number: int
    message: str


def violations(
    problem: LoopProblem,
    order: LoopOrder,
    values: Sequence[LoopValue] = (),
    most: Mapping[RegisterClass, int] = MappingProxyType({}),
) -> Iterator[Violation]:
    """Each rule that an order of a loop breaks; none if it is legal. `most` are the registers of classes that
    the `values` may take at once."""
    misshapen = list(_shape(problem, order))
    yield from misshapen
    if misshapen:
        return
    yield from _edges(problem, order)
    yield from _busy(problem, order)
    for resource in Resource:
        yield from _resource(problem, order, resource)
    if most:
        yield from _registers(values, order, most)


def occupied(start: int, halves: int) -> Iterator[tuple[int, int]]:
    """The clocks in which a use of a resource keeps it busy, and the half clocks of each."""
    for clock in range(start, start + halves // _HALVES):
        yield clock, _HALVES
    if halves % _HALVES:
        yield start + halves // _HALVES, 1


def _shape(problem: LoopProblem, order: LoopOrder) -> Iterator[Violation]:
    count = len(problem.uses)
    if order.interval < 1:
        yield Violation(Rule.SHAPE, 0, f"the interval is {order.interval}, wanted at least 1 clock")
    if len(order.start) != count:
        yield Violation(Rule.SHAPE, 0, f"{len(order.start)} starts, wanted {count}, one an instruction")
    for number, start in enumerate(order.start):
        if start < 0:
            message = f"instruction {number} starts at {start}, wanted a clock from 0 on"
            yield Violation(Rule.SHAPE, number, message)


def _edges(problem: LoopProblem, order: LoopOrder) -> Iterator[Violation]:
    for number, edge in enumerate(problem.edges):
        distance = order.start[edge.later] + edge.trips * order.interval - order.start[edge.earlier]
        if distance < edge.clocks:
            after = f" of {edge.trips} trips before" if edge.trips else ""
            yield Violation(
                Rule.EDGE,
                number,
                f"instruction {edge.later} issues {distance} clocks after instruction {edge.earlier}{after}, "
                f"wanted at least {edge.clocks}",
            )


def _busy(problem: LoopProblem, order: LoopOrder) -> Iterator[Violation]:
    for resource, waves in problem.sharers.items():
        halves = waves * sum(use.halves for uses in problem.uses for use in uses if use.resource is resource)
        clocks = -(-halves // _HALVES)
        if clocks > order.interval:
            message = f"{waves} waves keep {resource.value} busy for {clocks} clocks a trip"
            yield Violation(Rule.BUSY, clocks, f"{message}, wanted at most the interval of {order.interval}")


def _resource(problem: LoopProblem, order: LoopOrder, resource: Resource) -> Iterator[Violation]:
    """The first instruction that finds a resource busy in a clock."""
    busy, last = [0] * order.interval, [-1] * order.interval
    for number, uses in enumerate(problem.uses):
        for use in uses:
            if use.resource is not resource:
                continue
            for clock, halves in occupied(order.start[number], use.halves):
                slot = clock % order.interval
                if busy[slot] + halves > _HALVES:
                    message = f"{resource.value} is busy with instruction {last[slot]} in clock {slot}"
                    yield Violation(
                        Rule.RESOURCE,
                        slot,
                        f"{message} of the interval, in which instruction {number} uses it",
                    )
                    return
                busy[slot] += halves
                last[slot] = number


def _registers(
    values: Sequence[LoopValue], order: LoopOrder, most: Mapping[RegisterClass, int]
) -> Iterator[Violation]:
    for file, count in registers(values, order).items():
        if file in most and count > most[file]:
            message = f"{count} registers of class {file.value} are live at once, wanted at most {most[file]}"
            yield Violation(Rule.REGISTERS, count, message)
