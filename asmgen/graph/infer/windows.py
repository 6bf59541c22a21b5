"""Result types of windows and of pooling (rules and codes: `asmgen.graph.infer`).

With `before` and `after` elements of padding around an axis, window number o has the elements
o * stride - before + k * dilation, for each k below its length. The last window ends within the padding:

    10 elements, padding of 1 and 1, windows of 3 elements with a stride of 2     5 windows
"""

from __future__ import annotations

from asmgen.graph.infer.checks import Types, check_element, fail, integers, normal_axes, tensors
from asmgen.index.size import Dim, at_least
from asmgen.ir.program import Attributes, Op
from asmgen.ir.shapes import Dims, format_list
from asmgen.ir.types import TensorType, tensor
from isa.diagnostics import Place
from isa.named_tuple import NamedTuple


class Window(NamedTuple):
    """The windows along an axis."""

    axis: int
    length: int
    stride: int
    dilation: int
    before: int = 0
    after: int = 0

    @property
    def span(self) -> int:
        """From the first element of a window to the last."""
        return (self.length - 1) * self.dilation + 1

    def room(self, size: Dim) -> Dim:
        """How many elements the axis has more than the first window; not negative if there is a window."""
        return size + self.before + self.after - self.span

    def along(self, size: Dim) -> Dim:
        """How many windows there are."""
        return self.room(size) // self.stride + 1


def windows_of(op: Op, attributes: Attributes, rank: int, place: Place | None = None) -> tuple[Window, ...]:
    """The windows along each axis, in the order of the axes. Without `axes` they are along the last axes, and
    without `strides` each window begins at the end of the window before it.
    """
    lengths = _positive(op, attributes, "sizes", place)
    if not 0 < len(lengths) <= rank:
        fail(op, place, "GEN303", f"sizes is {format_list(lengths)}, wanted 1 to {rank} numbers")
    axes = normal_axes(op, attributes, "axes", rank, place) or tuple(range(rank - len(lengths), rank))
    strides = _positive(op, attributes, "strides", place) or lengths
    dilations = _positive(op, attributes, "dilations", place) or (1,) * len(lengths)
    pads = integers(op, attributes, "pads", place) if "pads" in attributes else ()
    pads = pads or (0,) * (2 * len(lengths))
    for name, given in (("axes", axes), ("strides", strides), ("dilations", dilations)):
        if len(given) != len(lengths):
            wanted = f"{len(lengths)} numbers, as sizes has"
            fail(op, place, "GEN303", f"{name} is {format_list(given)}, wanted {wanted}")
    if len(pads) != 2 * len(lengths) or min(pads) < 0:
        wanted = f"{2 * len(lengths)} numbers >= 0: before each axis, then after each"
        fail(op, place, "GEN303", f"pads is {format_list(pads)}, wanted {wanted}")
    before, after = pads[: len(lengths)], pads[len(lengths) :]
    made = zip(axes, lengths, strides, dilations, before, after, strict=True)
    return tuple(sorted([Window(*window) for window in made]))


def _positive(op: Op, attributes: Attributes, name: str, place: Place | None) -> tuple[int, ...]:
    numbers = integers(op, attributes, name, place)
    if min(numbers, default=1) < 1:
        fail(op, place, "GEN303", f"{name} is {format_list(numbers)}, wanted numbers >= 1")
    return numbers


def _checked(op: Op, x: TensorType, attributes: Attributes, place: Place | None) -> tuple[Window, ...]:
    windows = windows_of(op, attributes, x.rank, place)
    for window in windows:
        if not at_least(window.room(x.dims[window.axis]), 0).is_possible:
            fail(
                op,
                place,
                "GEN302",
                f"axis {window.axis} has size {x.dims[window.axis]}, wanted at least "
                f"{window.span - window.before - window.after} for a window",
                "pads={1,1}, of an axis, adds an element before it and an element after it",
            )
    return windows


def windows(op: Op, types: Types, attributes: Attributes, place: Place | None) -> Types:
    """A dim of the windows, and after it a dim of their elements, in the place of each axis."""
    (x,) = tensors(op, types, place)
    dims, strides = list(x.dims), list(x.strides)
    for window in reversed(_checked(op, x, attributes, place)):
        at, step = slice(window.axis, window.axis + 1), x.strides[window.axis]
        dims[at] = [window.along(x.dims[window.axis]), window.length]
        strides[at] = [step * window.stride, step * window.dilation]
    return (TensorType(x.element, tuple(dims), tuple(strides)),)


def windows_needs(op: Op, types: Types, attributes: Attributes) -> Dims:
    """At least one window along each axis."""
    (x,) = tensors(op, types, None)
    return tuple([window.room(x.dims[window.axis]) for window in windows_of(op, attributes, x.rank)])


def pooled(op: Op, types: Types, attributes: Attributes, place: Place | None) -> Types:
    """An element for each window."""
    (x,) = tensors(op, types, place)
    check_element(op, x, 0, place)
    dims = list(x.dims)
    for window in _checked(op, x, attributes, place):
        dims[window.axis] = window.along(x.dims[window.axis])
    return (tensor(x.element, tuple(dims)),)
