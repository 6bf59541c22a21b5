"""Operands of structured ops by their affine maps."""

from __future__ import annotations

import math
from collections.abc import Sequence

from asmgen.frontends.tensors.op_call import OpCall
from asmgen.frontends.tensors.stablehlo.known_places import taken_by
from asmgen.frontends.tensors.stablehlo.shapes import permuted, reshaped, sliced, stepped
from asmgen.frontends.traced.array import Array, apply
from asmgen.frontends.traced.making import iota, like
from asmgen.index.size import Dim as Dimension
from asmgen.index.size import numbers
from asmgen.ir.types import I32
from asmgen.mlir.source import AffineMap, Dim, Expression
from isa.named_tuple import NamedTuple


class Linear(NamedTuple):
    """The sum of loops, each with a factor, and a number."""

    terms: tuple[tuple[int, int], ...]
    constant: int = 0


def linear(expression: Expression) -> Linear | None:
    """An expression as a sum of loops; None if it is none."""
    if isinstance(expression, int):
        return Linear((), expression)
    if isinstance(expression, Dim):
        return None if expression.is_symbol else Linear(((expression.number, 1),))
    left, right = linear(expression.left), linear(expression.right)
    if left is None or right is None:
        return None
    if expression.op == "+":
        factors = dict(left.terms)
        for number, factor in right.terms:
            factors[number] = factors.get(number, 0) + factor
        terms = tuple([(number, factor) for number, factor in factors.items() if factor])
        return Linear(terms, left.constant + right.constant)
    if expression.op == "*" and not right.terms:
        terms = tuple([(number, factor * right.constant) for number, factor in left.terms])
        return Linear(terms, left.constant * right.constant)
    return None


class Axes(NamedTuple):
    """An array and the loop that each of its axes is."""

    array: Array
    loops: tuple[int, ...]


def by_loops(x: Array, map_: AffineMap, sizes: Sequence[Dimension]) -> Axes | None:
    """An operand with an axis for each loop of its map, by slices and windows; None if a loop comes twice, or
    the map is more than sums of two loops."""
    forms = [linear(each) for each in map_.results]
    named = [number for form in forms if form is not None for number, _ in form.terms]
    if None in forms or len(set(named)) != len(named):
        return None
    loops: list[int] = []
    at = 0
    for form in forms:
        assert form is not None, "all forms are sums"
        if len(form.terms) > 2 or any(factor < 0 for _, factor in form.terms) or form.constant < 0:
            return None
        if form == Linear(()) and x.type.dims[at] == 1:
            x = apply("squeeze", x, axes=(at,))
        elif not _is_whole(form, x.type.dims[at], sizes):
            x = _axis(x, at, form, numbers(tuple(sizes)))
        loops += [number for number, _ in form.terms]
        at += len(form.terms)
    return Axes(x, tuple(loops))


def _is_whole(form: Linear, dim: Dimension, sizes: Sequence[Dimension]) -> bool:
    """Whether an axis is a loop, from its first element to its last."""
    loops = [number for number, factor in form.terms if factor == 1]
    return not form.constant and len(form.terms) == len(loops) == 1 and dim == sizes[loops[0]]


def _axis(x: Array, at: int, form: Linear, sizes: Sequence[int]) -> Array:
    """An axis as the axes of its loops: 0 to 2."""
    dims = numbers(x.type.dims)
    reach = form.constant + sum((sizes[number] - 1) * factor for number, factor in form.terms) + 1
    starts, ends = [0] * len(dims), list(dims)
    starts[at], ends[at] = form.constant, reach
    x = sliced(x, starts, ends)
    if not form.terms:
        return apply("squeeze", x, axes=(at,))
    (_, stride), *others = form.terms
    if not others:
        return stepped(x, [stride if axis == at else 1 for axis in range(len(dims))])
    inner, dilation = others[0]
    return apply("windows", x, axes=(at,), sizes=(sizes[inner],), strides=(stride,), dilations=(dilation,))


def placed(call: OpCall, x: Array, map_: AffineMap, sizes: Sequence[Dimension]) -> Array:
    """An operand with an axis for each loop, of 1 for loops that its map does not have."""
    made = by_loops(x, map_, sizes)
    if made is None:
        return _gathered(call, x, map_, sizes)
    x, loops = made
    order = sorted(range(len(loops)), key=lambda axis: loops[axis])
    x = permuted(x, order)
    missing = tuple([loop for loop in range(len(sizes)) if loop not in loops])
    return apply("unsqueeze", x, axes=missing) if missing else x


def _gathered(call: OpCall, x: Array, map_: AffineMap, sizes: Sequence[Dimension]) -> Array:
    """Any map: the place of each element in the flattened operand."""
    dims = numbers(x.type.dims)
    place = flat_place([_index(call, expression, sizes) for expression in map_.results], dims)
    whole = apply("multibroadcast", place, out_lens=tuple(sizes))
    return taken_by(call, reshaped(x, (math.prod(dims),)), 0, whole)


def flat_place(indices: Sequence[Array], dims: Sequence[int]) -> Array:
    """The place in a flattened array of elements with an index along each axis; there is at least one
    axis."""
    place: Array | None = None
    for axis, index in enumerate(indices):
        step = math.prod(dims[axis + 1 :])
        index = index if step == 1 else apply("mul", index, like(step, index))
        place = index if place is None else apply("add", place, index)
    assert place is not None, "an array of rank 0 has no places"
    return place


def _index(call: OpCall, expression: Expression, sizes: Sequence[Dimension]) -> Array:
    """An affine expression of the loops, as i32 with a dim of 1 for each loop that it lacks."""
    if isinstance(expression, int):
        number = Array(call.tracer.number(expression, I32, call.operation.place), call.tracer)
        return apply("multibroadcast", number, out_lens=(1,) * len(sizes))
    if isinstance(expression, Dim):
        if expression.is_symbol:
            call.refuse("its map has a symbol, wanted loops")
        axis = expression.number
        return iota(call.tracer, axis, tuple([size if at == axis else 1 for at, size in enumerate(sizes)]))
    left, right = _index(call, expression.left, sizes), _index(call, expression.right, sizes)
    if expression.op == "+":
        return apply("add", left, right)
    if expression.op == "*":
        return apply("mul", left, right)
    if expression.op == "mod":
        return apply("mod", left, right)
    up = apply("add", left, apply("sub", right, like(1, right))) if expression.op == "ceildiv" else left
    rest = apply("mod", up, right)
    return apply("div", apply("sub", up, rest), right)
