"""Loops with overlapping trips: the next trips begin while a trip waits for memory.

A loop of one block gets an order of several stages (`heuristic`, `loop_code`) if a trip then takes far fewer
clocks: those of the order as a lone wave issues it, or those for which all waves of the workgroup keep a part
of the machine busy, if these are more. The registers that it takes besides must cost no wave.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from functools import cache, cached_property

from asmgen.passes.clauses import is_global_load
from asmgen.passes.schedule.modulo.added_zeros import adding_zeros
from asmgen.passes.schedule.modulo.bound import busy_clocks, least_interval
from asmgen.passes.schedule.modulo.choices import (
    MOST_CODE,
    choices,
    far_fewer,
    is_crowded,
    is_product,
    near_pipe,
)
from asmgen.passes.schedule.modulo.clocks import PIPES, clocks_of_loads, stages
from asmgen.passes.schedule.modulo.crowd import clocks_of_crowd, most_clocks
from asmgen.passes.schedule.modulo.heuristic import FindOrder, Fits, modulo_order
from asmgen.passes.schedule.modulo.loop_code import in_order
from asmgen.passes.schedule.modulo.problem import Resource, demand_of, problems_of
from asmgen.passes.schedule.modulo.room import LiveVectors, Room, room_of
from asmgen.passes.schedule.modulo.rotate import Headed, headed_loop, rotated
from asmgen.passes.schedule.modulo.shape import Shape, shape_of
from asmgen.passes.schedule.modulo.shared_cache import waits_for_shared_cache
from asmgen.passes.schedule.modulo.whole_passes import WithRest, in_whole_passes
from asmgen.passes.schedule.pipes import memory_clocks
from isa.named_tuple import NamedTuple
from isa.program import Kernel
from isa.target import WIDEST_ACCESS
from regalloc.liveness import Liveness, LivenessOf, compute_liveness

MOST_LOOPS = 8  # that load, in a kernel; a kernel with more was written out, and is large as it is


class Pipelined(NamedTuple):
    """A loop in an order of several stages: the clocks of a trip before and after, the least clocks of any
    order, the stages, the copies of the kernel, and the label of the loop as it was, if it stays for trips
    without a pass."""

    label: str
    before: int
    after: int
    least: int
    stages: int
    copies: int
    rest: str


class Why(Enum):
    """Why the trips of a loop that loads do not overlap."""

    MANY_LOOPS = f"more than {MOST_LOOPS} loops of the kernel load"
    CROWD = "the launch has so many waves that they hide each other's waits"
    SHARED_CACHE = "its workgroups wait for the cache that compute units share, more than for the matrix pipe"
    STAYS = "its instructions stay in their trip"
    RUNS_AHEAD = "the program says how far its loads run ahead"
    NARROW = "its products wait for narrow loads, which ask for the same lines of memory again"
    NO_GAIN = "no order takes far fewer clocks in registers that cost no wave"


class LeftAlone(NamedTuple):
    """A loop that keeps its order."""

    label: str
    why: Why


class Overlapped(NamedTuple):
    """A kernel, its loops with overlapping trips, and its other loops that load."""

    kernel: Kernel
    loops: list[Pipelined]
    left: list[LeftAlone]


def pipeline_loops(
    kernel: Kernel, max_vgprs: int, liveness_of: LivenessOf = compute_liveness, find: FindOrder = modulo_order
) -> Overlapped:
    """The kernel with overlapping trips in the loops that gain; the kernel itself if there is none, or if
    many loops would grow. `find` searches their orders."""
    labels = _loops_that_load(kernel)
    if len(labels) > MOST_LOOPS:
        return Overlapped(kernel, [], [LeftAlone(label, Why.MANY_LOOPS) for label in labels])
    limits = _Limits(kernel, max_vgprs, liveness_of)
    # an order mostly takes the registers that the search of it counts: liveness is computed once for all
    result = _with_overlap(kernel, labels, limits, find, _takes_any)
    if not result.loops or limits.takes(result.kernel):
        return result
    return _with_overlap(kernel, labels, limits, find, limits.takes)


def _takes_any(_: Kernel) -> bool:
    return True


def _with_overlap(
    kernel: Kernel, labels: Sequence[str], limits: _Limits, find: FindOrder, takes: Callable[[Kernel], bool]
) -> Overlapped:
    """The kernel with overlapping trips in the loops that gain. `takes` says whether there is room for the
    registers of a kernel."""
    result = Overlapped(kernel, [], [])
    for label in labels:
        overlapped = _overlapped(result.kernel, label, limits, find, takes)
        if isinstance(overlapped, Why):
            result.left.append(LeftAlone(label, overlapped))
        else:
            result = result._replace(kernel=overlapped[0])
            result.loops.append(overlapped[1])
    return result


def _overlapped(
    kernel: Kernel, label: str, limits: _Limits, find: FindOrder, takes: Callable[[Kernel], bool]
) -> tuple[Kernel, Pipelined] | Why:
    """The kernel with overlapping trips in a loop, or why the loop keeps its order."""
    code = kernel.block(label).instructions
    # the registers say how many of the workgroups that a launch is known to have are resident
    crowd = clocks_of_crowd(kernel, code, limits.room.taken if kernel.groups else 0)
    longest = most_clocks(kernel.target.target.name, code)
    if crowd > far_fewer(longest):
        return Why.CROWD
    headed = headed_loop(kernel, label)
    if _is_busy(kernel, label, headed, longest):
        return Why.NO_GAIN
    whole, number = _as_one_block(kernel, label, headed)
    shape = shape_of(whole, number)
    if shape is None:
        return Why.STAYS
    is_of_matrix = is_product(shape.code)
    if not is_of_matrix and _passes_loads_on(shape):
        return Why.RUNS_AHEAD
    if is_of_matrix and _loads_are_narrow(shape):
        return Why.NARROW
    if is_of_matrix and _loads_exceed_pipe(whole, shape):
        return Why.NO_GAIN
    (problem,) = problems_of(whole, [number])
    if is_of_matrix and waits_for_shared_cache(kernel, problem, limits.room.taken):
        return Why.SHARED_CACHE
    for choice in choices(whole, shape, problem, crowd, limits.of_loop(whole, shape), find):
        parts = whole, shape, choice.order, choice.copies
        made = in_whole_passes(*parts, choice.fewest) or WithRest(in_order(*parts), "")
        result = adding_zeros(made.kernel, shape.block.label)
        if takes(result):
            least, depth = least_interval(problem).interval, 1 + max(stages(choice.order))
            return result, Pipelined(
                label, choice.before, choice.clocks, least, depth, choice.copies, made.rest
            )
    return Why.NO_GAIN


class _Limits:
    """The registers that overlapping trips may take. Most loops have no order, and need no liveness."""

    def __init__(self, kernel: Kernel, max_vgprs: int, liveness_of: LivenessOf) -> None:
        self._kernel = kernel
        self._max_vgprs = max_vgprs
        self._liveness_of = liveness_of

    @cached_property
    def room(self) -> Room:
        """The room of the kernel before any trips overlap."""
        return room_of(self._kernel, self._liveness, self._max_vgprs)

    def takes(self, kernel: Kernel) -> bool:
        """Whether the room has the registers of a kernel with overlapping trips."""
        return self.room.takes(self._liveness_of(kernel))

    def of_loop(self, rotated: Kernel, shape: Shape) -> Fits:
        """Whether an order of a loop keeps few enough vector registers live. `rotated` has the loop as a loop
        of one block."""

        @cache
        def lives() -> LiveVectors:
            return LiveVectors(rotated, shape, self._liveness.live_in(shape.block.label))

        return lambda order: lives().most(order) <= self.room.vectors

    @cached_property
    def _liveness(self) -> Liveness:
        return self._liveness_of(self._kernel)


def _is_busy(kernel: Kernel, label: str, headed: Headed | None, longest: int) -> bool:
    """Whether the waves of the workgroup keep a part of the machine or their first cache busy for so long
    that no order of a loop's trips takes far fewer clocks. `longest` are the most clocks of a lone wave, but
    for those of pipes. Most loops that compute or load much need no graph then."""
    target = kernel.target.target
    code = [*kernel.block(label).code, *(kernel.blocks[headed.header].code if headed else ())]
    demand = demand_of(kernel, code)
    pipes = [use.halves for uses in demand.uses for use in uses if use.resource in PIPES]
    before, busy = longest + sum(pipes) // 2, max(busy_clocks(demand).values())
    wanted, waves = far_fewer(max(busy, before)), demand.sharers[Resource.LDS]
    loads = [memory_clocks(instr.row, target, waves) for instr in code if is_global_load(instr)]
    return busy > wanted or is_crowded(loads, wanted)


def _loads_exceed_pipe(kernel: Kernel, shape: Shape) -> bool:
    """Whether the loads of a product take longer than its trip may take. Most products need no graph then."""
    busy = max(busy_clocks(demand_of(kernel, shape.block.code)).values())
    return clocks_of_loads(kernel, shape) > near_pipe(busy)


def _loads_are_narrow(shape: Shape) -> bool:
    """Whether half of the loads are narrow: rows that do not begin at 16 bytes are loaded in pieces, and each
    piece asks for the lines of its neighbours again. On gfx90a, six such products of f16 took 1.01 to 1.09
    times their clocks in overlapping trips, and 777x1000x4096, with wide loads, takes 0.785."""
    wide = [instr.row.memory_bytes >= WIDEST_ACCESS for instr in shape.code if is_global_load(instr)]
    return 2 * sum(wide) <= len(wide)


def _passes_loads_on(shape: Shape) -> bool:
    """Whether a trip passes its loads to the next trip."""
    return any(
        is_global_load(shape.code[maker]) for value in shape.passed.values() for maker in shape.makers[value]
    )


def _loops_that_load(kernel: Kernel) -> list[str]:
    """The blocks that may be loops with overlapping trips: they load, and lead back to a header, or to
    themselves, also by an empty block."""
    numbers = {block.label: number for number, block in enumerate(kernel.blocks)}

    def leads_back(number: int) -> bool:
        targets = [numbers[edge.target] for edge in kernel.blocks[number].linear]
        empty = [block for block in map(kernel.blocks.__getitem__, targets) if not block.instructions]
        again = [numbers[edge.target] for block in empty for edge in block.linear]
        return number in again or any(target <= number for target in targets)

    return [
        block.label
        for number, block in enumerate(kernel.blocks)
        if 2 * len(block.instructions) <= MOST_CODE
        and any(map(is_global_load, block.instructions))
        and leads_back(number)
    ]


def _as_one_block(kernel: Kernel, label: str, headed: Headed | None) -> tuple[Kernel, int]:
    """The kernel with the loop of a block as a loop of one block, and the block's number."""
    if headed is not None:
        kernel = rotated(kernel, headed)
    return kernel, next(at for at, block in enumerate(kernel.blocks) if block.label == label)
