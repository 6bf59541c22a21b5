"""Latencies of results by row, from the target's record (`isa.timing.machine`).

A latency is the time from the issue of an instruction to the issue of the first instruction that may read
its result, if no other wave competes. Schedulers order instructions by it; the clock model
(`isa.timing.unit`) knows more of the machine.
"""

from __future__ import annotations

from isa.instruction import Row, Trait, Unit
from isa.timing.machine import Machine
from isa.trust import Latency

_DOUBLE = frozenset({"f64"})


def result_latency(row: Row, machine: Machine) -> int:
    """The clocks until the results of a row's instruction may be read."""
    unit = row.unit
    if unit is Unit.VALU:
        if any(row.operands[i].type in _DOUBLE for i in row.defines):
            return machine.double.clocks
        return max(machine.vector.clocks, issue_clocks(row, machine))
    if unit is Unit.MATRIX:
        return max(row.passes, 1) * machine.matrix_pass.clocks + machine.issue.clocks
    return _of_unit(machine)[unit].clocks


def issue_clocks(row: Row, machine: Machine) -> int:
    """The clocks after which the wave's next instruction may issue."""
    if row.unit is Unit.TRANS or Trait.QUARTER in row.traits:
        return machine.quarter.clocks
    return machine.issue.clocks


def _of_unit(machine: Machine) -> dict[Unit, Latency]:
    return {
        Unit.SALU: machine.scalar,
        Unit.SMEM: machine.scalar_memory,
        Unit.TRANS: machine.transcendental,
        Unit.VMEM: machine.vector_memory,
        Unit.FLAT: machine.vector_memory,
        Unit.SCRATCH: machine.vector_memory,
        Unit.LDS: machine.lds_chain,
        Unit.BRANCH: machine.branch,
        Unit.CONTROL: machine.scalar,
    }
