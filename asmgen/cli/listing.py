"""`list`: one catalogue kernel a line, its name first, then its parameters with their defaults; of a file of
MLIR its kernels, with their arguments, and its launches."""

from __future__ import annotations

import argparse
from pathlib import Path

from asmgen.files import MLIR_SUFFIXES
from asmgen.frontends.sources import read_file
from asmgen.kernels import CATALOGUE
from isa.diagnostics import InputError


def execute(arguments: argparse.Namespace) -> int:
    if arguments.source is not None:
        return _list_file(Path(arguments.source))
    for kernel in CATALOGUE.values():
        print(kernel.name, *(f"{name}={value}" for name, value in kernel.parameters.items()))
    return 0


def _list_file(path: Path) -> int:
    if path.suffix not in MLIR_SUFFIXES:
        raise InputError(str(path), "CLI013", "only a file of MLIR is listed, wanted NAME.mlir")
    from asmgen.frontends.mlir.listing import lines

    file = read_file(path).mlir
    assert file is not None
    for line in lines(file):
        print(line)
    return 0
