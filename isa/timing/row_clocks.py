"""The clocks of each row: how long its instruction keeps its unit, and when its result may be read.

The clock model (`isa.timing.operation`) and the scheduler (`asmgen.passes.schedule`) ask `row_clocks`, so
that they agree. The numbers are the target's record (`isa.timing.machine`).
"""

from __future__ import annotations

from isa.instruction import Encoding, Row, Trait, Unit
from isa.named_tuple import NamedTuple
from isa.timing.machine import Machine

# The pipes that take an instruction beside the rest of the vector ALU.
TRANSCENDENTAL_PIPE, MATRIX_PIPE, NO_PIPE = range(3)
PIPES = 2

_FLOATS = frozenset({"f16", "f32", "f16x2"})
_WIDE = frozenset({"b64", "i64", "u64"})
_VECTOR_MEMORY = frozenset({Unit.VMEM, Unit.FLAT, Unit.SCRATCH})


class RowClocks(NamedTuple):
    """The clocks of a row.

    * `hold`: the port of the unit is busy, and a lone wave issues no other instruction
    * `pipe`, `pipe_hold`: the pipe of the vector ALU that takes the instruction besides, and the clocks for
      which it takes no other
    * `execute_hold`: execution in the ALU is busy
    * `latency`: from issue to the issue of an instruction of the same unit that reads the result. If the unit
      has a queue, from execution to execution. If the instruction accesses memory, the data come from the
      nearest cache.
    """

    hold: int
    pipe: int
    pipe_hold: int
    execute_hold: int
    latency: int


def row_clocks(row: Row, machine: Machine) -> RowClocks:
    """The clocks of a row on a machine."""
    unit = row.unit
    if unit in _VECTOR_MEMORY:
        return _access(machine.vector_memory.clocks, machine)
    if unit is Unit.LDS:
        return _access(machine.lds.clocks, machine)
    if unit is Unit.SMEM:
        return _access(machine.scalar_memory.clocks, machine)
    if unit is Unit.MATRIX:
        return _matrix(row, machine)
    if unit is Unit.VALU or unit is Unit.TRANS:
        return _vector(row, machine)
    if unit is Unit.BRANCH:
        return RowClocks(machine.issue.clocks, NO_PIPE, 0, machine.issue.clocks, machine.branch.clocks)
    return _scalar(row, machine)


def _access(latency: int, machine: Machine) -> RowClocks:
    return RowClocks(machine.access_issue.clocks, NO_PIPE, 0, 0, latency)


def _matrix(row: Row, machine: Machine) -> RowClocks:
    busy = max(row.passes, 1) * machine.matrix_pass.clocks
    widest = max(row.operands[i].count for i in row.uses[:2])  # registers of A and of B
    shadow = machine.matrix_shadow.clocks * max(1, widest // 2)
    latency = busy + machine.matrix_result.clocks
    return RowClocks(shadow or machine.issue.clocks, MATRIX_PIPE, busy, shadow or busy, latency)


def _vector(row: Row, machine: Machine) -> RowClocks:
    if _is_double(row):
        rate = hold = machine.double_issue.clocks
        if row.unit is Unit.TRANS:
            hold = max(
                hold, machine.quarter.clocks
            )  # 16 clocks on CDNA: WriteTrans64 in LLVM's SISchedule.td
        return RowClocks(hold, NO_PIPE, 0, hold, machine.double.clocks + hold - rate)
    if row.unit is Unit.TRANS:
        hold, rate = machine.transcendental_issue.clocks, machine.transcendental_rate.clocks
        return RowClocks(hold, TRANSCENDENTAL_PIPE, rate, hold, machine.transcendental.clocks)
    issue = hold = machine.issue.clocks
    if Trait.QUARTER in row.traits:
        hold = machine.quarter.clocks
    elif _is_wide(row):
        hold = machine.wide.clocks
    return RowClocks(hold, NO_PIPE, 0, hold, max(machine.vector.clocks + hold - issue, hold))


def _scalar(row: Row, machine: Machine) -> RowClocks:
    issue = busy = machine.issue.clocks
    if Trait.MULTIPLY in row.traits:
        wide = any(spec.type == "u64" for spec in row.operands)
        busy = (machine.wide_product if wide else machine.product).clocks
    floats = row.unit is Unit.SALU and any(spec.type in _FLOATS for spec in row.operands)
    latency = (machine.scalar_float if floats else machine.scalar).clocks
    return RowClocks(issue, NO_PIPE, 0, busy, latency + busy - issue)


def _is_double(row: Row) -> bool:
    """Whether a vector instruction works on f64; comparisons are faster."""
    types = {spec.type for spec in row.operands}
    return "f64" in types and not _compares(row)


def _is_wide(row: Row) -> bool:
    """Whether a vector instruction works on 64-bit integers, or writes two registers."""
    if row.encoding is Encoding.DUAL:
        return False
    if _compares(row):
        return any(row.operands[i].count == 2 for i in row.uses)
    vectors = [row.operands[i] for i in row.defines if not row.operands[i].type.startswith("mask")]
    return len(vectors) > 1 or any(spec.type in _WIDE for spec in vectors)


def _compares(row: Row) -> bool:
    """Whether a vector instruction writes only masks."""
    return all(row.operands[i].type.startswith("mask") for i in row.defines)
