"""How many bytes a workgroup reads by itself, before it shares them with others and a further launch combines
the results.

    reduce_sum of {1,32768} f32, gfx942     a workgroup reads the row in 10,000 clocks; shared it takes 12,400
    cumsum of {1,16384} f32, gfx942         a workgroup scans the row in 19,800 clocks; shared it takes 15,300

The bytes depend on the target, on the kind of the work, on the bytes of an element (narrow elements take the
vector ALU longer for the same bytes), and on how many workgroups a compute unit has without sharing.
`alone_table` has the bytes by the clock model, launches included.
"""

from __future__ import annotations

from asmgen.blockwise.schedules.choosing.alone_table import ALONE
from isa.target import Target

SUM, KEPT, SCAN = "sum", "kept", "scan"
KINDS = (SUM, KEPT, SCAN)
"""Results of rows alone; outputs with all elements of rows, which are read again; scans."""
ELEMENTS = {2: "bf16", 4: "f32"}
"""Types of the rows that the table is made with, by bytes."""
QUARTERS = (0, 1, 4, 8)
"""Columns of the table: workgroups of a compute unit, at least, in quarters."""

# The most, by column, also if the model finds more. For results of rows it is less if compute units have
# fewer than two workgroups: with 128 KiB argmax of {64,65536} has 16 parts a row on gfx942 and 3.4 workgroups
# a unit in place of 0.2, and log-sum-exp takes a third of the cycles an element (tools.bench_peers). The
# model finds a workgroup alone quicker there: a quarter of the units read at the full rate of memory.
MOST = {
    SUM: (128 * 1024, 128 * 1024, 128 * 1024, 256 * 1024),
    KEPT: (256 * 1024,) * len(QUARTERS),
    SCAN: (256 * 1024,) * len(QUARTERS),
}


def alone_bytes(kind: str, element: int, groups: int, target: Target) -> int:
    """The most bytes that each of `groups` workgroups reads by itself, of elements of so many bytes."""
    column = sum(4 * groups >= quarters * target.compute_units for quarters in QUARTERS) - 1
    return ALONE[target.name][kind][min(max(element, min(ELEMENTS)), max(ELEMENTS))][column]
