"""The numbers of the clock model (`isa.timing`) that the clocks of a matrix product follow from."""

from __future__ import annotations

from asmgen.blockwise.matrix import Rated
from asmgen.blockwise.schedules.choosing.product_tile import Shape
from isa.named_tuple import NamedTuple
from isa.target import Target

_INSTRUCTION_BYTES = 8
START, _START_OF_RDNA = 600, 400  # clocks of a workgroup before its first load and after its last trip
_WAITED = 0.25  # of the latency of a wave's instructions, which others of the wave hide


class Machine(NamedTuple):
    """Numbers of the clock model: clocks for each product of a SIMD, and for each element of an instruction
    without matrices, bytes a clock of a unit from its own cache, from the cache that units share, and of all
    units from memory, the latency of a load from memory, the same if half of the loads find lines that
    another workgroup has loaded, the clocks for LDS and a barrier, for which a wave waits for an instruction,
    and to fetch it, whether matrix instructions keep others of the SIMD waiting, the bytes of a unit's own
    cache, the latency of the next level, and whether a few compute units share that."""

    of_product: float
    of_element: float
    first_rate: float
    cache_rate: float
    memory_rate: float
    latency: int
    shared_latency: float
    overhead: int
    of_result: float
    of_fetch: float
    holds_others: bool
    first_bytes: float
    least_latency: int
    is_shared_by_few: bool

    @property
    def start(self) -> int:
        """The clocks of a workgroup before its first load and after its last trip."""
        return _START_OF_RDNA if self.holds_others else START

    @classmethod
    def of(cls, shape: Shape, target: Target, rated: Rated | None) -> Machine:
        from isa.timing.caches import CACHES
        from isa.timing.machine import MACHINES

        machine = MACHINES[target.name]
        caches = CACHES[target.name].with_buffers(int(shape.bytes) + shape.result_bytes)
        plain = machine.issue.clocks / target.wave_size
        of_product = plain if rated is None else rated.pace
        overhead = machine.lds_chain.clocks + machine.barrier.clocks
        units = target.compute_units / target.units
        first, of_unit = [level.rate.value * units for level in caches.vector[:2]]
        of_chip = caches.memory_rate.value * target.compute_units
        latency = caches.memory.clocks
        shared = (latency + caches.vector[-1].latency.clocks) / 2
        of_fetch = _INSTRUCTION_BYTES * machine.fetch.clocks / machine.fetched.clocks
        return cls(
            of_product, plain, first, of_unit, of_chip, latency, shared, overhead,
            _WAITED * machine.vector.clocks, of_fetch, machine.matrix_drain.clocks > 0,
            caches.vector[0].size.value, caches.vector[1].latency.clocks,
            1 < caches.vector[1].sharers.value < target.compute_units,
        )  # fmt: skip

    def left(self, groups: float) -> float:
        """How often the rate of the shared cache a unit has, if there are fewer workgroups than units: so
        many for each."""
        return max(1.0, min(self.first_rate / self.cache_rate, 1 / groups))
