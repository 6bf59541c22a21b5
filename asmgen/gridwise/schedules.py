"""The schedule that a launch is lowered by, where nobody has chosen one, and the grid that goes with it."""

from __future__ import annotations

from math import prod

from asmgen.gridwise.choice import Choice
from asmgen.ir.program import Module
from asmgen.ir.types import TensorType
from asmgen.lanewise.reduction_ops import REDUCTIONS
from isa.target import Target

_GROUP = 256  # lanes of a workgroup


def chosen(body: Module, target: Target) -> tuple[Choice, tuple[int, ...]]:
    """The choice, and the workgroups along x."""
    reductions = [statement for statement in body.statements if statement.op in REDUCTIONS]
    waves = _GROUP // target.wave_size
    if reductions:
        rows = prod(_dims(reductions[0].result.type))
        return Choice("row", (("waves", waves),)), (rows,)
    elements = max((prod(_dims(value.type)) for value in body.statements[-1].operands), default=0)
    return Choice("pointwise", (("waves", waves),)), (-(-elements // _GROUP),)


def _dims(type_: object) -> tuple[int, ...]:
    assert isinstance(type_, TensorType), "a graph's values are tensors"
    return type_.dims
