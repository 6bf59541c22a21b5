"""What the check of an allocation knows at a point: the values that each register certainly holds.

    {v3: {%sum, %sum in all lanes}, s4: {constant 7}}

says that v3 holds the virtual register `sum`, in lanes that are off too, and s4 the number 7.
"""

from __future__ import annotations

from isa.instruction import Immediate
from isa.registers import EXEC

Values = frozenset[int]
State = dict[int, Values]
"""For a physical unit the values it holds; a unit that is missing holds nothing known. Constants are `-1 -
bits`.

A value that is there in lanes that are off as well is listed a second time, with `IN_ALL_LANES` added.
"""

IN_ALL_LANES = 1 << 32


def constant(immediate: Immediate, k: int) -> int:
    """The value of the 32 bits of an immediate from bit `32 * k` on."""
    return -1 - (immediate.bits >> 32 * k & 0xFFFFFFFF)


def is_full(state: State) -> bool:
    """Whether a copy has set EXEC to all lanes."""
    return all(state.get(unit) == frozenset((constant(Immediate(0xFFFFFFFF), 0),)) for unit in EXEC.units)


def meet(one: State, other: State) -> State:
    """What certainly holds where two edges come together."""
    met: State = {}
    for unit, values in one.items():
        if unit in other:
            both = values if values == other[unit] else values & other[unit]
            if both:
                met[unit] = both
    return met
