"""Ops of linalg with a body: `generic` and the named ops, which have maps and a body too.

Each operand becomes an array with an axis for each loop, or a dim of 1 for loops that its map lacks. The body
is computed for whole arrays. A loop that is missing in the map of the result is a reduction: the body then
combines its argument for the result with a value, by a single op. A sum of products is a product of matrices.
Any other body combines the arguments for all its results with a value each, such as a maximum and its index:
it is a reduction as one of StableHLO, and must be associative.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from msgspec import Struct

from asmgen.frontends.tensors.associative import why_no_reduction
from asmgen.frontends.tensors.bodies import needed, read_by, steps
from asmgen.frontends.tensors.linalg.maps import by_loops, placed
from asmgen.frontends.tensors.op_call import OpCall, Results
from asmgen.frontends.tensors.stablehlo.elementwise import as_type
from asmgen.frontends.tensors.stablehlo.reductions import (
    SUM,
    Kind,
    combined,
    combined_in_pairs,
    kind_by,
    reduced_by,
)
from asmgen.frontends.tensors.stablehlo.shapes import in_dims, permuted, reshaped
from asmgen.frontends.tensors.types import element_of
from asmgen.frontends.traced.array import Array, apply
from asmgen.frontends.traced.making import iota
from asmgen.graph.infer.products import results_of
from asmgen.index.size import Dim as Dimension
from asmgen.index.size import Size, Sizes, numbers
from asmgen.mlir.source import AffineMap, Block, Dim, Operation, Ssa

Rule = Callable[[OpCall], Results]
_ASSOCIATIVE = frozenset(
    f"arith.{name}" for name in ("maxnumf", "minnumf", "maxui", "minui", "andi", "ori", "xori")
)
_WIDENS = frozenset(["arith.extf", "arith.extsi"])
_MULTIPLIES = frozenset(["arith.mulf", "arith.muli"])


class Loops(Struct, frozen=True):
    """The sizes of the loops, the maps of the inputs, and those of the results."""

    sizes: Sizes
    inputs: tuple[AffineMap, ...]
    results: tuple[AffineMap, ...]


def _structured(call: OpCall) -> Results:
    operation = call.operation
    maps = operation.attributes.get(
        "indexing_maps", operation.attributes.get("linalg.memoized_indexing_maps")
    )
    if not isinstance(maps, tuple):
        call.refuse("it has no indexing maps, wanted them for each operand")
    return computed_in_loops(call, [each for each in maps if isinstance(each, AffineMap)])


def computed_in_loops(call: OpCall, maps: Sequence[AffineMap]) -> list[Array]:
    """The results of a structured op with these maps, of the inputs and then of the results."""
    count = len(call.operation.results)
    sizes = _sizes(call, maps)
    is_plain = all(isinstance(each, Dim) or each == 0 for map_ in maps for each in map_.results)
    if not is_plain and any(isinstance(dim, Size) for x in call.arrays for dim in x.type.dims):
        call.refuse("only the launch knows the trips of a loop, wanted maps of loops by themselves")
    loops = Loops(sizes, tuple(maps[: len(maps) - count]), tuple(maps[len(maps) - count :]))
    if _reduced_together(loops, call.operation.body):
        made = _together(call, loops, call.operation.body)
    else:
        made = [_result(call, loops, call.operation.body, number) for number in range(count)]
    return [_with_ones(x, map_) for x, map_ in zip(made, loops.results, strict=True)]


def _ones(map_: AffineMap) -> tuple[int, ...]:
    """The axes of a result that no loop moves along: 0 in the map, and a dim of 1."""
    return tuple([axis for axis, each in enumerate(map_.results) if each == 0])


def _with_ones(x: Array, map_: AffineMap) -> Array:
    axes = _ones(map_)
    return apply("unsqueeze", x, axes=axes) if axes else x


def _start(call: OpCall, loops: Loops, number: int) -> Array:
    """The operand that a result begins with, without the axes that no loop moves along."""
    start, axes = call.arrays[len(loops.inputs) + number], _ones(loops.results[number])
    return apply("squeeze", start, axes=axes) if axes else start


def _sizes(call: OpCall, maps: Sequence[AffineMap]) -> Sizes:
    """The trips of each loop, by the operands with a dim that is the loop itself."""
    sizes: dict[int, Dimension] = {}
    for map_, array in zip(maps, call.arrays, strict=True):
        for expression, dim in zip(map_.results, array.type.dims, strict=True):
            if isinstance(expression, Dim):
                call.same(sizes.setdefault(expression.number, dim), dim)
    count = maps[0].dims if maps else 0
    if len(sizes) != count:
        call.refuse("the trips of a loop are not known, wanted a map that has each loop by itself")
    return tuple([sizes[number] for number in range(count)])


def _result(call: OpCall, loops: Loops, body: Block, number: int) -> Array:
    axes = _axes(call, loops, number)
    if len(axes) == len(loops.sizes):
        return _elementwise(call, loops, body, number, axes)
    return _reduction(call, loops, body, number, axes)


def _axes(call: OpCall, loops: Loops, number: int) -> list[int]:
    """The loop that each axis of a result is."""
    map_ = loops.results[number]
    axes = _moving(map_)
    if len(axes) + len(_ones(map_)) != len(map_.results) or len(set(axes)) != len(axes):
        call.refuse("the map of a result is not a projection, wanted each loop at most once")
    return axes


def _moving(map_: AffineMap) -> list[int]:
    return [each.number for each in map_.results if isinstance(each, Dim)]


def _inputs(call: OpCall, loops: Loops) -> list[Array]:
    given = call.arrays[: len(loops.inputs)]
    return [placed(call, x, map_, loops.sizes) for x, map_ in zip(given, loops.inputs, strict=True)]


def _starts(call: OpCall, loops: Loops) -> list[Array]:
    """The operands for the results, with an axis for each loop."""
    given = call.arrays[len(loops.inputs) :]
    return [placed(call, x, map_, loops.sizes) for x, map_ in zip(given, loops.results, strict=True)]


def _value(call: OpCall, loops: Loops, body: Block, value: Ssa) -> Array:
    """A value of the body, computed for all trips of the loops."""
    operations, read = needed(body, value), read_by(body, value)
    for argument in _accumulators(loops, body):
        if argument in read:
            name = f"%{argument.name}"
            call.refuse(
                f"its body reads {name}, which accumulates, for another result, wanted results of the loops",
                "write a scan by stablehlo.reduce_window, or a result that has all loops",
            )
    indices = [each for each in operations if each.name == "linalg.index"]
    others = [each for each in operations if each.name != "linalg.index"]
    end = Operation("linalg.yield", (value,), {}, body.terminator.place)
    block = Block(0, (*body.arguments, *[each.result for each in indices]), [*others, end])
    items = [*_inputs(call, loops), *_starts(call, loops)]
    for each in indices:
        axis = each.integer("dim")
        dims = tuple([size if at == axis else 1 for at, size in enumerate(loops.sizes)])
        items.append(apply("convert", iota(call.tracer, axis, dims), target_type="i64"))
    (made,) = call.inline(block, items)
    assert isinstance(made, Array), "a body has single elements"
    is_whole = made.type.dims == loops.sizes
    return made if is_whole else apply("multibroadcast", made, out_lens=loops.sizes)


def _accumulators(loops: Loops, body: Block) -> list[Ssa]:
    """The arguments for results that lack a loop."""
    arguments = body.arguments[len(loops.inputs) :]
    pairs = zip(arguments, loops.results, strict=True)
    return [argument for argument, map_ in pairs if len(_moving(map_)) < len(loops.sizes)]


def _elementwise(call: OpCall, loops: Loops, body: Block, number: int, axes: Sequence[int]) -> Array:
    return permuted(_value(call, loops, body, body.terminator.operands[number]), axes)


def _reduction(call: OpCall, loops: Loops, body: Block, number: int, axes: Sequence[int]) -> Array:
    accumulator = body.arguments[len(loops.inputs) + number]
    end = body.terminator.operands[number]
    start = _start(call, loops, number)
    if end is accumulator:
        return start
    combine = end.owner
    assert combine is not None, "a single op combines the result with a value"
    value = next(each for each in combine.operands if each is not accumulator)
    kind = _kind(combine)
    product = _product(call, loops, body, value, axes) if kind is SUM else None
    if product is not None:
        return combined(call, product, start, SUM)
    made = _value(call, loops, body, value)
    gone = tuple([axis for axis in range(len(loops.sizes)) if axis not in axes])
    kept = sorted(axes)
    if kind is None:
        return _in_pairs(call, made, start, combine, accumulator, axes)
    made = apply("squeeze", apply(kind.op, made, axes=gone), axes=gone)
    return combined(call, permuted(made, [kept.index(axis) for axis in axes]), start, kind)


def _kind(combine: Operation) -> Kind | None:
    """The reduction of the graph by an op; None for another op."""
    return kind_by(combine.name, element_of(combine.result.type, combine.place))


def _is_combined(body: Block, accumulator: Ssa, end: Ssa) -> bool:
    """Whether an op of a reduction combines the argument of a result with a value, which then is the result,
    and nothing else reads the argument; or the argument is the result, as it began."""
    uses = [each for each in body.operations for operand in each.operands if operand is accumulator]
    owner = end.owner
    if end is accumulator:
        return len(uses) == 1
    if owner is None or len(uses) != 1 or uses[0] is not owner or len(owner.operands) != 2:
        return False
    return _kind(owner) is not None or owner.name in _ASSOCIATIVE


def _reduced_together(loops: Loops, body: Block) -> bool:
    """Whether the results are reductions that are more than an op each."""
    of_results = body.arguments[len(loops.inputs) :]
    pairs = list(zip(of_results, body.terminator.operands, strict=True))
    is_plain = all(_is_combined(body, argument, end) for argument, end in pairs)
    return len(_accumulators(loops, body)) == len(pairs) and not is_plain


def _together(call: OpCall, loops: Loops, body: Block) -> list[Array]:
    """Results that accumulate together, along loops that all of them lack."""
    axes = _axes(call, loops, 0)
    if any(map_ != loops.results[0] for map_ in loops.results):
        call.refuse("its results lack different loops, wanted a generic op for each of them")
    count = len(loops.inputs)
    gone = [axis for axis in range(len(loops.sizes)) if axis not in axes]
    elements = [element_of(each.type, call.operation.place) for each in body.arguments[count:]]
    order = [sorted(axes).index(axis) for axis in axes]
    for step in steps(body, body.arguments[count:], body.terminator.operands):
        if why_no_reduction(step.block, elements) is None:
            values = [_value(call, loops, body, each) for each in step.values]
            starts = [_start(call, loops, number) for number in range(len(elements))]
            starts = [permuted(each, [order.index(at) for at in range(len(order))]) for each in starts]
            made = reduced_by(call, step.block, values, starts, gone)
            return [permuted(each, order) for each in made if isinstance(each, Array)]
    help = "the body may compute %y = arith.addf %acc, %value and yield %y, or the extreme and its index"
    ends = [each.owner.name for each in body.terminator.operands if each.owner is not None]
    by = f", got {', '.join(ends)}" if ends else ""
    return call.refuse(f"its body is not an associative combination of each result with a value{by}", help)


def _in_pairs(
    call: OpCall, made: Array, start: Array, combine: Operation, accumulator: Ssa, axes: Sequence[int]
) -> Array:
    """A reduction by an op that the graph has no reduction for."""
    value = next(each for each in combine.operands if each is not accumulator)
    end = Operation("linalg.yield", combine.results, {}, combine.place)
    block = Block(0, (accumulator, value), [combine, end])
    gone = [axis for axis in range(made.type.rank) if axis not in axes]
    dims = numbers(made.type.dims)
    shape = [dims[axis] for axis in axes]
    rows = reshaped(permuted(made, [*axes, *gone]), (*shape, math.prod(dims) // math.prod(shape)))
    (result,) = combined_in_pairs(call, block, [rows], [start], rows.type.dims[:-1])
    assert isinstance(result, Array), "a body has single elements"
    return result


def _product(call: OpCall, loops: Loops, body: Block, value: Ssa, axes: Sequence[int]) -> Array | None:
    """A sum of products of two inputs as a product of matrices; None for another sum."""
    owner = value.owner
    if owner is None or owner.name not in _MULTIPLIES:
        return None
    first, second = [_factor(body, operand) for operand in owner.operands]
    if first is None or second is None or max(first, second) >= len(loops.inputs):
        return None
    left, right = [by_loops(call.arrays[each], loops.inputs[each], loops.sizes) for each in (first, second)]
    element = element_of(value.type, call.operation.place)
    if left is None or right is None or element not in results_of(left.array.type.element):
        return None
    shared = [loop for loop in left.loops if loop in right.loops]
    summed = [loop for loop in range(len(loops.sizes)) if loop not in axes]
    batch = [loop for loop in shared if loop in axes]
    if left.array.type.element is not right.array.type.element or not set(summed) <= set(shared):
        return None
    rows, columns = [[loop for loop in each.loops if loop not in shared] for each in (left, right)]
    if sorted([*batch, *rows, *columns]) != sorted(axes):
        return None
    pairs = {
        f"{side}_{name}": tuple([each.loops.index(loop) for loop in chosen])
        for side, each in (("lhs", left), ("rhs", right))
        for name, chosen in (("batch", batch), ("contract", summed))
    }
    wide = {} if element is left.array.type.element else {"target_type": element.name}
    made = apply("dot_general", left.array, right.array, **pairs, **wide)
    order = [*batch, *rows, *columns]
    return permuted(made, [order.index(axis) for axis in axes])


def _factor(body: Block, value: Ssa) -> int | None:
    """The number of the argument that a value is, perhaps in a wider type."""
    while value.owner is not None and value.owner.name in _WIDENS:
        (value,) = value.owner.operands
    return body.arguments.index(value) if value in body.arguments else None


def _identity(count: int) -> AffineMap:
    return AffineMap(count, 0, tuple([Dim(number) for number in range(count)]))


def _fill(call: OpCall) -> Results:
    number, out = call.arrays
    return number if not out.type.rank else apply("multibroadcast", number, out_lens=out.type.dims)


def _transpose(call: OpCall) -> Results:
    return permuted(call.arrays[0], call.operation.integers("permutation"))


def _broadcast(call: OpCall) -> Results:
    added, dims = call.operation.integers("dimensions"), call.type.dims
    return in_dims(call.arrays[0], [axis for axis in range(len(dims)) if axis not in added], dims)


def _map(call: OpCall) -> Results:
    rank, operands = call.type.rank, call.operation.operands
    return computed_in_loops(call, [_identity(rank)] * len(operands))


def _copy(call: OpCall) -> Results:
    x, out = call.arrays
    return as_type(x, out.type.element.name)


def _reduce(call: OpCall) -> Results:
    rank, count = call.arrays[0].type.rank, len(call.operation.results)
    gone = call.operation.integers("dimensions")
    kept = AffineMap(rank, 0, tuple([Dim(axis) for axis in range(rank) if axis not in gone]))
    return computed_in_loops(call, [*[_identity(rank)] * count, *[kept] * count])


def _softmax(call: OpCall) -> Results:
    return apply("softmax", call.arrays[0], axis=call.operation.integer("dimension"))


_NAMED = (
    "batch_matmul", "batch_matvec", "batch_mmt4d", "batch_reduce_matmul", "batch_vecmat", "contract",
    "conv_1d", "conv_1d_ncw_fcw", "conv_1d_nwc_wcf", "conv_2d", "conv_2d_nchw_fchw", "conv_2d_ngchw_fgchw",
    "conv_2d_ngchw_gfchw", "conv_2d_nhwc_fhwc", "conv_2d_nhwc_hwcf", "conv_3d", "conv_3d_ncdhw_fcdhw",
    "conv_3d_ndhwc_dhwcf", "depthwise_conv_1d_ncw_cw", "depthwise_conv_1d_nwc_wc",
    "depthwise_conv_2d_nchw_chw",
    "depthwise_conv_2d_nhwc_hwc", "depthwise_conv_2d_nhwc_hwcm", "dot", "elementwise", "generic", "matmul",
    "matvec", "mmt4d", "pooling_nchw_max", "pooling_nchw_sum", "pooling_ncw_max", "pooling_ncw_sum",
    "pooling_nhwc_max", "pooling_nhwc_max_unsigned", "pooling_nhwc_min", "pooling_nhwc_min_unsigned",
    "pooling_nhwc_sum", "pooling_nwc_max", "pooling_nwc_min", "pooling_nwc_sum", "vecmat",
)  # fmt: skip
RULES: dict[str, Rule] = {f"linalg.{name}": _structured for name in _NAMED} | {
    f"linalg.{name}": rule
    for name, rule in {
        "broadcast": _broadcast, "copy": _copy, "fill": _fill, "map": _map, "reduce": _reduce,
        "softmax": _softmax, "transpose": _transpose,
    }.items()
}  # fmt: skip
