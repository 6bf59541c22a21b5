"""Groups of global loads: the computations for later loads move before the first load.

    global_load %a, %x                       v_add %y, 4096, %x
    v_add %y, 4096, %x             is        global_load %a, %x
    global_load %b, %y                       global_load %b, %y

On targets with clauses (`s_clause`), memory serves the loads of a clause in sequence, so that neighbouring
lines are fetched together; an instruction between them ends the clause. On other targets consecutive loads
may be replayed after a page fault, so no load may overwrite an address of the group. There the instruction
that computes an address stays next to its load, and only earlier instructions move: a comparison then
precedes the reader of its mask by far.

A block stays as it is if that takes fewer clocks.

A load that depends on a load of the group ends the group, and so does a load that needs too much computation.
Addresses live longer; if that costs a wave on a SIMD, the kernel stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from asmgen.passes.clauses import is_global_load
from asmgen.passes.dependence import Dependences
from asmgen.passes.dependence.graph import Graph
from asmgen.passes.schedule.timing import timing_of
from isa.hazards import pair_states
from isa.instruction import Instr, Unit
from isa.named_tuple import NamedTuple
from isa.program import Kernel
from isa.registers import RegisterClass
from isa.target import round_up
from regalloc.liveness import LivenessOf, compute_liveness

MOST_BETWEEN = 8  # instructions that the first load of a group waits for, so that the others are with it
LARGEST = 16  # loads of a group
FEW = 4  # loads of a block, each of which is better early than next to the others


def group_loads(kernel: Kernel, liveness_of: LivenessOf = compute_liveness) -> Kernel:
    """An equivalent kernel in SSA with its loads in groups."""
    if not any(_needs_grouping(block.instructions) for block in kernel.blocks):
        return kernel
    graphs, has_clauses = Dependences(kernel), bool(kernel.table.target.longest_clause)
    blocks = list(kernel.blocks)
    for number, block in enumerate(blocks):
        if _needs_grouping(block.instructions):
            graph = graphs.of_block(number)
            order = _grouped(graph, has_clauses)
            if order == list(range(len(order))):
                continue
            if has_clauses or _is_quicker(kernel, graph, order):
                blocks[number] = block.with_instructions([block.instructions[position] for position in order])
    if all(new is old for new, old in zip(blocks, kernel.blocks, strict=True)):
        return kernel
    grouped = kernel.with_blocks(blocks)
    target, left = kernel.target.target, _waves(grouped, liveness_of)
    is_free = left == target.occupancy(0, 0, 0, 1) or left >= _waves(kernel, liveness_of)
    return grouped if is_free else kernel


def _needs_grouping(code: list[Instr]) -> bool:
    """Whether a block has loads with something between them."""
    places = [number for number, instr in enumerate(code) if is_global_load(instr)]
    return any(b - a > 1 for a, b in pairwise(places))


def _waves(kernel: Kernel, liveness_of: LivenessOf) -> int:
    pressure = liveness_of(kernel).pressure.get(RegisterClass.VGPR)
    target = kernel.target.target
    used = round_up(max(pressure.units if pressure else 0, 1), target.vgpr_granule)
    return target.occupancy(used, 0, 0, 1)


def _is_quicker(kernel: Kernel, graph: Graph, order: list[int]) -> bool:
    """Whether an order of a block takes fewer clocks than the present order, wait states included; or as many
    clocks, if it has many loads or they are no later on average.

    An address that is computed among many loads may take the register of an address that a load has read. It
    then has to wait until that load cannot be replayed.
    """
    timing = timing_of(kernel, graph, pair_states(kernel.target, kernel.instructions()), {})
    before, after = timing.clocks(range(len(order))).both, timing.clocks(order).both
    loads = [number for number, instr in enumerate(graph.instructions) if is_global_load(instr)]
    is_early = len(loads) > FEW or sum(map(order.index, loads)) <= sum(loads)
    return after < before or (after == before and is_early)


def _grouped(graph: Graph, has_clauses: bool) -> list[int]:
    """The order of a block's instructions with each group of loads after the computations for its last
    load."""
    code, order, placed = graph.instructions, list[int](), set[int]()
    for number, instr in enumerate(code):
        if number in placed:
            continue
        group = list(_group(graph, number, placed)) if is_global_load(instr) else [_Member(number, [])]
        late: list[int] = []
        for load, needed in group:
            last: list[int] = []
            for position in needed:
                if has_clauses:
                    order.append(position)
                elif position in graph.before[load] or not graph.before[position].keys().isdisjoint(
                    (*late, *last)
                ):
                    last.append(position)
                else:
                    _put_early(graph, order, position)
            late += [*last, load]
        order += late
        placed.update(late, *[needed for _, needed in group])
    return order


def _put_early(graph: Graph, order: list[int], number: int) -> None:
    """Put an instruction after its dependences, among the last instructions, so that its readers wait
    less."""
    place, first = len(order), max(0, len(order) - MOST_BETWEEN)
    while place > first and order[place - 1] not in graph.before[number]:
        place -= 1
    order.insert(place, number)


class _Member(NamedTuple):
    """A load of a group, and the computations for it alone."""

    load: int
    needed: list[int]


def _group(graph: Graph, first: int, placed: set[int]) -> Iterator[_Member]:
    """The loads of the group that begins with a given load."""
    yield _Member(first, [])
    taken, loads = {first}, 1
    for number in range(first + 1, len(graph.instructions)):
        if number in placed or not is_global_load(graph.instructions[number]):
            continue
        needed = None if loads == LARGEST else _needed(graph, number, placed, taken)
        if needed is None or len(taken) - loads + len(needed) > MOST_BETWEEN:
            return
        yield _Member(number, needed)
        taken.update(needed, (number,))
        loads += 1


def _needed(graph: Graph, number: int, placed: set[int], taken: set[int]) -> list[int] | None:
    """The instructions that a load must follow and that are not placed yet, in order; None if they include a
    load, or an instruction that cannot move."""
    needed, pending = set[int](), [number]
    while pending:
        for before in graph.before[pending.pop()]:
            if before in placed or before in needed:
                continue
            row = graph.instructions[before].row
            if before in taken and is_global_load(graph.instructions[before]):
                return None
            if before in taken:
                continue
            if row.events or row.unit not in _MOVED or len(needed) == MOST_BETWEEN:
                return None
            needed.add(before)
            pending.append(before)
    return sorted(needed)


_MOVED = frozenset({Unit.VALU, Unit.SALU})
