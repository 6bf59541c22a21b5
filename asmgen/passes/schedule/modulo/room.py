"""Registers for overlapping trips: how many may be live, and how many an order keeps live."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from math import prod

from asmgen.passes.schedule.modulo.order import LoopOrder
from asmgen.passes.schedule.modulo.shape import Shape
from isa.named_tuple import NamedTuple
from isa.program import Kernel
from isa.registers import FIRST_VIRTUAL, RegisterClass
from isa.target import round_up, unified_registers
from regalloc.liveness import Liveness
from regalloc.slots import VECTOR_CLASSES

MOST_SCALARS = 80  # SGPRs that may be live for the sake of an order
SPARE_VECTORS, SPARE_PART = 4, 8  # VGPRs that allocation may lose to gaps between tuples, or this part


class Room(NamedTuple):
    """The most registers that may be live, so that no wave is lost, and the VGPRs that are live."""

    vectors: int
    scalars: int
    accumulators: int
    taken: int

    def takes(self, live: Liveness) -> bool:
        """Whether there is room for the registers of a kernel."""
        pressure = live.pressure
        vectors, scalars, accumulators = [
            pressure[file].units if file in pressure else 0
            for file in (RegisterClass.VGPR, RegisterClass.SGPR, RegisterClass.AGPR)
        ]
        return vectors <= self.vectors and scalars <= self.scalars and accumulators <= self.accumulators


def room_of(kernel: Kernel, live: Liveness, max_vgprs: int) -> Room:
    """The room of a kernel: as many registers as it takes, or as its number of waves allows."""
    target, pressure = kernel.target.target, live.pressure
    vectors, scalars, accumulators = [
        pressure[file].units if file in pressure else 0
        for file in (RegisterClass.VGPR, RegisterClass.SGPR, RegisterClass.AGPR)
    ]

    def waves(vgprs: int) -> int:
        both = unified_registers(vgprs, accumulators)
        return target.occupancy(both, 0, kernel.lds_bytes, prod(kernel.workgroup))

    room, granule = min(target.arch_vgprs, max_vgprs), target.vgpr_granule
    step = round_up(max(vectors, 1), granule)
    while step + granule <= room and waves(step + granule) == waves(max(vectors, 1)):
        step += granule
    spared = min(step, room) - max(SPARE_VECTORS, step // SPARE_PART)
    return Room(max(vectors, spared), max(scalars, MOST_SCALARS), accumulators, vectors)


class LiveVectors:
    """The vector registers that orders of a loop keep live at once. `entering` are the units that are live at
    the start of the loop."""

    def __init__(self, kernel: Kernel, shape: Shape, entering: Sequence[int]) -> None:
        self._through = _through(kernel, shape, entering)
        owners = {value: kernel.owners[value - FIRST_VIRTUAL] for value in shape.makers}
        self._counts = {
            value: owner.count for value, owner in owners.items() if owner.register_class in VECTOR_CLASSES
        }
        self._makers = shape.makers
        self._readers: dict[int, list[tuple[int, int]]] = {value: [] for value in self._counts}
        for number, uses in enumerate(shape.uses):
            for value, trips in uses:
                if value in self._counts:
                    self._readers[value].append((number, trips))

    def most(self, order: LoopOrder) -> int:
        """The most registers that are live at a clock."""
        interval, starts = order.interval, order.start
        changes, always = [0] * (interval + 1), self._through
        for value, count in self._counts.items():
            begin = min([starts[maker] for maker in self._makers[value]])
            end = max([begin, *[starts[number] + trips * interval for number, trips in self._readers[value]]])
            whole, part = divmod(end - begin, interval)
            always += whole * count
            first = begin % interval
            for start, stop in ((first, min(first + part, interval)), (0, first + part - interval)):
                if stop > start:
                    changes[start] += count
                    changes[stop] -= count
        return always + max(accumulate(changes))


def _through(kernel: Kernel, shape: Shape, entering: Sequence[int]) -> int:
    """The vector registers that are live in all trips."""
    own = {
        unit
        for first in (*shape.passed, *shape.makers)
        for unit in kernel.owners[first - FIRST_VIRTUAL].register.units
    }
    return sum(
        unit >= FIRST_VIRTUAL
        and unit not in own
        and kernel.owners[unit - FIRST_VIRTUAL].register_class in VECTOR_CLASSES
        for unit in entering
    )
