"""The rows of gfx1100 and gfx1201: one file per unit."""

from __future__ import annotations

from isa.table.declared import Declared
from isa.table.rdna import control, ds, dual, matrix, salu, smem, valu, vmem, vop3p

ROWS: tuple[Declared, ...] = (
    *salu.ROWS, *control.ROWS, *smem.ROWS, *valu.ROWS, *vop3p.ROWS, *dual.ROWS, *matrix.ROWS, *vmem.ROWS,
    *ds.ROWS,
)  # fmt: skip
