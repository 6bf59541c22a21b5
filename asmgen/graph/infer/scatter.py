"""Result types of ops that add to places that data choose (rules and codes: `asmgen.graph.infer`)."""

from __future__ import annotations

from asmgen.graph.infer.checks import Types, check_element, fail, normal_axis, one_integer, tensors
from asmgen.index.size import Size
from asmgen.ir.program import Attributes, Op
from asmgen.ir.shapes import format_list
from asmgen.ir.types import I32, I64, U32, NumberKind, tensor
from isa.diagnostics import Place

MOST_BINS = 1 << 24


def scatter(op: Op, types: Types, attributes: Attributes, place: Place | None) -> Types:
    """The first operand's type. The updates have the dims of a gather: those of the indices in the place of
    the axis."""
    x, indices, updates = tensors(op, types, place)
    check_element(op, x, 0, place)
    if indices.element not in (I32, I64, U32):
        fail(op, place, "GEN301", f"operand 2 has type {indices.element}, wanted i32 or i64")
    if updates.element is not x.element:
        fail(
            op, place, "GEN301", f"operand 3 has type {updates.element}, wanted {x.element} as operand 1 has"
        )
    axis = normal_axis(op, one_integer(op, attributes, "axis", place), x.rank, place)
    wanted = x.dims[:axis] + indices.dims + x.dims[axis + 1 :]
    if updates.dims != wanted:
        got = f"operand 3 has shape {format_list(updates.dims)}, wanted {format_list(wanted)}"
        fail(op, place, "GEN302", f"{got}: the indices in the place of axis {axis}")
    if isinstance(x.dims[axis], Size):
        message = f"axis {axis} has {x.dims[axis]} elements, wanted a number: indices are compared with it"
        fail(op, place, "GEN903", message, f"write {x.dims[axis]} as a number")
    return (tensor(x.element, x.dims),)


def histogram(op: Op, types: Types, attributes: Attributes, place: Place | None) -> Types:
    """A number for each bin: a count, i32, or the sum of the weights, of their type."""
    x, *weights = tensors(op, types, place)
    if x.element.kind not in (NumberKind.SIGNED, NumberKind.UNSIGNED):
        fail(
            op, place, "GEN301", f"operand 1 has type {x.element}, wanted integers: the number of a bin each"
        )
    bins = one_integer(op, attributes, "bins", place)
    if not 1 <= bins < MOST_BINS:
        fail(op, place, "GEN303", f"bins is {bins}, wanted 1 to {MOST_BINS - 1}")
    for each in weights:
        check_element(op, each, 1, place)
        if each.dims != x.dims:
            got = f"operand 2 has shape {format_list(each.dims)}, wanted {format_list(x.dims)}"
            fail(op, place, "GEN302", f"{got}: a weight for each number")
    return (tensor(weights[0].element if weights else I32, (bins,)),)
