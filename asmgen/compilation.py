"""A source and its way through the stages: a map from stage to program."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import Struct, field

from asmgen.ir.program import Program, Stage
from asmgen.options import Options
from asmgen.trace import OFF, Trace
from isa.program import Kernel
from isa.targets import TargetId

if TYPE_CHECKING:
    from asmgen.blockwise.program import TileProgram
    from asmgen.gridwise.program import GridFile
    from asmgen.mlir.file import KernelFile
    from asmgen.mlir.tensor_functions import TensorText
    from regalloc.allocation import AllocatedKernel

Recorded = Callable[[TargetId], list[Kernel]]


class Stages(Struct):
    """The program of a source at every stage that it has reached, from the stage of the source on.

    `programs` has the stages that are modules of statements: graph, lanewise and final. `mlir` is an MLIR
    file with its kernels, `tensors` an MLIR file with tensor functions, which became the graph. `recorded`
    writes the kernels of a Python function for a target. `machine` is SSA on virtual registers as selected;
    `allocated` has physical registers, before the passes that follow allocation; `finished` is printed as
    assembly. `allocations` say how the kernels of `machine` were allocated. All kernels are in launch order.
    """

    programs: dict[Stage, Program] = field(default_factory=dict)
    gridwise: GridFile | None = None
    blockwise: TileProgram | None = None
    mlir: KernelFile | None = None
    tensors: TensorText | None = None
    recorded: Recorded | None = None
    machine: list[Kernel] = field(default_factory=list)
    allocated: list[Kernel] = field(default_factory=list)
    finished: list[Kernel] = field(default_factory=list)
    allocations: list[AllocatedKernel] = field(default_factory=list)

    def copy(self) -> Stages:
        """The same programs in a map of its own."""
        return Stages(
            dict(self.programs),
            self.gridwise,
            self.blockwise,
            self.mlir,
            self.tensors,
            self.recorded,
            [*self.machine],
            [*self.allocated],
            [*self.finished],
            [*self.allocations],
        )


class Source(Struct):
    """A program as read. `target` is the target that the text of a later stage states; a graph states no
    target."""

    place: str
    target: TargetId | None
    stages: Stages

    @staticmethod
    def of_program(place: str, program: Program) -> Source:
        """The source that is a program of the graph or of lanes."""
        return Source(place, program.target, Stages({program.stage: program}))


class Compilation(Struct):
    """The compilation of a source for a target. `trace` receives the decisions of the stages."""

    target: TargetId
    options: Options
    stages: Stages = field(default_factory=Stages)
    trace: Trace = OFF
