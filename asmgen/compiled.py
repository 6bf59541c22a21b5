"""What a compile gives back: a program that can be called with arrays, and reported on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from asmgen.artifact import Artifact
from isa.diagnostics import InputError, close_names

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np

    from asmgen.report.result import Report
    from asmgen.runtime.host_function import RunnableFunction
    from asmgen.runtime.kernel_launch import LaunchableKernel


class CompiledProgram(Artifact):
    """What was made of a source, and what can be done with it."""

    def __call__(
        self, *arrays: object, device: str = "auto", out: object = None, **named: object
    ) -> list[np.ndarray[Any, Any]]:
        """Run the program on arrays in the order of its `@param` lines, or by their names
        (`program(x, scale=s)`); gives a list, always, with the arrays of its `@return` in order.

        The results are written to the arrays of `out`, which has one for each, and the list has those then.

        An array is numpy's, or any that speaks DLPack (a torch tensor on the CPU) or the buffer protocol; it
        is only read. The results are numpy's, which torch.from_numpy and other libraries take as they are.
        Raises `InputError` naming the parameter where the number, type or shape of the arrays is not the
        program's, and for an unknown or absent `device` ("emulator", "hip", "auto": hip where a device of the
        target is found).
        """
        from asmgen.runtime.calls import call

        return call(self, arrays, device, named, out)

    def __reduce__(self) -> tuple[Callable[[bytes], CompiledProgram], tuple[bytes]]:
        """A program is pickled by what every stage made (`asmgen.pickled`)."""
        from asmgen.pickled import dumped

        return unpickled, (dumped(self),)

    def __deepcopy__(self, _memo: object) -> CompiledProgram:
        """Nothing changes a program, so that a copy is itself."""
        return self

    def kernel(self, name: str) -> LaunchableKernel:
        """One kernel, to be launched by itself; `InputError` LNC001 where the program has none of the
        name."""
        from asmgen.runtime.kernel_launch import launchable

        return launchable(self, self._number(name))

    def host(self, name: str) -> RunnableFunction:
        """A function of the host of an MLIR file, whose `run` runs its launches in order; `InputError` where
        the file has none of the name, or it has an operation that the host does not run."""
        from asmgen.runtime.host_function import runnable

        return runnable(self, name)

    def _number(self, name: str) -> int:
        names = [kernel.name for kernel in self.kernels]
        if name not in names:
            message = f"the program has no kernel {name!r}, wanted one of {', '.join(names)}"
            raise InputError("kernel", "LNC001", message, help=close_names(str(name), names))
        return names.index(name)

    def report(self) -> Report:
        """Register pressure and occupancy of every kernel: `str()`, `.to_json()`, `.to_html()`
        (docs/reports.md)."""
        from asmgen.report.build import report_program

        return report_program(self)


def unpickled(data: bytes) -> CompiledProgram:
    """The program of the bytes that `pickle` has of it."""
    from asmgen.pickled import loaded

    return CompiledProgram(*loaded(data))
