"""`list`: the kernels of the catalogue or of a file. `targets`: the targets.

* catalogue: a kernel per line, its name, then its parameters with their defaults
* MLIR: the kernels with their arguments, and the launches; the functions of tensors, and which results are
  written in the memory of donated arguments
* assembly, code objects, fat binaries: each kernel and its target

The readers of files are loaded only for a file.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from asmgen.cli.terminal import print_error
from asmgen.files import GEN_SUFFIXES, MACHINE_SUFFIXES, MLIR_SUFFIXES
from isa.diagnostics import InputError
from isa.targets import TARGETS

if TYPE_CHECKING:
    from asmgen.mlir.source import MlirModule


def list_targets(_arguments: argparse.Namespace) -> int:
    """Print the targets, a line each."""
    for target in TARGETS.values():
        features = (
            f"wave{target.wave_size}, {target.vgpr_budget} VGPRs, {target.sgprs} SGPRs, "
            f"{target.lds_bytes} bytes of LDS"
        )
        print(f"{target.name}  {target.products}, {features}, workgroups of up to {target.max_workgroup}")
    return 0


def execute(arguments: argparse.Namespace) -> int:
    if arguments.source is not None:
        return _list_file(arguments.source, arguments.target)
    from asmgen.kernels import CATALOGUE

    for kernel in CATALOGUE.values():
        print(kernel.name, *(f"{name}={value}" for name, value in kernel.parameters.items()))
    return 0


def _list_file(source: str, target: str) -> int:
    """Print the kernels of a file; 1 if a part of a fat binary cannot be read."""
    from asmgen.cli.reading import refuse_catalogue
    from asmgen.containers import code_objects
    from asmgen.runtime.run import read_program, target_of
    from isa.emulator.program.assembly_file import kernel_names, read_assembly
    from isa.objects.kernels import object_kernel_names

    refuse_catalogue(source)
    path, status = Path(source), 0
    if path.suffix in MLIR_SUFFIXES:
        for line in _mlir_lines(path, target):
            print(line)
        return 0
    if path.suffix in (*GEN_SUFFIXES, *MACHINE_SUFFIXES):
        message = "this source must be compiled first, wanted MLIR, assembly, a code object or a fat binary"
        raise InputError(str(path), "CLI013", message, help=f"`python -m asmgen kernel {path}` compiles it")
    program, name = read_program(path)
    if isinstance(program, str):
        own = target_of(program, name)
        for kernel in kernel_names(read_assembly(program, name)):
            print(kernel, own)
        return 0
    for part in code_objects(program, name, None):
        try:
            own = target_of(part.data, part.name)
            for kernel in object_kernel_names(part.data, part.name, needs_metadata=False):
                print(kernel, own)
        except InputError as error:
            print_error(error)
            status = 1
    return status


def _mlir_lines(path: Path, target: str) -> Iterator[str]:
    from asmgen.files import text_of
    from asmgen.mlir.donated import DONATED
    from asmgen.mlir.file import kernel_file, read_module
    from asmgen.mlir.kernels import kernels_of
    from asmgen.mlir.listing import lines, tensor_lines

    module = read_module(text_of(path), str(path))
    of_tensors = list(tensor_lines(module))
    if kernels_of(module) or not of_tensors:
        yield from lines(kernel_file(module))
    yield from of_tensors
    if any(DONATED in line for line in of_tensors):
        yield from _memories(module, target)


def _memories(module: MlirModule, target: str) -> Iterator[str]:
    """A line for each donated argument: the result that is over it on a target, or why none is."""
    from asmgen.compilation import Compilation
    from asmgen.frontends.tensors.lowering import graph_of
    from asmgen.gridwise.in_place import donation_lines
    from asmgen.ir.stage import Stage
    from asmgen.options import PROPAGATE, make_options
    from asmgen.pipeline import advance
    from isa.targets import parse_target

    compilation = Compilation(parse_target(target, "--target"), make_options({"nan": PROPAGATE}))
    try:
        stages = compilation.stages
        graph = stages.programs[Stage.GRAPH] = graph_of(module)
        advance(compilation, Stage.GRIDWISE.value)
    except InputError as error:
        yield f"no result is in the memory of a donated argument, since the file does not compile: {error}"
        return
    assert stages.gridwise is not None and stages.blockwise is not None
    for line in donation_lines(graph, stages.gridwise, stages.blockwise.kernels):
        yield f"on {target}, {line}"
