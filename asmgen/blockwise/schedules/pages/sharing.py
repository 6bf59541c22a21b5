"""Lanes that have parts of several results share the work of adding these up: each gets all parts of fewer
results, or of one.

    64 lanes, four columns each of eight rows      reg(0:1 0:2) lane(0:4 0:8 0:16 1:0 2:0 4:0)
    four rows of one column, two lanes a column    reg(1:0 2:0) lane(4:0 0:1 0:2 0:4 0:8 0:16)

That is once through LDS, three additions and one step of DPP, where four numbers of each lane would take
three exchanges with additions.
"""

from __future__ import annotations

from asmgen.blockwise.layout.layout import Layout, layout
from asmgen.blockwise.layout.queries import within_axes


def shared(partial: Layout, axes: tuple[int, ...]) -> Layout | None:
    """The layout in which a reduction along `axes` goes on, where lanes have `partial` of it; None where
    lanes have one result each, or all of what they need.
    """
    bits = within_axes(partial, axes)
    if partial.repeat or not partial.registers or bits.registers or 0 in partial.columns:
        return None
    rows = sorted([partial.lanes[bit] for bit in bits.lanes] + [partial.waves[bit] for bit in bits.waves])
    columns = sorted(set(partial.columns) - set(rows))
    held, lanes = len(partial.registers), len(partial.lanes)
    most = max(0, held - len(rows))
    registers = (*columns[:most], *rows[: held - most])
    others = (*rows[held - most :], *columns[most:])
    if not rows or len(rows) > held + lanes:
        return None
    return layout(partial.sizes, registers, others[:lanes], others[lanes:])
