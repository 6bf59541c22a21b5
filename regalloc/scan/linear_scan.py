"""Linear scan over a register class.

The scan walks blocks in reverse postorder of the class's graph, so it meets a definition before every block
that the definition reaches. In SSA form two values interfere only if either is live at the definition of the
other. So at each definition the scan takes a register that no live value occupies. The occupied registers are
a bit mask, and finding the lowest suitable register takes a few operations on ints.

Three cases need more than the mask, and compare ranges (`regalloc.intervals`): physical registers of the
program itself, units of a tuple that are defined after the unit that fixed its place, and values parked in
inactive lanes (`regalloc.lanes`).

If the target has dual instructions, the scan looks for a single register in another bank than that of the
previous value, among the registers in use: neighbours may then become a dual instruction.

On some targets, a reader of an SGPR waits if a vector instruction has read the previous value of that SGPR.
There the scan prefers single SGPRs that no vector instruction has read, as long as many are left.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain

from isa.instruction import Unit
from isa.named_tuple import NamedTuple
from isa.program import Kernel, VirtualRegister
from isa.registers import FIRST_VIRTUAL, RegisterClass
from isa.table import Table
from regalloc.constraints import Constraints
from regalloc.dataflow import elements
from regalloc.intervals import Intervals, Segments, from_results, overlap
from regalloc.liveness import Liveness
from regalloc.pools import Pool
from regalloc.scan.carried import CarriedLoad
from regalloc.scan.coalesce import Partners
from regalloc.slots import PARAMETERS, VECTOR_CLASSES, BlockSlots

Places = dict[int, int]
"""Register numbers within a pool, by virtual unit."""

MOST_REACHED = 32  # units through which a hint is looked for; nearer hints come first
MANY_SCALARS = 32  # SGPRs that are free and were not read so: of fewer the lowest is taken, as of others


class OutOfRegisters(Exception):
    """No register is left for `owner` in slot `index` of block `block`, or among its parameters."""

    def __init__(self, owner: VirtualRegister, block: int, index: int) -> None:
        super().__init__(owner.name)
        self.owner = owner
        self.block = block
        self.index = index


class Failure(NamedTuple):
    """A virtual register that finds no place at the definition of its units `group`, in slot `slot` of block
    `block`."""

    owner: VirtualRegister
    group: tuple[int, ...]
    block: int
    slot: int


class Problem(NamedTuple):
    """The input of a scan. Copies of `lanes` must be made in all lanes (`regalloc.lanes`). `parked` lists,
    for a unit, the units that must not share its register, besides overlapping intervals. `carried` lists the
    loads for the next trip of a loop, by the block of its header."""

    kernel: Kernel
    liveness: Liveness
    constraints: Constraints
    partners: Partners
    intervals: Intervals
    lanes: set[int]
    parked: dict[int, set[int]]
    carried: dict[int, list[CarriedLoad]]


class LinearScan:
    """A single scan. Its result is `places`, which maps virtual units to register numbers within the pool."""

    def __init__(self, problem: Problem, pool: Pool) -> None:
        self.problem = problem
        self.pool = pool
        self.banks = result_banks(problem.kernel.table) if pool.register_class is RegisterClass.VGPR else 0
        is_scalar = pool.register_class is RegisterClass.SGPR
        self.read = read_by_vectors(problem.kernel) if is_scalar else frozenset[int]()
        self.stale = 0  # a bit for every register number with a value that such an instruction has read
        self.latest = 0  # the register number that the latest definition took
        self.reached = 0  # a bit for every register number that was taken at some time
        self.places: dict[int, int] = {}
        self.occupied = 0
        self._held = 0  # the units of the class in `occupied`, as bits of liveness, after the last block
        # register number -> its unit, if `occupied` has its bit
        self.holders: dict[int, int] = {}
        # register number -> units of placed tuples that are not defined yet
        self.promised: dict[int, set[int]] = {}
        self.fixed: dict[int, Segments] = {}
        end, segments = min(pool.first + pool.mask.bit_length(), FIRST_VIRTUAL), problem.intervals.segments
        for unit in [unit for unit in segments if pool.first <= unit < end]:
            self.fixed[unit - pool.first] = segments[unit]
        self.special = sum(1 << register for register in self.fixed)
        owners = problem.kernel.owners
        file = pool.register_class
        self.mine = bytearray([owner.register_class is file for owner in owners])
        self._own_bits = problem.liveness.virtual_bits(file)

    def run(self) -> dict[int, int]:
        """Place every unit of the class. Raises OutOfRegisters if a unit finds no register."""
        if not any(self.mine):
            return self.places
        flow = self.problem.liveness.flow
        graph = flow.logical if self.pool.register_class in VECTOR_CLASSES else flow.linear
        for block in graph.order:
            self._walk(block, self.problem.liveness.slots[block])
        return self.places

    def place_first(self, owners: Iterable[VirtualRegister]) -> None:
        """Place some registers before the scan begins, in the given order. Raises OutOfRegisters if a
        register finds no place besides the earlier registers."""
        for owner in owners:
            base = self._choose(owner, [], 0)
            if base is None:
                raise OutOfRegisters(owner, 0, PARAMETERS)
            self._promise(owner, base, [])

    def _without_room(self, failure: Failure, blocked: int) -> int:
        """The register number for a virtual register that finds none; here there is no such number."""
        raise OutOfRegisters(failure.owner, failure.block, failure.slot)

    def _owns(self, unit: int) -> bool:
        return unit >= FIRST_VIRTUAL and bool(self.mine[unit - FIRST_VIRTUAL])

    def _walk(self, block: int, slots: BlockSlots) -> None:
        self._enter(block)
        parameters = [unit for unit in slots.parameters if self._owns(unit)]
        if parameters:
            self._define(self._hinted_first(parameters), block, PARAMETERS, self.occupied)
            self._promise_carried(block)
        deaths = self.problem.intervals.deaths
        mine, places = self.mine, self.places
        for index, defined in enumerate(slots.defines):
            before = self.occupied
            for unit in deaths[slots.first + index]:
                if mine[unit - FIRST_VIRTUAL]:
                    self.occupied &= ~(1 << places[unit])
            for unit in defined:
                if unit >= FIRST_VIRTUAL and mine[unit - FIRST_VIRTUAL]:
                    owned = [unit] if len(defined) == 1 else [unit for unit in defined if self._owns(unit)]
                    self._define(owned, block, index, before)
                    break
        self._held = self.problem.liveness.leaving_bits(block) & self._own_bits

    def _enter(self, block: int) -> None:
        """Go from the end of the last block to the start of the next: only units that are live at one of the
        two places are looked at."""
        liveness, held = self.problem.liveness, self._held
        entering = liveness.entering_bits(block) & self._own_bits
        universe, places = liveness.universe, self.places
        for number in elements(held & ~entering):
            self.occupied &= ~(1 << places[universe[number]])
        for number in elements(entering & ~held):
            self._hold(universe[number])

    def _hinted_first(self, parameters: list[int]) -> list[int]:
        """Parameters of a block, those before the others that can have a register that saves a copy: the
        others would take such registers, since these are the lowest that are free. Sums that begin with
        the same zeros share a partner: only one of these sums takes its register."""
        owners = dict.fromkeys(self.problem.kernel.owners[unit - FIRST_VIRTUAL] for unit in parameters)
        taken, saving = self.occupied, set[int]()
        for owner in owners:
            group = [*range(owner.first, owner.first + owner.count)]
            base = self._hinted(owner, group, self._candidates(owner, group, taken))
            if base is not None:
                taken |= (1 << owner.count) - 1 << base
                saving.update(group)
        return sorted(parameters, key=lambda unit: unit not in saving)

    def _hold(self, unit: int) -> None:
        place = self.places[unit]
        self.occupied |= 1 << place
        self.holders[place] = unit

    def _define(self, units: list[int], block: int, index: int, before: int) -> None:
        """Place the units that a slot defines; `before` is the mask of registers occupied while operands are
        read."""
        owners, early = self.problem.kernel.owners, self.problem.constraints.early
        groups: dict[int, list[int]] = {}
        for unit in units:
            groups.setdefault(owners[unit - FIRST_VIRTUAL].first, []).append(unit)
        places, unused = self.places, self.problem.intervals.unused
        for first, group in groups.items():
            if group[0] not in places:
                owner = owners[first - FIRST_VIRTUAL]
                blocked = self.occupied if early.isdisjoint(group) else before | self.occupied
                base = self._choose(owner, group, blocked)
                if base is None:
                    base = self._without_room(Failure(owner, tuple(group), block, index), blocked)
                self._promise(owner, base, group)
            for unit in group:
                if places[unit] in self.promised:
                    self._keep_promise(unit)
                self._hold(unit)
        for unit in units:
            if unit in unused:
                self.occupied &= ~(1 << places[unit])

    def _promise(self, owner: VirtualRegister, base: int, group: list[int]) -> None:
        self.latest = base
        self.reached |= (1 << owner.count) - 1 << base
        if owner.count == len(group) == 1:
            self.places[owner.first] = base
            if owner.first in self.read:
                self.stale |= 1 << base
            return
        for unit, place in enumerate(range(base, base + owner.count), owner.first):
            self.places[unit] = place
            if unit in self.read:
                self.stale |= 1 << place
            if unit not in group:
                self.promised.setdefault(place, set()).add(unit)
                self.special |= 1 << place

    def _promise_carried(self, block: int) -> None:
        """Promise the registers of a loop's parameters to the loads that become these parameters in the next
        trip, if both are never live at once."""
        for owner, units in self.problem.carried.get(block, ()):
            if owner.first in self.places or not self._owns(owner.first):
                continue
            bases = {self.places[unit] - k for k, unit in enumerate(units)}
            base = bases.pop()
            if bases or base < 0 or not self._candidates(owner, [], 0) >> base & 1:
                continue
            meet = any(self._meet(owner.first + k, unit) for k, unit in enumerate(units))
            if not meet and self._fits(owner, [], base):
                self._promise(owner, base, [])

    def _keep_promise(self, unit: int) -> None:
        waiting = self.promised.get(self.places[unit])
        if waiting is None or unit not in waiting:
            return
        waiting.discard(unit)
        if not waiting and self.places[unit] not in self.fixed:
            self.special &= ~(1 << self.places[unit])

    def _choose(self, owner: VirtualRegister, group: list[int], blocked: int) -> int | None:
        """The register number for a virtual register if its units `group` are defined now; None if no
        register is free."""
        constraints = self.problem.constraints
        pinned = constraints.pinned.get(owner.first)
        if pinned is not None:
            base = pinned - self.pool.first
            return (
                base
                if self._candidates(owner, group, blocked) >> base & 1 and self._fits(owner, group, base)
                else None
            )
        for unit in group:
            source = constraints.overlays.get(unit)
            if source is not None:
                base = self._overlay(owner, group, unit, source)
                if base is not None:
                    return base
                break
        candidates = self._candidates(owner, group, blocked)
        hinted = self._hinted(owner, group, candidates)
        return self._first_fit(owner, group, candidates) if hinted is None else hinted

    def _hinted(self, owner: VirtualRegister, group: list[int], candidates: int) -> int | None:
        """The first of `candidates` that saves a copy."""
        for base in self._hints(owner):
            if base >= 0 and candidates >> base & 1 and self._fits(owner, group, base):
                return base
        return None

    def _overlay(self, owner: VirtualRegister, group: list[int], unit: int, source: int) -> int | None:
        """The register number at which a tied result takes over its operand's register, if the operand dies
        there."""
        place = self.places.get(source) if source >= FIRST_VIRTUAL else source - self.pool.first
        if place is None or place < unit - owner.first:
            return None
        base = place - (unit - owner.first)
        fits = self._candidates(owner, group, self.occupied) >> base & 1 and self._fits(
            owner, group, base, overlay=True
        )
        return base if fits else None

    def _candidates(self, owner: VirtualRegister, group: list[int], blocked: int) -> int:
        """A bit for every aligned register number at which the units defined now find free registers."""
        usable, parked = self.pool.mask, self.problem.parked
        free = usable & ~blocked
        if owner.count == 1:
            return free & ~self._parked(owner.first) if parked else free
        candidates = self.pool.starts(owner.count) & aligned(owner.align, usable.bit_length())
        for k, unit in enumerate(range(owner.first, owner.first + owner.count)):
            inside = free if unit in group else usable
            candidates &= (inside & ~self._parked(unit) if parked else inside) >> k
        return candidates

    def _parked(self, unit: int) -> int:
        """The registers of values parked in inactive lanes that writing this unit would destroy."""
        mask = 0
        for other in self.problem.parked.get(unit, ()):
            if other >= FIRST_VIRTUAL:
                mask |= 1 << self.places[other] if other in self.places and self._owns(other) else 0
            elif 0 <= other - self.pool.first < self.pool.mask.bit_length():
                mask |= 1 << (other - self.pool.first)
        return mask

    def _hints(self, owner: VirtualRegister) -> Iterator[int]:
        """Register numbers that would save a copy: those of partners, then those of partners of partners that
        have no place yet, and so on."""
        partners = self.problem.partners
        if owner.count == 1 and owner.first not in partners:
            return
        reached = [(unit, unit - owner.first) for unit in range(owner.first, owner.first + owner.count)]
        seen = {unit for unit, _ in reached}
        for unit, k in reached:
            for partner in partners.get(unit, ()):
                if partner in seen:
                    continue
                seen.add(partner)
                place = self._place(partner)
                if place is not None:
                    yield place - k
                elif len(reached) < MOST_REACHED:
                    reached.append((partner, k))

    def _place(self, unit: int) -> int | None:
        if unit >= FIRST_VIRTUAL:
            return self.places.get(unit)
        place = unit - self.pool.first
        return place if 0 <= place < self.pool.mask.bit_length() else None

    def _first_fit(self, owner: VirtualRegister, group: list[int], candidates: int) -> int | None:
        if self.banks and owner.count == 1:
            base = self._lowest(owner, group, candidates & self.reached & self._other_banks())
            if base is not None:
                return base
        fresh = candidates & ~self.stale
        is_choice = self.stale and owner.count == 1 and fresh.bit_count() >= MANY_SCALARS
        return self._lowest(owner, group, fresh if is_choice else candidates)

    def _lowest(self, owner: VirtualRegister, group: list[int], candidates: int) -> int | None:
        while candidates:
            lowest = candidates & -candidates
            base = lowest.bit_length() - 1
            if self._fits(owner, group, base):
                return base
            candidates ^= lowest
        return None

    def _other_banks(self) -> int:
        """A bit for every register number in a different bank than the latest definition, for dual
        instructions."""
        every = (1 << self.pool.mask.bit_length()) - 1
        same = aligned(self.banks + 1, self.pool.mask.bit_length()) << (self.latest & self.banks)
        return every & ~same

    def _fits(self, owner: VirtualRegister, group: list[int], base: int, overlay: bool = False) -> bool:
        """Whether no range that the mask does not show overlaps the ranges of a virtual register at
        `base`."""
        if owner.count == 1 and not self.special >> base & 1:
            return True
        segments = self.problem.intervals.segments
        for k in range(owner.count):
            unit, register = owner.first + k, base + k
            own = segments.get(unit)
            if own is None:
                continue
            if overlay and unit in group:
                own = from_results(self.problem.intervals, unit)
            if (
                unit not in group
                and self.occupied >> register & 1
                and self._meet(unit, self.holders[register])
            ):
                return False
            if self.special >> register & 1:
                if register in self.fixed and overlap(own, self.fixed[register]):
                    return False
                if any(self._meet(unit, other) for other in self.promised.get(register, ())):
                    return False
        return True

    def _meet(self, one: int, other: int) -> bool:
        """Whether two units overlap. A tied result may begin at the end of its own operand."""
        intervals, overlays = self.problem.intervals, self.problem.constraints.overlays
        mine, theirs = intervals.segments.get(one, []), intervals.segments.get(other, [])
        if mine and overlays.get(one) == other:
            mine = from_results(intervals, one)
        elif theirs and overlays.get(other) == one:
            theirs = from_results(intervals, other)
        return overlap(mine, theirs)


@cache
def result_banks(table: Table) -> int:
    """The bits of a VGPR's number that select the banks of the two results of a dual instruction; 0 if the
    target has no dual instructions."""
    return next(
        (bits for row in table.duals for one, other, bits in row.banks if {one, other} <= set(row.defines)), 0
    )


def read_by_vectors(kernel: Kernel) -> frozenset[int]:
    """The virtual units that vector instructions read, on targets that then delay readers of the register's
    next value."""
    if not kernel.target.target.rewritten_sgprs_wait:
        return frozenset()
    code = chain.from_iterable([block.code for block in kernel.blocks])
    units = set(chain.from_iterable([instr.units.read for instr in code if instr.row.unit is Unit.VALU]))
    return frozenset([unit for unit in units if unit >= FIRST_VIRTUAL])


def aligned(align: int, bits: int) -> int:
    """A bit mask of the multiples of `align`."""
    if align == 1:
        return (1 << bits) - 1
    return ((1 << (-(-bits // align) * align)) - 1) // ((1 << align) - 1)


class OverfullScan(LinearScan):
    """A scan that gives values without a register a number of their own above the pool.

    `failed` is the first such point; None if the pool is large enough.
    """

    def __init__(self, problem: Problem, pool: Pool) -> None:
        super().__init__(problem, pool)
        self.failed: OutOfRegisters | None = None
        self._above = pool.mask.bit_length()

    def _without_room(self, failure: Failure, blocked: int) -> int:
        self.failed = self.failed or OutOfRegisters(failure.owner, failure.block, failure.slot)
        base = self._above
        self._above += failure.owner.count
        return base


class SinglesOnTop(LinearScan):
    """A scan that takes single registers from `singles_below` downwards while there are any, so that tuples
    find room below them."""

    def __init__(self, problem: Problem, pool: Pool, singles_below: int) -> None:
        super().__init__(problem, pool)
        self._low = (1 << singles_below) - 1

    def _first_fit(self, owner: VirtualRegister, group: list[int], candidates: int) -> int | None:
        preferred = candidates & self._low if owner.count == 1 else 0
        while preferred:
            base = preferred.bit_length() - 1
            if self._fits(owner, group, base):
                return base
            preferred ^= 1 << base
        return super()._first_fit(owner, group, candidates)
