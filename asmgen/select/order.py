"""The order in which the statements of a region are selected: its loads first, so that their latencies
overlap.

Statements that a load's index needs come with it. Loads from buffers that the kernel writes stay where they
are. Where there are more than a number of registers hold, each comes as soon as there is room for it
(`load_window`), or stays where it is if there is a barrier.

What is loaded before a barrier for after it is live while waves exchange values: such loads come first as far
as the registers of the occupancy's step reach, that is while they take no wave from a SIMD.

Loads at a place that something else accesses too come before the others, and what another load's result says
where to read comes last. An address that one load alone has dies with it, so that no later load of a clause
takes its registers; and what is computed first has one wait for all of them.
"""

from __future__ import annotations

from collections import Counter

from asmgen.graph.ops import PARAM
from asmgen.ir.program import Statement, Value
from asmgen.lanewise import ops
from asmgen.select.load_window import LoadWindow
from asmgen.select.selection import lane_type, units
from asmgen.select.uses import ACCESSES
from isa.target import Target

EARLY_UNITS = 64  # 32-bit registers that loads may fill early
WORKING_UNITS = 16  # registers for addresses and for what is computed before a barrier
_LOADS = (ops.LOAD, ops.VECTOR_LOAD)


def loads_first(
    statements: tuple[Statement, ...], written: frozenset[Value], target: Target
) -> list[Statement]:
    """The statements of a region, loads and what they need before the others; each kind in its order."""
    here = {result: statement for statement in statements for result in statement.results}
    early: set[Statement] = set()
    movable: dict[Statement, set[Statement]] = {}  # loads, each with what it needs
    taken, most, is_after, passes_barrier = 0, EARLY_UNITS, False, False
    for statement in statements:
        if statement.op is ops.BARRIER:
            is_after = True
            most = min(most, step(target, taken + WORKING_UNITS) - WORKING_UNITS)
        if statement.op not in _LOADS or statement.operands[0] in written:
            continue
        needed = _needed(statement, here)
        if any(_stays(s, written) for s in needed):
            continue
        movable[statement] = needed
        passes_barrier = passes_barrier or is_after
        size = units(lane_type(statement.result))
        if taken + size <= most:
            taken += size
            early |= needed
    if not early:
        return list(statements)
    ordered = None if passes_barrier else _in_turn(statements, movable, target)
    if ordered is not None:
        return ordered
    loads = {load: needed for load, needed in movable.items() if load in early}
    first = _in_groups([s for s in statements if s in early], loads, _read_once(statements))
    return first + [s for s in statements if s not in early]


def _in_turn(
    statements: tuple[Statement, ...], movable: dict[Statement, set[Statement]], target: Target
) -> list[Statement] | None:
    """Loads and what is made of them in turn, where there are so many that they would take waves from a SIMD
    otherwise; None where there are not, or where what was loaded is still needed."""
    room = min(EARLY_UNITS, step(target, EARLY_UNITS) - WORKING_UNITS)
    if sum(units(lane_type(load.result)) for load in movable) <= room:
        return None
    return LoadWindow(statements, movable, room).ordered()


def _read_once(statements: tuple[Statement, ...]) -> frozenset[Value]:
    """The indices of which a region has one access alone."""
    counts = Counter(s.operands[1] for s in statements if s.op in ACCESSES)
    return frozenset(index for index, count in counts.items() if count == 1)


def _in_groups(
    statements: list[Statement], loads: dict[Statement, set[Statement]], once: frozenset[Value]
) -> list[Statement]:
    """Early statements, those first that are for loads of the first group: of shared places, of places of
    their own, and of places that other loads say.
    """
    groups: dict[Statement, int] = {}
    for load, needed in loads.items():
        follows = any(s.op in _LOADS and s is not load for s in needed)
        group = 2 if follows else int(load.operands[1] in once)
        for one in needed:
            groups[one] = min(groups.get(one, group), group)
    return sorted(statements, key=groups.__getitem__)


def step(target: Target, vgprs: int) -> int:
    """The most VGPRs with which a SIMD holds as many waves as with so many."""
    waves = target.occupancy(vgprs, 0, 0, 1)
    return target.vgpr_file // waves // target.vgpr_granule * target.vgpr_granule


def _needed(statement: Statement, here: dict[Value, Statement]) -> set[Statement]:
    """A statement and those of its region that it depends on, parameters apart."""
    found = {statement}
    pending = [statement]
    while pending:
        for operand in pending.pop().operands:
            defining = here.get(operand)
            if defining is not None and defining not in found and defining.op is not PARAM:
                found.add(defining)
                pending.append(defining)
    return found


def _stays(statement: Statement, written: frozenset[Value]) -> bool:
    """Whether a statement has effects or reads what the kernel writes."""
    return statement.op.effects or (statement.op in _LOADS and statement.operands[0] in written)
