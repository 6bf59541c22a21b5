"""A number for each block of an array, at the extreme element of the block: the gradient of a `max_pool` with
windows that have no element in common."""

from __future__ import annotations

import math
from collections.abc import Sequence

from asmgen.frontends.tensors.computing import computed
from asmgen.frontends.tensors.op_call import OpCall
from asmgen.frontends.tensors.regions import Number
from asmgen.frontends.tensors.stablehlo.shapes import padded, reshaped, sliced
from asmgen.frontends.traced.array import Array, apply
from asmgen.frontends.traced.making import iota, like
from asmgen.index.size import Dim, number
from isa.named_tuple import NamedTuple


class Chosen(NamedTuple):
    """The op of the graph that finds the element that a comparison keeps, whether it is the last of equal
    elements, and a number that it keeps last."""

    op: str
    is_last: bool
    worst: Number


def in_blocks(call: OpCall, x: Array, source: Array, sizes: Sequence[int], way: Chosen) -> Array:
    """The elements of `source`, each at the chosen element of its block of `x`; 0 elsewhere. The blocks begin
    at the start of `x`; elements at its end may be in none."""
    counts = source.type.dims
    split, outer, within, inner = list[Dim](), list[Dim](), list[int](), list[int]()
    for count, size in zip(counts, sizes, strict=True):
        inner += [len(split) + 1] if size > 1 else []
        split += [count, size] if size > 1 else [count]
        outer += [count, 1] if size > 1 else [count]
        within += [1, size] if size > 1 else [1]
    covered = [count * size for count, size in zip(counts, sizes, strict=True)]
    blocks = reshaped(sliced(x, [0] * len(sizes), covered), tuple(split))
    places = reshaped(iota(call.tracer, 0, (math.prod(sizes),)), tuple(within))
    chosen = apply("equal", places, _place(blocks, places, math.prod(sizes), inner, way))
    made = apply("where", chosen, reshaped(source, tuple(outer)), like(0, source))
    rest = [number(dim - each) for dim, each in zip(x.type.dims, covered, strict=True)]
    return padded(reshaped(made, tuple(covered)), 0, [0] * len(rest), rest, [0] * len(rest))


def _place(blocks: Array, places: Array, count: int, inner: Sequence[int], way: Chosen) -> Array:
    """The place in its block of the first or the last extreme element; of a block with NaN an end."""
    axes, most = tuple(inner), way.op == "argmax"
    if not axes:
        return like(0, places)
    extreme = apply("reduce_max" if most else "reduce_min", blocks, axes=axes)
    none = like(-1 if way.is_last else count, places)
    found = apply("where", apply("equal", blocks, extreme), places, none)
    place = apply("reduce_max" if way.is_last else "reduce_min", found, axes=axes)
    end = like(0 if way.is_last else count - 1, places)
    return computed("maximum" if way.is_last else "minimum", place, end)
