"""The scheduler: within each block, an order with fewer clocks of waiting.

Runs on SSA before allocation. `lists` reorders a block if that saves clocks by the target's latencies;
otherwise the block stays as it is. The order keeps the dependence graph. No more registers are live than
before, or than the present number of waves on a SIMD allows: the pressure never passes a step of the
occupancy.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from math import prod

from asmgen.passes.clauses import is_global_load
from asmgen.passes.dead import is_removable
from asmgen.passes.dependence import Dependences, Graph
from asmgen.passes.schedule.carried import carried_loads, carried_readers, ordered_after
from asmgen.passes.schedule.gaps import fill_gaps
from asmgen.passes.schedule.lists import ListScheduler, Placed
from asmgen.passes.schedule.pipes import alu_pipes, shared_pipes
from asmgen.passes.schedule.pressure import FILES, SCALAR, VECTOR, BlockPressure, Count, pressure_of
from asmgen.passes.schedule.sparing import sparing_orders, vectors
from asmgen.passes.schedule.timing import Clocks, Timing, rates_of, timing_of
from isa.hazards import pair_states
from isa.instruction import Instr
from isa.names import RegisterNames
from isa.program import Block, Kernel
from isa.registers import FIRST_VIRTUAL, RegisterClass, Units
from isa.target import round_up, unified_registers
from isa.text.printing import format_instr
from regalloc.cfg import build_control_flow
from regalloc.liveness import Liveness, LivenessOf, compute_liveness

# 97 programs on gfx942 and gfx1100, with half and double (`tools.judge_choices --neighbours`). FEWEST: 2
# changes none, 8 loses 0.2 %. LEAST_GAIN: 20 loses up to 2.7 %, 80 takes up to 1.75 times the VGPRs.
# SPARE_VECTORS changes none. SPARE_PART: 4 loses up to 2.5 %, 16 takes up to 1.15 times the VGPRs.
# MOST_SCALARS changes no clocks.
FEWEST = 4  # instructions; fewer have no order worth a look
LEAST_GAIN = 40  # a block has to gain 1 / LEAST_GAIN of its clocks
SPARE_VECTORS = 4  # VGPRs at least that allocation may lose to gaps between tuples,
SPARE_PART = 8  # or this part of them
# outer products of f32, 4096x256x4096 in tiles of 128 by 128 on gfx950: 168 thousand clocks; with 1, which
# keeps a third wave on a SIMD, 324
TOGETHER = 6 / 5
MOST_SCALARS = 64  # SGPRs that may be live for the sake of an order


def schedule(kernel: Kernel, max_vgprs: int | None = None) -> Kernel:
    """An equivalent kernel in SSA with fewer waits in its blocks. `max_vgprs` is the number of VGPRs that
    allocation may take."""
    return Scheduler(kernel, max_vgprs).run()


class Scheduler:
    """The blocks of a kernel. `decisions` has the decision for each reordered block, by its number.
    Allocation takes `taken` VGPRs if nothing is reordered, and finds no order of use with more than
    `available` live VGPRs. The trips of the blocks in `overlap`, by label, overlap already."""

    def __init__(
        self, kernel: Kernel, max_vgprs: int | None = None, liveness_of: LivenessOf = compute_liveness,
        taken: int = 0, available: int | None = None, overlap: frozenset[str] = frozenset(),
    ) -> None:  # fmt: skip
        self._kernel = kernel
        self._max_vgprs = max_vgprs
        self._liveness_of = liveness_of
        self._taken = taken
        self._available = available
        self._overlap = overlap
        self._dependences = Dependences(kernel)
        self._rates = rates_of(kernel.target.target.name)
        self._states = pair_states(kernel.target, kernel.instructions())
        self._carried = carried_loads(kernel)
        self._loaded: dict[int, int] | None = None
        self._as_it_is: dict[int, tuple[int, int]] = {}
        self.decisions: dict[int, Decision] = {}
        self.step: int | None = None  # VGPRs with which no wave is lost, once a block was looked at

    def run(self) -> Kernel:
        """The kernel with its blocks reordered; the kernel itself if that gains nothing, or if a block still
        has more live VGPRs than there are."""
        blocks, crowded = list(self._kernel.blocks), self._crowded()
        for number in (*crowded, *(number for number in range(len(blocks)) if number not in crowded)):
            block = blocks[number]
            order = self._order(number, block) if len(block.instructions) >= FEWEST else None
            if number in crowded and (order is None or self._exceeds(self.decisions[number].after[VECTOR])):
                self.decisions.clear()
                return self._kernel
            if order is not None:
                blocks[number] = block.with_instructions([block.instructions[i] for i in order])
        self.decisions = dict(sorted(self.decisions.items()))
        return self._kernel.with_blocks(blocks) if self.decisions else self._kernel

    def _crowded(self) -> list[int]:
        """The blocks with more live VGPRs than there are, as the kernel has them. No order of other blocks
        matters if such a block keeps too many."""
        if self._available is None:
            return []
        numbers = range(len(self._kernel.blocks))
        return [number for number in numbers if self._exceeds(vectors(self._live.block_pressure(number)))]

    def _exceeds(self, live: int) -> bool:
        return self._available is not None and live > self._available

    def _order(self, number: int, block: Block) -> list[int] | None:
        """A better order of a block; None if there is none."""
        graph = self._dependences.of_block(number)
        if number in self._carried:
            graph = ordered_after(graph, carried_readers(graph, self._carried[number]))
        timing = self._timing(graph, block)
        as_it_is, least = timing.clocks(range(len(block.instructions))), timing.least()
        self._as_it_is[number] = sum(timing.issue), as_it_is.end
        if as_it_is.both <= least.both:
            return None
        limits = self._limits
        if not self._is_worth(as_it_is.both - least.both, as_it_is.both):
            return None
        pressure = pressure_of(self._kernel, self._live, number)
        grouped = self._grouped(block)
        # what a transcendental pipe makes worthless may gain if it is spread over the clocks of the pipe
        ways = (True,) if timing.binding is not None else (False, True) if timing.apart else (False,)
        for spreads in ways:
            lists = ListScheduler(timing, pressure, limits, grouped, spreads)
            placed = lists.run()
            order = listed = [entry.number for entry in placed]
            clocks = timing.clocks(order)
            if timing.gaps:
                movable = [_fills_gaps(instr) for instr in block.instructions]
                order, clocks = fill_gaps(order, clocks, timing, movable)
            most = lists.most if order == listed else pressure.most(order)
            gain = as_it_is.both - clocks.both
            if self._is_worth(gain, as_it_is.both) and all(most[file] <= limits[file] for file in FILES):
                made = {entry.number: entry for entry in placed}
                placed = [made[entry] for entry in order]
                self.decisions[number] = Decision(graph, placed, as_it_is, clocks, pressure, most, limits)
                return order
        return None

    def worth_a_wave(self) -> int:
        """The fewest VGPRs that cost a wave, if the orders found gain more than that wave; otherwise 0.

        The blocks of the innermost loops count. Waves take turns: a block takes the clocks in which its
        instructions issue, or a wave's share of its clocks if that is more. The share is `TOGETHER` times as
        long, since some waves wait at the same time."""
        if not self.decisions or self.step is None or self.step >= (self._available or 0):
            return 0
        depths = build_control_flow(self._kernel).linear.depths
        waves, fewer = self._waves(self.step), self._waves(self.step + 1)
        if fewer == 0:
            return 0  # a workgroup has no room then
        was = now = 0.0
        for number, (issue, clocks) in self._as_it_is.items():
            if depths[number] == max(depths):
                decision = self.decisions.get(number)
                was += max(issue, TOGETHER * clocks / waves)
                now += max(issue, TOGETHER * (decision.clocks.end if decision else clocks) / fewer)
        return self.step + 1 if (was - now) * LEAST_GAIN >= was else 0

    def _grouped(self, block: Block) -> list[int]:
        """The loads that memory serves in groups."""
        if self._kernel.table.find("s_clause") is None:
            return []
        return [number for number, instr in enumerate(block.instructions) if is_global_load(instr)]

    def _is_worth(self, gain: int, clocks: int) -> bool:
        """Whether so many clocks of a block's are more than the model is wrong by."""
        return gain > self._rates.a_state and gain * LEAST_GAIN >= clocks

    def _timing(self, graph: Graph, block: Block) -> Timing:
        kept = sparing_orders(self._kernel, block, graph.instructions)
        find = alu_pipes if block.label in self._overlap else shared_pipes
        pipes = find(self._kernel, graph.instructions)
        return timing_of(self._kernel, graph, self._states, self._loaded_elsewhere(), pipes, kept)

    def _loaded_elsewhere(self) -> dict[int, int]:
        """The units that are loaded in a block and awaited in another, with their latency."""
        if len(self._kernel.blocks) == 1:
            return {}
        if self._loaded is None:
            home: dict[int, tuple[int, int]] = {}
            for number, block in enumerate(self._kernel.blocks):
                for instr in block.instructions:
                    if instr.row.events:
                        _, clocks = self._rates.of(instr.row)
                        home.update((unit, (number, clocks)) for unit in _virtual(instr.units.written))
            self._loaded = self._awaited_elsewhere(home) if home else {}
        return self._loaded

    def _awaited_elsewhere(self, home: dict[int, tuple[int, int]]) -> dict[int, int]:
        """The latency of the units that are first read, in layout order, in another block than the load."""
        latencies: dict[int, int] = {}
        for number, block in enumerate(self._kernel.blocks):
            for instr in block.instructions:
                for unit in instr.units.read:
                    if unit in home:
                        where, clocks = home.pop(unit)
                        if where != number:
                            latencies[unit] = clocks
        return latencies

    # ---- registers

    @cached_property
    def _live(self) -> Liveness:
        return self._liveness_of(self._kernel)

    @cached_property
    def _limits(self) -> Count:
        """The number of registers that may be live in a block: the maximum over all blocks, or the number
        that keeps the kernel's occupancy."""
        pressure, target = self._live.pressure, self._kernel.target.target
        vectors, scalars, accumulators = (
            pressure[file].units if file in pressure else 0
            for file in (RegisterClass.VGPR, RegisterClass.SGPR, RegisterClass.AGPR)
        )
        most = max(vectors, self._taken)
        room = min(target.arch_vgprs, self._max_vgprs or target.arch_vgprs)
        waves = self._waves(max(vectors, self._taken, 1))
        while most + target.vgpr_granule <= room and self._waves(most + target.vgpr_granule) == waves:
            most += target.vgpr_granule
        step = min(round_up(most, target.vgpr_granule), room)
        self.step = step
        spared = step - max(SPARE_VECTORS, step // SPARE_PART)
        return max(vectors, spared), max(scalars, MOST_SCALARS), accumulators

    def _waves(self, vgprs: int) -> int:
        """The waves of a SIMD if the kernel takes so many VGPRs."""
        accumulators = self._live.pressure.get(RegisterClass.AGPR)
        both = unified_registers(vgprs, accumulators.units if accumulators else 0)
        return self._kernel.target.target.occupancy(
            both, 0, self._kernel.lds_bytes, prod(self._kernel.workgroup)
        )


class Decision:
    """The decision for a block: its graph, the place of each instruction, the clocks before and after, and
    the pressure before, after and at most."""

    __slots__ = ("_pressure", "after", "budget", "clocks", "graph", "placed", "was")

    def __init__(
        self, graph: Graph, placed: list[Placed], was: Clocks, clocks: Clocks, pressure: BlockPressure,
        after: Count, budget: Count,
    ) -> None:  # fmt: skip
        self.graph = graph
        self.placed = placed
        self.was = was
        self.clocks = clocks
        self.after = after
        self.budget = budget
        self._pressure = pressure

    @property
    def before(self) -> Count:
        """The pressure of the block in its former order."""
        return self._pressure.most(range(len(self.placed)))


def _fills_gaps(instr: Instr) -> bool:
    """Whether an instruction may fill a wait state. Loads are early for a reason, and instructions with an
    effect stay."""
    return not instr.row.events and is_removable(instr.row)


def _virtual(units: Units) -> list[int]:
    return [unit for unit in units if unit >= FIRST_VIRTUAL]


def placements(kernel: Kernel, decisions: Mapping[int, Decision]) -> Iterator[str]:
    """Trace lines: for each reordered block, the new and the old place of each instruction, and the
    reason."""
    names = RegisterNames(kernel.owners)
    for number, made in decisions.items():
        label, before = kernel.blocks[number].label, made.before
        yield (
            f"{kernel.name}: {label}: {made.clocks.end} clocks, {made.was.end} before; vector registers "
            f"{made.after[VECTOR]}, {before[VECTOR]} before, {made.budget[VECTOR]} at most; scalar "
            f"registers {made.after[SCALAR]}, {before[SCALAR]} before"
        )
        for position, placed in enumerate(made.placed):
            instr = made.graph.instructions[placed.number]
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
