"""RDNA rows of this unit."""

from __future__ import annotations

from isa.instruction import Row

ROWS: tuple[Row, ...] = ()
