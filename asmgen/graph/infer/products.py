"""Result types of products of matrices: `dot` and `dot_general`.

    dot            {..., m, k} and {..., k, n} give {..., m, n}; the dims before them broadcast
                   {k} is a row as the first operand and a column as the second; the result lacks that dim
    dot_general    the batch dims, then the other dims of the first operand, then those of the second

`dot` sums over one dim of each operand, `dot_general` over any number of them. The result has the type of
the operands, or a wider type of their kind that `target_type` names, of 32 bits at most. (Rules and codes:
`asmgen.graph.infer`.)
"""

from __future__ import annotations

from asmgen.graph.infer.checks import Types, check_agreement, check_element, fail, normal_axes, tensors
from asmgen.ir.program import Attributes, Op
from asmgen.ir.shapes import broadcast_dims, format_list
from asmgen.ir.types import ELEMENT_TYPES, ElementType, TensorType, computed, tensor
from isa.diagnostics import Place
from isa.named_tuple import NamedTuple


class Contraction(NamedTuple):
    """The axes of two operands: batch axes and summed axes in pairs, and the free axes of each."""

    batch: tuple[tuple[int, int], ...]
    summed: tuple[tuple[int, int], ...]
    rows: tuple[int, ...]
    columns: tuple[int, ...]


def dot(op: Op, types: Types, attributes: Attributes, place: Place | None) -> Types:
    a, b = tensors(op, types, place)
    element = _result_element(op, types, attributes, place)
    if not a.rank or not b.rank:
        empty = 1 if not a.rank else 2
        fail(
            op,
            place,
            "GEN302",
            f"operand {empty} is a number, wanted an array of rank 1 or more",
            "mul multiplies an array by a number",
        )
    inner = b.dims[max(b.rank - 2, 0)]
    if a.dims[-1] != inner:
        shapes = f"shapes {format_list(a.dims)} and {format_list(b.dims)}"
        fail(
            op,
            place,
            "GEN302",
            f"{shapes} do not multiply: {a.dims[-1]} is not {inner}, wanted {{..., m, k}} and {{..., k, n}}",
            _turned(a, b),
        )
    batch = broadcast_dims((a.dims[:-2], b.dims[:-2]))
    if batch is None:
        shapes = f"{format_list(a.dims[:-2])} and {format_list(b.dims[:-2])}"
        fail(
            op,
            place,
            "GEN302",
            f"batch dims {shapes} do not broadcast, wanted dims that are equal or 1",
            "the batch dims are all dims but the last two; unsqueeze adds dims of 1",
        )
    rows = a.dims[-2:-1] if a.rank > 1 else ()
    columns = b.dims[-1:] if b.rank > 1 else ()
    return (tensor(element, (*batch, *rows, *columns)),)


def dot_general(op: Op, types: Types, attributes: Attributes, place: Place | None) -> Types:
    a, b = tensors(op, types, place)
    element = _result_element(op, types, attributes, place)
    axes = contraction(op, a, b, attributes, place)
    dims = [a.dims[axis] for axis, _ in axes.batch]
    dims += [a.dims[axis] for axis in axes.rows] + [b.dims[axis] for axis in axes.columns]
    return (tensor(element, tuple(dims)),)


def contraction(
    op: Op, a: TensorType, b: TensorType, attributes: Attributes, place: Place | None = None
) -> Contraction:
    """The axes of a `dot_general`, each counted from the front.

    Raises `InputError` GEN303 for attributes that do not fit, and GEN302 for dims that differ.
    """
    batch, summed = [
        _pairs(op, a, b, attributes, (f"lhs_{name}", f"rhs_{name}"), place) for name in ("batch", "contract")
    ]
    for side, name in enumerate(("lhs", "rhs")):
        both = {pair[side] for pair in batch} & {pair[side] for pair in summed}
        if both:
            fail(
                op,
                place,
                "GEN303",
                f"{name}_batch and {name}_contract have axis {min(both)}, wanted each axis once",
            )
    used = [{pair[side] for pair in (*batch, *summed)} for side in (0, 1)]
    rows, columns = [
        tuple([axis for axis in range(type_.rank) if axis not in taken])
        for type_, taken in zip((a, b), used, strict=True)
    ]
    return Contraction(batch, summed, rows, columns)


def _pairs(
    op: Op, a: TensorType, b: TensorType, attributes: Attributes, names: tuple[str, str], place: Place | None
) -> tuple[tuple[int, int], ...]:
    left, right = [
        normal_axes(op, attributes, name, type_.rank, place)
        for name, type_ in zip(names, (a, b), strict=True)
    ]
    if len(left) != len(right):
        got = f"{names[0]} is {format_list(left)} and {names[1]} is {format_list(right)}"
        fail(op, place, "GEN303", f"{got}, wanted as many axes of each operand")
    for mine, its in zip(left, right, strict=True):
        if a.dims[mine] != b.dims[its]:
            fail(
                op,
                place,
                "GEN302",
                f"{names[0]} and {names[1]} pair axis {mine} of {format_list(a.dims)} and axis {its} of "
                f"{format_list(b.dims)}, wanted as many elements along both",
            )
    return tuple(zip(left, right, strict=True))


def _turned(a: TensorType, b: TensorType) -> str:
    """The way out if the operands multiply in the other order, or after one of them is transposed."""
    if b.rank == 2 and a.dims[-1] == b.dims[-1]:
        return "transpose[permutation={1,0}] of operand 2 multiplies, in Python b.T"
    if a.rank == 2 and b.rank > 1 and a.dims[0] == b.dims[-2]:
        return "transpose[permutation={1,0}] of operand 1 multiplies, in Python a.T"
    if b.dims[-1] == a.dims[max(a.rank - 2, 0)]:
        return "the operands multiply in the other order"
    return ""


def _result_element(op: Op, types: Types, attributes: Attributes, place: Place | None) -> ElementType:
    check_element(op, types[0], 0, place)
    element = check_agreement(op, types, place)
    named = str(attributes["target_type"])
    if not named:
        return element
    target, allowed = ELEMENT_TYPES[named], results_of(element)
    wanted = " or ".join([each.name for each in allowed])
    if target not in allowed:
        fail(
            op,
            place,
            "GEN301",
            f"target_type is {named} for operands of {element}, wanted {wanted}",
            "convert[target_type=...] converts operands and results",
        )
    return target


def results_of(element: ElementType) -> tuple[ElementType, ...]:
    """The types that a product of operands of a type may have, the narrowest first."""
    wide = computed(element)
    of_kind = [
        each
        for name, each in ELEMENT_TYPES.items()
        if name == each.name and each.kind is element.kind and element.bits < each.bits <= wide.bits
    ]
    return (element, *sorted(of_kind, key=lambda each: each.bits))
