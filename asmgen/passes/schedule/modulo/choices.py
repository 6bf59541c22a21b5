"""The orders of several stages that are worth their code, by the copies of the kernel.

If a reader comes between two loads of the same registers, a trip takes no fewer clocks than the load, divided
by the copies. So the number of copies is mostly known before an order is searched: as many as gain far more
than one copy less. Other numbers are searched if there is no such order, or if registers do not suffice for
it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property, partial

from asmgen.passes.clauses import is_global_load
from asmgen.passes.schedule.modulo.bound import busy_clocks
from asmgen.passes.schedule.modulo.clocks import (
    awaited_edges,
    clocks_between_trips,
    clocks_of_loads,
    clocks_of_order,
    in_a_trip,
    kept_waiting,
    stages,
    taken_edges,
)
from asmgen.passes.schedule.modulo.heuristic import FindOrder, Fits, Wanted, lifetime_edges
from asmgen.passes.schedule.modulo.loop_code import ways_out
from asmgen.passes.schedule.modulo.order import LoopOrder
from asmgen.passes.schedule.modulo.problem import LoopProblem, Resource
from asmgen.passes.schedule.modulo.shape import Shape
from asmgen.passes.schedule.modulo.trips import AllTrips
from asmgen.passes.schedule.pipes import fills_lds, memory_clocks
from isa.instruction import Instr, Trait, Unit
from isa.named_tuple import NamedTuple
from isa.program import Kernel

LEAST_GAIN = 4  # a trip has to gain 1 / LEAST_GAIN of its clocks
# The tile text of a product says which loads run ahead, and its waves hide each other's waits. 3 and 8 take
# the loops of 128x128x64 tiles of f16 on gfx942, which gain a quarter (4096x4096x4096: 408,856 to 308,419
# clocks). 6 takes others on gfx90a, which lose 8 %, and two copies take loops of gfx1201, which lose 2 %.
LEAST_GAIN_OF_PRODUCT = 3
NEAR_PIPE = 8  # a trip takes at most so large a part more than its matrix instructions
# With more, few trips must need no code of their own. A loop with a barrier has no more: waves load tiles
# that other workgroups load too, so caches have most of them. sgemm.mlir of n = 256 takes 0.75 of its
# clocks on gfx1100, 0.84 with three copies; 64, 512 and 1,024 gain nothing from three.
FEW_COPIES = 2
MOST_COPIES = 4  # of the kernel
NEAR_LEAST = 24  # other accesses take a trip of loads longer than the least by this part
MOST_CODE = 450  # instructions of prologue, kernel and epilogue


class Choice(NamedTuple):
    """An order: the clocks of a trip, the copies of the kernel, the clocks of a trip before, and the fewest
    trips that gain."""

    clocks: int
    copies: int
    before: int
    order: LoopOrder
    fewest: int


def choices(
    kernel: Kernel, shape: Shape, problem: LoopProblem, crowd: int, fits: Fits, find: FindOrder
) -> Iterator[Choice]:
    """Orders in which a trip and all trips take far fewer clocks, the best first. No trip takes fewer than
    `crowd`, with the other waves of the launch.

    A product waits more if its workgroup has a unit alone. If only the number of workgroups says so, orders
    that leave these waits out come last: {128,1024} by {1024,128} of f16 on gfx942 takes 29,900 clocks with
    such an order and a single slot of LDS, 36,800 with none."""
    for is_alone in _alone(kernel, shape):
        yield from _Choices(kernel, shape, problem, crowd, fits, find, is_alone).run()


def _alone(kernel: Kernel, shape: Shape) -> tuple[bool, ...]:
    """Whether a workgroup has a unit alone, in the order of the search: LDS has no room for another, or the
    launch has no more workgroups than units."""
    if fills_lds(kernel):
        return (True,)
    has_few = 0 < kernel.groups <= kernel.target.target.units
    return (True, False) if has_few and is_product(shape.code) else (False,)


def far_fewer(clocks: int) -> int:
    """The most clocks that are far fewer."""
    return clocks - clocks // LEAST_GAIN


def is_product(code: Iterable[Instr]) -> bool:
    """Whether instructions multiply matrices."""
    return any(instr.row.unit is Unit.MATRIX for instr in code)


def near_pipe(busy: int) -> int:
    """The most clocks of a product's trip with so many clocks of matrix instructions."""
    return busy + busy // NEAR_PIPE


def is_crowded(loads: Iterable[int], clocks: int) -> bool:
    """Whether no interval of so many clocks has room for accesses that keep memory busy for these clocks. An
    access alone has room in any interval."""
    return sum(min(each, clocks) for each in loads) > clocks


class _Choices:
    def __init__(
        self, kernel: Kernel, shape: Shape, problem: LoopProblem, crowd: int, fits: Fits, find: FindOrder,
        is_alone: bool,
    ) -> None:  # fmt: skip
        self._kernel, self._shape, self._is_alone = kernel, shape, is_alone
        self._fits, self._find = fits, find
        self._problem = problem = problem._replace(edges=awaited_edges(problem, kernel, is_alone))
        trip, of_resources = in_a_trip(problem), busy_clocks(problem)
        self._all_trips = AllTrips(kernel, shape, of_resources)
        busy, nothing = max(of_resources.values()), [0] * len(problem.instructions)
        self._before = max(busy, clocks_between_trips(problem, trip.numbers, nothing))
        self._chain, self._wanted, self._most_copies = trip.chain, far_fewer(self._before), MOST_COPIES
        if is_product(shape.code):
            most = self._before - self._before // LEAST_GAIN_OF_PRODUCT
            self._wanted, self._most_copies = min(most, near_pipe(busy)), 1
        else:
            busy = max(busy, crowd)
            if any(Trait.BARRIER in instr.row.traits for instr in shape.code):
                self._most_copies = FEW_COPIES
        self._busy = busy

    def run(self) -> Iterator[Choice]:
        if not self._all_trips.are_fewer(self._before, self._busy, 1, self._code(1, 1)):
            return
        if not self._loads:
            yield from sorted(self._with(range(1, self._most_copies + 1), self._wanted))
            return
        copies, wanted = self._likely()
        yield from self._with((copies,), wanted)
        yield from sorted(self._with(range(1, copies), self._wanted))

    def _likely(self) -> tuple[int, int]:
        """The copies that the clocks of loads ask for, and the clocks that an order with them may take."""
        likely, wanted = 1, self._wanted
        for copies in range(1, self._most_copies + 1):
            most = self._wanted if copies == 1 else min(self._wanted, far_fewer(self._least(copies - 1)))
            if self._exceeds(copies, most):
                break
            if self._least(copies) <= most:
                likely, wanted = copies, min(self._wanted, most + most // NEAR_LEAST)
        return likely, wanted

    def _least(self, copies: int) -> int:
        """The clocks of a trip that no order with so many copies undercuts."""
        return max(self._busy, -(-self._loads // copies))

    def _with(self, numbers: Iterable[int], wanted: int) -> Iterator[Choice]:
        """The orders with each of some numbers of copies, each in far fewer clocks than that before."""
        problem = self._problem
        for copies in numbers:
            if wanted < self._busy or self._exceeds(copies, wanted):
                return
            if is_crowded(self._in_memory.values(), wanted):
                return
            if self._loads > copies * wanted or not self._may_gain(copies, wanted):
                continue
            lifetimes = [*lifetime_edges(self._shape, problem.edges, copies)]
            living = problem._replace(edges=[*problem.edges, *lifetimes])
            order = self._order(living, copies, wanted)
            if order is None:
                continue
            waiting = problem._replace(edges=[*problem.edges, *taken_edges(problem, lifetimes)])
            if self._is_alone:
                waiting = kept_waiting(waiting, self._kernel)
            order, clocks = self._sooner(order, living, waiting, wanted, copies)
            clocks, last = max(self._busy, clocks), max(stages(order))
            if clocks <= wanted and self._all_trips.are_fewer(
                self._before, clocks, last, self._code(copies, last)
            ):
                fewest = self._all_trips.fewest(self._before, clocks, last, copies)
                yield Choice(clocks, copies, self._before, order, fewest)
                wanted = far_fewer(clocks)

    def _order(self, problem: LoopProblem, copies: int, most: int, least: int = 0) -> LoopOrder | None:
        least, fits = max(least, self._least(copies)), partial(self._has_room, copies)
        return self._find(Wanted(problem, least, most, self._together, self._in_memory, fits))

    def _sooner(
        self, order: LoopOrder, living: LoopProblem, waiting: LoopProblem, wanted: int, copies: int
    ) -> tuple[LoopOrder, int]:
        """The order, or another if that takes fewer clocks with the waits that the first search left out
        (`waiting`), and the clocks without them. Few loops have such an order: {4096,4096} by {4096,1024} of
        f16 on gfx942 takes 79,524 clocks, 85,040 with the first."""
        clocks, waited = clocks_of_order(living, order), clocks_of_order(waiting, order)
        if waited <= clocks:
            return order, clocks
        # the waits only lengthen intervals
        other = self._order(waiting, copies, wanted, order.interval)
        if other is None or clocks_of_order(waiting, other) >= waited:
            return order, clocks
        return other, clocks_of_order(living, other)

    @cached_property
    def _loads(self) -> int:
        return clocks_of_loads(self._kernel, self._shape)

    @cached_property
    def _together(self) -> dict[int, list[int]]:
        """The instructions that make parts of a value, by each of them."""
        makers = [list(numbers) for numbers in self._shape.makers.values() if len(numbers) > 1]
        return {number: numbers for numbers in makers for number in numbers}

    @cached_property
    def _in_memory(self) -> dict[int, int]:
        """The clocks for which the first cache returns the data of each load to all waves that share it."""
        target, waves = self._kernel.target.target, self._problem.sharers[Resource.LDS]
        return {
            number: memory_clocks(instr.row, target, waves)
            for number, instr in enumerate(self._problem.instructions)
            if is_global_load(instr)
        }

    def _has_room(self, copies: int, order: LoopOrder) -> bool:
        """Whether an order has several stages, and its code and its registers suffice. With many copies, few
        trips need no code of their own."""
        stage = list(stages(order))
        last = max(stage)
        if not last or self._code(copies, last) > MOST_CODE:
            return False
        return (copies <= FEW_COPIES or all(ways_out(stage))) and self._fits(order)

    def _exceeds(self, copies: int, clocks: int) -> bool:
        """Whether any order of so few clocks has too much code."""
        return self._code(copies, self._least_last(clocks)) > MOST_CODE

    def _may_gain(self, copies: int, clocks: int) -> bool:
        """Whether an order of at most so many clocks might let all trips take far fewer clocks."""
        last = self._least_last(clocks)
        return self._all_trips.are_fewer(self._before, self._least(copies), last, self._code(copies, last))

    def _least_last(self, clocks: int) -> int:
        """The last stage of any order of so few clocks, at the least: the chain of a trip ends no earlier."""
        return max(1, self._chain // max(1, clocks))

    def _code(self, copies: int, last: int) -> int:
        """The instructions of prologue, kernel and epilogue, up to a stage. Prologue and epilogue together
        have a trip for each stage after the first, and so have the ways out of the prologue."""
        return len(self._problem.instructions) * (copies + last + last * (last - 1) // 2)
