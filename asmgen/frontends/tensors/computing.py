"""numpy's ufuncs of arrays of the graph, with operands that have the types of numpy's loop already."""

from __future__ import annotations

from asmgen.frontends.traced.array import Array
from asmgen.frontends.traced.ufunc_table import LOOPS


def computed(ufunc: str, *operands: Array) -> Array:
    """The result of a ufunc that has a single result."""
    result = LOOPS[ufunc](*operands)
    assert isinstance(result, Array), f"{ufunc} has several results"
    return result
