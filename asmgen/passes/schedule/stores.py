"""Stores together: a store to memory waits for the next store.

    v_cvt_f16_f32 %a, %x                         v_cvt_f16_f32 %a, %x
    global_store_b16 %at, %a                     v_cvt_f16_f32 %b, %y
    v_cvt_f16_f32 %b, %y                is       global_store_b16 %at, %a
    global_store_b16 %at, %b offset:2            global_store_b16 %at, %b offset:2

A store of RDNA waits until the vector ALU is done with the instructions before it, and the instructions after
it wait until the store has sent its registers (`sent` of `isa.timing.machine`). So a conversion and a store
in turn take a wave 25 clocks, and 2 clocks if the stores are next to each other.
"""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.passes.dependence.graph import Graph
from asmgen.passes.schedule.pressure import FILES, BlockPressure, Count, Walk
from isa.instruction import Instr, Trait, Unit


def stores_of(graph: Graph) -> frozenset[int]:
    """The stores of a block to memory, by number."""
    return frozenset([number for number, instr in enumerate(graph.instructions) if _is_store(instr)])


def with_stores_together(
    order: Sequence[int], graph: Graph, pressure: BlockPressure, most: Count
) -> list[int]:
    """An order in which each store comes right before the next, with at most `most` live registers. A store
    stays before its dependants, and before readers of a load that comes after the store."""
    stores, walk = stores_of(graph), pressure.walk()
    last = max([place for place, number in enumerate(order) if number in stores])
    moved, held, loads = list[int](), list[int](), set[int]()
    for place, number in enumerate(order):
        if number in stores and place < last:
            held.append(number)
            continue
        before = graph.before[number].keys()
        if held and (place == last or before & loads or before & set(held) or not _fits(walk, number, most)):
            moved += held
            for store in held:
                _ = walk.take(store)
            held, loads = [], set[int]()
        if held and graph.instructions[number].row.events:
            loads.add(number)
        moved.append(number)
        _ = walk.take(number)
    return moved


def _fits(walk: Walk, number: int, most: Count) -> bool:
    """Whether the registers suffice for an instruction."""
    grown = walk.grows(number)
    return all(grown[file] <= 0 or walk.live[file] + grown[file] <= most[file] for file in FILES)


def _is_store(instr: Instr) -> bool:
    row = instr.row
    return row.unit is Unit.VMEM and Trait.STORE in row.traits and not row.defines
