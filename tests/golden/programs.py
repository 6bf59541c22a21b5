"""The programs of the golden files: the catalogue and the gen files of tests/golden/programs."""

from __future__ import annotations

from pathlib import Path

import asmgen
from asmgen.compiled import CompiledProgram
from asmgen.kernels import CATALOGUE, build_kernel

PROGRAMS = Path(__file__).parent / "programs"
# kernels of the catalogue that have a golden file, and graphs next to them
NAMES = (*[name for name in CATALOGUE if (PROGRAMS.parent / name / "gfx942.s").is_file()], *sorted(file.stem for file in PROGRAMS.glob("*.gen")))
SEVERAL = ("col_sum", "full_sum", "dot_product")  # programs of two kernels


def golden_program(name: str, target: str = "gfx942") -> CompiledProgram:
    """The program of a golden file; gen files are compiled as text, so that no path is in the assembly."""
    if name in CATALOGUE:
        return asmgen.compile(build_kernel(name), target=target)
    return asmgen.compile((PROGRAMS / f"{name}.gen").read_text(encoding="utf-8"), target=target)
