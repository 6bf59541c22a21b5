"""What a launch passes to a kernel of MLIR: an array for a memref, a number for a number."""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.frontends.mlir.kernels import MlirKernel
from asmgen.frontends.mlir.parameters import argument_name
from asmgen.frontends.mlir.source import Ssa
from asmgen.frontends.mlir.types import MemrefType, VectorType, memory_element
from asmgen.runtime.formals import Formal
from isa.program import Argument


def formals(kernel: MlirKernel, arguments: Sequence[Argument]) -> tuple[Formal, ...]:
    """The arguments of the source; `arguments` are those of the code object."""
    by_name = {argument.name: argument for argument in arguments}
    return tuple([_formal(ssa, argument_name(ssa, i), by_name) for i, ssa in enumerate(kernel.arguments)])


def _formal(ssa: Ssa, name: str, arguments: dict[str, Argument]) -> Formal:
    type_ = ssa.type
    if not isinstance(type_, MemrefType):
        element = memory_element(type_)
        assert element is not None, "the lowering has refused it"
        return Formal(name, element.name, ssa.place, False)
    dims, strides = type_.dims, type_.strides
    scalar = type_.element
    if isinstance(scalar, VectorType):
        count = scalar.elements
        dims = (*dims, count)
        strides = (*[None if stride is None else stride * count for stride in strides], 1)
        scalar = scalar.element
    element = memory_element(scalar)
    assert element is not None, "the lowering has refused it"
    is_written = arguments[name].access != "read_only"
    return Formal(
        name, element.name, ssa.place, True, is_written, dims, strides, f"{name}_allocated" in arguments
    )
