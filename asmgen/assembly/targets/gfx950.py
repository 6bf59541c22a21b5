"""The builder of gfx950, for type checkers; `gfx950.pyi` has its instructions."""

from asmgen.assembly.builder import Builder

Gfx950 = Builder
