"""The builder of gfx942, for type checkers; `gfx942.pyi` has its instructions."""

from asmgen.assembly.builder import Builder

Gfx942 = Builder
