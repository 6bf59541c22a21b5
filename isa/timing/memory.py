"""The costs of accesses of memory: the interface between the clock loop and models of LDS, caches and memory.

A model of memory sees the whole trace before the loop runs. It says for each access which units serve it, how
long each unit is busy with it, and how long the data take on their way if no unit is busy. The loop finds out
which access waits for which.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from isa.instruction import Instr, Unit
from isa.named_tuple import NamedTuple
from isa.timing.machine import Machine
from isa.timing.trace import Trace

NO_COST = -1


class ServiceUnit(NamedTuple):
    """A unit that serves accesses in the order of their issue.

    * `simds`: neighbours that share it; 0 for all of the compute unit
    * `depth`: accesses that may wait for it before a wave's issue has to wait; 0 if there is no such limit
    * `fair`: an access that finds `depth` of them waiting gets its place then. If this is false, the oldest
      wave gets the next place
    * `room`: what accesses take at most from the start of their service to the return of their data, such as
      lines of a cache; 0 if there is no such limit
    * `as_ready`: whether it gives data back as soon as they are ready (`isa.timing.returns`)
    """

    name: str
    simds: int = 0
    depth: int = 0
    room: int = 0
    fair: bool = True
    as_ready: bool = False


class Service(Struct, frozen=True):
    """A unit that serves an access: index `unit` of `Costs.units`. It is busy for `clocks`, of which
    `conflict` are there because lanes share a bank. The access takes `room` until its data are there."""

    unit: int
    clocks: int
    conflict: int = 0
    room: int = 0


class Cost(Struct, frozen=True):
    """The cost of an access.

    * `port`: clocks of the SIMD's port to the unit, for addresses and data to store
    * `services`: the units that serve the access, in order; each begins when the previous is done. When the
      first
      is done, the access has read its registers.
    * `latency`: clocks from the issue to the return of the data, besides the clocks of `services`, if no unit
      is busy
    * `holds`: whether the wave issues nothing until the services are done
    * `line`, `hit`: a number of the line that the access fetches, or that an earlier access of this number
      fetches: only the first of them waits `latency`. The others wait until the line is there, and at least
      `hit` after the clocks of `services`. -1 if no other access waits for the line
    * `shared`: a number of lines that several waves load at the same step. The first of them waits `latency`.
      The others wait until the lines are there, and at least `hit` after the clocks of `services`. -1 if no
      other wave loads them meanwhile. `owner` is one of the waves
    * `stays`: whether several workgroups load the line: workgroups that start later find it in the cache
    * `returns`: the unit that gives back the data of accesses in the order of their issue. It is busy in the
      last clocks before the data are there. If it gives data back as they are ready, it takes them then.
    """

    port: int
    services: tuple[Service, ...]
    latency: int
    holds: bool = False
    returns: Service | None = None
    line: int = -1
    hit: int = 0
    shared: int = -1
    owner: int = -1
    stays: bool = False


class Costs(NamedTuple):
    """The costs of a trace's accesses.

    * `units`: the units that serve accesses
    * `table`: the costs that occur
    * `of_steps`: for each wave an index of `table` for each step, `NO_COST` if the step accesses nothing
    """

    units: tuple[ServiceUnit, ...]
    table: tuple[Cost, ...]
    of_steps: tuple[NDArray[np.int32], ...]

    def of_later_groups(self) -> Costs:
        """The costs of workgroups that start when others end."""
        table = [replace(cost, latency=cost.hit, line=-1) if cost.stays else cost for cost in self.table]
        return self._replace(table=tuple(table))


class Memory(Protocol):
    """A model of memory."""

    def costs(self, trace: Trace, machine: Machine) -> Costs: ...


SCALAR_CACHE, LDS, VECTOR_CACHE = range(3)
LDS_NAME = "LDS"
_PLACES: dict[Unit, int] = {
    Unit.SMEM: SCALAR_CACHE, Unit.LDS: LDS, Unit.VMEM: VECTOR_CACHE, Unit.FLAT: VECTOR_CACHE,
    Unit.SCRATCH: VECTOR_CACHE,
}  # fmt: skip


class ConstantMemory:
    """Every access takes the constant latency of its unit, which takes an access at a time."""

    def costs(self, trace: Trace, machine: Machine) -> Costs:
        busy, address = machine.access_issue.clocks, machine.address.clocks
        table = (
            Cost(busy, (Service(SCALAR_CACHE, busy),), machine.scalar_memory.clocks - busy),
            Cost(busy, (Service(LDS, busy),), machine.lds.clocks - busy),
            Cost(busy, (Service(VECTOR_CACHE, address),), machine.vector_memory.clocks - address),
        )
        places = np.array([place_of(instr) for instr in trace.instructions], np.int32)
        units = (ServiceUnit("scalar cache"), ServiceUnit(LDS_NAME), ServiceUnit("vector cache"))
        return Costs(units, table, accessed(trace, places))


class KnownCosts(NamedTuple):
    """A model of memory that knows the costs of a trace."""

    known: Costs

    def costs(self, trace: Trace, machine: Machine) -> Costs:
        return self.known


def accessed(trace: Trace, of_instructions: NDArray[np.int32]) -> tuple[NDArray[np.int32], ...]:
    """For each wave the number of each step's instruction; `NO_COST` for vector accesses without a lane."""
    scalar = of_instructions == SCALAR_CACHE
    return tuple(
        np.where(wave.idle & ~scalar[wave.steps], NO_COST, of_instructions[wave.steps]).astype(np.int32)
        for wave in trace.waves
    )


def place_of(instr: Instr) -> int:
    """What serves an instruction first: `SCALAR_CACHE`, `LDS` or `VECTOR_CACHE`; `NO_COST` if it accesses no
    memory."""
    return _PLACES[instr.row.unit] if accesses_memory(instr) else NO_COST


def accesses_memory(instr: Instr) -> bool:
    """Whether an instruction accesses memory or LDS, or exchanges lanes through LDS."""
    return bool(instr.row.events) and instr.row.unit in _PLACES
