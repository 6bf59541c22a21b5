"""A tile program as what its lanes do."""

from __future__ import annotations

from asmgen.blockwise.lowering.kernel import lower_kernel
from asmgen.blockwise.program import TileProgram
from asmgen.ir.program import Program, Stage
from isa.targets import TargetId


def lower(program: TileProgram, target: TargetId) -> Program:
    """The program of stage lanewise. Raises `InputError` for what has no lowering."""
    modules = tuple([lower_kernel(kernel, target.target) for kernel in program.kernels])
    return Program(Stage.LANEWISE, modules, str(target))
