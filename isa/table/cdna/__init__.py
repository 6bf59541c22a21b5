"""The rows of gfx90a, gfx942 and gfx950: a file per unit."""

from __future__ import annotations

from collections.abc import Iterable

from isa.instruction import Row
from isa.table.cdna import control, ds, matrix, salu, scaled, smem, valu, vmem, vop3p
from isa.table.declared import Declared


def rows_with_halves(_target: str, _rows: Iterable[Row]) -> tuple[Row, ...]:
    """No rows, because CDNA has a single spelling."""
    return ()


ROWS: tuple[Declared, ...] = (
    *salu.ROWS, *control.ROWS, *smem.ROWS, *valu.ROWS, *vop3p.ROWS, *scaled.ROWS, *matrix.ROWS, *vmem.ROWS,
    *ds.ROWS,
)  # fmt: skip
