"""Check a certificate of an order without a solver: the loop, the order, the bound and the registers.

| code | wrong |
|---|---|
| ORD003 | a number or a name of the loop: an instruction that is not there, a value without an edge |
| ORD004 | the order: it breaks a rule of `legal` |
| ORD005 | the bound: the circuit is none or needs another interval, the resource is busy for other clocks |
| ORD006 | the registers |
| ORD007 | the loop is not that of the kernel |
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from asmgen.passes.schedule.modulo.certificate import RESOURCES, LoopCertificate, ProblemRecord
from asmgen.passes.schedule.modulo.distances import issue_slot
from asmgen.passes.schedule.modulo.least_in_order import fragments, least_in_order, vectors_of
from asmgen.passes.schedule.modulo.least_lives import least_vectors
from asmgen.passes.schedule.modulo.legal import violations
from asmgen.passes.schedule.modulo.merged import VECTORS
from asmgen.passes.schedule.modulo.order import LoopOrder
from asmgen.passes.schedule.modulo.problem import DependenceEdge, LoopProblem, Resource, Use
from asmgen.passes.schedule.modulo.turns import least_around
from asmgen.passes.schedule.modulo.values import LoopValue, Reader, registers
from isa.named_tuple import NamedTuple
from isa.registers import RegisterClass

_FILES = {file.value: file for file in RegisterClass}
_MOST = 1 << 30  # of any number: larger numbers would take the check forever
_LONGEST = 1 << 20  # clocks of an interval


class Flaw(NamedTuple):
    """A fault of a certificate: a code, the field, and a message."""

    code: str
    field: str
    message: str


def flaws(loop: LoopCertificate) -> Iterator[Flaw]:
    """The faults of the certificate of a loop, without a look at its kernel; none if it is right."""
    wrong = [*_problem(loop.problem), *_numbers(loop)]
    yield from wrong
    if wrong:
        return
    problem, values = _loop(loop), _values(loop.problem)
    order = LoopOrder(loop.interval, loop.start)
    for broken in violations(problem, order):
        yield Flaw("ORD004", "start", broken.message)
        return
    yield from _bound(loop, problem)
    taken = {file.value: count for file, count in registers(values, order).items()}
    if taken != loop.registers:
        yield Flaw("ORD006", "registers", f"got {loop.registers}, the order has {taken} live at once")
    vectors = sum(taken.get(file.value, 0) for file in VECTORS)
    if loop.least_vectors > vectors:
        message = f"got {loop.least_vectors}, the order takes {vectors}"
        yield Flaw("ORD006", "least_vectors", message)
    yield from _least_of_lives(loop, values)
    yield from _least_in_order(loop, problem, values, order)


def _least_of_lives(loop: LoopCertificate, values: Sequence[LoopValue]) -> Iterator[Flaw]:
    """The bound by lives is computed again. Nothing here repeats the proof of a higher bound, by a search."""
    edges = [DependenceEdge(*edge) for edge in loop.problem.edges]
    least = least_vectors(edges, values, loop.interval)
    if loop.least_of_lives not in (0, least):  # 0: not stated
        message = f"got {loop.least_of_lives}, the lives of the values take {least}"
        yield Flaw("ORD006", "least_of_lives", message)
    elif loop.least_vectors < loop.least_of_lives:
        message = f"got {loop.least_vectors}, below {loop.least_of_lives}, which lives take"
        yield Flaw("ORD006", "least_vectors", message)


def _least_in_order(
    loop: LoopCertificate, problem: LoopProblem, values: Sequence[LoopValue], order: LoopOrder
) -> Iterator[Flaw]:
    """The registers of fragments, and the bounds of orders in which matrix instructions keep their order, are
    computed again."""
    of_factors, all_taken = fragments(problem, values), vectors_of(values, order)
    taken = vectors_of(of_factors, order)
    stated = (loop.least_in_order, loop.fragments, loop.least_fragments)
    if stated == (0, 0, 0):  # not stated
        return
    least = least_in_order(problem, values, order.interval, all_taken)
    if loop.least_in_order != least:
        message = f"got {loop.least_in_order}, values take {least} if matrix instructions keep their order"
        yield Flaw("ORD006", "least_in_order", message)
    if loop.fragments != taken:
        yield Flaw("ORD006", "fragments", f"got {loop.fragments}, the order has {taken} live at once")
    least = least_in_order(problem, of_factors, order.interval, taken)
    if loop.least_fragments != least:
        message = f"got {loop.least_fragments}, they take {least} if matrix instructions keep their order"
        yield Flaw("ORD006", "least_fragments", message)


def differences(loop: LoopCertificate, kernel: ProblemRecord) -> Iterator[Flaw]:
    """The differences between the loop of a certificate and that of a kernel: the first of each field."""
    for field in ("instructions", "edges", "uses", "values"):
        ours, theirs = list(getattr(loop.problem, field)), list(getattr(kernel, field))
        number = next((n for n, (a, b) in enumerate(zip(ours, theirs, strict=False)) if a != b), None)
        if number is not None:
            message = f"got {ours[number]}, the kernel has {theirs[number]}"
            yield Flaw("ORD007", f"{field}[{number}]", message)
        elif len(ours) != len(theirs):
            yield Flaw("ORD007", field, f"got {len(ours)}, the kernel has {len(theirs)}")
    if loop.problem.sharers != kernel.sharers:
        message = f"got {loop.problem.sharers}, the kernel has {kernel.sharers}"
        yield Flaw("ORD007", "sharers", message)


def _problem(problem: ProblemRecord) -> Iterator[Flaw]:
    """Numbers and names that the loop does not have."""
    count = len(problem.instructions)

    def is_known(number: int) -> bool:
        return 0 <= number < count

    if not count or len(problem.uses) != count:
        yield Flaw("ORD003", "uses", f"got {len(problem.uses)}, wanted {count}, as there are instructions")
    for number, (earlier, later, clocks, trips) in enumerate(problem.edges):
        is_forward = trips > 0 or (trips == 0 and earlier < later)
        if not (
            is_known(earlier) and is_known(later) and is_forward and 0 <= clocks < _MOST and trips < _MOST
        ):
            message = f"got {[earlier, later, clocks, trips]}, wanted two of {count} instructions in order"
            yield Flaw("ORD003", f"edges[{number}]", message)
    for number, uses in enumerate(problem.uses):
        for name, halves in uses:
            if name not in RESOURCES or not 0 <= halves < _LONGEST:
                message = f"got {[name, halves]}, wanted half clocks of one of {', '.join(RESOURCES)}"
                yield Flaw("ORD003", f"uses[{number}]", message)
    if problem.sharers.keys() != RESOURCES.keys() or not all(0 < n < _MOST for n in problem.sharers.values()):
        message = f"got {problem.sharers}, wanted a number of waves for each of {', '.join(RESOURCES)}"
        yield Flaw("ORD003", "sharers", message)
    yield from _value_flaws(problem, is_known)


def _value_flaws(problem: ProblemRecord, is_known: Callable[[int], bool]) -> Iterator[Flaw]:
    """Values of instructions that are not there, or that their readers may precede. The last instruction also
    reads the values that are read after the loop, and no edge keeps it after that."""
    last, kept = len(problem.instructions) - 1, dict[tuple[int, int], int]()
    for earlier, later, _, trips in problem.edges:
        kept[earlier, later] = min(trips, kept.get((earlier, later), trips))
    for number, value in enumerate(problem.values):
        field = f"values[{number}]"
        if value.file not in _FILES or not 0 < value.units < _LONGEST:
            yield Flaw("ORD003", field, f"got {value.units} of class {value.file!r}, wanted registers")
        named = [reader for reader, _ in value.readers] + ([] if value.maker is None else [value.maker])
        if not all(map(is_known, named)) or not all(0 <= trips < _LONGEST for _, trips in value.readers):
            yield Flaw("ORD003", field, f"{value.name} names instructions {named} that are not there")
            continue
        if value.maker is None and value.readers:
            yield Flaw(
                "ORD003", field, f"{value.name} has readers and no maker, wanted none: it is live always"
            )
        for reader, trips in value.readers:
            if (
                value.maker is not None
                and reader < last
                and kept.get((value.maker, reader), trips + 1) > trips
            ):
                message = f"no edge keeps instruction {reader}, {trips} trips later, after the maker"
                yield Flaw("ORD003", field, f"{value.name}: {message}, {value.maker}")


def _numbers(loop: LoopCertificate) -> Iterator[Flaw]:
    if not 0 < loop.interval < _LONGEST:
        yield Flaw("ORD004", "interval", f"got {loop.interval}, wanted clocks from 1 on")
    if not all(0 <= start < _MOST for start in loop.start):
        yield Flaw("ORD004", "start", "a start is below 0 or too large, wanted clocks from 0 on")
    if loop.bound.resource is not None and loop.bound.resource not in RESOURCES:
        message = f"got {loop.bound.resource!r}, wanted one of {', '.join(RESOURCES)}"
        yield Flaw("ORD005", "bound.resource", message)
    if not all(0 <= number < len(loop.problem.edges) for number in loop.bound.circuit):
        message = f"got {loop.bound.circuit}, wanted numbers of {len(loop.problem.edges)} edges"
        yield Flaw("ORD005", "bound.circuit", message)
    if loop.bound.around is not None and not 0 <= loop.bound.around < len(loop.problem.instructions):
        message = f"got {loop.bound.around}, wanted one of {len(loop.problem.instructions)} instructions"
        yield Flaw("ORD005", "bound.around", message)
    if not loop.seconds >= 0 or loop.copies < 0 or loop.least_vectors < 0:
        yield Flaw("ORD003", "seconds, copies, least_vectors", "got a number below 0, wanted none")


def _loop(loop: LoopCertificate) -> LoopProblem:
    uses = [[Use(RESOURCES[name], halves) for name, halves in uses] for uses in loop.problem.uses]
    sharers: Mapping[Resource, int] = {RESOURCES[name]: n for name, n in loop.problem.sharers.items()}
    edges = [DependenceEdge(*edge) for edge in loop.problem.edges]
    return LoopProblem(loop.loop, (), edges, uses, dict(sharers))


def _values(problem: ProblemRecord) -> list[LoopValue]:
    return [
        LoopValue(each.name, _FILES[each.file], each.units, each.maker, [Reader(*at) for at in each.readers])
        for each in problem.values
    ]


def _bound(loop: LoopCertificate, problem: LoopProblem) -> Iterator[Flaw]:
    """The reason needs the interval that it is said to need, and the search begins there."""
    bound = loop.bound
    if (bound.resource is not None) + bool(bound.circuit) + (bound.around is not None) != 1:
        message = "wanted one reason: a resource, a circuit, or an instruction to which trips return"
        yield Flaw("ORD005", "bound", message)
        return
    needed = _needed(loop, problem)
    if isinstance(needed, str):
        yield Flaw("ORD005", "bound.circuit", needed)
        return
    if needed != bound.interval:
        message = f"got {bound.interval} clocks, by its reason there are {needed}"
        yield Flaw("ORD005", "bound.interval", message)
        return
    slot = issue_slot(problem)
    first = -(-max(1, bound.interval) // slot) * slot
    refuted = [first + slot * number for number in range(len(loop.refuted))]
    if loop.refuted != refuted:
        yield Flaw("ORD005", "refuted", f"got {loop.refuted}, wanted {refuted}, each {slot} clocks later")
    least = refuted[-1] + slot if refuted else bound.interval
    if loop.least_interval != least:
        yield Flaw("ORD005", "least_interval", f"got {loop.least_interval}, by the bound it is {least}")
    elif loop.interval < least:
        yield Flaw("ORD005", "interval", f"got {loop.interval}, below the bound of {least}")


def _needed(loop: LoopCertificate, problem: LoopProblem) -> int | str:
    """The interval that the reason of the bound needs; the fault if it is no circuit."""
    bound = loop.bound
    if bound.around is not None:
        return least_around(problem, bound.around)
    return _by_circuit(loop) if bound.resource is None else _by_resource(problem, RESOURCES[bound.resource])


def _by_circuit(loop: LoopCertificate) -> int | str:
    """The interval that the circuit needs; the fault if it is no circuit."""
    edges = [DependenceEdge(*loop.problem.edges[number]) for number in loop.bound.circuit]
    for edge, following in zip(edges, [*edges[1:], *edges[:1]], strict=True):
        if edge.later != following.earlier:
            return (
                f"after instruction {edge.later} comes an edge from {following.earlier}: "
                "this is not a circuit"
            )
    trips = sum(edge.trips for edge in edges)
    return -(-sum(edge.clocks for edge in edges) // trips) if trips else "got no edge that spans a trip"


def _by_resource(problem: LoopProblem, resource: Resource) -> int:
    halves = sum(use.halves for uses in problem.uses for use in uses if use.resource is resource)
    return -(-halves * problem.sharers[resource] // 2)
