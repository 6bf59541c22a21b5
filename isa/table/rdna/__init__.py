"""The rows of gfx1100 and gfx1201: one file per unit."""

from __future__ import annotations

from isa.instruction import Row

ROWS: tuple[Row, ...] = ()
