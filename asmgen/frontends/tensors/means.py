"""A sum divided by a size that only the launch knows: the mean of the elements that were summed."""

from __future__ import annotations

import math
from collections.abc import Sequence

from asmgen.frontends.tensors.extents import Extents
from asmgen.frontends.tensors.op_call import Definitions, Item
from asmgen.frontends.traced.array import Array, apply
from asmgen.graph.ops import REDUCE_SUM, SQUEEZE
from asmgen.ir.program import tensor_type
from asmgen.mlir.source import Operation

_DIVIDES = frozenset(["stablehlo.divide", "arith.divf"])


def mean_of(definitions: Definitions, operation: Operation, given: Sequence[Item]) -> Array | None:
    """The result of a division of a sum by the number of its elements; None for another operation."""
    if operation.name not in _DIVIDES or not isinstance(given[1], Extents) or len(given[1].sizes) != 1:
        return None
    array = given[0]
    squeeze = definitions.get(array.value) if isinstance(array, Array) else None
    if not isinstance(array, Array) or squeeze is None or squeeze.op is not SQUEEZE:
        return None
    total = definitions.get(squeeze.operands[0])
    if total is None or total.op is not REDUCE_SUM or total.attributes["axes"] != squeeze.attributes["axes"]:
        return None
    x, axes = Array(total.operands[0], array.tracer), total.attributes["axes"]
    assert isinstance(axes, tuple), "the axes of a reduction are a list"
    dims = tensor_type(total.operands[0]).dims
    count = math.prod([dims[axis] for axis in axes if isinstance(axis, int)])
    if count != given[1].sizes[0]:
        return None
    return apply("squeeze", apply("reduce_mean", x, axes=axes), axes=axes)
