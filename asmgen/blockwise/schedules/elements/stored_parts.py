"""The places of results in slices of them, which the kernel of the results stores itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asmgen.blockwise.actions import Below
from asmgen.blockwise.schedules.elements.indices import Conditions, Indices, reshaped
from asmgen.blockwise.schedules.elements.maps import slice_starts
from asmgen.index import constant
from asmgen.ir.program import Value, tensor_type
from isa.named_tuple import NamedTuple

if TYPE_CHECKING:
    from asmgen.graph.fusion.parts_of_rows import PartOfRows


class PlaceOfPart(NamedTuple):
    """The element of an output that has a result, under the conditions that the slice has it."""

    to: Indices
    where: Conditions


def place_of_part(value: Value, part: PartOfRows, at: Indices) -> PlaceOfPart | None:
    """The place in the output `value` of the element `at` of all results; None if the slice is empty."""
    of, dims = [tensor_type(each).dims for each in (part.part.operands[0], part.part.result)]
    if 0 in dims:
        return None
    begin = slice_starts(part.part)
    whole = reshaped(at, tensor_type(part.rows).dims, of)
    own = tuple([index - first for index, first in zip(whole, begin, strict=True)])
    where: list[Below] = []
    for index, first, size, most in zip(own, begin, dims, of, strict=True):
        where += [Below(constant(-1), index)] if first != 0 else []
        where += [Below(index, constant(size))] if first + size != most else []
    return PlaceOfPart(reshaped(own, dims, tensor_type(value).dims), tuple(where))
