"""The scheduler: within each block, an order with fewer clocks of waiting.

Runs on SSA before allocation. `lists` reorders a block if that saves clocks by the target's latencies;
otherwise the block stays as it is. The order keeps the dependence graph. No more registers are live than
before, or than the present number of waves on a SIMD allows: the pressure never passes a step of the
occupancy.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import prod

from asmgen.passes.dead import is_removable
from asmgen.passes.schedule.gaps import fill_gaps
from asmgen.passes.schedule.lists import ListScheduler, Placed
from asmgen.passes.schedule.pipes import COPY_PIPE
from asmgen.passes.schedule.pressure import FILES, SCALAR, VECTOR, Count
from asmgen.passes.schedule.sparing import vectors
from asmgen.passes.schedule.timing import Clocks, Timing, rates_of
from asmgen.passes.schedule.views import BlockView, BlockViews
from isa.instruction import Instr, Trait
from isa.named_tuple import NamedTuple
from isa.names import RegisterNames
from isa.program import Block, Kernel
from isa.registers import RegisterClass
from isa.target import round_up, unified_registers
from isa.text.printing import format_instr
from isa.timing.machine import MACHINES
from regalloc.cfg import build_control_flow
from regalloc.liveness import LivenessOf, compute_liveness

# 97 programs on gfx942 and gfx1100, with half and double (`tools.judge_choices --neighbours`). FEWEST: 2
# changes none, 8 loses 0.2 %. LEAST_GAIN: 20 loses up to 2.7 %, 80 takes up to 1.75 times the VGPRs.
# SPARE_VECTORS changes none. SPARE_PART: 4 loses up to 2.5 %, 16 takes up to 1.15 times the VGPRs.
# MOST_SCALARS changes no clocks.
FEWEST = 4  # instructions; fewer have no order worth a look
LEAST_GAIN = 40  # a block has to gain 1 / LEAST_GAIN of its clocks,
# or half of that if it keeps no more vector registers: the bias and gelu of {2048,2048} take 5,453 clocks on
# gfx950 and 6,173 without. Smaller gains than of LEAST_CLOCKS changed 19 of 201 programs by 0.2 % or less.
LEAST_FREE_GAIN, LEAST_CLOCKS = 80, 48
SPARE_VECTORS = 4  # VGPRs at least that allocation may lose to gaps between tuples,
SPARE_PART = 8  # or this part of them
# outer products of f32, 4096x256x4096 in tiles of 128 by 128 on gfx950: 168 thousand clocks; with 1, which
# keeps a third wave on a SIMD, 324
TOGETHER = 6 / 5
MOST_SCALARS = 64  # SGPRs that may be live for the sake of an order


def schedule(kernel: Kernel, max_vgprs: int | None = None) -> Kernel:
    """An equivalent kernel in SSA with fewer waits in its blocks. `max_vgprs` is the number of VGPRs that
    allocation may take."""
    return Scheduler(kernel).run(max_vgprs).kernel


class Ordering(NamedTuple):
    """A kernel in an order of the scheduler, or in its own. `decisions` has the decision for each reordered
    block, by its number; with `step` VGPRs no wave is lost."""

    kernel: Kernel
    step: int
    decisions: dict[int, Decision]


class Scheduler:
    """The blocks of a kernel. No order of use has more than `available` live VGPRs. The trips of the blocks
    in `overlap`, by label, overlap already, in an order that stays."""

    def __init__(
        self, kernel: Kernel, liveness_of: LivenessOf = compute_liveness, available: int | None = None,
        overlap: frozenset[str] = frozenset(),
    ) -> None:  # fmt: skip
        self.kernel = kernel
        self._available = available
        self._overlap = overlap
        self._views = BlockViews(kernel, liveness_of, overlap)
        self._rates = rates_of(kernel.target.target.name)
        target = kernel.target.target
        waves = -(-prod(kernel.workgroup) // target.wave_size)
        has_few = 0 < kernel.groups * waves <= target.units * target.simds
        # whether vector instructions wait until stores have sent their registers
        self._sends_stores = MACHINES[target.name].sent.clocks > 0
        self._has_clauses = bool(target.longest_clause)
        # whether no other wave of a SIMD loads before the first load of a wave
        self._begins_alone = has_few and not self._has_clauses
        self._known: dict[Count, tuple[Kernel, dict[int, Decision]]] = {}  # by the registers that may be live

    def run(self, max_vgprs: int | None = None, taken: int = 0) -> Ordering:
        """The kernel with its blocks reordered; the kernel itself if that gains nothing, or if a block still
        has more live VGPRs than there are. Allocation may take `max_vgprs`, and takes `taken` if nothing is
        reordered."""
        limits, step = self._budget(max_vgprs, taken)
        if limits not in self._known:
            self._known[limits] = self._ordered(limits)
        kernel, decisions = self._known[limits]
        return Ordering(kernel, step, decisions)

    def _ordered(self, limits: Count) -> tuple[Kernel, dict[int, Decision]]:
        blocks, crowded = list(self.kernel.blocks), self._crowded()
        decisions: dict[int, Decision] = {}
        for number in (*crowded, *(number for number in range(len(blocks)) if number not in crowded)):
            block = blocks[number]
            made = self._order(number, limits) if self._has_order(block) else None
            if number in crowded and (made is None or self._exceeds(made.after[VECTOR])):
                return self.kernel, {}
            if made is not None:
                decisions[number] = made
                order = [entry.number for entry in made.placed]
                blocks[number] = block.with_instructions([block.instructions[i] for i in order])
        ordered = self.kernel.with_blocks(blocks) if decisions else self.kernel
        return ordered, dict(sorted(decisions.items()))

    def _has_order(self, block: Block) -> bool:
        """Whether to look for an order of a block. Blocks with overlapping trips have theirs: another takes
        no fewer clocks for the sums of rows and columns of 1,024 and more."""
        return len(block.instructions) >= FEWEST and block.label not in self._overlap

    def _crowded(self) -> list[int]:
        """The blocks with more live VGPRs than there are, as the kernel has them. No order of other blocks
        matters if such a block keeps too many."""
        if self._available is None:
            return []
        numbers, live = range(len(self.kernel.blocks)), self._views.liveness
        return [number for number in numbers if self._exceeds(vectors(live.block_pressure(number)))]

    def _may_refill(self, number: int) -> bool:
        """Whether loads of a block may be apart from each other, and its loop carries their results. With a
        barrier in the loop, 4,096 cubed of f16 takes 1,524,152 clocks on gfx90a, 1,310,720 without."""
        code = self.kernel.blocks[number].instructions
        waits = any(Trait.BARRIER in instr.row.traits for instr in code)
        return not self._has_clauses and not waits and self._views.has_carried_loads(number)

    def _exceeds(self, live: int) -> bool:
        return self._available is not None and live > self._available

    def _order(self, number: int, limits: Count) -> Decision | None:
        """A better order of a block; None if there is none."""
        made = self._listed(number, limits)
        if not self._sends_stores:
            return made
        from asmgen.passes.schedule.stores import stores_of  # some targets need it

        made = _with_addresses_first(made) if made else None
        has_several = len(stores_of(self._views.of(number).graph)) > 1
        return _with_stores_together(made or self._as_it_is(number, limits), made) if has_several else made

    def _listed(self, number: int, limits: Count) -> Decision | None:
        """An order of a block by the list scheduler that is better; None if there is none."""
        view = self._views.of(number)
        timing, as_it_is = view.timing, view.as_it_is
        if not self._is_worth(as_it_is.both - view.least.both, as_it_is.both, LEAST_FREE_GAIN):
            return None
        block = self.kernel.blocks[number]
        for spreads in _ways(timing):
            lists = ListScheduler(timing, view.pressure, limits, view.grouped, spreads)
            placed = lists.run()
            order = listed = [entry.number for entry in placed]
            clocks = timing.clocks(order)
            if timing.gaps:
                movable = [_fills_gaps(instr) for instr in block.instructions]
                order, clocks = fill_gaps(order, clocks, timing, movable)
            if number == 0 and self._begins_alone:
                order, clocks = _with_first_load(order, clocks, view)
            elif self._may_refill(number) and timing.binding is None:
                order, clocks = _with_refilling_loads(order, clocks, view)
            most = lists.most if order == listed else view.pressure.most(order)
            gain = as_it_is.both - clocks.both
            least = self._least_gain(gain, view, most)
            fits = all(most[file] <= limits[file] for file in FILES)
            if fits and self._is_worth(gain, as_it_is.both, least):
                made = {entry.number: entry for entry in placed}
                placed = [made[entry] for entry in order]
                return Decision(view, placed, clocks, most, limits)
        return None

    def _as_it_is(self, number: int, limits: Count) -> Decision:
        """The order that a block has."""
        view = self._views.of(number)
        own, heights = range(len(view.graph.instructions)), view.timing.heights_to_both()
        placed = [Placed(each, 0, 0, heights[each], 1, False) for each in own]
        return Decision(view, placed, view.as_it_is, view.pressure.most(own), limits)

    def worth_a_wave(self, ordering: Ordering) -> int:
        """The fewest VGPRs that cost a wave, if an ordering gains more than that wave; otherwise 0.

        The blocks of the innermost loops count. Waves take turns: a block takes the clocks in which its
        instructions issue, or a wave's share of its clocks if that is more. The share is `TOGETHER` times as
        long, since some waves wait at the same time."""
        decisions, step = ordering.decisions, ordering.step
        if not decisions or step >= (self._available or 0):
            return 0
        depths = build_control_flow(self.kernel).linear.depths
        waves, fewer = self._waves(step), self._waves(step + 1)
        if fewer == 0:
            return 0  # a workgroup has no room then
        was = now = 0.0
        for number, block in enumerate(self.kernel.blocks):
            if depths[number] == max(depths) and len(block.instructions) >= FEWEST:
                view, decision = self._views.of(number), decisions.get(number)
                issue, clocks = sum(view.timing.issue), view.as_it_is.end
                was += max(issue, TOGETHER * clocks / waves)
                now += max(issue, TOGETHER * (decision.clocks.end if decision else clocks) / fewer)
        return step + 1 if (was - now) * LEAST_GAIN >= was else 0

    def _is_worth(self, gain: int, clocks: int, least: int) -> bool:
        """Whether so many clocks of a block's are more than the model is wrong by, and than 1 / `least`."""
        return gain > self._rates.a_state and gain * least >= clocks

    def _least_gain(self, gain: int, view: BlockView, most: Count) -> int:
        """The part of a block's clocks that an order has to gain, if it keeps `most` registers."""
        if gain < LEAST_CLOCKS:
            return LEAST_GAIN
        kept = view.pressure.most(range(len(view.timing.issue)))
        return LEAST_FREE_GAIN if most[VECTOR] <= kept[VECTOR] else LEAST_GAIN

    # ---- registers

    def _budget(self, max_vgprs: int | None, taken: int) -> tuple[Count, int]:
        """The number of registers that may be live in a block: the maximum over all blocks, or the number
        that keeps the kernel's occupancy; and the VGPRs with which no wave is lost."""
        pressure, target = self._views.liveness.pressure, self.kernel.target.target
        vectors, scalars, accumulators = (
            pressure[file].units if file in pressure else 0
            for file in (RegisterClass.VGPR, RegisterClass.SGPR, RegisterClass.AGPR)
        )
        most = max(vectors, taken)
        room = min(target.arch_vgprs, max_vgprs or target.arch_vgprs)
        waves = self._waves(max(vectors, taken, 1))
        while most + target.vgpr_granule <= room and self._waves(most + target.vgpr_granule) == waves:
            most += target.vgpr_granule
        step = min(round_up(most, target.vgpr_granule), room)
        spared = step - max(SPARE_VECTORS, step // SPARE_PART)
        return (max(vectors, spared), max(scalars, MOST_SCALARS), accumulators), step

    def _waves(self, vgprs: int) -> int:
        """The waves of a SIMD if the kernel takes `vgprs` VGPRs."""
        accumulators = self._views.liveness.pressure.get(RegisterClass.AGPR)
        both = unified_registers(vgprs, accumulators.units if accumulators else 0)
        return self.kernel.target.target.occupancy(
            both, 0, self.kernel.lds_bytes, prod(self.kernel.workgroup)
        )


class Decision(NamedTuple):
    """The decision for a block: the block as it was, the place of each instruction, the clocks after, and the
    pressure after and at most."""

    view: BlockView
    placed: list[Placed]
    clocks: Clocks
    after: Count
    budget: Count


def _ways(timing: Timing) -> tuple[bool, ...]:
    """Whether the orders to try spread the instructions that keep pipes. An order that a transcendental pipe
    makes worthless may gain if it is spread over the pipe's clocks."""
    if timing.binding is not None:
        return (True,)
    if any(pipe == COPY_PIPE for pipe, _ in timing.pipes.values()):
        return True, False
    return (False, True) if timing.apart else (False,)


def _with_addresses_first(decision: Decision) -> Decision:
    """A decision with the addresses of loads from LDS before the loads, as the registers allow."""
    from asmgen.passes.schedule.addresses import with_addresses_first  # some targets need it

    order = [entry.number for entry in decision.placed]
    first = with_addresses_first(order, decision.view.graph)
    if first == order:
        return decision
    moved = _in_order(decision, first)
    return moved if all(moved.after[file] <= moved.budget[file] for file in FILES) else decision


def _with_stores_together(decision: Decision, made: Decision | None) -> Decision | None:
    """A decision with the stores of the block next to each other; `made` if they are so already."""
    from asmgen.passes.schedule.stores import with_stores_together  # some targets need it

    view, order = decision.view, [entry.number for entry in decision.placed]
    moved = with_stores_together(order, view.graph, view.pressure, decision.budget)
    return made if moved == order else _in_order(decision, moved)


def _in_order(decision: Decision, order: list[int]) -> Decision:
    """A decision for another order."""
    view, placed = decision.view, {entry.number: entry for entry in decision.placed}
    return decision._replace(
        placed=[placed[number] for number in order],
        clocks=view.timing.clocks(order),
        after=view.pressure.most(order),
    )


def _with_first_load(order: list[int], clocks: Clocks, view: BlockView) -> tuple[list[int], Clocks]:
    """An order with the first load of a kernel early, if it takes no more clocks, and its clocks."""
    from asmgen.passes.schedule.first_load import with_first_load  # few kernels begin alone on a SIMD

    early = with_first_load(order, view.graph)
    after = view.timing.clocks(early)
    return (early, after) if after.both <= clocks.both else (order, clocks)


def _with_refilling_loads(order: list[int], clocks: Clocks, view: BlockView) -> tuple[list[int], Clocks]:
    """An order with the loads for the next trip right behind stores to LDS, if it takes no more clocks, and
    its clocks."""
    from asmgen.passes.schedule.refilling import with_refilling_loads  # few kernels have such loops

    early = with_refilling_loads(order, view.graph)
    after = view.timing.clocks(early)
    return (early, after) if after.both <= clocks.both else (order, clocks)


def _fills_gaps(instr: Instr) -> bool:
    """Whether an instruction may fill a wait state. Loads are early for a reason, and instructions with an
    effect stay."""
    return not instr.row.events and is_removable(instr.row)


def placements(kernel: Kernel, decisions: Mapping[int, Decision]) -> Iterator[str]:
    """Trace lines: for each reordered block, the new and the old place of each instruction, and the
    reason."""
    names = RegisterNames(kernel.owners)
    for number, made in decisions.items():
        label, code = kernel.blocks[number].label, made.view.graph.instructions
        before, was = made.view.pressure.most(range(len(code))), made.view.as_it_is
        yield (
            f"{kernel.name}: {label}: {made.clocks.end} clocks, {was.end} before; vector registers "
            f"{made.after[VECTOR]}, {before[VECTOR]} before, {made.budget[VECTOR]} at most; scalar "
            f"registers {made.after[SCALAR]}, {before[SCALAR]} before"
        )
        for position, placed in enumerate(made.placed):
            instr = code[placed.number]
            yield (
                f"{kernel.name}: {label}:{position} (was {placed.number}) at clock {placed.clock}: "
                f"{format_instr(instr, names)}: {_reason(placed)}"
            )


def _reason(placed: Placed) -> str:
    if placed.idle:
        return f"nothing else could issue for {placed.idle} clocks"
    if placed.held_back:
        return "candidates with longer chains would take too many registers"
    return f"{placed.height} clocks depend on it, the most of {placed.choices} that could issue"
