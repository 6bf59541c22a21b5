"""Allocation with spilling, for programs that need more registers than there are.

SGPRs are spilled first, since their memory may be lanes of VGPRs. The first budget of a file is its size. If
the scan still finds no room (tuples need consecutive registers, and copies need a free register), the values
in the way leave their registers at that point. If that does not help, the budget is lowered, and the spills
are chosen again.
"""

from __future__ import annotations

from isa.program import Kernel
from isa.registers import FIRST_VGPR, FIRST_VIRTUAL, RegisterClass
from regalloc.allocate import build_problem, solve
from regalloc.allocation import AllocatedKernel
from regalloc.pools import Pool, build_pools, refuse_reserved
from regalloc.scan.crowding import Crowd, find_crowds
from regalloc.scan.linear_scan import OutOfRegisters, Problem
from regalloc.scan.shortage import implied_twice, shortage
from regalloc.scan.ways import pack_class
from regalloc.slots import PARAMETERS
from regalloc.spill.file import FileSpiller
from regalloc.spill.plan import Point

PATIENCE = 100  # times that a class is spilled with more room at points before its whole budget is lowered
AGAIN = 10  # the same after that: a kernel of 2,700 instructions takes 0.3 s each time
SPILLED = (RegisterClass.SGPR, RegisterClass.VGPR)


class Spiller:
    """Tries a kernel in pools of registers, with a smaller budget each time. `kernel` must be verified."""

    def __init__(self, kernel: Kernel, reserved: frozenset[int], pools: dict[RegisterClass, Pool]) -> None:
        self._kernel = kernel
        self._reserved = reserved
        self._pools = pools
        self._files: dict[RegisterClass, FileSpiller] = {}
        # by how much a budget is less than the registers that are there
        self._lowered: dict[RegisterClass, int] = dict.fromkeys(SPILLED, 0)

    def run(self) -> AllocatedKernel:
        """The kernel with the spill code that it needs, and its allocation.

        Raises InputError: RA002 if a single instruction needs more registers than there are, RA003 if
        encodings imply one register for two values.
        """
        while True:
            kernel = self._before(None)
            problem, pools = build_problem(kernel), _without_lanes(self._pools, kernel)
            try:
                allocation = solve(problem, pools, self._reserved, place_class=pack_class)
            except OutOfRegisters as out:
                if out.owner.register_class in SPILLED:
                    self._tighten(out, problem, pools[out.owner.register_class])
                elif not self._use_fewer_agprs(out):
                    raise shortage(self._kernel, self._pools, out) from None
            else:
                values = [value for file in self._files.values() for value in file.values]
                values.sort(key=lambda value: -value.cost)
                return AllocatedKernel(kernel, allocation, tuple(values))

    def _before(self, register_class: RegisterClass | None) -> Kernel:
        """The kernel with the spill code of the files that are spilled before a class; None is for all."""
        end = len(SPILLED) if register_class is None else SPILLED.index(register_class)
        files = [self._files[file] for file in SPILLED[:end] if file in self._files]
        return files[-1].spilled.kernel if files else self._kernel

    def _tighten(self, out: OutOfRegisters, problem: Problem, pool: Pool) -> None:
        """Make room at the points without room, or everywhere if that did not help."""
        register_class = pool.register_class
        file = self._files.get(register_class)
        lowered = self._lowered[register_class]
        rounds = AGAIN if lowered else PATIENCE
        if file is not None and file.rounds < rounds and self._make_room(out, problem, pool, file):
            file.spill()
        else:
            implied = implied_twice(problem.kernel, problem.liveness, out.owner, out.block, out.index)
            if file is not None and implied is not None:
                raise implied
            if file is not None:
                self._lowered[register_class] += max(1, lowered // 2)
            self._spill(register_class)
        for after in SPILLED[SPILLED.index(register_class) + 1 :]:
            if after in self._files:  # its points and registers were those of other code
                self._spill(after)

    def _use_fewer_agprs(self, out: OutOfRegisters) -> bool:
        """Spill fewer values to AGPRs, if any are spilled there."""
        file = self._files.get(RegisterClass.VGPR)
        if file is None or not file.spare:
            return False
        file.spare = max(0, file.spare - out.owner.count)
        _ = file.spill()
        return True

    def _spill(self, register_class: RegisterClass) -> None:
        """Choose the spills of a class again, in its registers without the VGPRs that keep SGPRs in their
        lanes."""
        kernel = self._before(register_class)
        pools = _without_lanes(self._pools, kernel)
        pool = pools[register_class]
        budget = pool.mask.bit_count() - self._lowered[register_class]
        self._files[register_class] = FileSpiller(kernel, pool, pools, budget)

    def _make_room(self, out: OutOfRegisters, problem: Problem, pool: Pool, file: FileSpiller) -> bool:
        """Evict the values in the way at each point without room. Returns whether more values leave than
        before."""
        stage, crowded = file.spilled, file.crowded
        if not out.owner.first:  # a copy needs a register for a moment
            point = self._origin(out.block, out.index, pool.register_class)
            crowded.fewer[point] = crowded.fewer.get(point, 0) + out.owner.count
            return crowded.fewer[point] <= pool.mask.bit_count()
        units = range(stage.before, FIRST_VIRTUAL + len(problem.kernel.owners))
        computed = {unit for unit in units if stage.original(unit) is None}
        found = find_crowds(problem, pool, problem.lanes | computed)
        return any(self._let_leave(crowds, problem, pool.register_class, file) for crowds in found)

    def _let_leave(
        self, crowds: list[Crowd], problem: Problem, register_class: RegisterClass, file: FileSpiller
    ) -> bool:
        """Evict the values in the way at some points. Returns whether more values leave than before."""
        stage, crowded = file.spilled, file.crowded
        is_more = False
        for (owner, group, block, index), occupants in crowds:
            is_result = index != PARAMETERS and owner.first < stage.before
            read = problem.liveness.slots[block].uses[index] if is_result else ()
            is_early = not problem.constraints.early.isdisjoint(group)
            point = self._origin(block, index, register_class)
            for occupant in occupants:
                unit = stage.original(occupant)
                assert unit is not None, "what spill code computes stays"
                is_after = is_result and not (is_early and occupant in read)
                leaving = (crowded.after if is_after else crowded.before).setdefault(point, set())
                is_more = is_more or unit not in leaving
                leaving.add(unit)
        return is_more

    def _origin(self, block: int, index: int, register_class: RegisterClass) -> Point:
        """The point of the kernel before a class is spilled that a slot after all spill code comes from."""
        if index != PARAMETERS:
            for file in reversed(SPILLED[SPILLED.index(register_class) :]):
                if file in self._files:
                    index = self._files[file].spilled.origins[block][index]
        return block, index


def allocate_with_spills(
    kernel: Kernel, reserved: frozenset[int] = frozenset(), max_vgprs: int | None = None,
    max_unified: int | None = None,
) -> AllocatedKernel:  # fmt: skip
    """The kernel with the spill code that it needs, or the kernel itself if everything fits.

    `reserved`, `max_vgprs` and `max_unified` are those of `allocate`. Raises InputError: RA002 if a single
    instruction needs more registers than there are, RA003 if encodings imply one register for two values,
    RA004 if the program itself names a reserved register.
    """
    refuse_reserved(kernel, reserved)
    return Spiller(kernel, reserved, build_pools(kernel, reserved, max_vgprs, max_unified)).run()


def _without_lanes(pools: dict[RegisterClass, Pool], kernel: Kernel) -> dict[RegisterClass, Pool]:
    """The pools without the VGPRs that keep spilled SGPRs in their lanes."""
    if not kernel.spill_lanes:
        return pools
    pool = pools[RegisterClass.VGPR]
    taken = sum(1 << (register.first - FIRST_VGPR) for register in kernel.spill_lanes)
    return {**pools, RegisterClass.VGPR: pool._replace(mask=pool.mask & ~taken)}
