"""The places of results which their kernel stores in a slice, or in another order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asmgen.blockwise.actions import Below
from asmgen.blockwise.schedules.elements.indices import Conditions, Indices, reshaped_apart
from asmgen.blockwise.schedules.elements.maps import numbers
from asmgen.graph.ops import SLICE, TRANSPOSE
from asmgen.index import Index, constant
from asmgen.ir.program import Statement, tensor_type
from asmgen.ir.slices import kept_by
from isa.named_tuple import NamedTuple

if TYPE_CHECKING:
    from asmgen.graph.fusion.moved_results import MovedResult


class MovedPlace(NamedTuple):
    """The element of an output that has a result, under the conditions that a slice has it."""

    to: Indices
    where: Conditions


def moved_place(moved: MovedResult, at: Indices) -> MovedPlace | None:
    """The place in the output of the element `at` of all results; None if the output is empty."""
    where: Conditions = ()
    for move in moved.moves:
        dims = tensor_type(move.result).dims
        if 0 in dims:
            return None
        if move.op is TRANSPOSE:
            at = tuple([at[axis] for axis in numbers(move, "permutation")])
        elif move.op is SLICE:
            at, more = _in_slice(move, at)
            where += more
        else:
            at = reshaped_apart(at, tensor_type(move.operands[0]).dims, dims)
    return MovedPlace(at, where)


def _in_slice(part: Statement, at: Indices) -> tuple[Indices, Conditions]:
    """The element of a slice that an element of its operand is, and the conditions under which the slice has
    it."""
    own: list[Index] = []
    where: list[Below] = []
    for index, dim, (first, end) in zip(at, tensor_type(part.operands[0]).dims, kept_by(part), strict=True):
        own.append(index - first)
        where += [Below(constant(-1), own[-1])] if first != 0 else []
        where += [Below(own[-1], constant(end - first))] if end != dim else []
    return tuple(own), tuple(where)
