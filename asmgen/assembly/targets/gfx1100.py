"""The builder of gfx1100, for type checkers; `gfx1100.pyi` has its instructions."""

from asmgen.assembly.builder import Builder

Gfx1100 = Builder
