"""The rows of the reductions' ops, from the tensor to the lane (the seeds' `gridwise_reduce`, `dpp_reduce`,
`reduce_waves`).

`gridwise_reduce` says which lanes share a row: `lane` (one), `wave` (a power of two of them within a wave) or
`block` (a workgroup). Lanewise takes it apart: `lane_reduce` over the elements of a lane, `dpp_reduce` over
the lanes of a wave, `reduce_waves` over the waves of a workgroup, through LDS.
"""

from __future__ import annotations

from asmgen.graph.ops import ADD, MAX, MIN, MUL, REDUCE_MAX, REDUCE_MEAN, REDUCE_MIN, REDUCE_PROD, REDUCE_SUM
from asmgen.ir.program import AttributeKind, Attributes, AttributeSpec, InferResult, Op, Scope, Stage
from asmgen.ir.types import BOOL, F16, F32, I32, ElementType, LaneType, TensorType, ValueType, tensor
from isa.diagnostics import InputError, Place

TENSOR_STAGES = frozenset({Stage.GRIDWISE, Stage.BLOCKWISE})
LANEWISE_ON = frozenset({Stage.LANEWISE, Stage.FINAL})
FINAL_ONLY = frozenset({Stage.FINAL})
REDUCTIONS: dict[Op, str] = {
    REDUCE_SUM: "sum",
    REDUCE_MEAN: "mean",
    REDUCE_MAX: "max",
    REDUCE_MIN: "min",
    REDUCE_PROD: "prod",
}
COMBINES: dict[str, Op] = {
    "sum": ADD,
    "mean": ADD,
    "max": MAX,
    "min": MIN,
    "prod": MUL,
}  # what makes one partial result of two
ALGORITHMS = ("lane", "wave", "block")
GROUPS = (2, 4, 8, 16, 32, 64)  # how many lanes steps can combine: of a row, or a whole wave of 32 or 64


def _refuse(op: Op, place: Place | None, message: str) -> InputError:
    return InputError(place or op.name, "GEN102", f"{op.name}: {message}")


def trailing_axes(dims: tuple[int, ...], elements: int) -> tuple[int, ...] | None:
    """The last dims of `dims` that are not 1 and have `elements` in all; None where none have."""
    count, first = 1, len(dims)
    while first and count != elements:
        first -= 1
        count *= dims[first]
    return tuple(axis for axis in range(first, len(dims)) if dims[axis] != 1) if count == elements else None


def _infer_gridwise(
    op: Op, types: tuple[ValueType, ...], attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    value, elements, axes = types[0], attributes["reduce_elements"], attributes["axes"]
    if not isinstance(value, TensorType) or not isinstance(elements, int) or not isinstance(axes, tuple):
        raise _refuse(op, place, f"got {value} and {elements} elements, wanted a tensor and a number")
    reduced = axes or trailing_axes(value.dims, elements)
    if reduced is None or not all(isinstance(axis, int) and 0 <= axis < value.rank for axis in reduced):
        raise _refuse(
            op, place, f"the dims {value.dims} have no {elements} elements to reduce at {axes or 'their end'}"
        )
    return (
        tensor(value.element, tuple(1 if axis in reduced else dim for axis, dim in enumerate(value.dims))),
    )


def _infer_lane_reduce(
    op: Op, types: tuple[ValueType, ...], _attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    return (LaneType(_reduced_type(op, types, place).element),)


def _infer_across(
    op: Op, types: tuple[ValueType, ...], attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    type_ = _reduced_type(op, types, place)
    if type_.lanes != 1:
        raise _refuse(op, place, f"operand 1 is {type_}, wanted one lane value")
    if "lanes" in attributes and attributes["lanes"] not in GROUPS:
        raise _refuse(op, place, f"lanes is {attributes['lanes']}, wanted one of {GROUPS}")
    return (type_,)


def _reduced_type(op: Op, types: tuple[ValueType, ...], place: Place | None) -> LaneType:
    type_ = types[0]
    if not isinstance(type_, LaneType) or type_.element not in (F32, I32):
        raise _refuse(op, place, f"operand 1 is {type_}, wanted a lane value of f32 or i32")
    return type_


def _infer_is_lane(
    op: Op, _types: tuple[ValueType, ...], attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    _check_lane(op, attributes, place)
    return (LaneType(BOOL),)


def _check_lane(op: Op, attributes: Attributes, place: Place | None) -> None:
    lane = attributes["lane"]
    if not isinstance(lane, int) or not 0 <= lane < 64:
        raise _refuse(op, place, f"lane is {lane}, wanted 0 to 63")


def _infer_cast(source: ElementType, result: ElementType) -> InferResult:
    def infer(
        op: Op, types: tuple[ValueType, ...], _attributes: Attributes, place: Place | None
    ) -> tuple[ValueType, ...]:
        (type_,) = types
        if not isinstance(type_, TensorType) or type_.element is not source:
            raise _refuse(op, place, f"operand 1 is {type_}, wanted a tensor of {source}")
        return (tensor(result, type_.dims),)

    return infer


def _integer(name: str, default: int | None = None) -> AttributeSpec:
    return AttributeSpec(name, AttributeKind.INTEGER, default)


_KIND = AttributeSpec("op", AttributeKind.WORD, None, tuple(COMBINES))
_ALGORITHM = AttributeSpec("algo", AttributeKind.WORD, None, ALGORITHMS)

# An f16 value as the f32 that lanes compute it in, and back: no rounding in between, where `convert` rounds.
WIDEN = Op("widen", TENSOR_STAGES, 1, 1, _infer_cast(F16, F32))
NARROW = Op("narrow", TENSOR_STAGES, 1, 1, _infer_cast(F32, F16))
# Its second operand, from blockwise on, is the LDS of a block reduction. Without `axes` the last dims are
# reduced.
GRIDWISE_REDUCE = Op(
    "gridwise_reduce", TENSOR_STAGES, 1, 2, _infer_gridwise,
    (_KIND, _ALGORITHM, _integer("reduce_elements"), _integer("block_size"),
        AttributeSpec("axes", AttributeKind.LIST, ())),
)  # fmt: skip
LANE_REDUCE = Op("lane_reduce", LANEWISE_ON, 1, 1, _infer_lane_reduce, (_KIND,))
# Of a whole wave, its last lane holds the result; of fewer, each of them. Every lane of a wave must take
# part.
DPP_REDUCE = Op(
    "dpp_reduce", LANEWISE_ON, 1, 1, _infer_across, (_KIND, _integer("lanes", 64)), effects=True,
    together=Scope.WAVE, most=Scope.LANE
)  # fmt: skip
# Of the last lane of each wave; every lane of the workgroup gets the result.
REDUCE_WAVES = Op(
    "reduce_waves", LANEWISE_ON, 2, 2, _infer_across, (_KIND, _integer("waves")), effects=True,
    together=Scope.WORKGROUP, least=Scope.WORKGROUP
)  # fmt: skip
IS_LANE = Op("is_lane", FINAL_ONLY, 0, 0, _infer_is_lane, (_integer("lane"),), most=Scope.LANE)

REDUCTION_OPS = (WIDEN, NARROW, GRIDWISE_REDUCE, LANE_REDUCE, DPP_REDUCE, REDUCE_WAVES, IS_LANE)
