"""The rows of the reductions' ops of lanes: `lane_reduce` over the elements of a lane, `dot_pairs` over
products of pairs, `dpp_reduce` and `dpp_scan` over the lanes of a wave, `reduce_waves` over the waves of a
workgroup, through LDS.
"""

from __future__ import annotations

from asmgen.graph.ops import COMBINES
from asmgen.ir.program import AttributeKind, Attributes, AttributeSpec, Op, Scope, Stage
from asmgen.ir.types import BOOL, F16, F32, F64, HALVES, I32, I64, U32, U64, ElementType, LaneType, ValueType
from isa.diagnostics import InputError, Place

LANEWISE_ON = frozenset({Stage.LANEWISE, Stage.FINAL})
FINAL_ONLY = frozenset({Stage.FINAL})
WHOLE_WORDS = (F32, I32, U32, F64, I64, U64)  # elements that lanes combine
SCANNED = (16, 32, 64)  # lanes of a group that steps can scan: rows
GROUPS = (2, 4, 8, 16, 32, 64)  # how many lanes steps can combine: of a row, or a whole wave of 32 or 64
EXTREMES = ("max", "min")  # reductions that lose a NaN if they do not keep it
STEPS = (1, 2, 4, 8, 16, 32)  # how many lanes are combined before a step


def _refuse(op: Op, place: Place | None, message: str) -> InputError:
    return InputError(place or op.name, "GEN102", f"{op.name}: {message}")


def _infer_lane_reduce(
    op: Op, types: tuple[ValueType, ...], _attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    return (LaneType(_reduced_type(op, types, place, (F32, I32, F16)).element),)


def dot_row(element: ElementType) -> str:
    """The instruction that adds the products of two pairs of a type."""
    return f"v_dot2_f32_{element.name}"


def _infer_dot_pairs(
    op: Op, types: tuple[ValueType, ...], _attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    a, b, sums = types
    if not isinstance(a, LaneType) or a.element not in HALVES or a.lanes % 2 or b != a:
        raise _refuse(op, place, f"operands 1 and 2 are {a} and {b}, wanted pairs of f16 or of bf16")
    wanted, whole = LaneType(F32, a.lanes // 2), LaneType(F32)
    if sums not in (wanted, whole):
        message = f"operand 3 is {sums}, wanted {wanted}, an f32 for each pair, or {whole} for all pairs"
        raise _refuse(op, place, message)
    return (sums,)


def _infer_across(
    op: Op, types: tuple[ValueType, ...], attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    type_ = _reduced_type(op, types, place, WHOLE_WORDS)
    if type_.lanes != 1:
        raise _refuse(op, place, f"operand 1 is {type_}, wanted a single lane value")
    if "lanes" in attributes and attributes["lanes"] not in GROUPS:
        raise _refuse(op, place, f"lanes is {attributes['lanes']}, wanted one of {GROUPS}")
    return (type_,)


def _infer_reduced_lanes(
    op: Op, types: tuple[ValueType, ...], attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    (type_,) = _infer_across(op, types, attributes, place)
    if attributes.get("keeps_nan") and (type_.element is not F32 or attributes["op"] not in EXTREMES):
        message = f"keeps_nan is for max and min of f32, and this is {attributes['op']} of {type_}"
        raise _refuse(op, place, message)
    return (type_,)


def _infer_scan(
    op: Op, types: tuple[ValueType, ...], attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    (type_,) = _infer_across(op, types[:1], {}, place)
    if attributes["lanes"] not in SCANNED:
        raise _refuse(op, place, f"lanes is {attributes['lanes']}, wanted one of {SCANNED}")
    if len(types) > 1 and types[1] != type_:
        raise _refuse(op, place, f"operand 2 is {types[1]}, wanted {type_}, as operand 1 is")
    return (type_,)


def _infer_step(
    op: Op, types: tuple[ValueType, ...], attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    combined = attributes["combined"]
    if combined not in STEPS:
        raise _refuse(op, place, f"combined is {combined}, wanted one of {STEPS}")
    return _infer_across(op, types[:1], {}, place)


def _reduced_type(
    op: Op, types: tuple[ValueType, ...], place: Place | None, elements: tuple[ElementType, ...]
) -> LaneType:
    type_ = types[0]
    if not isinstance(type_, LaneType) or type_.element not in elements:
        names = " or ".join([element.name for element in elements])
        raise _refuse(op, place, f"operand 1 is {type_}, wanted a lane value of {names}")
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
# Element i of the third operand, plus the products of elements 2i and of elements 2i + 1 of the others.
DOT_PAIRS = Op("dot_pairs", FINAL_ONLY, 3, 3, _infer_dot_pairs, pointwise=True)
# The last lane of a whole wave has the result; of a smaller group each lane. Every lane of a wave must take
# part. If a NaN is kept, the target has the maximum and the minimum of f32 for that.
DPP_REDUCE = Op(
    "dpp_reduce", LANEWISE_ON, 1, 1, _infer_reduced_lanes,
    (_KIND, _integer("lanes", 64), AttributeSpec("keeps_nan", AttributeKind.BOOL, False)), effects=True,
    together=Scope.WAVE, most=Scope.LANE
)  # fmt: skip
# Of the last lane of each wave; every lane of the workgroup gets the result.
REDUCE_WAVES = Op(
    "reduce_waves", LANEWISE_ON, 2, 2, _infer_across, (_KIND, _integer("waves")), effects=True,
    together=Scope.WORKGROUP, least=Scope.WORKGROUP
)  # fmt: skip
_REVERSE = AttributeSpec("reverse", AttributeKind.BOOL, False)
# Each lane has its own value combined with the values of all lanes of its group before it, or after it.
DPP_SCAN = Op(
    "dpp_scan", LANEWISE_ON, 1, 1, _infer_scan, (_KIND, _integer("lanes", 64), _REVERSE), effects=True,
    together=Scope.WAVE, most=Scope.LANE
)  # fmt: skip
# The value of the lane before, or after; the second operand if the group has no such lane.
LANE_BEFORE = Op(
    "lane_before", LANEWISE_ON, 2, 2, _infer_scan, (_integer("lanes", 64), _REVERSE), effects=True,
    together=Scope.WAVE, most=Scope.LANE
)  # fmt: skip
# A step of a reduction or a scan: the value of the lanes that this lane is combined with, after `combined`
# lanes; in a scan the second operand if there are none.
LANE_STEP = Op(
    "lane_step", LANEWISE_ON, 2, 2, _infer_step,
    (AttributeSpec("way", AttributeKind.WORD, None, ("reduce", "scan", "reverse")), _integer("combined")),
    effects=True, together=Scope.WAVE, most=Scope.LANE
)  # fmt: skip
IS_LANE = Op("is_lane", LANEWISE_ON, 0, 0, _infer_is_lane, (_integer("lane"),), most=Scope.LANE)

REDUCTION_OPS = (LANE_REDUCE, DOT_PAIRS, DPP_REDUCE, DPP_SCAN, LANE_BEFORE, LANE_STEP, REDUCE_WAVES, IS_LANE)
