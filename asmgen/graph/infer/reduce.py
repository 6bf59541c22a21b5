"""Result types of reductions, scans and norms (rules and codes: `asmgen.graph.infer`)."""

from __future__ import annotations

from math import prod

from asmgen.graph.infer.checks import (
    Types,
    check_agreement,
    check_element,
    fail,
    normal_axes,
    normal_axis,
    one_integer,
    tensors,
)
from asmgen.index.size import Dim, Size, at_most, divides
from asmgen.ir.passed_words import passed_words
from asmgen.ir.program import Attributes, InferResult, Op
from asmgen.ir.shapes import Dims, broadcast_dims, format_list, format_type
from asmgen.ir.types import I64, U64, ElementType, TensorType, computed, tensor
from isa.diagnostics import Place

MOST_PLACES = (1 << 31) - 1  # along an axis: each is an i32


def reduce_to(result: ElementType | None, of_nothing: bool = True) -> InferResult:
    """A reduction over `axes`, or over all axes if none is named; reduced axes stay as 1.

    The result has the operand's type, or `result`. `of_nothing` says whether a reduction of no elements
    has a value.
    """

    def infer(op: Op, types: Types, attributes: Attributes, place: Place | None) -> Types:
        (x,) = tensors(op, types, place)
        check_element(op, x, 0, place)
        axes = normal_axes(op, attributes, "axes", x.rank, place) or tuple(range(x.rank))
        dims = tuple(1 if axis in axes else dim for axis, dim in enumerate(x.dims))
        if not of_nothing and x.elements == 0 and 0 not in dims:
            fail(
                op,
                place,
                "GEN302",
                f"{format_list(x.dims)} has no elements along {format_list(axes)}, wanted "
                f"some: the {op.name} of nothing has no value",
            )
        return (tensor(result or x.element, dims),)

    return infer


def arg_reduce(op: Op, types: Types, attributes: Attributes, place: Place | None) -> Types:
    (x,) = tensors(op, types, place)
    check_element(op, x, 0, place)
    axis = normal_axis(op, one_integer(op, attributes, "axis", place), x.rank, place)
    dims = (*x.dims[:axis], 1, *x.dims[axis + 1 :])
    if x.dims[axis] == 0 and 0 not in dims:
        fail(
            op,
            place,
            "GEN302",
            f"{format_list(x.dims)} has no elements along axis {axis}, wanted some: the "
            f"{op.name} of nothing has no value",
        )
    if not at_most(x.dims[axis], MOST_PLACES).is_shown:
        fail(op, place, "GEN302", f"axis {axis} has {x.dims[axis]} elements, wanted at most {MOST_PLACES}")
    return (tensor(I64, dims),)


def along_axis(op: Op, types: Types, attributes: Attributes, place: Place | None) -> Types:
    """softmax, and the norms with their optional scale and bias: the first operand's shape."""
    x, *rest = tensors(op, types, place)
    check_element(op, x, 0, place)
    _ = check_agreement(op, types, place)
    if "axis" in attributes:
        _ = normal_axis(op, one_integer(op, attributes, "axis", place), x.rank, place)
    for index, type_ in enumerate(rest, 2):
        if broadcast_dims((x.dims, type_.dims)) != x.dims:
            fail(
                op,
                place,
                "GEN302",
                f"operand {index} has shape {format_list(type_.dims)}, wanted a shape that "
                f"broadcasts to {format_list(x.dims)}",
            )
    return (tensor(x.element, x.dims),)


def scan(op: Op, types: Types, attributes: Attributes, place: Place | None) -> Types:
    """The first operand's shape, which all operands have that are combined. The axis is scanned in parts of
    `part` elements, or whole if that is 0. An element of `before`, if given, precedes each part; it may have
    an element more, for the end of the axis. If it is `passed_on`, the axis is scanned whole by workgroups
    that have a part each, and the last operand is the memory through which they pass on what precedes a part.
    """
    given = tensors(op, types, place)
    (x, *others), rest = given[: op.minimum], given[op.minimum :]
    check_element(op, x, 0, place)
    is_passed_on = bool(attributes.get("passed_on"))
    _ = check_agreement(op, types[: op.minimum] if is_passed_on else types, place)
    for index, other in enumerate(others, 2):
        if other.dims != x.dims:
            dims, wanted = format_list(other.dims), format_list(x.dims)
            fail(op, place, "GEN302", f"operand {index} has shape {dims}, wanted {wanted} as operand 1 has")
    axis = normal_axis(op, one_integer(op, attributes, "axis", place), x.rank, place)
    part = one_integer(op, attributes, "part", place)
    if not 0 <= part < 1 << 32:
        fail(op, place, "GEN303", f"part is {part}, wanted 0 for all elements, or fewer than 2^32 elements")
    size = x.dims[axis]
    if is_passed_on and others:
        fail(op, place, "GEN303", "passed_on is true, wanted false: workgroups pass on no pairs")
    if is_passed_on:
        _check_words(op, x, axis, part, rest, place)
        return (tensor(x.element, x.dims),)
    counts = (-(-size // part), size // part + 1) if part else (1, 1)
    wanted = [(*x.dims[:axis], count, *x.dims[axis + 1 :]) for count in counts]
    for before in rest:
        if before.dims not in wanted:
            fail(
                op,
                place,
                "GEN302",
                f"operand {op.minimum + 1} has shape {format_list(before.dims)}, wanted "
                f"{format_list(wanted[0])}: an element for each part",
            )
    return (tensor(x.element, x.dims),)


def parts_of_workgroups(size: Dim, part: int) -> Dim:
    """The parts of an axis. If only the launch knows its size, the last part may be empty."""
    return size // part + 1 if isinstance(size, Size) else -(-size // part)


def words_of(x: TensorType, axis: int, part: int) -> Dims:
    """The dims of the memory through which workgroups pass on what precedes their parts of an axis."""
    rows = prod([*x.dims[:axis], *x.dims[axis + 1 :]])
    return passed_words(rows, parts_of_workgroups(x.dims[axis], part), computed(x.element))


def _check_words(
    op: Op, x: TensorType, axis: int, part: int, rest: tuple[TensorType, ...], place: Place | None
) -> None:
    if part < 2:
        fail(op, place, "GEN303", f"part is {part}, wanted the elements of a workgroup if passed_on is true")
    wanted = tensor(U64, words_of(x, axis, part))
    if rest != (wanted,):
        got = format_type(rest[0]) if rest else "no operand 2"
        fail(op, place, "GEN302", f"got {got}, wanted {format_type(wanted)} of zeros: the words passed on")


def of_channels(op: Op, types: Types, attributes: Attributes, place: Place | None) -> Types:
    """instancenorm and groupnorm: x is {batch, channels, ...}; scale and bias are {channels}. `groups`
    divides the channels.
    """
    x, *rest = tensors(op, types, place)
    check_element(op, x, 0, place)
    _ = check_agreement(op, types, place)
    if x.rank < 2:
        fail(
            op,
            place,
            "GEN302",
            f"operand 1 has shape {format_list(x.dims)}, wanted at least batch and channels",
        )
    groups = one_integer(op, attributes, "groups", place) if "groups" in attributes else 1
    if groups < 1 or not divides(groups, x.dims[1]).is_shown:
        fail(op, place, "GEN303", f"groups is {groups}, wanted a divisor of the {x.dims[1]} channels")
    for index, type_ in enumerate(rest, 2):
        if type_.dims != (x.dims[1],):
            fail(
                op,
                place,
                "GEN302",
                f"operand {index} has shape {format_list(type_.dims)}, wanted {format_list((x.dims[1],))}",
            )
    return (tensor(x.element, x.dims),)
