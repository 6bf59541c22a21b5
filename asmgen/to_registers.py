"""From machine SSA as selected to physical registers: the passes on SSA, then allocation.

If registers do not suffice for the order of the scheduler, the kernel in its earlier order is allocated; if
they do not suffice for that either, the trips of its loops do not overlap; if that does not help, values are
spilled.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod

from asmgen.budget import vgpr_budget
from asmgen.options import EXACT_ORDER, Options
from asmgen.passes.combine.combine import combine
from asmgen.passes.motion.group_loads import group_loads
from asmgen.passes.motion.hoist import hoist
from asmgen.passes.motion.invariants import move_invariants
from asmgen.passes.schedule import Scheduler
from asmgen.passes.schedule.carried import before_carried_loads
from asmgen.passes.schedule.pipes import fills_lds
from asmgen.passes.schedule.scheduler import SPARE_PART, Ordering
from asmgen.passes.schedule.scheduler import placements as schedule_lines
from asmgen.passes.schedule.sparing import spare_registers
from asmgen.trace import Channel, Trace
from isa.program import Kernel
from isa.registers import RegisterClass
from isa.target import unified_registers
from regalloc import OutOfRegisters, allocate, build_pools
from regalloc.allocate import build_problem, problem_in_parts, solve
from regalloc.allocation import AllocatedKernel
from regalloc.files.choose import choose_files
from regalloc.liveness import RememberedLiveness
from regalloc.pools import Pool
from regalloc.scan.linear_scan import Problem
from regalloc.scan.lines import live_ranges, placements
from regalloc.scan.ways import (
    PlaceClass,
    allocate_class,
    is_small,
    most_registers,
    pack_class,
    pack_if_near,
    scan_class,
    scan_from_bottom,
)
from regalloc.verify import verify


class ToRegisters:
    """The allocation of a kernel by the options of its compilation."""

    def __init__(self, kernel: Kernel, options: Options, trace: Trace) -> None:
        self._kernel = kernel
        self._options = options
        self._trace = trace
        self._max_vgprs, self._max_unified = vgpr_budget(kernel, options)
        self._liveness_of = RememberedLiveness()
        self._overlap = frozenset[str]()  # blocks with overlapping trips, by label
        self._proven = frozenset[str]()  # blocks in a proven order

    def run(self) -> AllocatedKernel:
        """The kernel with its allocation; `InputError` RA001 if registers do not suffice."""
        moved = move_invariants(combine(self._kernel, self._trace), self._max_vgprs, self._liveness_of)
        if self._options.schedule:
            moved = group_loads(moved, self._liveness_of)
        self._tell_intervals(moved)
        if not self._options.schedule:
            return self._allocated_or_spilled(moved)
        apart = before_carried_loads(moved)
        together = self._overlapping(apart)
        if together is not apart:
            allocated, _ = self._without_spills(self._in_proven_orders(together))
            if allocated is not None:
                return allocated
            self._trace.tell(Channel.ORDER, _no_room, apart)
            self._overlap = frozenset[str]()
        return self._allocated_or_spilled(self._in_proven_orders(apart))

    def _allocated_or_spilled(self, kernel: Kernel) -> AllocatedKernel:
        allocated, filed = self._without_spills(kernel)
        return allocated or self._sparing(_with_parts(filed))

    def _without_spills(self, kernel: Kernel) -> tuple[AllocatedKernel | None, Kernel]:
        """The allocation of a kernel, or None if registers do not suffice, and the kernel with its
        accumulators in the files that were tried last."""
        filed = self._filed(kernel, is_crowded=False)
        allocated = self._allocation(filed)
        if allocated is None and filed is kernel:
            filed = self._filed(kernel, is_crowded=True)
            allocated = self._allocation(filed) if filed is not kernel else None
        return allocated, filed

    def _overlapping(self, kernel: Kernel) -> Kernel:
        """The kernel with overlapping trips in the loops that gain by it. For a kernel without a loop the
        compile does not import the pass."""
        if not _has_loop(kernel):
            return kernel
        from asmgen.passes.schedule.modulo.choices import MOST_COPIES
        from asmgen.passes.schedule.modulo.heuristic import modulo_order
        from asmgen.passes.schedule.modulo.pipeline import pipeline_loops

        find = modulo_order
        if self._options.order == EXACT_ORDER:
            from asmgen.passes.schedule.modulo.exact_find import exact_finder

            find = exact_finder(self._options.order_seconds / MOST_COPIES)
        overlapped = pipeline_loops(kernel, self._max_vgprs, self._liveness_of, find)
        as_they_were = {loop.rest for loop in overlapped.loops}
        self._overlap = frozenset(_labels(overlapped.kernel) - _labels(kernel) - as_they_were)
        if overlapped.loops and self._options.verify_passes:
            verify(overlapped.kernel)
        if Channel.ORDER in self._trace.channels:
            from asmgen.passes.schedule.modulo.lines import overlaps

            self._trace.tell(Channel.ORDER, overlaps, kernel, overlapped)
        return overlapped.kernel

    def _in_proven_orders(self, kernel: Kernel) -> Kernel:
        """The kernel with the loops in their proven orders of workgroups that have a unit alone. Other
        compiles do not import the pass."""
        if not fills_lds(kernel):
            return kernel
        from asmgen.passes.schedule.orders.code import in_proven_orders

        ordered = in_proven_orders(kernel, self._liveness_of)
        if ordered.labels and self._options.verify_passes:
            verify(ordered.kernel)
        self._proven = ordered.labels
        return ordered.kernel

    def _tell_intervals(self, kernel: Kernel) -> None:
        """Trace the least interval of each loop of one block, and the proofs of known orders. Without this
        trace the compile does not import them."""
        if Channel.ORDER in self._trace.channels:
            from asmgen.passes.schedule.modulo.lines import intervals
            from asmgen.passes.schedule.orders.lines import proofs

            self._trace.tell(Channel.ORDER, intervals, kernel)
            self._trace.tell(Channel.ORDER, proofs, kernel)

    def _filed(self, kernel: Kernel, is_crowded: bool) -> Kernel:
        """The kernel with accumulators in AGPRs if VGPRs do not suffice. Values computed from them then need
        VGPRs of their own, so blocks get an order in which fewer are live."""
        if not kernel.target.target.has_agprs:
            return kernel
        pools = self._pools(kernel, self._max_vgprs)
        filed = choose_files(kernel, pools, self._liveness_of, is_crowded)
        if filed is kernel:
            return kernel
        if self._options.verify_passes:
            verify(filed)
        return before_carried_loads(spare_registers(filed, self._max_vgprs, self._liveness_of))

    def _pools(self, kernel: Kernel, max_vgprs: int) -> dict[RegisterClass, Pool]:
        return build_pools(kernel, frozenset(), max_vgprs, self._max_unified)

    def _scheduler(self, kernel: Kernel) -> Scheduler:
        """The scheduler of a kernel with work hoisted into the waits of DPP steps."""
        hoisted = hoist(kernel, self._liveness_of)
        return Scheduler(hoisted, self._liveness_of, self._max_vgprs, self._overlap | self._proven)

    def _scheduled(self, scheduler: Scheduler, max_vgprs: int, taken: int = 0) -> Ordering:
        """A kernel with its blocks in an order that waits less and needs at most `max_vgprs`. `taken` are the
        VGPRs that it takes in its own order."""
        if not self._options.schedule:
            return Ordering(scheduler.kernel, self._max_vgprs, {})
        ordering = scheduler.run(max_vgprs, taken)
        self._trace.tell(Channel.SCHEDULE, schedule_lines, scheduler.kernel, ordering.decisions)
        return ordering

    def _allocation(self, kernel: Kernel) -> AllocatedKernel | None:
        """The allocation of a kernel in the order of the scheduler, or else in its own; None if registers do
        not suffice. If its own order takes VGPRs that cost a wave, the scheduler may use them too; and if its
        order is worth a wave."""
        scheduler = self._scheduler(kernel)
        ordering = self._scheduled(scheduler, self._max_vgprs)
        allocated = self._in_order(kernel, scheduler, ordering)
        if allocated is None:
            allocated = self._within(kernel, self._max_vgprs)
            taken = _vgprs(allocated) if allocated is not None and ordering.kernel is not kernel else 0
            if taken:
                taken = max(taken, scheduler.worth_a_wave(ordering))
            if taken > ordering.step:
                ordering = self._scheduled(scheduler, self._max_vgprs, taken)
                allocated = self._in_order(kernel, scheduler, ordering, taken) or allocated
        if allocated is not None:
            self._trace.tell(Channel.REGALLOC, placements, allocated.kernel, allocated.allocation)
        return allocated

    def _in_order(
        self, kernel: Kernel, scheduler: Scheduler, ordering: Ordering, taken: int = 0
    ) -> AllocatedKernel | None:
        """The allocation of a kernel in an order of the scheduler; None if there is none. If gaps between
        tuples take more VGPRs than the scheduler left for them, it leaves more, if it finds another order."""
        ordered, step = ordering.kernel, ordering.step
        allocated = self._within(ordered, step, pack_if_near) if ordered is not kernel else None
        if allocated is not None or ordered is kernel or self._exceeds(ordered, step):
            return allocated
        sparing = self._scheduled(scheduler, step - step // SPARE_PART, taken).kernel
        is_new = sparing is not kernel and sparing.blocks != ordered.blocks
        return self._within(sparing, step, pack_if_near) if is_new else None

    def _sparing(self, kernel: Kernel) -> AllocatedKernel:
        """The allocation of a kernel that does not fit: in an order with fewer live registers, or with
        spilled values if that does not suffice."""
        spare = before_carried_loads(spare_registers(kernel, self._max_vgprs, self._liveness_of))
        if spare is not kernel:
            ordered = self._scheduled(self._scheduler(spare), self._max_vgprs).kernel
            for candidate in (ordered, spare):
                allocated = self._allocated(candidate, self._max_vgprs)
                if allocated is not None:
                    self._trace.tell(Channel.REGALLOC, placements, allocated.kernel, allocated.allocation)
                    return allocated
        return self._spilled(spare)

    def _within(
        self, kernel: Kernel, max_vgprs: int, pack: PlaceClass = pack_class
    ) -> AllocatedKernel | None:
        """A kernel with its registers; None if they do not suffice.

        If the scan finds no room, or needs many more registers than are live in a small kernel, tuples are
        split, and the search for fewer registers works on the parts: they may take every place that the tuple
        may take.
        """
        if self._exceeds(kernel, max_vgprs):
            return None
        problem = self._problem(kernel)
        whole = self._solved(problem, max_vgprs, scan_from_bottom if self._overlap else scan_class)
        if whole is not None and (_is_tight(whole) or not is_small(problem) or self._has_waves(whole)):
            return whole
        split = _with_parts(kernel)
        parted = problem if split is kernel else self._in_parts(problem, split)
        halved = self._solved(parted, max_vgprs, pack)
        if whole is None or halved is None:
            return whole or halved
        return halved if _is_better(halved, whole) else whole

    def _has_waves(self, allocated: AllocatedKernel) -> bool:
        """Whether a kernel with overlapping trips has as many waves as with the registers that are live at
        once. Its trips were chosen to take the registers that cost no wave."""
        statistics = allocated.allocation.statistics
        pressure = statistics.pressure.get(RegisterClass.VGPR)
        return bool(self._overlap) and (
            pressure is None or _waves(allocated, statistics.vgprs) == _waves(allocated, pressure.units)
        )

    def _exceeds(self, kernel: Kernel, max_vgprs: int) -> bool:
        """Whether more VGPRs or AGPRs are live at once than there are."""
        pressure, pools = self._liveness_of(kernel).pressure, self._pools(kernel, max_vgprs)
        return any(
            file in pressure and pressure[file].units > pools[file].mask.bit_count()
            for file in (RegisterClass.VGPR, RegisterClass.AGPR)
        )

    def _allocated(self, kernel: Kernel, max_vgprs: int) -> AllocatedKernel | None:
        if self._exceeds(kernel, max_vgprs):
            return None
        return self._solved(self._problem(kernel), max_vgprs, allocate_class)

    def _problem(self, kernel: Kernel) -> Problem:
        self._look_at(kernel)
        return build_problem(kernel, self._liveness_of)

    def _in_parts(self, problem: Problem, split: Kernel) -> Problem:
        self._look_at(split)
        return problem_in_parts(problem, split)

    def _look_at(self, kernel: Kernel) -> None:
        """Verify and trace a kernel before register allocation."""
        if self._options.verify_passes:
            verify(kernel)
        self._trace.tell(Channel.LIVENESS, live_ranges, kernel)

    def _solved(self, problem: Problem, max_vgprs: int, place_class: PlaceClass) -> AllocatedKernel | None:
        """A kernel with its registers; None if they do not suffice."""
        pools = self._pools(problem.kernel, max_vgprs)
        try:
            return AllocatedKernel(problem.kernel, solve(problem, pools, place_class=place_class))
        except OutOfRegisters:
            return None

    def _spilled(self, kernel: Kernel) -> AllocatedKernel:
        """The allocation of a kernel with spilled values; `InputError` RA001 if spilling is off and the
        registers do not suffice."""
        from asmgen.passes.scratch import prepare_scratch
        from regalloc.checker.spills import check_spills
        from regalloc.spill.allocate import allocate_with_spills

        none = frozenset[int]()
        if not self._options.spill:
            self._trace.tell(Channel.LIVENESS, live_ranges, kernel)
            return AllocatedKernel(kernel, allocate(kernel, none, self._max_vgprs, self._max_unified))
        prepared, allocated = kernel, allocate_with_spills(kernel, none, self._max_vgprs, self._max_unified)
        if allocated.kernel.scratch_bytes > kernel.scratch_bytes:
            prepared = prepare_scratch(kernel)
            if prepared is not kernel:
                allocated = allocate_with_spills(prepared, none, self._max_vgprs, self._max_unified)
        spilled, allocation = allocated.kernel, allocated.allocation
        check_spills(prepared, spilled)
        if self._options.verify_passes:
            verify(spilled)
        self._trace.tell(Channel.LIVENESS, live_ranges, spilled)
        self._trace.tell(Channel.REGALLOC, placements, spilled, allocation)
        return allocated


def _no_room(kernel: Kernel) -> Iterator[str]:
    """The line of `--trace order` if registers do not suffice for the overlapping trips of a kernel."""
    yield f"{kernel.name}: trips do not overlap: registers do not suffice for their order"


def _vgprs(allocated: AllocatedKernel) -> int:
    return allocated.allocation.statistics.vgprs


def _is_better(allocated: AllocatedKernel, other: AllocatedKernel) -> bool:
    """Whether an allocation takes fewer VGPRs, and has no more copies unless it gains a wave."""
    one, two = allocated.allocation.statistics, other.allocation.statistics
    if one.vgprs >= two.vgprs:
        return False
    return one.copies <= two.copies or _waves(allocated, one.vgprs) > _waves(other, two.vgprs)


def _waves(allocated: AllocatedKernel, vgprs: int) -> int:
    """The waves of a SIMD by the registers and the LDS of an allocation, if it takes so many VGPRs."""
    kernel, agprs = allocated.kernel, allocated.allocation.statistics.agprs
    both = unified_registers(vgprs, agprs)
    return kernel.target.target.occupancy(both, 0, kernel.lds_bytes, prod(kernel.workgroup))


def _is_tight(allocated: AllocatedKernel) -> bool:
    """Whether fewer VGPRs would hardly help: an allocation takes few more than are live at once, or it loses
    no wave by them and has AGPRs too, or an LDS that limits the waves."""
    statistics, kernel = allocated.allocation.statistics, allocated.kernel
    pressure = statistics.pressure.get(RegisterClass.VGPR)
    if pressure is None or statistics.vgprs <= most_registers(pressure.units):
        return True
    if _waves(allocated, statistics.vgprs) < _waves(allocated, pressure.units):
        return False
    target = kernel.target.target
    is_limited = target.workgroup_waves(kernel.lds_bytes, prod(kernel.workgroup)) < target.max_waves
    return bool(statistics.agprs) or is_limited


def _with_parts(kernel: Kernel) -> Kernel:
    from asmgen.passes.split_tuples import split_tuples

    return split_tuples(kernel)


def _labels(kernel: Kernel) -> set[str]:
    return {block.label for block in kernel.blocks}


def _has_loop(kernel: Kernel) -> bool:
    """Whether a block jumps back."""
    number = {block.label: at for at, block in enumerate(kernel.blocks)}
    return any(number[edge.target] <= at for at, block in enumerate(kernel.blocks) for edge in block.linear)
