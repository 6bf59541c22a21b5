"""The rows of gfx1100 and gfx1201: a file per unit."""

from __future__ import annotations

from collections.abc import Iterable

from isa.instruction import Row
from isa.table.declare import RDNA4
from isa.table.declared import Declared
from isa.table.rdna import control, ds, dual, matrix, salu, smem, valu, vmem, vop3p


def rows_with_halves(target: str, rows: Iterable[Row]) -> tuple[Row, ...]:
    """The rows of a target's other spelling, which names halves of VGPRs; empty if it has a single
    spelling."""
    from isa.table.rdna import true16

    return true16.rows_with_halves(rows) if target in RDNA4 else ()


ROWS: tuple[Declared, ...] = (
    *salu.ROWS, *control.ROWS, *smem.ROWS, *valu.ROWS, *vop3p.ROWS, *dual.ROWS, *matrix.ROWS, *vmem.ROWS,
    *ds.ROWS,
)  # fmt: skip
