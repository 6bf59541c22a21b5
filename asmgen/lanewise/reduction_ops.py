"""The rows of the reductions' ops of lanes: `lane_reduce` over the elements of a lane, `dpp_reduce` over the
lanes of a wave, `reduce_waves` over the waves of a workgroup, through LDS.
"""

from __future__ import annotations

from asmgen.graph.ops import ADD, MAX, MIN, MUL, REDUCE_MAX, REDUCE_MEAN, REDUCE_MIN, REDUCE_PROD, REDUCE_SUM
from asmgen.ir.program import AttributeKind, Attributes, AttributeSpec, Op, Scope, Stage
from asmgen.ir.types import BOOL, F32, I32, LaneType, ValueType
from isa.diagnostics import InputError, Place

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
GROUPS = (2, 4, 8, 16, 32, 64)  # how many lanes steps can combine: of a row, or a whole wave of 32 or 64


def _refuse(op: Op, place: Place | None, message: str) -> InputError:
    return InputError(place or op.name, "GEN102", f"{op.name}: {message}")


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


def _integer(name: str, default: int | None = None) -> AttributeSpec:
    return AttributeSpec(name, AttributeKind.INTEGER, default)


_KIND = AttributeSpec("op", AttributeKind.WORD, None, tuple(COMBINES))
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

REDUCTION_OPS = (LANE_REDUCE, DPP_REDUCE, REDUCE_WAVES, IS_LANE)
