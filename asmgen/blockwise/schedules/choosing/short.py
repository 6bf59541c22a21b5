"""Decides if kernels compute sums of few elements that they read (`asmgen.graph.fusion.short_reductions`).

    s = reduce_sum[axes={2}](mul(d, d))     10,000 by 200 sums of 3 of f32, gfx942: the readers compute them
    m = reduce_min[axes={1}](s)             in 3,814 clocks; a launch that stores them takes 11,235

In a launch of their own, the sums cost the start of a launch, the reads of their operands, and a write and
reads of each result. In a reader they cost instructions and reads from the first cache, for each element of
the largest value of the reader. If a row does not stay in registers, the reader computes them again for each
of its reductions. If several readers read operands from memory that are longer than the sums, a launch takes
less time. The numbers are those of the clock model (`isa.timing`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from asmgen.blockwise.schedules.choosing.computing import planned_elements
from asmgen.blockwise.schedules.choosing.joint import clocks_to_move, launch_clocks
from asmgen.blockwise.schedules.elements.maps import is_chosen, moves
from asmgen.blockwise.schedules.work import ISSUES_OF_BYTE
from asmgen.graph.fusion.fuse import FusedKernel
from asmgen.graph.fusion.short_reductions import Placed, Short
from asmgen.graph.ops import LITERAL, PARAM, REDUCTIONS
from asmgen.ir.program import Statement, Value, tensor_type
from asmgen.ir.types import F64
from isa.target import WIDEST_ACCESS, Target

if TYPE_CHECKING:
    from isa.timing.machine import Machine

# The most of a launch's clocks that readers may take which read the sums several times. On gfx942, of three
# programs that take a mean and the squares of differences from it, two of 0.71 take 0.85 and 0.95 of the time
# with the launch, and one of 0.9 takes 1.1. A reader of 0.98 that reads the sums once takes 0.38.
_GAIN = 0.8
_ROW = 2048  # elements of a row that stays in the registers of a workgroup
_READ = 16384  # bytes of a long row, for which another workgroup computes a part of it
_OF_INSTRUCTION = 6  # bytes of code, about
_OF_UNIT = 2048  # elements of a reader, for which it has a workgroup on another unit


def verdict(short: Short, target: Target) -> Placed:
    """Whether the readers of sums of few elements compute them, by the clocks of both ways."""
    within = sum([_clocks_in(reader, short, target) for reader in short.readers])
    apart = _clocks_apart(short, target)
    gain = _GAIN if _times(short) > 1 else 1.0
    return Placed(within < gain * apart, f"they compute it in {within:.0f} clocks; a launch in {apart:.0f}")


def _clocks_apart(short: Short, target: Target) -> float:
    read = sum([_bytes(each.result) for each in short.kernel.module.statements if each.op is PARAM])
    written = sum([_bytes(output.value) for output in short.kernel.outputs])
    moved = clocks_to_move(read + written, target) + _times(short) * clocks_to_move(written, target)
    return launch_clocks(target) + moved


def _clocks_in(reader: FusedKernel, short: Short, target: Target) -> float:
    """The clocks in which a reader computes the sums of each of its elements, or reads the operands that it
    would not read otherwise from memory, if that takes longer. It fetches their code meanwhile, which may
    take longer in the first pass: code is fetched ahead."""
    from isa.timing.caches import CACHES
    from isa.timing.machine import MACHINES

    machine = MACHINES[target.name]
    largest = max([each.result for each in reader.module.statements[:-1]], key=planned_elements)
    elements = planned_elements(largest)
    made = short.kernel.module.statements[:-1]
    busy = sum([_issues(each, short) * _issue(each.result, machine) for each in made])
    read = sum([each.result.type.element.bytes for each in made if each.op is PARAM])
    units = min(target.units, max(1, elements // _OF_UNIT), _groups(reader, short))
    lanes = units * target.simds * target.wave_size
    rate = CACHES[target.name].vector[0].rate.value * target.compute_units / target.units * units
    computed = elements // _of_lane(largest, reader, short) * short.length * (busy / lanes + read / rate)
    own = {each.result for each in reader.module.statements[:-1]}
    more = sum([_bytes(each.result) for each in made if each.op is PARAM and each.result not in own])
    issues = short.length * sum([_issues(each, short) for each in made])
    fetched = _OF_INSTRUCTION * issues * machine.fetch.clocks / machine.fetched.clocks
    of_pass = max(computed, clocks_to_move(more, target))
    return max(of_pass, fetched) + (_passes(reader) - 1) * of_pass


def _of_lane(largest: Value, reader: FusedKernel, short: Short) -> int:
    """The elements next to each other for which a lane computes the sums once: those of an access, if all of
    them read the same sums."""
    own = [each.result for each in reader.module.statements if each.op is PARAM]
    bytes_ = [each.type.element.bytes for each in own if planned_elements(each) == planned_elements(largest)]
    elements = WIDEST_ACCESS // min(bytes_, default=WIDEST_ACCESS)
    *_, last = (1, *tensor_type(largest).dims)
    is_along = all(tensor_type(each).dims[-1:] in ((), (1,)) for each in short.sums)
    is_whole = isinstance(last, int) and last % elements == 0
    is_single = all(planned_elements(each) == 1 for each in short.sums)
    return elements if is_single or (is_along and is_whole) else 1


def _groups(reader: FusedKernel, short: Short) -> int:
    """How many workgroups a reader has: for its results, and for parts of rows that have many bytes or
    instructions."""
    reductions = [each for each in reader.module.statements[:-1] if each.op in REDUCTIONS]
    statements = (*reader.module.statements[:-1], *short.kernel.module.statements[:-1])
    sums = {each.result for each in short.reductions}
    values = {each.result for each in statements if each.op is PARAM} - sums
    results = [planned_elements(each.result) for each in reductions or reader.module.statements[:-1]]
    issues = sum([planned_elements(each.result) * each.op.issues for each in statements if each.op.pointwise])
    worth = max(sum(map(_bytes, values)), issues // ISSUES_OF_BYTE)
    return max(1, *results, worth // _READ)


def _times(short: Short) -> int:
    """How often all readers together read the sums."""
    return sum([_passes(reader) for reader in short.readers])


def _passes(reader: FusedKernel) -> int:
    """How often a reader reads its operands: once if a row of them stays in registers."""
    reductions = [each for each in reader.module.statements[:-1] if each.op in REDUCTIONS]
    rows = [
        planned_elements(each.operands[0]) // max(1, planned_elements(each.result)) for each in reductions
    ]
    if max(rows, default=0) <= _ROW:
        return 1
    results = max([planned_elements(each.result) for each in reductions])
    return len(reductions) + any(planned_elements(output.value) > results for output in reader.outputs)


def _issue(value: Value, machine: Machine) -> int:
    """For how many clocks an instruction that makes a value keeps the vector ALU."""
    return (machine.double_issue if value.type.element is F64 else machine.issue).clocks


def _issues(statement: Statement, short: Short) -> float:
    """The instructions of a statement for each element of a sum, all of which share a value that has fewer
    elements."""
    if statement.op in (PARAM, LITERAL) or moves(statement) or is_chosen(statement):
        return 0.0
    elements = planned_elements(short.reductions[0].operands[0])
    share = 1.0 if 2 * planned_elements(statement.result) > elements else 1.0 / short.length
    return share * statement.op.issues


def _bytes(value: Value) -> int:
    return planned_elements(value) * value.type.element.bytes
