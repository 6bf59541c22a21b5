"""`list`: the kernels of the catalogue or of a file.

* catalogue: one kernel per line, its name, then its parameters with their defaults
* MLIR: the kernels with their arguments, and the launches
* assembly, code objects, fat binaries: each kernel and its target
"""

from __future__ import annotations

import argparse
from pathlib import Path

from asmgen.cli.reading import refuse_catalogue
from asmgen.cli.terminal import print_error
from asmgen.containers import code_objects
from asmgen.files import GEN_SUFFIXES, MACHINE_SUFFIXES, MLIR_SUFFIXES
from asmgen.frontends.sources import read_file
from asmgen.kernels import CATALOGUE
from asmgen.runtime.run import read_program, target_of
from isa.diagnostics import InputError
from isa.emulator.assembly import kernel_names, read_assembly
from isa.objects.kernels import object_kernel_names


def execute(arguments: argparse.Namespace) -> int:
    if arguments.source is not None:
        refuse_catalogue(arguments.source)
        return _list_file(Path(arguments.source))
    for kernel in CATALOGUE.values():
        print(kernel.name, *(f"{name}={value}" for name, value in kernel.parameters.items()))
    return 0


def _list_file(path: Path) -> int:
    if path.suffix in MLIR_SUFFIXES:
        return _list_mlir(path)
    if path.suffix in (*GEN_SUFFIXES, *MACHINE_SUFFIXES):
        message = "this source must be compiled first, wanted MLIR, assembly, a code object or a fat binary"
        raise InputError(str(path), "CLI013", message, help=f"`python -m asmgen kernel {path}` compiles it")
    program, name = read_program(path)
    if isinstance(program, str):
        target = target_of(program, name)
        for kernel in kernel_names(read_assembly(program, name)):
            print(kernel, target)
        return 0
    status = 0
    for part in code_objects(program, name, None):
        try:
            target = target_of(part.data, part.name)
            for kernel in object_kernel_names(part.data, part.name, needs_metadata=False):
                print(kernel, target)
        except InputError as error:
            print_error(error)
            status = 1
    return status


def _list_mlir(path: Path) -> int:
    from asmgen.mlir.listing import lines

    file = read_file(path).stages.mlir
    assert file is not None
    for line in lines(file):
        print(line)
    return 0
