"""Reads a source of a user: a file of some stage, gen text, a graph, or a function to trace."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from asmgen.compilation import Source, Stages
from asmgen.files import (
    ASSEMBLY_SUFFIXES,
    MACHINE_SUFFIXES,
    MLIR_SUFFIXES,
    OBJECT_SUFFIXES,
    SOURCE_SUFFIXES,
    text_of,
    unknown_suffix,
    whole_text,
)
from asmgen.ir.program import Program, Stage
from asmgen.options import Options
from isa.diagnostics import InputError, Place
from isa.program import Kernel

if TYPE_CHECKING:
    from pathlib import Path


# Of MLIR's text, and not of gen's.
_MLIR = re.compile(r"\b(?:gpu\.(?:module|func|launch)|func\.func|llvm\.func)\b")


def read_source(
    source: str | Path | Program | Callable[..., object],
    inputs: Sequence[object] | None,
    options: Options,
) -> Source:
    """Read a path, gen text (recognised by its line break or `@`), MLIR text (by its functions), a graph, or
    trace a function with `inputs`.

    `InputError` SRC009 for inputs given with a source that states its own shapes.
    """
    from pathlib import Path  # it takes 8 ms to load, and a kernel of the catalogue is no file

    if inputs is not None and isinstance(source, str | Path | Program):
        message = (
            "got inputs with a source that states its shapes, wanted them with a function that is traced"
        )
        raise InputError(
            "inputs",
            "SRC009",
            message,
            help="call the compiled program with arrays: asmgen.compile(source)(*arrays)",
        )
    if isinstance(source, Program):
        return Source.of_program(source.modules[0].name if source.modules else "program", source)
    if isinstance(source, Path):
        return read_file(source)
    if isinstance(source, str):
        if _MLIR.search(source) and "\n" in source:
            return read_mlir(whole_text(source, "<text>.mlir"), "<text>.mlir")
        if "\n" in source or "@" in source:
            return read_text(whole_text(source, "<text>.gen"), "<text>.gen")
        _refuse_catalogue_name(source)
        return read_file(Path(source))
    if not callable(source):
        wanted = "a path, gen text, a graph, or a function to trace"
        raise InputError("source", "SRC011", f"got {type(source).__name__}, wanted {wanted}")
    return _traced(source, inputs, options)


def _refuse_catalogue_name(source: str) -> None:
    """InputError SRC012 for the name of a catalogue kernel, which is neither a path nor gen text."""
    from asmgen.kernels import CATALOGUE

    if source in CATALOGUE and not os.path.exists(source):
        help = (
            f"asmgen.compile(build_kernel({source!r}, [...])), from asmgen.kernels; or `python -m "
            f"asmgen kernel {source}`"
        )
        raise InputError(
            "source",
            "SRC012",
            f"{source!r} names a kernel of the catalogue, wanted a path or gen text",
            help=help,
        )


def read_file(path: Path, entry: str | None = None) -> Source:
    """Read a file by its suffix; `InputError` if it is missing, not text, or has an unknown suffix.

    `entry` is the kernel or the function of an MLIR file to compile."""
    if path.suffix in (*ASSEMBLY_SUFFIXES, *OBJECT_SUFFIXES):
        raise InputError(
            str(path),
            "SRC001",
            "assembly and code objects are compiled already, wanted the source of a program",
            help=f"`python -m asmgen run {path}` runs the file",
        )
    if path.suffix not in SOURCE_SUFFIXES:
        raise unknown_suffix(path)
    text = text_of(path)
    if path.suffix in MLIR_SUFFIXES:
        return read_mlir(text, str(path), entry)
    return read_machine(text, str(path)) if path.suffix in MACHINE_SUFFIXES else read_text(text, str(path))


def read_text(text: str, file_name: str) -> Source:
    """Gen text of any stage, or a graph as MIGraphX prints it."""
    from asmgen.gentext.parser import parse
    from asmgen.ir.header import stage_of

    if "_type, {" in text:
        from asmgen.frontends.migraphx import is_migraphx, read_migraphx

        if is_migraphx(text):
            return Source.of_program(file_name, read_migraphx(text, file_name))
    stage = stage_of(text, file_name)
    if stage is not Stage.GRAPH and _is_seed(text, file_name, stage):
        return _seed_source(text, file_name)
    if stage is Stage.GRIDWISE:
        from asmgen.gridwise.reader import read_file as read_launches

        launches = read_launches(text, file_name)
        return Source(file_name, launches.target, Stages(gridwise=launches))
    if stage is Stage.BLOCKWISE:
        from asmgen.blockwise.pipelining import pipelined
        from asmgen.blockwise.text.reader import read_program

        tiles = pipelined(read_program(text, file_name))
        return Source(file_name, tiles.target, Stages(blockwise=tiles))
    program = parse(text, file_name)
    if program.stage is not Stage.GRAPH:
        _check_launches(program, file_name)
    return Source.of_program(file_name, program)


def read_mlir(text: str, file_name: str, entry: str | None = None) -> Source:
    """A file of MLIR: its kernels, which are lowered when their target is known, or the graph of its tensor
    functions. `entry` is the kernel or the function to compile. A file that has both is a file of kernels,
    unless `entry` names a tensor function."""
    from asmgen.mlir.file import kernel_file, read_module
    from asmgen.mlir.kernels import kernels_of, unknown_entry
    from asmgen.mlir.tensor_functions import TensorText, tensor_functions

    module = read_module(text, file_name)
    functions, kernels = tensor_functions(module), [kernel.name for kernel in kernels_of(module)]
    if kernels and entry is not None and entry not in (*kernels, *functions):
        raise unknown_entry(file_name, entry, [*kernels, *functions])
    if not functions or (kernels and entry not in functions):
        return Source(file_name, None, Stages(mlir=kernel_file(module).only(entry)))
    from asmgen.frontends.tensors.lowering import graph_of

    graph = graph_of(module, entry)
    return Source(file_name, None, Stages({Stage.GRAPH: graph}, tensors=TensorText(text, file_name, entry)))


def _is_seed(text: str, file_name: str, stage: Stage) -> bool:
    from asmgen.frontends.seed.parser import is_seed

    return is_seed(text, file_name, stage)


def _seed_source(text: str, file_name: str) -> Source:
    """A file of GPU Gen IR: on tensors it is a graph and the launches that it asks for."""
    from asmgen.frontends.seed.lanes import lane_program
    from asmgen.frontends.seed.launches import launched
    from asmgen.frontends.seed.parser import parse_seed

    stage, target, modules = parse_seed(text, file_name)
    if stage is Stage.LANEWISE:
        return Source.of_program(file_name, lane_program(modules, target))
    graph, launches = launched(modules, target)
    return Source(file_name, target, Stages({Stage.GRAPH: graph}, launches))


def _check_launches(program: Program, file_name: str) -> None:
    """A module of a stage after the graph begins with `launch`; `InputError` if it does not."""
    from asmgen.lanewise.ops import LAUNCH

    for module in program.modules:
        first = module.statements[0]
        if first.op is not LAUNCH:
            raise InputError(
                first.place or file_name,
                "SRC008",
                f"module {module.name} begins with {first.op.name}, wanted launch",
            )


def read_machine(text: str, file_name: str) -> Source:
    """A `.mir` file; kernels without a virtual register are after allocation. All kernels have the same
    target and the same stage."""
    from asmgen.emission.descriptor import entry_fault
    from asmgen.index.text import is_index
    from isa.mir.parser import parse_kernels
    from isa.mir.places import block_lines, with_places
    from regalloc.verify import verify_input

    kernels = parse_kernels(text, file_name, is_index)
    lines = block_lines(text, file_name)
    kernels = tuple(map(with_places, kernels, lines))
    for kernel, written in zip(kernels, lines, strict=True):
        verify_input(kernel, written)
        fault = entry_fault(kernel, kernel.table.target)
        if fault:
            head = ["kernel", kernel.name]
            line = next(
                number for number, words in enumerate(text.splitlines(), 1) if words.split()[:2] == head
            )
            help = "change the entry of the kernel: --emit allocated shows an example"
            raise InputError(Place(file_name, line, 1), "SRC006", f"kernel {kernel.name}: {fault}", help=help)
    # a kernel that computes nothing has no registers, virtual or physical: its stage is that of the others
    # it
    machine = any(kernel.owners for kernel in kernels)
    allocated = any(not kernel.owners and _computes(kernel) for kernel in kernels)
    if (machine and allocated) or len({kernel.target for kernel in kernels}) > 1:
        raise InputError(
            file_name, "SRC007", "the file's kernels differ in stage or target, wanted one of each"
        )
    if machine:
        return Source(file_name, kernels[0].target, Stages(machine=list(kernels)))
    return Source(file_name, kernels[0].target, Stages(allocated=list(kernels)))


def _computes(kernel: Kernel) -> bool:
    return any(instr.defined() for block in kernel.blocks for instr in block.instructions)


def _traced(function: Callable[..., object], inputs: Sequence[object] | None, options: Options) -> Source:
    from asmgen.frontends.traced.trace import trace

    if inputs is None:
        raise InputError(
            "inputs",
            "SRC005",
            "a function is traced with inputs, got none, wanted a spec or an array for each argument",
        )
    program = trace(function, inputs, is_strict=options.is_strict, propagates_nan=options.propagates_nan)
    return Source.of_program(program.modules[0].name, program)
