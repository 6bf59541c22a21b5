"""Certificates of orders: a loop, its order and the reasons why it is the least, as a JSON file.

    {"format": "asmgen order 1", "target": "gfx942", "loops": [
    {"kernel": "gemm", "loop": "loop", "instructions": ["ds_read_b128 %t_9, %t1119", ...],
     "edges": [[0, 4, 52, 0], ...], "uses": [[["issue", 8], ["lds", 16]], ...], ...

`certificate_checks` verifies it without a solver.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

import msgspec

from asmgen.passes.schedule.modulo.exact import ExactOrder
from asmgen.passes.schedule.modulo.least_in_order import fragments, least_in_order, vectors_of
from asmgen.passes.schedule.modulo.problem import LoopProblem, Resource
from asmgen.passes.schedule.modulo.values import LoopValue, registers
from isa.diagnostics import InputError, Place
from isa.names import RegisterNames
from isa.program import Kernel
from isa.text.printing import format_instr

FORMAT = "asmgen order 1"
RESOURCES = {resource.name.lower(): resource for resource in Resource}
_NAMES = {resource: name for name, resource in RESOURCES.items()}


class ValueRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A `LoopValue`; `file` is the letter of its class, `maker` null for a value from before the loop."""

    name: str
    file: str
    units: int
    maker: int | None
    readers: list[tuple[int, int]]


class ProblemRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A loop as the certificate and a kernel say it: instructions as text, edges as `earlier, later, clocks,
    trips`, uses of resources in half clocks."""

    instructions: list[str]
    edges: list[tuple[int, int, int, int]]
    uses: list[list[tuple[str, int]]]
    sharers: dict[str, int]
    values: list[ValueRecord]


class BoundRecord(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """No order has a shorter interval, since a resource is busy for all of it, or by a circuit: the numbers
    of its edges in their order. Or instruction `around` is so many clocks from its next trip, by dependences
    and by instructions between that take turns."""

    interval: int
    resource: str | None
    circuit: list[int]
    around: int | None = None


class LoopCertificate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A loop with its order.

    * `refuted`: intervals from the bound on that a search refuted, and `least_interval`, which none is below
    * `registers`: those that the order has live at once, by class
    * `least_vectors`: the VGPRs that a search proved necessary at this interval; `is_in_order` and
      `copies` say among which orders (`Restriction`)
    * `least_of_lives`: the VGPRs that the lives of the values take in any order of this interval
    * `least_in_order`: the VGPRs that they take if matrix instructions keep their order; 0 without any
    * `fragments`: the VGPRs of fragments that the order has live at once, and `least_fragments`, those of any
      order in which matrix instructions keep their order
    """

    kernel: str
    loop: str
    problem: ProblemRecord
    interval: int
    start: list[int]
    bound: BoundRecord
    refuted: list[int]
    least_interval: int
    registers: dict[str, int]
    least_vectors: int
    is_in_order: bool
    copies: int
    seconds: float
    least_of_lives: int = 0
    least_in_order: int = 0
    fragments: int = 0
    least_fragments: int = 0


class Certificate(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The certificates of the loops of a program for a target."""

    format: str
    target: str
    loops: list[LoopCertificate]


def problem_record(kernel: Kernel, problem: LoopProblem, values: Sequence[LoopValue]) -> ProblemRecord:
    """The statements of a certificate about a loop of a kernel."""
    names = RegisterNames(kernel.owners)
    return ProblemRecord(
        [format_instr(instr, names) for instr in problem.instructions],
        [(edge.earlier, edge.later, edge.clocks, edge.trips) for edge in problem.edges],
        [[(_NAMES[use.resource], use.halves) for use in uses] for uses in problem.uses],
        {_NAMES[resource]: waves for resource, waves in problem.sharers.items()},
        [
            ValueRecord(
                value.name, value.register_class.value, value.units, value.maker,
                [(reader.number, reader.trips) for reader in value.readers],
            )
            for value in values
        ],
    )  # fmt: skip


def certified(
    kernel: Kernel, problem: LoopProblem, values: Sequence[LoopValue], found: ExactOrder
) -> LoopCertificate | None:
    """The certificate of a search; None if it found no order."""
    order, bound = found.order, found.bound
    if order is None:
        return None
    edges = {edge: number for number, edge in reversed(list(enumerate(problem.edges)))}
    of_factors, all_taken = fragments(problem, values), vectors_of(values, order)
    taken = vectors_of(of_factors, order)
    in_order = least_in_order(problem, values, order.interval, all_taken)
    return LoopCertificate(
        kernel=kernel.name,
        loop=problem.label,
        problem=problem_record(kernel, problem, values),
        interval=order.interval,
        start=list(order.start),
        bound=BoundRecord(
            bound.interval,
            None if bound.resource is None else _NAMES[bound.resource],
            [edges[edge] for edge in bound.circuit],
            bound.around,
        ),
        refuted=list(found.refuted),
        least_interval=found.least_interval,
        registers={file.value: count for file, count in registers(values, order).items()},
        least_vectors=max(found.least_vectors, in_order if found.restriction.in_order else 0),
        is_in_order=found.restriction.in_order,
        copies=found.restriction.copies,
        seconds=round(found.seconds, 1),
        least_of_lives=found.least_of_lives,
        least_in_order=in_order,
        fragments=taken,
        least_fragments=least_in_order(problem, of_factors, order.interval, taken),
    )


def print_certificate(certificate: Certificate) -> str:
    """The JSON text of a certificate, a line for each field of a loop."""
    loops = [_lines(msgspec.to_builtins(loop)) for loop in certificate.loops]
    head = f'{{"format": {json.dumps(certificate.format)}, "target": {json.dumps(certificate.target)}'
    return f'{head}, "loops": [\n' + ",\n".join(loops) + "\n]}\n"


def _lines(fields: dict[str, object]) -> str:
    return (
        "{" + ",\n ".join(f"{json.dumps(name)}: {json.dumps(value)}" for name, value in fields.items()) + "}"
    )


def parse_certificate(data: bytes, file: str) -> Certificate:
    """A certificate from the bytes of a file. `InputError` ORD001 if it is no JSON or has other fields,
    ORD002 if it is of another format."""
    try:
        certificate = msgspec.json.decode(data, type=Certificate)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        message = f"no certificate of an order: {error}"
        help = "`kernel SOURCE --order exact -o FILE.order.json` writes a certificate"
        raise InputError(Place(file), "ORD001", message, help=help) from error
    if certificate.format != FORMAT:
        message = f"the format is {certificate.format!r}, wanted {FORMAT!r}"
        raise InputError(Place(file), "ORD002", message, help="write the certificate again")
    return certificate
