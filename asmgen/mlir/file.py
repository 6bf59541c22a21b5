"""A file of MLIR and the kernels of it that are compiled."""

from __future__ import annotations

from typing import NamedTuple

from asmgen.mlir.kernels import MlirKernel, chosen, kernels_of
from asmgen.mlir.reader import read_module
from asmgen.mlir.source import MlirModule


class KernelFile(NamedTuple):
    """`kernels` are those that are compiled: all of the file, or the one that was asked for, `entry`."""

    module: MlirModule
    kernels: tuple[MlirKernel, ...]
    text: str
    entry: str | None = None

    def only(self, entry: str | None) -> KernelFile:
        """The file with the kernel `entry` alone; `InputError` MLIR006 where there is none of the name."""
        kernels = chosen(self.kernels, entry, self.module.file)
        return self._replace(kernels=kernels, entry=entry or self.entry)


def read_kernels(text: str, file: str) -> KernelFile:
    """Read a file and find its kernels; `InputError` where that cannot be done."""
    module = read_module(text, file)
    return KernelFile(module, kernels_of(module), text)
