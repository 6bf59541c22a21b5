"""The builder of gfx1201, for type checkers; `gfx1201.pyi` has its instructions."""

from asmgen.assembly.builder import Builder

Gfx1201 = Builder
