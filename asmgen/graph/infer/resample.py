"""Result types of resampling and of interpolation (rules and codes: `asmgen.graph.infer`).

Along an axis of n elements that becomes an axis of m elements, element d of the result is at the place

    nearest        d * n / m, rounded down
    nearest_exact  (d + 1/2) * n / m, rounded down
    linear         (d + 1/2) * n / m - 1/2, between two elements; or d * (n - 1) / (m - 1) with align_corners

`Place` has it as a quotient of whole numbers.
"""

from __future__ import annotations

from math import gcd

from asmgen.graph.infer.checks import (
    Types,
    check_element,
    fail,
    integers,
    normal_axes,
    normal_axis,
    one_integer,
    sizes,
    tensors,
)
from asmgen.index.size import Dim, at_least
from asmgen.ir.named_dims import MOST_BYTES
from asmgen.ir.program import Attributes, Op
from asmgen.ir.shapes import Dims, format_list
from asmgen.ir.types import ElementType, TensorType, tensor
from isa.diagnostics import Place as Where
from isa.named_tuple import NamedTuple

LINEAR = "linear"
MODES = ("nearest", "nearest_exact", LINEAR)


class Place(NamedTuple):
    """Element d is at (by * d + plus) / over."""

    by: int
    plus: int
    over: int

    @classmethod
    def of(cls, mode: str, ratio: tuple[int, int], aligned: tuple[int, int] | None) -> Place:
        """The place for `ratio` elements, of the operand and of the result. `aligned` are the elements
        without the last if the corners are aligned.
        """
        before, after = ratio
        if aligned is not None:
            return cls(aligned[0], 0, max(aligned[1], 1)) if aligned[1] else cls(0, 0, 1)
        if mode == "nearest" or (mode != LINEAR and before == 1):  # half an element does not matter then
            return cls(before, 0, after)
        return cls(2 * before, before - (after if mode == LINEAR else 0), 2 * after)


class Resampled(NamedTuple):
    """An axis of a result: its number of elements, and their places."""

    axis: int
    size: Dim
    place: Place


def resample(op: Op, types: Types, attributes: Attributes, place: Where | None) -> Types:
    (x,) = tensors(op, types, place)
    axis = normal_axis(op, one_integer(op, attributes, "axis", place), x.rank, place)
    size, *others = sizes(op, attributes, "size", place)
    at = Place(*[one_integer(op, attributes, name, place) for name in ("by", "plus", "over")])
    if others or not at_least(size, 0).is_possible:
        fail(op, place, "GEN303", f"size is {format_list((size, *others))}, wanted a number of elements")
    if at.by < 0 or at.over < 1:
        fail(op, place, "GEN303", f"by is {at.by} and over is {at.over}, wanted at least 0 and 1")
    _check_places(op, size, at, x.element, place)
    if x.dims[axis] == 0 and size != 0:
        fail(op, place, "GEN302", f"axis {axis} has size 0, wanted elements to choose from")
    return (tensor(x.element, (*x.dims[:axis], size, *x.dims[axis + 1 :])),)


def resample_needs(op: Op, types: Types, attributes: Attributes) -> Dims:
    """An element."""
    (x,) = tensors(op, types, None)
    axis = normal_axis(op, one_integer(op, attributes, "axis", None), x.rank, None)
    return (x.dims[axis] - 1,) if sizes(op, attributes, "size", None) != (0,) else ()


def resampled_of(
    op: Op, x: TensorType, attributes: Attributes, place: Where | None = None
) -> tuple[Resampled, ...]:
    """The axes that an interpolation of x changes. Without `axes` they are the last axes."""
    dims, element = x.dims, x.element
    out, scales = (integers(op, attributes, name, place) for name in ("out_sizes", "scales"))
    if bool(out) is bool(scales):
        fail(op, place, "GEN303", f"got {'both' if out else 'neither'}, wanted either out_sizes or scales")
    given = out or scales
    name = "out_sizes" if out else "scales"
    if min(given) < 1 or len(given) > len(dims):
        fail(op, place, "GEN303", f"{name} is {format_list(given)}, wanted 1 to {len(dims)} numbers >= 1")
    axes = normal_axes(op, attributes, "axes", len(dims), place) or tuple(
        range(len(dims) - len(given), len(dims))
    )
    if len(axes) != len(given):
        fail(op, place, "GEN303", f"axes is {format_list(axes)}, wanted {len(given)} numbers, as {name} has")
    mode, is_aligned = str(attributes["mode"]), bool(attributes["align_corners"])
    if is_aligned and mode != LINEAR:
        fail(op, place, "GEN303", f"align_corners goes with mode={LINEAR}, wanted none with {mode}")
    made: list[Resampled] = []
    for axis, number in sorted(zip(axes, given, strict=True)):
        size = number if out else dims[axis] * number
        at = Place.of(mode, *_ratios(op, dims[axis], size, None if out else number, is_aligned, place))
        _check_places(op, size, at, element, place)
        made.append(Resampled(axis, size, at))
    return tuple(made)


def interpolated(op: Op, types: Types, attributes: Attributes, place: Where | None) -> Types:
    (x,) = tensors(op, types, place)
    check_element(op, x, 0, place)
    if attributes["mode"] == LINEAR and not x.element.is_float:
        fail(op, place, "GEN301", f"operand 1 has type {x.element}, wanted a float with mode={LINEAR}")
    dims = list(x.dims)
    for each in resampled_of(op, x, attributes, place):
        if dims[each.axis] == 0:
            fail(op, place, "GEN302", f"axis {each.axis} has size 0, wanted elements to choose from")
        dims[each.axis] = each.size
    return (tensor(x.element, tuple(dims)),)


def interpolated_needs(op: Op, types: Types, attributes: Attributes) -> Dims:
    """An element along each axis."""
    (x,) = tensors(op, types, None)
    return tuple([x.dims[each.axis] - 1 for each in resampled_of(op, x, attributes)])


def _ratios(
    op: Op, before: Dim, after: Dim, scale: int | None, is_aligned: bool, place: Where | None
) -> tuple[tuple[int, int], tuple[int, int] | None]:
    """The elements of the operand and of the result, both divided by their common divisor; and the same
    without the last elements. A scale is known without the sizes.
    """
    if isinstance(before, int) and isinstance(after, int):
        last = (before - 1, after - 1)
        return _least(before, after), _least(*last) if is_aligned else None
    if scale is None or is_aligned:
        fail(
            op,
            place,
            "GEN903",
            f"an axis of {before} elements becomes an axis of {after}, and only the launch knows the places",
            help="give scales in place of out_sizes, without align_corners; or write the size as a number",
        )
    return (1, scale), None


def _least(before: int, after: int) -> tuple[int, int]:
    common = max(gcd(before, after), 1)
    return before // common, after // common


def _check_places(op: Op, size: Dim, at: Place, element: ElementType, place: Where | None) -> None:
    """A place is computed in 32 bits. A size that only the launch knows is at most a buffer's."""
    is_known, largest = isinstance(size, int), (MOST_BYTES - 1) // element.bytes
    count, limit = (size, 1 << 31) if isinstance(size, int) else (largest, 1 << 32)
    if at.by * max(count - 1, 0) + at.plus + at.over >= limit:
        shown = f"({at.by} * d + {at.plus}) floordiv {at.over}"
        message = f"the places {shown} of {size} elements are beyond 32 bits, wanted smaller sizes"
        fail(op, place, "GEN303" if is_known else "GEN903", message)
