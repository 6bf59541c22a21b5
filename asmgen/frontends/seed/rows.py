"""The rows of the ops of GPU Gen IR, next to the graph's own ops."""

from __future__ import annotations

from math import prod
from typing import NoReturn

from asmgen.graph.ops import GRAPH_OPS
from asmgen.ir.program import AttributeKind, Attributes, AttributeSpec, InferResult, Op, Stage, Statement
from asmgen.ir.types import ELEMENT_TYPES, F32, I32, I64, U32, LaneType, TensorType, ValueType, tensor
from isa.diagnostics import InputError, Place
from isa.named_tuple import NamedTuple

Dims = tuple[int, ...]
TENSORS = frozenset({Stage.GRIDWISE, Stage.BLOCKWISE})
LANES = frozenset({Stage.LANEWISE})
LAST_TENSORS = frozenset({Stage.BLOCKWISE})
EVERYWHERE = TENSORS | LANES
KINDS = ("sum", "product", "max", "min", "mean", "prod")
MOST_LANES = 16  # elements of a lane in a load


def fail(op: Op, place: Place | None, message: str, help: str = "") -> NoReturn:
    raise InputError(place or op.name, "GEN104", f"{op.name}: {message}", help=help)


def integers_of(statement: Statement, name: str) -> Dims:
    """An attribute that is a list of integers, as its row has checked."""
    values = statement.attributes[name]
    assert isinstance(values, tuple), "the row has checked it"
    return tuple([value for value in values if isinstance(value, int)])


class ReducedAxes(NamedTuple):
    """The axes that a `gridwise_reduce` reduces, and the type of its result."""

    axes: Dims
    type: TensorType


def reduced_axes(op: Op, type_: ValueType, attributes: Attributes, place: Place | None) -> ReducedAxes:
    """The given axes, or else the adjacent axes that have `reduce_elements` elements: all axes, or the
    only choice."""
    if not isinstance(type_, TensorType):
        fail(op, place, f"operand 1 is {type_}, wanted a tensor")
    given, count = attributes["axes"], attributes["reduce_elements"]
    assert isinstance(given, tuple) and isinstance(count, int)
    rank = type_.rank
    axes = tuple([axis % rank for axis in given if isinstance(axis, int) and -rank <= axis < rank])
    if len(axes) != len(given):
        fail(op, place, f"axes are {given}, wanted axes of {rank} dims")
    if not axes:
        axes = _found(op, type_.shape, count, place)
    elements = prod([type_.shape[axis] for axis in axes])
    if count and elements != count:
        fail(op, place, f"reduce_elements is {count}, and axes {axes} have {elements}")
    kept = tuple([1 if axis in axes else size for axis, size in enumerate(type_.shape)])
    return ReducedAxes(axes, tensor(type_.element, kept))


def _found(op: Op, dims: Dims, count: int, place: Place | None) -> Dims:
    rank = len(dims)
    runs = [tuple(range(first, end)) for first in range(rank) for end in range(first + 1, rank + 1)]
    choices = [axes for axes in runs if prod([dims[axis] for axis in axes]) == count]
    kept = {tuple([1 if axis in axes else size for axis, size in enumerate(dims)]): axes for axes in choices}
    if len(kept) != 1:
        fail(
            op,
            place,
            f"{len(kept)} choices of axes of {dims} have reduce_elements={count}, wanted a single choice",
            "axes={...} says which are reduced",
        )
    return next(iter(kept.values()))


def _infer_reduce(
    op: Op, types: tuple[ValueType, ...], attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    return (reduced_axes(op, types[0], attributes, place).type,)


def _infer_first(
    _op: Op, types: tuple[ValueType, ...], _attributes: Attributes, _place: Place | None
) -> tuple[ValueType, ...]:
    return types[:1]


def _infer_index(
    _op: Op, _types: tuple[ValueType, ...], _attributes: Attributes, _place: Place | None
) -> tuple[ValueType, ...]:
    return (LaneType(U32),)


def _infer_place(
    op: Op, types: tuple[ValueType, ...], _attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    """From an index of the result to the index of an element of the input, -1 if there is none."""
    _check_index(op, types[-1], place)
    return (LaneType(I32),)


def _infer_gathered(
    op: Op, types: tuple[ValueType, ...], _attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    if not isinstance(types[0], TensorType) or types[0].element not in (I32, I64):
        fail(op, place, f"operand 1 is {types[0]}, wanted a tensor of i32 or i64")
    _check_index(op, types[1], place)
    return (LaneType(I32),)


def _check_index(op: Op, type_: ValueType, place: Place | None) -> None:
    if type_ not in (LaneType(U32), LaneType(I32)):
        fail(op, place, f"the index is {type_}, wanted u32 or i32")


def _infer_load(
    op: Op, types: tuple[ValueType, ...], attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    buffer = types[0]
    if not isinstance(buffer, TensorType):
        fail(op, place, f"operand 1 is {buffer}, wanted a tensor")
    _check_index(op, types[1], place)
    return (LaneType(buffer.element, _size(op, attributes, place)),)


def _infer_store(
    op: Op, types: tuple[ValueType, ...], attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    (wanted,) = _infer_load(op, types, attributes, place)
    if types[2] != wanted:
        fail(op, place, f"the value is {types[2]}, wanted {wanted}")
    return (types[2],)


def _size(op: Op, attributes: Attributes, place: Place | None) -> int:
    size = attributes.get("size", 1)
    if not isinstance(size, int) or not 1 <= size <= MOST_LANES:
        fail(op, place, f"size is {size}, wanted 1 to {MOST_LANES}")
    return size


def _infer_lds(
    op: Op, _types: tuple[ValueType, ...], attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    shape = attributes["shape"]
    assert isinstance(shape, tuple)
    name, *dims = shape
    sizes = tuple([dim for dim in dims if isinstance(dim, int)])
    if not 1 <= prod(sizes) <= 1 << 16:
        fail(op, place, f"shape has {prod(sizes)} elements, wanted 1 to 65536")
    return (tensor(ELEMENT_TYPES[str(name)], sizes),)


def _infer_lane_reduce(
    op: Op, types: tuple[ValueType, ...], _attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    type_ = types[0]
    if not isinstance(type_, LaneType) or type_.element not in (F32, I32):
        fail(op, place, f"operand 1 is {type_}, wanted a lane value of f32 or i32")
    return (LaneType(type_.element),)


def _row(
    name: str,
    stages: frozenset[Stage],
    minimum: int,
    maximum: int,
    infer: InferResult,
    *attributes: AttributeSpec,
) -> Op:
    return Op(name, stages, minimum, maximum, infer, attributes, effects=True)


def _integer(name: str, default: int | None = None) -> AttributeSpec:
    return AttributeSpec(name, AttributeKind.INTEGER, default)


_KIND = AttributeSpec("op", AttributeKind.WORD, None, KINDS)
_ALGORITHM = AttributeSpec("algo", AttributeKind.WORD, None, ("lane", "wave", "block"))
_SCHEDULE = AttributeSpec("schedule", AttributeKind.WORD, "per_lane", ("per_lane",))
_INPUT = AttributeSpec("input_shape", AttributeKind.SHAPE)
_SHAPE = AttributeSpec("shape", AttributeKind.SHAPE)
_SIZE, _STRIDE = _integer("size"), _integer("stride", 1)

GLOBAL_ID = _row("global_id", LANES, 0, 0, _infer_index)
LOCAL_ID = _row("local_id", LANES, 0, 0, _infer_index)
WORKGROUP_ID = _row("workgroup_id", EVERYWHERE, 0, 0, _infer_index)
WORKGROUP_SIZE = _row("workgroup_size", LANES, 0, 0, _infer_index)
LANE_ID = _row("lane_id", LANES, 0, 0, _infer_index)
LOAD = _row("load", LANES, 2, 2, _infer_load)
STORE = _row("store", LANES, 3, 3, _infer_store)
VECTOR_LOAD = _row("vector_load", LANES, 2, 2, _infer_load, _SIZE)
VECTOR_STORE = _row("vector_store", LANES, 3, 3, _infer_store, _SIZE)
STRIDED_LOAD = _row("strided_load", LANES, 2, 2, _infer_load, _SIZE, _STRIDE)
STRIDED_STORE = _row("strided_store", LANES, 3, 3, _infer_store, _SIZE, _STRIDE)
CONDITIONAL_LOAD = _row("conditional_load", LANES, 3, 3, _infer_load)
COPY = _row("copy", TENSORS, 2, 2, _infer_first, _SCHEDULE)
LDS_ALLOCATE = _row("lds_allocate", LAST_TENSORS | LANES, 0, 0, _infer_lds, _SHAPE)
GRIDWISE_REDUCE = _row(
    "gridwise_reduce", TENSORS, 1, 2, _infer_reduce, _KIND, _ALGORITHM, _integer("reduce_elements", 0),
    _integer("block_size", 256), AttributeSpec("axes", AttributeKind.LIST, ()),
)  # fmt: skip
LANE_REDUCE = _row("lane_reduce", LANES, 1, 1, _infer_lane_reduce, _KIND)
DPP_REDUCE = _row("dpp_reduce", LANES, 1, 1, _infer_lane_reduce, _KIND)
REDUCE_WAVES = _row("reduce_waves", LANES, 2, 2, _infer_lane_reduce, _KIND)
PAD_INDEX = _row("pad_index", LANES, 1, 1, _infer_place, _INPUT, AttributeSpec("pads", AttributeKind.LIST))
GATHER_INDEX = _row("gather_index", LANES, 2, 2, _infer_gathered, _INPUT, _integer("axis", 0))
REVERSE_INDEX = _row(
    "reverse_index", LANES, 1, 1, _infer_place, _INPUT, AttributeSpec("axes", AttributeKind.LIST)
)
TILE_REGION = _row(
    "tile_region", LAST_TENSORS, 1, 2, _infer_first, AttributeSpec("tile", AttributeKind.LIST, ())
)

SEED_OPS: dict[str, Op] = {
    op.name: op
    for op in (
        GLOBAL_ID, LOCAL_ID, WORKGROUP_ID, WORKGROUP_SIZE, LANE_ID, LOAD, STORE, VECTOR_LOAD, VECTOR_STORE,
        STRIDED_LOAD, STRIDED_STORE, CONDITIONAL_LOAD, COPY, LDS_ALLOCATE, GRIDWISE_REDUCE, LANE_REDUCE,
        DPP_REDUCE, REDUCE_WAVES, PAD_INDEX, GATHER_INDEX, REVERSE_INDEX, TILE_REGION,
    )
}  # fmt: skip


def ops_of(stage: Stage) -> dict[str, Op]:
    """The ops that a file of a stage may have: on tensors those of the graph too, on lanes those of lanes."""
    from asmgen.lanewise.ops import STAGE_OPS

    others = GRAPH_OPS if stage in TENSORS else GRAPH_OPS | STAGE_OPS
    kept = {
        name: op
        for name, op in others.items()
        if stage in TENSORS or (Stage.LANEWISE in op.stages and op.pointwise)
    }
    return kept | {name: op for name, op in SEED_OPS.items() if stage in op.stages}
