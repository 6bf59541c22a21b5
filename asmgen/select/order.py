"""The order in which the statements of a region are selected: its loads first, so that their latencies
overlap.

Statements that a load's index needs come with it. Loads from buffers that the kernel writes stay where they
are, and so do those beyond a number of registers, which would only raise the pressure; after a barrier that
number is small.
"""

from __future__ import annotations

from asmgen.graph.ops import PARAM
from asmgen.ir.program import Statement, Value
from asmgen.lanewise import ops
from asmgen.select.selection import lane_type, units

EARLY_UNITS = 64  # 32-bit registers that loads may fill early
# of them those of loads that are after a barrier: what they fill is live while waves exchange values
EARLY_PAST_BARRIER = 4
_LOADS = (ops.LOAD, ops.VECTOR_LOAD)


def loads_first(statements: tuple[Statement, ...], written: frozenset[Value]) -> list[Statement]:
    """The statements of a region, loads and what they need before the others; each kind in its order."""
    here = {result: statement for statement in statements for result in statement.results}
    early: set[Statement] = set()
    left = EARLY_UNITS
    for statement in statements:
        if statement.op is ops.BARRIER:
            left = min(left, EARLY_PAST_BARRIER)
        if statement.op not in _LOADS or statement.operands[0] in written:
            continue
        needed = _needed(statement, here)
        size = units(lane_type(statement.result))
        if size > left or any(_stays(s, written) for s in needed):
            continue
        left -= size
        early |= needed
    if not early:
        return list(statements)
    return [s for s in statements if s in early] + [s for s in statements if s not in early]


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
