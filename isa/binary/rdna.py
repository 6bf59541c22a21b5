"""The formats of gfx1100 and gfx1201 (RDNA3 ISA, chapter 15; RDNA4 ISA, chapter 15)."""

from __future__ import annotations

from isa.binary.formats import Format

FORMATS: dict[str, tuple[Format, ...]] = {"gfx1100": (), "gfx1201": ()}
