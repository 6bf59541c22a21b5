"""How long the units of a compute unit were busy while it replayed a trace."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from isa.named_tuple import NamedTuple
from isa.timing.memory import LDS_NAME, NO_COST, Cost, Costs
from isa.timing.operation import SCALAR_PORT, VECTOR_PORT, Operation
from isa.timing.row_clocks import MATRIX_PIPE, TRANSCENDENTAL_PIPE
from isa.timing.trace import Trace

VECTOR_ALU, MATRIX_ALU, TRANSCENDENTAL, SCALAR_ALU = (
    "vector ALU", "matrix cores", "transcendental unit", "scalar ALU",
)  # fmt: skip


class Busy(NamedTuple):
    """The clocks for which each instance of a unit was busy, on average."""

    unit: str
    clocks: float


def busy_units(trace: Trace, operations: tuple[Operation, ...], costs: Costs, simds: int) -> list[Busy]:
    """The units with their busy clocks, the busiest first; units that nothing used are left out."""
    counts = executions(trace)
    busy = {
        VECTOR_ALU: _sum(counts, [each.hold * (each.port == VECTOR_PORT) for each in operations]) / simds,
        MATRIX_ALU: _of_pipe(counts, operations, MATRIX_PIPE) / simds,
        TRANSCENDENTAL: _of_pipe(counts, operations, TRANSCENDENTAL_PIPE) / simds,
        SCALAR_ALU: _sum(counts, [each.hold * (each.port == SCALAR_PORT) for each in operations]) / simds,
    }
    served = np.zeros(len(costs.units))
    used = np.zeros(len(costs.table) + 1, np.int64)
    for numbers in costs.of_steps:
        used += np.bincount(np.where(numbers == NO_COST, len(costs.table), numbers), minlength=len(used))
    for count, cost in zip(used.tolist(), costs.table, strict=False):
        for service in cost.services:
            served[service.unit] += count * service.clocks
        if cost.returns and costs.units[cost.returns.unit].as_ready:
            served[cost.returns.unit] += count * cost.returns.clocks
    for unit, clocks in zip(costs.units, served.tolist(), strict=True):
        busy[unit.name] = busy.get(unit.name, 0.0) + clocks / -(-simds // (unit.simds or simds))
    found = [Busy(unit, clocks) for unit, clocks in busy.items() if clocks]
    return sorted(found, key=lambda each: -each.clocks)


class Conflicts(NamedTuple):
    """The clocks of LDS for lanes that share a bank.

    * `part`: of all clocks of LDS
    * `line`: the instruction with most of them, -1 if there are none
    """

    part: float
    line: int


def conflicts_of(trace: Trace, costs: Costs) -> Conflicts:
    """The conflicts of the accesses of a trace."""
    of_costs = [0, *[sum([each.conflict for each in cost.services]) for cost in costs.table]]
    clocks = [0, *[_clocks_of_lds(cost, costs) for cost in costs.table]]
    by_line, served = np.zeros(len(trace.instructions)), 0.0
    for wave, numbers in zip(trace.waves, costs.of_steps, strict=True):
        by_line += np.bincount(wave.steps, np.array(of_costs)[numbers - NO_COST], len(by_line))
        served += float(np.array(clocks)[numbers - NO_COST].sum())
    line = int(by_line.argmax())
    return Conflicts(float(by_line.sum()) / served, line) if by_line[line] else Conflicts(0.0, -1)


def _clocks_of_lds(cost: Cost, costs: Costs) -> int:
    return sum([each.clocks for each in cost.services if costs.units[each.unit].name == LDS_NAME])


def executions(trace: Trace) -> NDArray[np.int64]:
    """How often waves with an active lane executed each instruction."""
    counts = np.zeros(len(trace.instructions), np.int64)
    for wave in trace.waves:
        counts += np.bincount(wave.steps[~wave.idle], minlength=len(counts))
    return counts


def _of_pipe(counts: NDArray[np.int64], operations: tuple[Operation, ...], pipe: int) -> float:
    return _sum(counts, [each.pipe_hold * (each.pipe == pipe) for each in operations])


def _sum(counts: NDArray[np.int64], clocks: list[int]) -> float:
    return float((counts * np.array(clocks, np.int64)).sum())
