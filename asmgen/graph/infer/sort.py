"""Result types of sorts (rules and codes: `asmgen.graph.infer`)."""

from __future__ import annotations

from asmgen.graph.infer.checks import Types, check_element, fail, normal_axis, one_integer, tensors
from asmgen.index.size import Dim, Size, Sizes, at_least
from asmgen.ir.program import Attributes, InferResult, Op
from asmgen.ir.types import I64, ElementType, TensorType, tensor
from isa.diagnostics import Place

MOST_SORTED = 4096  # elements: a workgroup has a whole row in its registers; a launch with more is refused


def sorted_whole(result: ElementType | None) -> InferResult:
    """A sort of an axis: the operand's dims, of the operand's type, or of `result`."""

    def infer(op: Op, types: Types, attributes: Attributes, place: Place | None) -> Types:
        x, _, _ = _sorted_axis(op, types, attributes, place)
        return (tensor(result or x.element, x.dims),)

    return infer


def first_of_sorted(result: ElementType | None) -> InferResult:
    """The first `k` elements of the order."""

    def infer(op: Op, types: Types, attributes: Attributes, place: Place | None) -> Types:
        x, axis, size = _sorted_axis(op, types, attributes, place)
        k = one_integer(op, attributes, "k", place)
        if k < 1 or not at_least(size, k).is_possible:
            fail(op, place, "GEN303", f"k is {k}, wanted 1 to {size}, the elements along axis {axis}")
        return (tensor(result or x.element, (*x.dims[:axis], k, *x.dims[axis + 1 :])),)

    return infer


def sort_needs(op: Op, types: Types, attributes: Attributes) -> Sizes:
    """The elements that a row has less than the most, and those beyond the first `k`."""
    _, _, size = _sorted_axis(op, types, attributes, None)
    beyond = (size - one_integer(op, attributes, "k", None),) if "k" in attributes else ()
    return (MOST_SORTED - size, *beyond)


def _sorted_axis(
    op: Op, types: Types, attributes: Attributes, place: Place | None
) -> tuple[TensorType, int, Dim]:
    """The operand, its sorted axis, and how many elements that has."""
    (x,) = tensors(op, types, place)
    check_element(op, x, 0, place)
    axis = normal_axis(op, one_integer(op, attributes, "axis", place), x.rank, place)
    size = x.dims[axis]
    if not isinstance(size, Size) and size > MOST_SORTED:
        message = f"axis {axis} has {size} elements, wanted at most {MOST_SORTED}"
        fail(op, place, "GEN302", message, "sort parts of the axis, and merge them on the host")
    return x, axis, size


sort, argsort = sorted_whole(None), sorted_whole(I64)
top_k, top_k_indices = first_of_sorted(None), first_of_sorted(I64)
