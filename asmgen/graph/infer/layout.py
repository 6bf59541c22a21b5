"""Result types of ops that move elements: pad, concat, and the views (rules and codes:
`asmgen.graph.infer`)."""

from __future__ import annotations

from asmgen.graph.infer.checks import (
    Types,
    check_agreement,
    fail,
    integers,
    normal_axes,
    normal_axis,
    one_integer,
    sizes,
    tensors,
)
from asmgen.index.size import Dim, Size, at_least
from asmgen.ir.numbers import integer_range
from asmgen.ir.program import Attribute, Attributes, Op
from asmgen.ir.shapes import Dims, broadcast_strides, format_list
from asmgen.ir.slices import ends_of, room_of
from asmgen.ir.types import I32, ElementType, TensorType, tensor
from isa.diagnostics import Place


def pad(op: Op, types: Types, attributes: Attributes, place: Place | None) -> Types:
    (x,) = tensors(op, types, place)
    pads = integers(op, attributes, "pads", place)
    if len(pads) != 2 * x.rank or min(pads, default=0) < 0:
        fail(
            op,
            place,
            "GEN303",
            f"pads is {format_list(pads)}, wanted {2 * x.rank} numbers >= 0: before each axis, "
            f"then after each",
        )
    _check_value(op, attributes["value"], x.element, place)
    if attributes["mode"] != "constant" and attributes["value"] != 0:
        fail(op, place, "GEN303", f"value goes with mode=constant, wanted none with {attributes['mode']}")
    before, after = pads[: x.rank], pads[x.rank :]
    for axis, dim in enumerate(x.dims):
        widest = max(before[axis], after[axis])
        if attributes["mode"] == "reflect" and widest and at_least(widest, dim).is_shown:
            fail(
                op,
                place,
                "GEN303",
                f"pads is {widest} on axis {axis} of size {dim}, wanted less than the size with mode=reflect",
            )
        if attributes["mode"] == "edge" and widest and dim == 0:
            fail(op, place, "GEN303", f"axis {axis} has size 0, wanted an edge to repeat")
    return (tensor(x.element, tuple(b + dim + a for b, dim, a in zip(before, x.dims, after, strict=True))),)


def pad_needs(op: Op, types: Types, attributes: Attributes) -> Dims:
    """The smallest axis for a pad: 1 to repeat the edge, and one more than the mirrored elements."""
    (x,) = tensors(op, types, None)
    pads = integers(op, attributes, "pads", None)
    if attributes["mode"] == "constant":
        return ()
    widest = [max(pads[axis], pads[axis + x.rank]) for axis in range(x.rank)]
    is_edge = attributes["mode"] == "edge"
    return tuple(
        [dim - (1 if is_edge else most + 1) for dim, most in zip(x.dims, widest, strict=True) if most]
    )


def _check_value(op: Op, value: Attribute, element: ElementType, place: Place | None) -> None:
    """A number that pads integers must be in the range of their type."""
    if element.is_float or not isinstance(value, int | float):
        return
    low, high = integer_range(element)
    if value != value or not low <= value <= high or value != int(value):
        shown = f"{value:g}" if isinstance(value, float) else value
        fail(
            op,
            place,
            "GEN303",
            f"value is {shown}, wanted a whole number from {low} to {high} for {element}",
        )


def reverse(op: Op, types: Types, attributes: Attributes, place: Place | None) -> Types:
    (x,) = tensors(op, types, place)
    _ = normal_axes(op, attributes, "axes", x.rank, place)
    return (tensor(x.element, x.dims),)


def roll(op: Op, types: Types, attributes: Attributes, place: Place | None) -> Types:
    (x,) = tensors(op, types, place)
    axes, shifts = (
        normal_axes(op, attributes, "axes", x.rank, place),
        integers(op, attributes, "shifts", place),
    )
    if len(axes) != len(shifts):
        words = f"shifts is {format_list(shifts)}, wanted {_numbers(axes)}, a number for each axis"
        fail(op, place, "GEN303", words)
    for axis in axes:
        if isinstance(x.dims[axis], Size):
            fail(
                op, place, "GEN903",
                f"only the launch knows dim {axis} of {format_list(x.dims)}, along which roll turns elements",
                help="write it as the concat of two slices",
            )  # fmt: skip
    return (tensor(x.element, x.dims),)


def concat(op: Op, types: Types, attributes: Attributes, place: Place | None) -> Types:
    parts = tensors(op, types, place)
    element = check_agreement(op, types, place)
    first = parts[0]
    axis = normal_axis(op, one_integer(op, attributes, "axis", place), first.rank, place)
    for index, part in enumerate(parts, 1):
        if (
            part.dims[:axis] + part.dims[axis + 1 :] != first.dims[:axis] + first.dims[axis + 1 :]
            or part.rank != first.rank
        ):
            fail(
                op, place, "GEN302",

                        f"operand {index} has shape {format_list(part.dims)}, wanted "
                        f"{format_list(first.dims)} as operand 1 has, but for axis {axis}",
            )  # fmt: skip
    return (
        tensor(
            element, (*first.dims[:axis], sum(part.dims[axis] for part in parts), *first.dims[axis + 1 :])
        ),
    )


def slice_(op: Op, types: Types, attributes: Attributes, place: Place | None) -> Types:
    """Negative starts and ends count from the end and are clamped to the axis, as in numpy."""
    (x,) = tensors(op, types, place)
    axes = normal_axes(op, attributes, "axes", x.rank, place)
    starts, ends = (sizes(op, attributes, name, place) for name in ("starts", "ends"))
    if not len(axes) == len(starts) == len(ends):
        fail(
            op,
            place,
            "GEN303",
            f"axes, starts and ends have {len(axes)}, {len(starts)} and {len(ends)} numbers, "
            f"wanted as many of each",
        )
    dims = list(x.dims)
    for axis, start, end in zip(axes, starts, ends, strict=True):
        first, last = ends_of(x.dims[axis], start, end)
        dims[axis] = last - first
    return (TensorType(x.element, tuple(dims), x.strides),)


def slice_needs(op: Op, types: Types, attributes: Attributes) -> Dims:
    """An end that the launch knows counts from the first element, as the text says it."""
    return (*sizes(op, attributes, "starts", None), *sizes(op, attributes, "ends", None))


def slice_unclamped(op: Op, types: Types, attributes: Attributes) -> Dims:
    """Both ends are within the axis, and in their order."""
    (x,) = tensors(op, types, None)
    axes = normal_axes(op, attributes, "axes", x.rank, None)
    starts, ends = (sizes(op, attributes, name, None) for name in ("starts", "ends"))
    rooms: list[Dim] = []
    for axis, start, end in zip(axes, starts, ends, strict=True):
        rooms += room_of(x.dims[axis], start, end)
    return tuple(rooms)


def step(op: Op, types: Types, attributes: Attributes, place: Place | None) -> Types:
    (x,) = tensors(op, types, place)
    axes, steps = normal_axes(op, attributes, "axes", x.rank, place), integers(op, attributes, "steps", place)
    if len(axes) != len(steps) or min(steps, default=1) < 1:
        fail(
            op,
            place,
            "GEN303",
            f"steps is {format_list(steps)}, wanted {_numbers(axes)} >= 1, a number for each axis",
        )
    dims, strides = list(x.dims), list(x.strides)
    for axis, each in zip(axes, steps, strict=True):
        dims[axis], strides[axis] = -(-dims[axis] // each), strides[axis] * each
    return (TensorType(x.element, tuple(dims), tuple(strides)),)


def transpose(op: Op, types: Types, attributes: Attributes, place: Place | None) -> Types:
    (x,) = tensors(op, types, place)
    order = normal_axes(op, attributes, "permutation", x.rank, place)
    if len(order) != x.rank:
        fail(
            op, place, "GEN303", f"permutation is {format_list(order)}, wanted each of the {x.rank} axes once"
        )
    return (
        TensorType(
            x.element, tuple(x.dims[axis] for axis in order), tuple(x.strides[axis] for axis in order)
        ),
    )


def reshape_needs(op: Op, types: Types, attributes: Attributes) -> Dims:
    """No stated dim is negative."""
    return sizes(op, attributes, "dims", None)


def reshape(op: Op, types: Types, attributes: Attributes, place: Place | None) -> Types:
    """In `dims`, 0 keeps the operand's dim and a single -1 is inferred."""
    (x,) = tensors(op, types, place)
    dims = list(sizes(op, attributes, "dims", place))
    for axis, dim in enumerate(dims):
        if dim == 0 and axis < x.rank:
            dims[axis] = x.dims[axis]
    if not all(dim == -1 or at_least(dim, 0).is_shown for dim in dims) or dims.count(-1) > 1:
        fail(
            op,
            place,
            "GEN303",
            f"dims is {format_list(tuple(dims))}, wanted numbers >= 0 and at most a single -1",
        )
    if -1 in dims:
        known = tensor(x.element, tuple(dim for dim in dims if dim != -1)).elements
        if known == 0:
            fail(op, place, "GEN303", "dims has a -1 and a 0, wanted what can be inferred")
        dims[dims.index(-1)] = x.elements // known
    result = tensor(x.element, tuple(dims))
    if result.elements != x.elements:
        fail(
            op,
            place,
            "GEN302",
            f"{format_list(result.dims)} has {result.elements} elements, wanted {x.elements} "
            f"as {format_list(x.dims)} has",
        )
    return (result,)


def squeeze(op: Op, types: Types, attributes: Attributes, place: Place | None) -> Types:
    (x,) = tensors(op, types, place)
    axes = normal_axes(op, attributes, "axes", x.rank, place)
    for axis in axes:
        if x.dims[axis] != 1:
            fail(op, place, "GEN302", f"axis {axis} has size {x.dims[axis]}, wanted 1")
    kept = [axis for axis in range(x.rank) if axis not in axes]
    return (
        TensorType(x.element, tuple(x.dims[axis] for axis in kept), tuple(x.strides[axis] for axis in kept)),
    )


def unsqueeze(op: Op, types: Types, attributes: Attributes, place: Place | None) -> Types:
    """`axes` are those of the result."""
    (x,) = tensors(op, types, place)
    rank = x.rank + len(integers(op, attributes, "axes", place))
    axes = normal_axes(op, attributes, "axes", rank, place)
    dims, strides = list(x.dims), list(x.strides)
    for axis in sorted(axes):
        dims.insert(axis, 1)
        strides.insert(axis, dims[axis + 1] * strides[axis] if axis < len(strides) else 1)
    return (TensorType(x.element, tuple(dims), tuple(strides)),)


def contiguous(op: Op, types: Types, _attributes: Attributes, place: Place | None) -> Types:
    (x,) = tensors(op, types, place)
    return (tensor(x.element, x.dims),)


def _out_lens(op: Op, attributes: Attributes, place: Place | None) -> Dims:
    dims = sizes(op, attributes, "out_lens", place)
    if not all(at_least(dim, 0).is_possible for dim in dims):
        fail(op, place, "GEN303", f"out_lens is {format_list(dims)}, wanted dims >= 0")
    return dims


def iota(op: Op, _types: Types, attributes: Attributes, place: Place | None) -> Types:
    dims = _out_lens(op, attributes, place)
    _ = normal_axis(op, one_integer(op, attributes, "axis", place), len(dims), place)
    return (tensor(I32, dims),)


def multibroadcast(op: Op, types: Types, attributes: Attributes, place: Place | None) -> Types:
    """The operand repeated to `out_lens`, by numpy's rule."""
    (x,) = tensors(op, types, place)
    dims = _out_lens(op, attributes, place)
    strides = broadcast_strides(x, dims)
    if strides is None:
        fail(
            op,
            place,
            "GEN302",
            f"{format_list(x.dims)} does not broadcast to {format_list(dims)}, wanted dims "
            f"that are equal or 1, from the last on",
        )
    return (TensorType(x.element, dims, strides),)


def broadcast(op: Op, types: Types, attributes: Attributes, place: Place | None) -> Types:
    """The operand's axes laid at `axis` and on of `out_lens`; it is repeated along the others."""
    (x,) = tensors(op, types, place)
    dims = _out_lens(op, attributes, place)
    axis = one_integer(op, attributes, "axis", place)
    axis += len(dims) if axis < 0 else 0
    if axis < 0 or axis + x.rank > len(dims) or dims[axis : axis + x.rank] != x.dims:
        fail(
            op,
            place,
            "GEN302",
            f"{format_list(x.dims)} does not lie in {format_list(dims)} from axis {axis} on, "
            f"wanted equal dims there",
        )
    after = len(dims) - axis - x.rank
    return (TensorType(x.element, dims, (*[0] * axis, *x.strides, *[0] * after)),)


def _numbers(axes: tuple[int, ...]) -> str:
    """How many numbers some axes take."""
    return f"{len(axes)} number{'s' if len(axes) != 1 else ''}"
