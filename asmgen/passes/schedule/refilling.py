"""Loads that refill registers: a load for the next trip of a loop comes right behind the store to LDS that
reads the registers before.

    ds_write_b128 %at, %a                      ds_write_b128 %at, %a
    ds_write_b128 %at, %b                      global_load_dwordx4 %a_next, %x
    global_load_dwordx4 %a_next, %x     is     ds_write_b128 %at, %b
    global_load_dwordx4 %b_next, %y            global_load_dwordx4 %b_next, %y

The data of loads return in turn, and each store waits for its own data. No load would be under way behind the
last store. {64,4096} by weights of 4,096, 1,024 and 1,024 columns of f16 take 22,832 clocks on gfx950, 23,791
with all loads behind all stores. Targets with clauses (`s_clause`) keep their loads next to each other.
"""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.passes.clauses import is_global_load
from asmgen.passes.dependence.graph import Dependence, Graph
from isa.instruction import Trait, Unit


def with_refilling_loads(order: Sequence[int], graph: Graph) -> list[int]:
    """An order of a loop's block. Each load that overwrites registers of a store to LDS comes right behind
    that store, or behind the last other instruction that it needs."""
    refilling = [number for number in order if _refills(graph, number)]
    moved = [number for number in order if number not in set(refilling)]
    for number in refilling:
        places = [moved.index(before) for before in graph.before[number]]
        moved.insert(1 + max(places), number)
    return moved


def _refills(graph: Graph, number: int) -> bool:
    """Whether an instruction is a load that comes after a store to LDS for the sake of its registers."""
    if not is_global_load(graph.instructions[number]):
        return False
    readers = [before for before, why in graph.before[number].items() if why is Dependence.ANTI]
    rows = [graph.instructions[reader].row for reader in readers]
    return any(row.unit is Unit.LDS and Trait.STORE in row.traits for row in rows)
