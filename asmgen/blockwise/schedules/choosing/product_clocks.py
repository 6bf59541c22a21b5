"""The clocks of a matrix product by a tile, from the numbers of the clock model (`isa.timing`).

A trip of a workgroup multiplies `k` products for each of its results. If a unit has many workgroups, their
trips take as long as the busiest part of it: the matrix units of its SIMDs, LDS, or the way from the caches.
Alone, a workgroup waits for its loads, a trip ahead, or multiplies meanwhile; then it stores to LDS.
A launch takes as many turns as a unit has workgroups; tiles beyond the matrix cost time and give no results.
If a matrix has few results, a workgroup also waits for its code: 256 cubed of f16 on gfx942 waits 2 of 5
thousand clocks for instructions.
"""

from __future__ import annotations

from math import prod

from asmgen.blockwise.matrix import Rated
from asmgen.blockwise.schedules.choices import Contract, lane_of
from asmgen.blockwise.schedules.choosing.product_tile import (
    Shape,
    copies_of,
    has_few_results,
    instructions_of,
    lds_bytes,
    read_bytes,
    resident,
)
from isa.named_tuple import NamedTuple
from isa.table import table_of
from isa.target import Target

_DUAL = (0.53, 0.6)  # instructions for a product of f32 with dual instructions, by the buffers: with two,
# the scheduler mixes the order in which most products have a partner
_INSTRUCTION_BYTES = 8
_FETCHED = 6  # clocks to fetch a lane's instructions for a product, in the loop and after it
_UNPACKED = 2.5  # instructions to compute an element of such a factor
_LDS_BYTES = 128  # a clock, of a compute unit (`isa.lds_banks`: 16 bytes for each of 8 lanes of a phase)
_SHARPNESS = 4  # of the bend between two limits
_STORING_WAVES = 2.5  # that store to LDS at its rate (`isa.timing.lds`: 20 clocks for 16 bytes a lane)
_LIMITS = ("products", "LDS", "the caches")  # the parts of a unit that `Estimate.busy` is of
NARROW = 64  # rows or columns of such a matrix, at most


class Machine(NamedTuple):
    """Numbers of the clock model: clocks for each product of a SIMD, and for each element of an instruction
    without matrices, bytes a clock of a unit from the cache that units share, and of all units from memory,
    the latency of a load from memory, the same if half of the loads find lines that another workgroup has
    loaded, the clocks for LDS and a barrier, and those to fetch an instruction that no wave had before."""

    of_product: float
    of_element: float
    cache_rate: float
    memory_rate: float
    latency: int
    shared_latency: float
    overhead: int
    fetch: float

    @classmethod
    def of(cls, shape: Shape, target: Target, rated: Rated | None) -> Machine:
        from isa.timing.caches import CACHES
        from isa.timing.machine import MACHINES

        caches, machine = CACHES[target.name].with_buffers(int(shape.bytes)), MACHINES[target.name]
        plain = machine.issue.clocks / target.wave_size
        of_product = plain if rated is None else rated.clocks / prod(rated.by.sizes)
        overhead = machine.lds_chain.clocks + machine.barrier.clocks
        of_unit = caches.vector[1].rate.value * target.compute_units / target.units
        of_chip = caches.memory_rate.value * target.compute_units
        fetch = machine.fetch.clocks * _INSTRUCTION_BYTES / machine.fetched.clocks
        latency = caches.memory.clocks
        shared = (latency + caches.vector[-1].latency.clocks) / 2
        return cls(of_product, plain, of_unit, of_chip, latency, shared, overhead, fetch)


class Estimate(NamedTuple):
    """The clocks of a launch: of its trips, of memory for all factors, and the limit of a trip.

    `busy` are clocks of a workgroup's trip for each part of a unit."""

    steps: int  # trips of a workgroup
    turns: tuple[int, int, int]  # how often a unit has how many workgroups at once, and the last workgroups
    busy: tuple[float, float, float]  # matrix units or lanes, LDS, the way from the caches
    alone: float  # clocks of a trip of a single workgroup
    memory: float
    fetched: float = 0  # until the instructions of outer products are there
    code: float = 0  # until those around matrix instructions are there: other workgroups multiply meanwhile

    @property
    def clocks(self) -> float:
        """Near both limits, neither is reached."""
        times, together, last = self.turns
        of_trips = (times - 1) * self._turn(together) + (self._turn(last) if last else 0) + self.fetched
        of_trips += self._turn(together, self.code) if times else 0
        return (of_trips**_SHARPNESS + self.memory**_SHARPNESS) ** (1 / _SHARPNESS)

    def _turn(self, together: int, code: float = 0) -> float:
        """The clocks of workgroups that a unit has at once. A workgroup waits for its first loads."""
        return max(self.steps * max(self.busy) * together, (self.steps + 1) * self.alone + code)

    @property
    def limit(self) -> str:
        times, together, last = self.turns
        busiest, waited = self.steps * max(self.busy) * together, (self.steps + 1) * self.alone
        if self.memory >= (times + (last > 0)) * max(busiest, waited):
            return "memory"
        return "the latency of a trip" if waited > busiest else _LIMITS[self.busy.index(max(self.busy))]


def estimate_of(
    choice: Contract, shape: Shape, machine: Machine, rated: Rated | None, target: Target
) -> Estimate:
    """The clocks of a launch by a choice."""
    groups = shape.batch * -(-shape.m // choice.m) * -(-shape.n // choice.n)
    bytes_of_trip = sum(read_bytes(choice, shape))
    products = choice.m * choice.n * choice.k * (1 if choice.by else _outer_cost(choice, target))
    multiplied = products * machine.of_product / min(choice.waves, target.simds)
    lds_rate = _LDS_BYTES * target.compute_units // target.units
    stored, read = [count / lds_rate for count in lds_bytes(choice, rated, shape, target)]
    of_unit = -(-groups // target.units)
    together = min(resident(choice, rated, shape, target), of_unit)
    unpacked = _unpacking(choice, rated, machine) if choice.apart else 0
    multiplying = (products * machine.of_product + choice.waves * unpacked) / target.simds
    busy = multiplying, stored + read, bytes_of_trip / machine.cache_rate
    barriers = max(1, 3 - choice.buffers)  # of a trip
    turns = -(-groups // (target.units * together))
    first, second = shape.sizes
    of_lines = bytes_of_trip / ((choice.m * first + choice.n * second) * choice.k)
    memory = of_lines * shape.bytes / machine.memory_rate
    memory *= of_unit * min(groups, target.units) / groups  # units with fewer workgroups end earlier
    steps = -(-shape.k // choice.k)
    trips = turns * steps
    stored *= 0 if choice.copies else max(1, _STORING_WAVES / choice.waves)
    sent = bytes_of_trip / machine.cache_rate
    is_narrow = min(shape.m, shape.n) <= NARROW  # its loads do not hide behind products
    is_few = rated is not None and not is_narrow and has_few_results(shape, rated, target)
    latency = machine.shared_latency if is_few else machine.latency
    latency /= choice.stages - 1 if choice.copies and choice.stages else 1
    arriving = latency + sent if is_narrow else max(latency, sent)
    waiting = max(arriving, multiplied + read)
    if together == 1:  # memory has nothing to do while the workgroup stores to LDS
        waiting = max(waiting, memory / trips)
    alone = waiting + unpacked + stored + barriers * machine.overhead
    fetched = 0 if rated else _FETCHED * choice.k * prod(lane_of(choice, target))
    code = machine.fetch * instructions_of(choice, rated, shape, target) if rated and is_few else 0
    in_turns = of_unit // together, together, of_unit % together
    return Estimate(steps, in_turns, busy, alone, memory, fetched, code)


def _outer_cost(choice: Contract, target: Target) -> float:
    """Instructions for a product of a lane."""
    return _DUAL[min(choice.buffers, len(_DUAL)) - 1] if table_of(target).duals else 1


def _unpacking(choice: Contract, rated: Rated | None, machine: Machine) -> float:
    """The clocks in which a wave computes its columns of the second factor. Lanes that multiply the same
    elements compute them all."""
    assert rated is not None, "an instruction multiplies factors that waves compute"
    b = rated.by.layouts[1]
    copies = copies_of(b)
    return choice.n * choice.k // choice.waves * copies * _UNPACKED * machine.of_element
