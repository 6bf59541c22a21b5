"""A compiled program, which can be called with arrays and reported on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from asmgen.artifact import Artifact
from isa.diagnostics import InputError, close_names

if TYPE_CHECKING:
    from collections.abc import Callable

    import networkx as nx
    import numpy as np

    from asmgen.report.result import Report
    from asmgen.runtime.host_function import RunnableFunction
    from asmgen.runtime.kernel_launch import LaunchableKernel
    from asmgen.runtime.launch_plan import LaunchPlan
    from isa.program import Kernel


class CompiledProgram(Artifact):
    """The kernels of a source and the ways to use them."""

    def __call__(
        self, *arrays: object, device: str = "auto", out: object = None, **named: object
    ) -> list[np.ndarray[Any, Any]]:
        """Run the program on arrays in the order of its `@param` lines, or by their names (`program(x,
        scale=s)`); always returns a list, with the arrays of its `@return` in order.

        `out` has an array for each result: the results are written to these arrays, and the list has them.

        An array is a numpy array, or any array that speaks DLPack (a torch tensor on the CPU) or the buffer
        protocol; it is only read, unless the source donates it: then a result may be written to it, which the
        list has. The results are numpy arrays, which torch.from_numpy and other libraries
        take. Raises `InputError` with the name of the parameter if the number, the type or the shape of the
        arrays does not fit the program, and for an unknown or absent `device` ("emulator", "hip", "auto": hip
        if a GPU of the target is present).
        """
        from asmgen.runtime.calls import call

        return call(self, arrays, device, named, out)

    def __reduce__(self) -> tuple[Callable[[bytes], CompiledProgram], tuple[bytes]]:
        """`pickle` stores the programs of all stages (`asmgen.pickled`)."""
        from asmgen.pickled import dumped

        return unpickled, (dumped(self),)

    def __deepcopy__(self, _memo: object) -> CompiledProgram:
        """The program itself, since nothing changes a program."""
        return self

    def kernel(self, name: str) -> LaunchableKernel:
        """A kernel by its name, for a launch by itself; `InputError` LNC001 if the program has no such
        kernel."""
        from asmgen.runtime.kernel_launch import launchable

        return launchable(self, self._number(name))

    def host(self, name: str) -> RunnableFunction:
        """A host function of an MLIR file; its `run` runs its launches in order. `InputError` if the file has
        no such function, or if the function has an operation that the host does not run."""
        from asmgen.runtime.host_function import runnable

        return runnable(self, name)

    def cfg(self, kernel: str | None = None) -> nx.DiGraph[Any]:
        """The flow graph of a kernel on virtual registers, the only kernel by default, as networkx has it
        (`asmgen.graphs.flow_graph`). `InputError` LNC001 for an unknown kernel, GRF002 without networkx."""
        from asmgen.graphs import flow_graph

        return flow_graph(self._machine(kernel))

    def dependences(self, block: str, kernel: str | None = None) -> nx.DiGraph[Any]:
        """The instructions of a block and what comes before what (`asmgen.graphs.dependence_graph`).
        `InputError` GRF001 for an unknown block."""
        from asmgen.graphs import dependence_graph

        return dependence_graph(self._machine(kernel), block)

    def launch_graph(self) -> nx.DiGraph[Any]:
        """The launches and the arrays that they pass on (`asmgen.graphs.launch_graph`)."""
        from asmgen.graphs import launch_graph

        return launch_graph(self.launches)

    def launch_plan(self, **sizes: int) -> LaunchPlan:
        """The kernels with their arguments, the buffers and the launches, for a host that launches the code
        object itself (`asmgen.runtime.launch_plan`). `sizes` are the values of the named dims, which stay
        open without. `InputError` as `asmgen.runtime.launch_plan.launch_plan` says."""
        from asmgen.runtime.launch_plan import launch_plan

        return launch_plan(self, sizes)

    def _machine(self, name: str | None) -> Kernel:
        stages = self.compilation.stages
        number = 0 if name is None else self._number(name)
        return (stages.machine or stages.allocated)[number]

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
    """The program of the bytes that `pickle` stores."""
    from asmgen.pickled import loaded

    return CompiledProgram(*loaded(data))
