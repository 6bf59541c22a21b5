"""Addresses of loads from LDS: those of a run of loads come before the run.

    ds_load_b128 %a, %x                          v_xor_b32 %y, 32, %x
    v_xor_b32 %y, 32, %x                 is      ds_load_b128 %a, %x
    ds_load_b128 %b, %y                          ds_load_b128 %b, %y

A load of RDNA waits until the vector ALU is done with the instructions before it. If matrix instructions of
other waves keep the vector ALU busy, a wave waits some 70 clocks for each address between two loads.
"""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.passes.clauses import is_lds_load
from asmgen.passes.dependence.graph import Dependence, Graph
from isa.instruction import Unit


def with_addresses_first(order: Sequence[int], graph: Graph) -> list[int]:
    """An order in which a vector instruction between loads from LDS that computes the address of a later load
    comes before the loads."""
    loads = {number for number, instr in enumerate(graph.instructions) if is_lds_load(instr)}
    addresses = {
        before
        for load in loads
        for before, why in graph.before[load].items()
        if why is Dependence.TRUE and graph.instructions[before].row.unit is Unit.VALU
    }
    moved, held = list[int](), list[int]()
    for number in order:
        if number in loads:
            held.append(number)
            continue
        if number not in addresses or not graph.before[number].keys().isdisjoint(held):
            moved += held
            held.clear()
        moved.append(number)
    return moved + held
