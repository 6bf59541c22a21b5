"""The result of a compile: kernels in launch order, their graph, and the program of each stage."""

from __future__ import annotations

from msgspec import Struct

from asmgen.compilation import Compilation
from asmgen.emission.usage import Resources
from asmgen.index.size import Dim, numbers
from asmgen.ir.program import Program, Relaunch, Stage
from isa.named_tuple import NamedTuple
from isa.program import Argument
from isa.targets import TargetId


class CompiledKernel(Struct):
    """A compiled kernel. `grid` counts workgroups, `block` work-items. `grid` is None if the source does not
    state it (`.mir`) or only the launch knows it. With `any_block` the launch also chooses the shape of a
    workgroup, of at most the work-items of `block`."""

    name: str
    target: TargetId
    assembly: str
    grid: tuple[Dim, Dim, Dim] | None
    block: tuple[int, int, int]
    arguments: tuple[Argument, ...]
    resources: Resources
    preload_dwords: int = 0
    any_block: bool = False
    assembler: str = ""  # clang or builtin; empty: clang if it is installed
    _code_object: bytes = b""

    def __repr__(self) -> str:
        launch = "" if self.grid is None else f", {shown(self.grid)} workgroups of {shown(self.block)}"
        return f"<kernel {self.name} for {self.target}: {_registers(self.resources)}{launch}>"

    @property
    def workgroups(self) -> tuple[int, int, int]:
        """The grid of a launch. `InternalError` if it depends on sizes that are not known."""
        x, y, z = numbers(self.grid or ())
        return x, y, z

    @property
    def code_object(self) -> bytes:
        """The code object, assembled at the first use; `InputError` if the requested clang is missing."""
        if not self._code_object:
            from asmgen.emission.assemble import assemble

            self._code_object = assemble(self.assembly, self.target, assembler=self.assembler)
        return self._code_object


class ProgramLaunch(NamedTuple):
    """A launch of a program: its kernel, and the name of the buffer or scalar for each argument that is not
    hidden."""

    kernel: CompiledKernel
    buffers: tuple[str, ...]


class Artifact(Struct):
    """The kernels of a source, in the order of their first launches. `graph` is the parsed or traced graph
    before any pass; None for `.mir`."""

    target: TargetId
    kernels: tuple[CompiledKernel, ...]
    graph: Program | None
    compilation: Compilation

    @property
    def launches(self) -> tuple[ProgramLaunch, ...]:
        """The launches in order. Launches that compute the same have the same kernel."""
        from asmgen.ir.relaunches import in_order

        final = self.compilation.stages.programs.get(Stage.FINAL)
        relaunches = () if final is None else final.relaunches
        of_name = {kernel.name: kernel for kernel in self.kernels}
        launches: list[ProgramLaunch] = []
        for each in in_order(self.kernels, relaunches):
            kernel = of_name[each.kernel] if isinstance(each, Relaunch) else each
            names = [argument.name for argument in kernel.arguments if not argument.is_hidden]
            buffers = map(each.buffer, names) if isinstance(each, Relaunch) else names
            launches.append(ProgramLaunch(kernel, tuple(buffers)))
        return tuple(launches)

    def __repr__(self) -> str:
        """The kernels with their registers, and the target, on a single line."""
        kernels = ", ".join(f"{kernel.name} ({_registers(kernel.resources)})" for kernel in self.kernels)
        return f"<program for {self.target}: {kernels}>"


def _registers(resources: Resources) -> str:
    return f"{resources.vgprs} VGPRs, {resources.sgprs} SGPRs"


def shown(sizes: tuple[Dim, Dim, Dim]) -> str:
    """A grid or a block, `4x1x1`; a size that the launch knows stands in parentheses: `(rows)x1x1`."""
    return "x".join(str(size) if str(size).isdecimal() else f"({size})" for size in sizes)
