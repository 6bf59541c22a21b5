"""What a compile gives back: kernels in launch order, and a program that can be called with arrays."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from asmgen.emission.usage import Resources
from asmgen.tensor.ir import Program
from isa.program import Argument
from isa.targets import TargetId

if TYPE_CHECKING:
    import numpy as np

    from asmgen.pipeline import Compilation
    from asmgen.report.model import Report


@dataclass(slots=True)
class CompiledKernel:
    """One kernel. `grid` counts workgroups, `block` work-items; `grid` is None where the source does not say it (`.mir`)."""

    name: str
    target: TargetId
    assembly: str
    grid: tuple[int, int, int] | None
    block: tuple[int, int, int]
    arguments: tuple[Argument, ...]
    resources: Resources
    preload_dwords: int = 0
    _code_object: bytes = field(default=b"", repr=False)

    @property
    def code_object(self) -> bytes:
        """The code object, assembled by clang when first asked for; `InputError` where no clang is found."""
        if not self._code_object:
            from asmgen.assemble import assemble

            self._code_object = assemble(self.assembly, self.target)
        return self._code_object


@dataclass(slots=True)
class CompiledProgram:
    """The kernels of a source, in launch order. `graph` is what was parsed or traced, before any pass; None for `.mir`."""

    target: TargetId
    kernels: tuple[CompiledKernel, ...]
    graph: Program | None
    compilation: Compilation = field(repr=False)

    def __call__(self, *arrays: np.ndarray[Any, Any], device: str = "auto") -> list[np.ndarray[Any, Any]]:
        """Run the program on arrays in the order of its `@param` lines; gives the arrays of its `@return`, in order.

        Raises `InputError` naming the parameter where the number, type or shape of the arrays is not the program's,
        and for an unknown or absent `device` ("emulator", "hip", "auto": hip where a device of the target is found).
        """
        from asmgen.calls import call

        return call(self, arrays, device)

    def report(self) -> Report:
        """Register pressure and occupancy of every kernel: `str()`, `.to_json()`, `.to_html()` (docs/reports.md)."""
        from asmgen.report.build import report_program

        return report_program(self)
