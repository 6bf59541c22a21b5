"""The first load of a kernel: it comes right after the instructions that compute its address.

    s_lshl_b32 %row, s8, 13                      v_lshlrev_b32 %x, 4, v0
    v_lshlrev_b32 %x, 4, v0                      global_load %a, %x
    v_lshl_add_u32 %y, v0, 4, %row     is        s_lshl_b32 %row, s8, 13
    global_load %a, %x                           v_lshl_add_u32 %y, v0, 4, %row
    global_load %b, %y                           global_load %b, %y

The list scheduler takes the longest chain first, here that of the second load. But a load waits for the
vector ALU, and memory has nothing to do before the first load of a launch. If a SIMD has several waves, they
would all load %a before %b, and the first cache has room for a number of loads. Targets with clauses
(`s_clause`) keep their loads next to each other.
"""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.passes.clauses import is_global_load
from asmgen.passes.dependence.graph import Graph


def with_first_load(order: Sequence[int], graph: Graph) -> list[int]:
    """An order of the entry block with its first load of global memory as early as the instructions that it
    needs allow. It stays behind the last instruction that accesses memory, or that waits for such an
    instruction."""
    code = graph.instructions
    end = next((place for place, number in enumerate(order) if is_global_load(code[number])), None)
    if end is None:
        return list(order)
    waits = {number for number in order[:end] if code[number].row.events}
    for number in order[:end]:
        if not waits.isdisjoint(graph.before[number]):
            waits.add(number)
    begin = 1 + max((place for place in range(end) if order[place] in waits), default=-1)
    head = order[begin:end]
    rest, needed, pending = set(head), set[int](), [order[end]]
    while pending:
        new = graph.before[pending.pop()].keys() & rest - needed
        needed.update(new)
        pending += new
    first = [*[number for number in head if number in needed], order[end]]
    others = [number for number in head if number not in needed]
    return [*order[:begin], *first, *others, *order[end + 1 :]]
