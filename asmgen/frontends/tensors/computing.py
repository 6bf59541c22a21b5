"""numpy's ufuncs of arrays of the graph, with operands that have the types of numpy's loop already."""

from __future__ import annotations

from asmgen.frontends.traced.array import Array
from asmgen.frontends.traced.ufunc_table import LOOPS, POWERS


def computed(ufunc: str, *operands: Array) -> Array:
    """The result of a ufunc that has a single result."""
    result = LOOPS[ufunc](*operands)
    assert isinstance(result, Array), f"{ufunc} has several results"
    return result


def shifted_by(ufunc: str, x: Array, count: int) -> Array:
    """Integers that `left_shift` or `right_shift` shifts by a number less than their bits."""
    result = POWERS[ufunc](x, count)
    assert result is not None, "a shift of integers by a number has a form of its own"
    return result
