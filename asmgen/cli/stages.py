"""The text of each stage, and the code object of a program."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asmgen.ir.stage import STAGES, Stage
from isa.diagnostics import InputError

if TYPE_CHECKING:
    from asmgen.blockwise.program import TileProgram
    from asmgen.compilation import Compilation
    from asmgen.compiled import CompiledProgram
    from isa.program import Kernel

TEXT_STAGES = STAGES[: STAGES.index("asm")]


def stage_text(compilation: Compilation, stage: str, holders: str | None = None) -> str:
    """The text of a stage before assembly; `InputError` CLI004 if the source starts at a later stage.

    `holders` names a tile of the stage blockwise, or `all`: comments show which lane has which element.
    """
    if stage == "machine":
        return _mir(compilation.stages.machine, stage)
    if stage == "allocated":
        return _mir(compilation.stages.allocated, stage)
    if stage == Stage.GRIDWISE.value and compilation.stages.gridwise is not None:
        from asmgen.gridwise.printer import print_file

        return print_file(compilation.stages.gridwise)
    if stage == Stage.BLOCKWISE.value and compilation.stages.blockwise is not None:
        return _tile_text(compilation.stages.blockwise, holders)
    program = compilation.stages.programs.get(Stage(stage))
    if program is None:
        raise not_reached(stage)
    if program.stage is Stage.GRAPH:
        from asmgen.gridwise.outline import outline_text

        return outline_text(program, shows_places=compilation.stages.tensors is not None)
    from asmgen.graph.printer import print_program

    return print_program(program)


def _tile_text(program: TileProgram, holders: str | None) -> str:
    from asmgen.blockwise.text.printer import print_program

    if holders is None:
        return print_program(program)
    from asmgen.blockwise.text.pictures import pictures

    return print_program(program, pictures(program, holders))


def assembly_text(program: CompiledProgram) -> str:
    """The assembly of all kernels of a program as a single file."""
    from asmgen.emission.emit import emit_file

    if len(program.kernels) == 1:
        return program.kernels[0].assembly
    return emit_file(program.compilation.stages.finished, program.target)


def code_object(program: CompiledProgram) -> bytes:
    from asmgen.emission.assemble import assemble

    if len(program.kernels) == 1:
        return program.kernels[0].code_object
    return assemble(assembly_text(program), program.target, assembler=program.compilation.options.assembler)


def _mir(kernels: list[Kernel], stage: str) -> str:
    from isa.mir.printer import print_kernel

    if not kernels:
        raise not_reached(stage)
    return "".join(print_kernel(kernel) for kernel in kernels)


def not_reached(stage: str) -> InputError:
    """The error for a stage before the stage of the source."""
    return InputError("--emit", "CLI004", f"the source starts after the stage {stage}, wanted a later stage")
