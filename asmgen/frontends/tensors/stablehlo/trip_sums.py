"""Reductions and products in the body of a loop, for all trips at once: the trips are an axis more."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from asmgen.frontends.tensors.op_call import OpCall
from asmgen.frontends.tensors.stablehlo.products import numbered_axes, product
from asmgen.frontends.tensors.stablehlo.reductions import kind_of, reduced
from asmgen.frontends.tensors.trip_values import OPEN, Each, Same, TripValue, array_of
from asmgen.frontends.traced.array import Array
from asmgen.frontends.traced.shaping import moveaxis
from asmgen.ir.types import BOOL
from asmgen.mlir.source import Operation


def reduce_of_trips(call: OpCall, operation: Operation, given: Sequence[TripValue]) -> TripValue:
    """A reduction of one array by an op of the graph."""
    if len(given) != 2 or not isinstance(given[0], Each) or not isinstance(given[1], Same):
        return OPEN
    x, first = given[0].array, given[1].item
    kind = kind_of(operation.body, x.type.element)
    if kind is None or not isinstance(first, Array):
        return OPEN
    axes = [axis + 1 for axis in operation.integers("dimensions")]
    return Each(reduced(call, x, first, axes, kind))


def product_of_trips(call: OpCall, operation: Operation, given: Sequence[TripValue]) -> TripValue:
    """A `dot_general` of arrays, at least one of which differs between the trips."""
    a, b = given
    if not isinstance(a, Same | Each) or not isinstance(b, Same | Each):
        return OPEN
    if not all(isinstance(each, Each) or isinstance(each.item, Array) for each in (a, b)):
        return OPEN
    of_product = replace(call, operation=operation, items=(array_of(a), array_of(b)))
    if of_product.element is BOOL:
        return OPEN
    left, right, summed, with_ = numbered_axes(of_product)
    if isinstance(a, Each):
        left, summed = _moved(left), _moved(summed)
    if isinstance(b, Each):
        right, with_ = _moved(right), _moved(with_)
    if isinstance(a, Each) and isinstance(b, Each):
        return Each(product(of_product, (0, *left), (0, *right), summed, with_))
    made = product(of_product, left, right, summed, with_)
    before = len(left)
    if isinstance(b, Each):
        before += array_of(a).type.rank - len(left) - len(summed)
    return Each(moveaxis(made, before, 0))


def _moved(axes: Sequence[int]) -> tuple[int, ...]:
    return tuple([axis + 1 for axis in axes])
