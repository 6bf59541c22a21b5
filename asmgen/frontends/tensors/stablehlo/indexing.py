"""StableHLO ops with indices that are known when the program runs: gather and scatter.

A gather of whole rows along an axis is a gather of the graph; a gather along an axis of batches is
`take_along_axis`. Any other gather computes the place of each element in the flattened operand.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import reduce

from msgspec import Struct

from asmgen.frontends.tensors.bodies import part_of
from asmgen.frontends.tensors.computing import computed
from asmgen.frontends.tensors.extents import Extents
from asmgen.frontends.tensors.op_call import Item, OpCall, Results
from asmgen.frontends.tensors.regions import single_op
from asmgen.frontends.tensors.size_numbers import number_of
from asmgen.frontends.tensors.stablehlo.blocks import as_index, slice_at, updated_from
from asmgen.frontends.tensors.stablehlo.known_places import taken_by
from asmgen.frontends.tensors.stablehlo.reductions import Kind, combined, combined_in_pairs, kind_of
from asmgen.frontends.tensors.stablehlo.shapes import in_dims, permuted, reshaped, sliced
from asmgen.frontends.traced.array import Array, apply
from asmgen.frontends.traced.making import iota, like
from asmgen.graph.ops import RESHAPE
from asmgen.index.size import Dim, Size, Sizes, at_least, at_most
from asmgen.ir.constants import Number
from asmgen.ir.numbers import integer_range
from asmgen.ir.program import tensor_type
from asmgen.ir.types import I32, I64, ElementType, NumberKind
from asmgen.mlir.source import Block

Rule = Callable[[OpCall], Results]
_LARGEST = integer_range(I32)[1]
_MOST_COMPARED = 1 << 24  # places times updates of a scatter that is no addition
_NAMED_BITS = 12  # of each size among them that only the launch knows


# Gather


class Gather(Struct, frozen=True):
    """The dimension numbers of a gather, and of a scatter by the same names: the axes of the result that are
    those of slices, the axes of the operand that slices lack, the axes that are batches on both sides, and
    the axis of the operand for each element of an index vector."""

    offset: tuple[int, ...]
    collapsed: tuple[int, ...]
    batching: tuple[int, ...]
    start_batching: tuple[int, ...]
    start_map: tuple[int, ...]
    vector: int
    sizes: Sizes

    @property
    def kept(self) -> tuple[int, ...]:
        """The axes of the operand that slices have."""
        gone = {*self.collapsed, *self.batching}
        return tuple([axis for axis in range(len(self.sizes)) if axis not in gone])


def _gather(call: OpCall) -> Results:
    return _gather_of(call, call.operation.integers("slice_sizes"))


def _dynamic_gather(call: OpCall) -> Results:
    """The sizes of slices are an operand."""
    return _gather_of(call, call.known_sizes(2))


def _gather_of(call: OpCall, sizes: Sizes) -> Array:
    x, starts = call.arrays[:2]
    text = "dimension_numbers"
    gather = Gather(
        call.listed(text, "offset_dims"), call.listed(text, "collapsed_slice_dims"),
        call.listed(text, "operand_batching_dims"), call.listed(text, "start_indices_batching_dims"),
        call.listed(text, "start_index_map"), call.single(text, "index_vector_dim"),
        sizes,
    )  # fmt: skip
    return gathered(call, x, starts, gather)


def gathered(call: OpCall, x: Array, starts: Array, gather: Gather) -> Array:
    """Slices of an operand by index vectors; each index is clamped."""
    starts = _vector_last(starts, gather.vector)
    dims = _dims_of(gather, starts.type.dims)
    if 0 in dims:
        return apply("multibroadcast", like(0, x), out_lens=dims)
    if _is_of_rows(gather):
        return _rows(call, x, starts, gather, len(dims))
    shape = x.type.dims
    is_single = starts.type.dims == (1,) * (starts.type.rank - 1) + (len(gather.start_map),)
    if is_single and not gather.batching and any(isinstance(dim, Size) for dim in shape):
        chosen = {axis: _element(starts, number) for number, axis in enumerate(gather.start_map)}
        none = Extents((0,))
        slice_ = slice_at(call, x, [chosen.get(axis, none) for axis in range(len(shape))], gather.sizes)
        return reshaped(slice_, dims)
    firsts = [
        as_index(_element(starts, number), 0, shape[axis] - gather.sizes[axis])
        for number, axis in enumerate(gather.start_map)
    ]
    places = _places(call, shape, firsts, gather, dims)
    return taken_by(call, reshaped(x, (math.prod(shape),)), 0, places)


def _dims_of(gather: Gather, starts: Sizes) -> Sizes:
    """The dims of the result, with index vectors along the last axis of `starts`."""
    of_slices = dict(zip(gather.offset, gather.kept, strict=True))
    batches = iter(starts[:-1])
    rank = len(starts) - 1 + len(gather.offset)
    return tuple([gather.sizes[of_slices[at]] if at in of_slices else next(batches) for at in range(rank)])


def _vector_last(starts: Array, vector: int) -> Array:
    """Index vectors along the last axis."""
    if vector == starts.type.rank:
        return apply("unsqueeze", starts, axes=(vector,))
    return permuted(starts, [*[axis for axis in range(starts.type.rank) if axis != vector], vector])


def _is_of_rows(gather: Gather) -> bool:
    """Whether each index chooses a row along a single axis."""
    return len(gather.start_map) == 1 and gather.sizes[gather.start_map[0]] == 1


def of_gather(call: OpCall, index: Array, size: Dim) -> Array:
    """Indices of a gather of the graph along an axis of so many elements. It clamps large indices by itself,
    and counts negative indices from the end: so also `i < 0 ? i + size : i`, as JAX writes it."""
    if index.type.element not in (I32, I64):
        return as_index(index, 0, size - 1 if isinstance(size, int) else _LARGEST)
    wrapped = call.definitions.wrapped(index.value, size) if isinstance(size, int) else None
    if wrapped is not None:
        return reshaped(Array(wrapped, call.tracer), index.type.dims)
    return computed("maximum", index, like(0, index))


def _rows(call: OpCall, x: Array, starts: Array, gather: Gather, rank: int) -> Array:
    """Batch axes first, then the axis of the rows, then the others; the same for the indices."""
    (axis,) = gather.start_map
    dims = x.type.dims
    batches = gather.batching
    others = [at for at in range(len(dims)) if at != axis and at not in batches]
    ends = [size if at in others else dims[at] for at, size in enumerate(gather.sizes)]
    x = permuted(sliced(x, [0] * len(dims), ends), [*batches, axis, *others])
    index = apply("squeeze", starts, axes=(starts.type.rank - 1,))
    free = [at for at in range(index.type.rank) if at not in gather.start_batching]
    index = of_gather(call, index, dims[axis])
    if batches:
        index = permuted(index, [*gather.start_batching, *free])
        shape = index.type.dims
        count, before = math.prod(shape[len(batches) :]), shape[: len(batches)]
        flat = reshaped(index, (*before, count, *[1] * len(others)))
        taken = apply("take_along_axis", x, flat, axis=len(batches))
        taken = reshaped(taken, (*shape, *[ends[at] for at in others]))
    else:
        taken = taken_by(call, x, 0, index)
    # the axes are those of the batches, the other axes of the indices, and the axes of slices
    batch_axes = [at for at in range(rank) if at not in gather.offset]
    wanted = [batch_axes[at] for at in (*gather.start_batching, *free)]
    of_slices = dict(zip(gather.kept, gather.offset, strict=True))
    if axis in of_slices:  # an axis of 1 that slices keep
        taken = apply("unsqueeze", taken, axes=(taken.type.rank,))
        wanted += [of_slices[at] for at in others] + [of_slices[axis]]
    else:
        wanted += [of_slices[at] for at in others]
    return permuted(taken, [wanted.index(at) for at in range(rank)])


def _places(call: OpCall, shape: Sizes, starts: Sequence[Array], gather: Gather, dims: Sizes) -> Array:
    """The place in a flattened operand of each element of a result with these dims. `starts` has the index
    along each axis of `start_map`."""
    batch_axes = [at for at in range(len(dims)) if at not in gather.offset]
    steps = [math.prod(shape[at + 1 :]) for at in range(len(shape))]
    place: Array | None = None
    for axis, index in zip(gather.start_map, starts, strict=True):
        place = _sum(place, _scaled(in_dims(index, batch_axes, tuple(dims)), steps[axis]))
    for axis, at in zip(gather.kept, gather.offset, strict=True):
        if gather.sizes[axis] != 1:
            place = _sum(place, _scaled(iota(call.tracer, at, tuple(dims)), steps[axis]))
    for axis, of in zip(gather.batching, gather.start_batching, strict=True):
        place = _sum(place, _scaled(iota(call.tracer, batch_axes[of], tuple(dims)), steps[axis]))
    if place is not None:
        return place
    zero = Array(call.tracer.number(0, I32, call.operation.place), call.tracer)
    return apply("multibroadcast", zero, out_lens=tuple(dims))


def _element(starts: Array, number: int) -> Array:
    """An element of each index vector."""
    dims = starts.type.dims
    part = sliced(starts, [0] * (len(dims) - 1) + [number], [*dims[:-1], number + 1])
    return apply("squeeze", part, axes=(len(dims) - 1,))


def _scaled(index: Array, by: Dim) -> Array:
    index = index if index.type.element is I32 else apply("convert", index, target_type="i32")
    return index if by == 1 else apply("mul", index, number_of(by, I32, index.tracer))


def _sum(a: Array | None, b: Array) -> Array:
    return b if a is None else apply("add", a, b)


# Scatter


def _scatter(call: OpCall) -> Results:
    count = len(call.arrays) // 2
    indices, body = call.arrays[count], call.operation.body
    results: list[Item] = []
    for number in range(count):
        part = part_of(body, number)
        if part is None:
            call.refuse(f"its body mixes operands in result {number}, wanted each result of its own operand")
        x, updates = call.arrays[number], call.arrays[count + 1 + number]
        results.append(scattered(call, x, indices, updates, _of_scatter(call, x, updates), part))
    return results


def _of_scatter(call: OpCall, x: Array, updates: Array) -> Gather:
    """The dimension numbers of a scatter, as those of a gather."""
    text = "scatter_dimension_numbers"
    window = call.listed(text, "update_window_dims")
    inserted = call.listed(text, "inserted_window_dims")
    batching = call.listed(text, "input_batching_dims")
    dims, of_updates = x.type.dims, updates.type.dims
    kept = [axis for axis in range(len(dims)) if axis not in inserted and axis not in batching]
    sizes: list[Dim] = [1] * len(dims)
    for axis, at in zip(kept, window, strict=True):
        sizes[axis] = of_updates[at]
    return Gather(
        window, inserted, batching, call.listed(text, "scatter_indices_batching_dims"),
        call.listed(text, "scatter_dims_to_operand_dims"), call.single(text, "index_vector_dim"),
        tuple(sizes),
    )  # fmt: skip


def scattered(call: OpCall, x: Array, indices: Array, updates: Array, gather: Gather, body: Block) -> Array:
    """An operand with slices at index vectors that the body combines with updates. A slice that is not inside
    changes nothing."""
    dims, of_updates = x.type.dims, updates.type.dims
    if 0 in of_updates or 0 in dims:
        return x
    indices = _vector_last(indices, gather.vector)
    block = _as_block(call, x, indices, updates, gather, body)
    if block is not None:
        return block
    is_whole = all(gather.sizes[axis] == dims[axis] for axis in gather.kept if axis not in gather.start_map)
    if _is_of_rows(gather) and not gather.batching and is_whole:
        return _scattered_rows(call, x, indices, updates, gather, body)
    places = _scatter_places(call, dims, indices, gather, of_updates)
    return updated_at(call, x, places, updates, body)


def _as_block(
    call: OpCall, x: Array, indices: Array, updates: Array, gather: Gather, body: Block
) -> Array | None:
    """A scatter of a single slice at a known place, as an update of a block; None for any other."""
    count = len(gather.start_map)
    known = [call.number(_element(indices, number)) for number in range(count)]
    takes_update = body.terminator.operands == body.arguments[1:]
    if not takes_update or gather.batching or None in known or math.prod(indices.type.dims) != count:
        return None
    dims = x.type.dims
    starts = [0] * len(dims)
    for axis, start in zip(gather.start_map, known, strict=True):
        starts[axis] = int(start or 0)
    for start, dim, size in zip(starts, dims, gather.sizes, strict=True):
        if start < 0 or not at_most(start + size, dim).is_shown:
            return None
    order = sorted(range(updates.type.rank), key=lambda axis: axis in gather.offset)
    update = reshaped(permuted(updates, order), gather.sizes)
    return updated_from(call, x, update, [Extents((start,)) for start in starts])


def _scattered_rows(
    call: OpCall, x: Array, indices: Array, updates: Array, gather: Gather, body: Block
) -> Array:
    """The rows along an axis, as rows of a matrix."""
    (axis,) = gather.start_map
    dims, of_updates = x.type.dims, updates.type.dims
    others = [at for at in range(len(dims)) if at != axis]
    order = [axis, *others]
    rows = reshaped(permuted(x, order), (dims[axis], math.prod([dims[at] for at in others])))
    batch_axes = [at for at in range(len(of_updates)) if at not in gather.offset]
    updates = permuted(updates, [*batch_axes, *gather.offset])
    count = math.prod([of_updates[at] for at in batch_axes])
    flat = reshaped(_element(indices, 0), (count,))
    kind = kind_of(body, x.type.element)
    is_sum = kind is not None and kind.op == "reduce_sum"
    place = _of_rows(call, flat, dims[axis], is_sum)
    changed = _rows_updated(call, rows, place, reshaped(updates, (count, rows.type.dims[1])), body)
    changed = _reshaped_back(call, changed, tuple([dims[at] for at in order]))
    return permuted(changed, [order.index(at) for at in range(len(dims))])


def _of_rows(call: OpCall, index: Array, size: Dim, is_sum: bool) -> Array:
    """Indices of `size` rows; an index that is not inside names none of them.

    `scatter_add` leaves out large indices by itself, and counts negative indices from the end: so also
    `i < 0 ? i + size : i`, as JAX writes it. Other scatters compare the indices with those of the rows."""
    if index.type.element not in (I32, I64):
        kept = as_index(index, 0, size - 1)
        return apply("where", _equals(kept, index), kept, number_of(size, kept.type.element, call.tracer))
    if not is_sum or isinstance(size, Size):
        return index
    wrapped = call.definitions.wrapped(index.value, size)
    if wrapped is not None:
        return reshaped(Array(wrapped, call.tracer), index.type.dims)
    return apply("where", apply("less", index, like(0, index)), like(size, index), index)


def _equals(kept: Array, index: Array) -> Array:
    """Whether an index was not changed when it was clamped."""
    return apply("equal", kept, apply("convert", index, target_type=kept.type.element.name))


def _scatter_places(call: OpCall, shape: Sizes, indices: Array, gather: Gather, dims: Sizes) -> Array:
    """The place in the flattened operand that each update goes to; its size if the window is not inside."""
    batch_axes = [at for at in range(len(dims)) if at not in gather.offset]
    inside: list[Array] = []
    starts: list[Array] = []
    for number, axis in enumerate(gather.start_map):
        index, last = _element(indices, number), shape[axis] - gather.sizes[axis]
        if not at_least(last, 0).is_possible:
            call.refuse(f"updates have {gather.sizes[axis]} elements along axis {axis} of {shape[axis]}")
        starts.append(as_index(index, 0, last))
        inside.append(_equals(starts[-1], index))
    places = _places(call, shape, starts, gather, dims)
    if not inside:
        return places
    known = in_dims(reduce(lambda a, b: apply("logical_and", a, b), inside), batch_axes, tuple(dims))
    none = number_of(math.prod(shape), places.type.element, call.tracer)
    return apply("where", known, places, none)


def updated_at(call: OpCall, x: Array, places: Array, updates: Array, body: Block) -> Array:
    """An operand with updates at places in its flattened form; a place that is its size is none."""
    elements, count = math.prod(x.type.dims), math.prod(updates.type.dims)
    flat, of_updates = reshaped(x, (elements, 1)), reshaped(updates, (count, 1))
    return reshaped(_rows_updated(call, flat, reshaped(places, (count,)), of_updates, body), x.type.dims)


def _rows_updated(call: OpCall, rows: Array, places: Array, updates: Array, body: Block) -> Array:
    """Rows {n,k} with rows of updates {m,k} at `places` {m}. Updates of the same row are combined by the
    body; if it takes the update, the last update wins."""
    kind = kind_of(body, rows.type.element)
    (count, width), (rows_count, _) = updates.type.dims, rows.type.dims
    if kind is not None and kind.op == "reduce_sum" and isinstance(rows_count, int):
        if width == 1:
            rows, updates = _reshaped_back(call, rows, (rows_count,)), _reshaped_back(call, updates, (count,))
        return reshaped(apply("scatter_add", rows, places, updates, axis=0), (rows_count, width))
    takes_update = body.terminator.operands == body.arguments[1:]
    neutral = None if takes_update else _neutral(call, body, kind, rows.type.element)
    _check_compares(call, [count, rows_count, 1 if takes_update else width])
    number = apply("convert", iota(call.tracer, 1, (1, rows_count)), target_type=places.type.element.name)
    hits = apply("equal", reshaped(places, (count, 1)), number)
    if neutral is None:
        order = iota(call.tracer, 0, (count, 1))
        last = apply("reduce_max", apply("where", hits, order, like(-1, order)), axes=(0,))
        last = reshaped(last, (rows_count,))
        new = apply("gather", updates, computed("maximum", last, like(0, last)), axis=0)
        is_new = apply("unsqueeze", apply("greater", last, like(-1, last)), axes=(1,))
        return apply("where", is_new, new, rows)
    wide = reshaped(updates, (count, 1, width))
    candidates = apply("where", reshaped(hits, (count, rows_count, 1)), wide, like(neutral, updates))
    if kind is None:
        turned = permuted(candidates, (1, 2, 0))
        (changed,) = combined_in_pairs(call, body, [turned], [rows], rows.type.dims)
        assert isinstance(changed, Array), "a body of a single op has a tensor as its result"
        return changed
    best = reshaped(apply(kind.op, candidates, axes=(0,)), (rows_count, width))
    return combined(call, best, rows, kind)


def _check_compares(call: OpCall, sizes: Sequence[Dim]) -> None:
    """`InputError` TNS004 for too many comparisons of places with rows."""
    count, rows_count, _ = sizes
    known = math.prod([size for size in sizes if isinstance(size, int)])
    named = len([size for size in sizes if isinstance(size, Size)])
    most = _MOST_COMPARED >> (_NAMED_BITS * named)
    if known > most:
        compares = f"it compares {count} places with {rows_count} rows"
        wanted = f"wanted a product of at most {most}" + (" for each size of the launch" if named else "")
        call.refuse(f"{compares}, {wanted}", "an addition has no limit")


def _reshaped_back(call: OpCall, x: Array, dims: Sizes) -> Array:
    """An array in other dims, without a reshape if it was reshaped from these."""
    statement = call.definitions.get(x.value)
    if statement is not None and statement.op is RESHAPE:
        (before,) = statement.operands
        if tensor_type(before).dims == dims:
            return Array(before, call.tracer)
    return reshaped(x, dims)


def _neutral(call: OpCall, body: Block, kind: Kind | None, element: ElementType) -> Number:
    """The number that a body combines with any other to that other."""
    if kind is not None:
        return kind.neutral(element)
    name = (single_op(body) or "").partition(".")[2].removesuffix("i")
    if name not in ("and", "or", "xor"):
        call.refuse("its body is not a reduction, wanted a single op, or the update itself")
    return _all_bits(element) if name == "and" else 0


def _all_bits(element: ElementType) -> int:
    return -1 if element.kind is NumberKind.SIGNED else integer_range(element)[1]


def _torch_index_select(call: OpCall) -> Results:
    x, index = call.arrays
    axis, batches = call.operation.integer("dim"), call.operation.integer("batch_dims")
    if batches:
        call.refuse(f"got batch_dims = {batches}, wanted 0", "stablehlo.gather has batches")
    return apply("gather", x, as_index(index, 0, x.type.dims[axis] - 1), axis=axis)


RULES: dict[str, Rule] = {
    f"stablehlo.{name}": rule
    for name, rule in {
        "dynamic_gather": _dynamic_gather, "gather": _gather, "scatter": _scatter,
        "torch_index_select": _torch_index_select,
    }.items()
}  # fmt: skip
