"""Scans: by an op of the graph, or by any body in steps that double the number of combined elements."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from asmgen.frontends.tensors.associative import is_neutral, keeps_infinities, why_no_reduction
from asmgen.frontends.tensors.linear_bodies import Linear, linear_of
from asmgen.frontends.tensors.op_call import OpCall, check_numbers
from asmgen.frontends.tensors.regions import Number
from asmgen.frontends.tensors.stablehlo.reductions import Kind, highest, kind_of, lowest
from asmgen.frontends.tensors.stablehlo.shapes import padded_by, sliced
from asmgen.frontends.traced.array import Array, apply
from asmgen.frontends.traced.making import like
from asmgen.index.size import number
from asmgen.ir.types import BOOL, ElementType
from asmgen.mlir.source import Block
from isa.named_tuple import NamedTuple

SCANS = {
    "reduce_sum": "cumsum", "reduce_prod": "cumprod", "reduce_max": "cummax", "reduce_min": "cummin",
    "reduce_any": "cummax", "reduce_all": "cummin",
}  # fmt: skip
"""By the reductions of the graph. Truth values are scanned as integers."""
_EXACT = frozenset(["reduce_max", "reduce_min"])
_MOST_PARTS = 2
"""The parts of an element that steps scan. {8,2048,64} on gfx942, in clocks of the recursion and of steps:
a logaddexp 538,745 and 267,361; a recurrence of two parts 123,445 and 114,304, with 18 and 8 launches; a
product of matrices, of four parts, 398,737 and 710,784."""


class Along(NamedTuple):
    """The axis of a scan, and whether it begins at the end."""

    axis: int
    is_reverse: bool


def is_scanned(body: Block, elements: Sequence[ElementType]) -> bool:
    """Whether a scan by a body has the same results in any grouping, but for rounding, and there are numbers
    to begin with."""
    kind = _kind(body, elements)
    if any(element.is_float and element.bits < 32 for element in elements):
        # a sum rounds once, and the recursion at each step
        return kind is not None and kind.op in _EXACT
    if kind is not None or linear_of(body) is not None:
        return True
    return why_no_reduction(body, elements) is None and _start(body, elements) is not None


def _kind(body: Block, elements: Sequence[ElementType]) -> Kind | None:
    kind = kind_of(body, elements[0]) if len(elements) == 1 else None
    return kind if kind is not None and kind.op in SCANS else None


def _start(body: Block, elements: Sequence[ElementType]) -> tuple[Number, ...] | None:
    """A number for each part of an element, which a body combines with any element to that element."""
    if len(elements) > _MOST_PARTS:
        return None
    choices = [_starts(element) for element in elements]
    starts = [each for each in product(*choices) if is_neutral(body, each, elements)]
    # 0 changes nothing in a product and a sum of it, unless a number overflows
    return next((each for each in starts if keeps_infinities(body, each, elements)), None)


def _starts(element: ElementType) -> tuple[Number, ...]:
    if element is BOOL:
        return (False, True)
    extremes = (lowest(element), highest(element))
    return (0, 1, *extremes) if element.is_float else (0, 1, -1, *extremes)


def scanned(call: OpCall, body: Block, given: Sequence[Array], number: int, along: Along) -> Array:
    """The scan of array `number` by a body that combines an element of each array: those before it in the
    direction of the scan, and its own."""
    elements = [x.type.element for x in given]
    kind = _kind(body, elements)
    if kind is not None:
        scan = scanned_by(kind, given[0], along)
    elif (linear := linear_of(body)) is not None:
        scan = recurrence(linear, given, number, along)
    else:
        start = _start(body, elements)
        assert start is not None, "the body is accepted"
        first = [like(each, x) for each, x in zip(start, given, strict=True)]
        in_order = _swapped(body) if along.is_reverse else body
        scan = _scanned_in_steps(call, in_order, given, first, along)[number]
    # the recursion adds zeros to the elements: -0.0 becomes 0.0
    return apply("add", scan, like(0.0, scan)) if scan.type.element.is_float else scan


def _swapped(body: Block) -> Block:
    half = len(body.arguments) // 2
    return Block(0, (*body.arguments[half:], *body.arguments[:half]), body.operations)


def scanned_by(kind: Kind, x: Array, along: Along) -> Array:
    """A scan by an op of the graph."""
    element = x.type.element
    if element is BOOL:
        x = apply("convert", x, target_type="u8")
    scan = apply(SCANS[kind.op], x, axis=along.axis, reverse=along.is_reverse)
    return apply("convert", scan, target_type=element.name) if element is BOOL else scan


def recurrence(linear: Linear, given: Sequence[Array], number: int, along: Along) -> Array:
    """The scan of part `number` of a linear recurrence: of the factors, or of the summands."""
    if number == linear.factor:
        return apply("cumprod", given[number], axis=along.axis, reverse=along.is_reverse)
    a, b = given[linear.factor], given[linear.summand]
    return apply("linear_recurrence", a, b, axis=along.axis, reverse=along.is_reverse)


def scanned_by_body(
    call: OpCall, body: Block, given: Sequence[Array], first: Sequence[Array], along: Along
) -> list[Array]:
    """A scan by any body, which combines elements in the order of their places. `first` are numbers that
    change nothing."""
    linear = linear_of(_swapped(body) if along.is_reverse else body)
    if linear is not None and given[0].type.element.bits >= 32:
        return [recurrence(linear, given, number, along) for number in range(len(given))]
    return _scanned_in_steps(call, body, given, first, along)


def _scanned_in_steps(
    call: OpCall, body: Block, given: Sequence[Array], first: Sequence[Array], along: Along
) -> list[Array]:
    """A scan by steps that double the number of elements that are combined."""
    check_numbers(call.operation, [given[0].type.dims[along.axis]])
    arrays, length, step = list(given), number(given[0].type.dims[along.axis]), 1
    while step < length:
        moved = [_moved(call, x, start, along, step) for x, start in zip(arrays, first, strict=True)]
        pair = [*arrays, *moved] if along.is_reverse else [*moved, *arrays]
        arrays = [each for each in call.inline(body, pair) if isinstance(each, Array)]
        step *= 2
    return arrays


def _moved(call: OpCall, x: Array, fill: Array, along: Along, step: int) -> Array:
    """The element that is `step` places before each element, or after it."""
    dims = x.type.dims
    starts, ends, low, high = [0] * len(dims), list(dims), [0] * len(dims), [0] * len(dims)
    if along.is_reverse:
        starts[along.axis], high[along.axis] = step, step
    else:
        ends[along.axis], low[along.axis] = dims[along.axis] - step, step
    return padded_by(call, sliced(x, starts, ends), fill, low, high, [0] * len(dims))
