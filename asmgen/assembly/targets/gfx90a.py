"""The builder of gfx90a, for type checkers; `gfx90a.pyi` has its instructions."""

from asmgen.assembly.builder import Builder

Gfx90a = Builder
