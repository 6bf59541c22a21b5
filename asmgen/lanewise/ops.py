"""The rows of the ops that the stages after the graph add (docs/architecture.md, "The waist").

The graph's pointwise ops (`asmgen.graph.ops`) are ops of lanewise too; the rows here are the ops that the
graph does not have. The operands of an elementwise op are vectors of the same length: a scalar is repeated by
`splat`, or is a literal of the vector type.
"""

from __future__ import annotations

from asmgen.index import constant
from asmgen.ir.program import (
    Attribute,
    AttributeKind,
    AttributeSpec,
    InferResult,
    Op,
    Scope,
    Stage,
)
from asmgen.ir.types import (
    BOOL,
    ELEMENT_TYPES,
    F16,
    F32,
    F64,
    I32,
    U32,
    U64,
    NumberKind,
)
from asmgen.lanewise.atomic_ops import ATOMIC_OPS
from asmgen.lanewise.reduction_ops import FINAL_ONLY, LANEWISE_ON, REDUCTION_OPS
from asmgen.lanewise.result_types import (
    INTEGERS,
    MAX_PACKED,
    OPEN,
    UNNAMED,
    WIDE,
    WORDS,
    any_operands,
    elementwise,
    fixed,
    infer_any,
    infer_axis,
    infer_ballot,
    infer_broadcast,
    infer_carry,
    infer_class,
    infer_div_scale,
    infer_exchange,
    infer_extract,
    infer_find,
    infer_for,
    infer_if,
    infer_join,
    infer_launch,
    infer_lds,
    infer_load,
    infer_matrix,
    infer_multiple,
    infer_pack,
    infer_priority,
    infer_same,
    infer_shuffle,
    infer_splat,
    infer_split,
    infer_store,
    infer_to_lds,
    infer_wait,
    infer_while,
)

_FLOAT = (F32,)
_FLOATS = (F32, F64)
_FUSED = (F16, F32, F64)
_COUNT = tuple(reversed(INTEGERS))  # of a shift: any type, whatever the type of the shifted number
_SIGNED = (I32,)
_MEDIANS = (F32, I32, U32)
_BOOL = (BOOL,)
_ORDERED = tuple(dict.fromkeys(e for e in ELEMENT_TYPES.values() if e.kind is not NumberKind.BOOL))
_COMPARED = tuple(dict.fromkeys(ELEMENT_TYPES.values()))

_OFFSET = AttributeSpec("offset", AttributeKind.INTEGER, 0)
_SIZE = AttributeSpec("size", AttributeKind.INTEGER)
# Of an access: the slot of the buffer, and the bytes of the slot (`asmgen.lanewise.records.Touched`).
_TOUCHED = (
    AttributeSpec("slot", AttributeKind.INDEX, constant(0)),
    AttributeSpec("at", AttributeKind.INDEX, constant(0)),
    AttributeSpec("bytes", AttributeKind.LIST, ()),
)


def _integer(name: str, default: Attribute | None = None) -> AttributeSpec:
    return AttributeSpec(name, AttributeKind.INTEGER, default)


def _list(name: str) -> AttributeSpec:
    return AttributeSpec(name, AttributeKind.LIST)


def _row(
    name: str, stages: frozenset[Stage], operands: int, infer: InferResult, *attributes: AttributeSpec
) -> Op:
    """An op without side effects and with a fixed number of operands."""
    return Op(name, stages, operands, operands, infer, attributes)


def _pointwise(
    name: str, stages: frozenset[Stage], infer: InferResult, operands: int, commutes: bool = False
) -> Op:
    return Op(name, stages, operands, operands, infer, pointwise=True, commutes=commutes)


def _effect(
    name: str, stages: frozenset[Stage], operands: int, infer: InferResult, *attributes: AttributeSpec
) -> Op:
    return Op(name, stages, operands, operands, infer, attributes, effects=True)


# Structure. `results` has for each output buffer the number of a result of the program, or -1 if only later
# kernels read the buffer; without it the outputs are results 0, 1, ... `open` names the part of the launch
# that is unknown at compile time: the grid, or also the shape of the workgroup, which then has at most as
# many work-items as `block`.
LAUNCH = _effect(
    "launch", LANEWISE_ON, 0, infer_launch,
    AttributeSpec("grid", AttributeKind.LIST, holds_sizes=True), _list("block"),
    AttributeSpec("results", AttributeKind.LIST, ()),
    AttributeSpec("open", AttributeKind.WORD, "none", OPEN),
)  # fmt: skip
IF = Op("if", LANEWISE_ON, 1, 1, infer_if, effects=True, regions=2)
# `trip` names the number of the trip, for the places that accesses inside state.
FOR = Op(
    "for", LANEWISE_ON, 3, None, infer_for, (AttributeSpec("trip", AttributeKind.WORD, UNNAMED),),
    effects=True, regions=1, carried_from=3, has_counter=True,
)  # fmt: skip
WHILE = Op(
    "while", LANEWISE_ON, 0, None, infer_while, effects=True, regions=2, carried_from=0, tests_first=True
)
YIELD = Op("yield", LANEWISE_ON, 0, None, any_operands, effects=True, ends_region=True)

# Places and memory
WORKGROUP_ID = _row("workgroup_id", LANEWISE_ON, 0, infer_axis, _integer("axis", 0))
LOCAL_ID = Op("local_id", LANEWISE_ON, 0, 0, infer_axis, (_integer("axis", 0),), most=Scope.LANE)
# Of the launch: work-items of a workgroup, and workgroups of the grid, along an axis.
WORKGROUP_SIZE = _row("workgroup_size", LANEWISE_ON, 0, infer_axis, _integer("axis", 0))
WORKGROUP_COUNT = _row("workgroup_count", LANEWISE_ON, 0, infer_axis, _integer("axis", 0))
LOAD = _row("load", LANEWISE_ON, 2, infer_load, _OFFSET, *_TOUCHED)
VECTOR_LOAD = _row("vector_load", LANEWISE_ON, 2, infer_load, _SIZE, _OFFSET, *_TOUCHED)
# `streams`: the stored data needs no place in a cache.
_STREAMS = AttributeSpec("streams", AttributeKind.BOOL, False)
STORE = _effect("store", LANEWISE_ON, 3, infer_store, _OFFSET, _STREAMS, *_TOUCHED)
VECTOR_STORE = _effect("vector_store", LANEWISE_ON, 3, infer_store, _SIZE, _OFFSET, _STREAMS, *_TOUCHED)
LOADS, STORES = frozenset({LOAD, VECTOR_LOAD}), frozenset({STORE, VECTOR_STORE})  # of memory
LDS_ALLOCATE = _effect(
    "lds_allocate", LANEWISE_ON, 0, infer_lds, _SIZE, AttributeSpec("type", AttributeKind.TYPE, "f32"),
    _integer("slots", 1),
)  # fmt: skip
LDS_LOAD = _effect("lds_load", LANEWISE_ON, 2, infer_load, _integer("size", 1), _OFFSET, *_TOUCHED)
LDS_STORE = _effect("lds_store", LANEWISE_ON, 3, infer_store, _integer("size", 1), _OFFSET, *_TOUCHED)
# A load of the target that transposes between the lanes of a wave: each lane's index names `size` adjacent
# elements, which groups of lanes exchange as the instruction `by` does (`isa.semantics.transposes`).
# `asmgen.lanewise.transposes` checks the name and the elements by the target's table. All lanes take part.
LDS_TRANSPOSE_LOAD = Op(
    "lds_transpose_load", LANEWISE_ON, 2, 2, infer_load,
    (AttributeSpec("by", AttributeKind.WORD), _SIZE, _OFFSET, *_TOUCHED), effects=True, together=Scope.WAVE,
    most=Scope.LANE,
)  # fmt: skip
# Memory that each lane has for itself.
SCRATCH_ALLOCATE = _effect(
    "scratch_allocate", LANEWISE_ON, 0, infer_lds, _SIZE, AttributeSpec("type", AttributeKind.TYPE, "f32")
)
SCRATCH_LOAD = _effect("scratch_load", LANEWISE_ON, 2, infer_load, _integer("size", 1), _OFFSET, *_TOUCHED)
SCRATCH_STORE = _effect("scratch_store", LANEWISE_ON, 3, infer_store, _integer("size", 1), _OFFSET, *_TOUCHED)
# Memory to LDS without registers: lane i of the wave moves `size` elements of the buffer, from `index` on, to
# the elements from `place + size * i` on. `place` is the same in the wave. Lanes with a false condition
# write zeros. The memory that it states is that in LDS. Nothing but `async_wait` waits for it: neither a load
# nor a barrier.
LOAD_TO_LDS = Op(
    "load_to_lds", LANEWISE_ON, 4, 5, infer_to_lds, (_SIZE, *_TOUCHED), effects=True,
    together=Scope.WAVE,
)  # fmt: skip
# Waits until at most the last `pending` of the `load_to_lds` that the wave has issued are under way.
ASYNC_WAIT = Op(
    "async_wait", LANEWISE_ON, 0, 0, infer_wait, (_integer("pending", 0),), effects=True,
    together=Scope.WAVE,
)  # fmt: skip
BARRIER = Op("barrier", LANEWISE_ON, 0, 0, fixed(), effects=True, together=Scope.WORKGROUP)
# A barrier that some waves pass before others do: it is in an `if`, and in the other side of a later `if` of
# the same condition, so that every wave passes as many barriers in all. In between, these waves are a barrier
# ahead.
STAGGER = Op("stagger", LANEWISE_ON, 0, 0, fixed(), effects=True, together=Scope.WAVE)
# The priority of the wave among those of its SIMD: of several waves that can issue, the highest does.
PRIORITY = Op(
    "priority", LANEWISE_ON, 0, 0, infer_priority, (_integer("level", 0),), effects=True,
    together=Scope.WAVE,
)  # fmt: skip
# Accesses of memory and matrix instructions before it stay before those after it.
ORDER = Op("order", LANEWISE_ON, 0, 0, fixed(), effects=True)
LOAD_FENCES = frozenset({PRIORITY, ORDER})  # no load passes them

# Vectors and lanes
PACK = Op("pack", LANEWISE_ON, 1, MAX_PACKED, infer_pack)
EXTRACT = _row("extract", LANEWISE_ON, 1, infer_extract, _integer("index"), _integer("size", 1))
SPLAT = _row("splat", LANEWISE_ON, 1, infer_splat, _integer("lanes"))
# The numbers of `bits` bits of each element, from the lowest bits on.
SPLIT_BITS = _row(
    "split_bits", LANEWISE_ON, 1, infer_split, _integer("bits"),
    AttributeSpec("type", AttributeKind.TYPE, "u8"),
)  # fmt: skip
LANE_SHUFFLE = Op("lane_shuffle", LANEWISE_ON, 2, 2, infer_shuffle, effects=True, together=Scope.WAVE)
# The value of the lane with the same number except for the bits of the mask.
LANE_EXCHANGE = Op(
    "lane_exchange", LANEWISE_ON, 1, 1, infer_exchange, (_integer("mask"),), effects=True,
    together=Scope.WAVE, most=Scope.LANE,
)  # fmt: skip
# The value of lane number `lane` of each row of 16 lanes.
ROW_BROADCAST = Op(
    "row_broadcast", FINAL_ONLY, 1, 1, infer_broadcast, (_integer("lane"),), effects=True,
    together=Scope.WAVE, most=Scope.LANE,
)  # fmt: skip
# The first of the lanes that are active here: it has a meaning in a part of a wave too.
READ_FIRST_LANE = Op("read_first_lane", LANEWISE_ON, 1, 1, infer_same, effects=True, least=Scope.WAVE)
# The number of the first, or the last, lane of the wave for which a condition is true; a negative number if
# there is none.
FIND_LANE = Op(
    "find_lane", LANEWISE_ON, 1, 1, infer_find, (AttributeSpec("last", AttributeKind.BOOL, False),),
    effects=True, together=Scope.WAVE, least=Scope.WAVE
)  # fmt: skip
# Whether a condition is true for an active lane of the wave.
ANY_LANE = Op("any_lane", LANEWISE_ON, 1, 1, infer_any, effects=True, together=Scope.WAVE, least=Scope.WAVE)
# A word of the mask of the active lanes of the wave for which a condition is true: lanes 0 to 31, or from 32.
BALLOT = Op(
    "ballot", LANEWISE_ON, 1, 1, infer_ballot, (_integer("word", 0),), effects=True, together=Scope.WAVE,
    least=Scope.WAVE
)  # fmt: skip
# A matrix instruction of the target, over a whole wave: d = matrix[by=v_mfma_f32_16x16x16_f16](a, b, c) is
# D := A B + C. Further operands are the scales of a and of b, if the instruction has scales. Each lane has
# its elements of A, B, C and D as the instruction's layouts say (`isa.semantics.matrix_layouts`);
# `asmgen.lanewise.matrices` checks the name and the types by the target's table. A lane's result depends on
# the operands of all lanes of its wave. The instruction ignores EXEC, so all lanes must be there.
MATRIX = Op(
    "matrix", LANEWISE_ON, 3, 5, infer_matrix, (AttributeSpec("by", AttributeKind.WORD),), effects=True,
    together=Scope.WAVE, most=Scope.LANE,
)  # fmt: skip

# Arithmetic
FMA = _pointwise("fma", LANEWISE_ON, elementwise(_FUSED, _FUSED, _FUSED), 3, commutes=True)
# The sum of two integers, plus 1 if the condition is true.
ADD_CARRY = _row("add_carry", LANEWISE_ON, 3, infer_carry)
SHIFT_LEFT = _pointwise("shift_left", LANEWISE_ON, elementwise(INTEGERS, _COUNT), 2)
SHIFT_RIGHT = _pointwise("shift_right", LANEWISE_ON, elementwise(INTEGERS, _COUNT), 2)
# The lower of two words, the upper word first, after both are shifted right together by a count modulo 32.
ALIGN_BITS = _pointwise("align_bits", FINAL_ONLY, elementwise((U32,), (U32,), (U32,)), 3)
# Some bits of a word, from a first bit on, as a number with a sign: `signed_bits(word, first, count)`.
SIGNED_BITS = _pointwise("signed_bits", FINAL_ONLY, elementwise((U32,), (U32,), (U32,)), 3)
# Each bit of the second word if the first word has a 1 there, else of the third.
CHOOSE_BITS = _pointwise("choose_bits", FINAL_ONLY, elementwise((U32,), (U32,), (U32,)), 3)
# The number of bits above the highest bit that is set; 2^32 - 1 for 0.
FIRST_ONE = _pointwise("first_one", FINAL_ONLY, elementwise(WORDS, result=U32), 1)
MULTIPLY_HIGH = _pointwise("multiply_high", LANEWISE_ON, elementwise(INTEGERS, INTEGERS), 2, commutes=True)
# The product of two words plus a number of two words, modulo 2^64.
MULTIPLY_ADD = _pointwise("multiply_add", FINAL_ONLY, elementwise((U32,), (U32,), (U64,), result=U64), 3)
# `most` is the upper bound that an index expression knows of the number; later stages cannot find it again.
MULTIPLE = _row("multiple", LANEWISE_ON, 1, infer_multiple, _integer("by"), _integer("most"))
LOW_WORD = _pointwise("low_word", LANEWISE_ON, elementwise(WIDE, result=U32), 1)
HIGH_WORD = _pointwise("high_word", LANEWISE_ON, elementwise(WIDE, result=U32), 1)
JOIN_WORDS = _row("join_words", LANEWISE_ON, 2, infer_join, AttributeSpec("type", AttributeKind.TYPE, "u64"))
LESS_EQUAL = _pointwise("less_equal", LANEWISE_ON, elementwise(_ORDERED, _ORDERED, result=BOOL), 2)
GREATER_EQUAL = _pointwise("greater_equal", LANEWISE_ON, elementwise(_ORDERED, _ORDERED, result=BOOL), 2)
NOT_EQUAL = _pointwise(
    "not_equal", LANEWISE_ON, elementwise(_COMPARED, _COMPARED, result=BOOL), 2, commutes=True
)
# Whether either operand is a NaN.
UNORDERED = _pointwise("unordered", FINAL_ONLY, elementwise(_FLOATS, _FLOATS, result=BOOL), 2, commutes=True)

# The hardware's own functions
HW_EXP2 = _pointwise("hw_exp2", FINAL_ONLY, elementwise(_FLOAT), 1)
HW_LOG2 = _pointwise("hw_log2", FINAL_ONLY, elementwise(_FLOAT), 1)
HW_RCP = _pointwise("hw_rcp", FINAL_ONLY, elementwise(_FLOATS), 1)
HW_RSQ = _pointwise("hw_rsq", FINAL_ONLY, elementwise(_FLOATS), 1)
HW_SQRT = _pointwise("hw_sqrt", FINAL_ONLY, elementwise(_FLOATS), 1)
# 53 bits of 2/pi, from a bit on that the exponent of the first operand chooses; later parts follow.
HW_TWO_OVER_PI = _pointwise("hw_two_over_pi", FINAL_ONLY, elementwise((F64,), _SIGNED), 2)
LDEXP = _pointwise("ldexp", FINAL_ONLY, elementwise(_FLOATS, _SIGNED), 2)
FREXP_MANTISSA = _pointwise("frexp_mantissa", FINAL_ONLY, elementwise(_FLOATS), 1)
FREXP_EXPONENT = _pointwise("frexp_exponent", FINAL_ONLY, elementwise(_FLOATS, result=I32), 1)
TRUNC = _pointwise("trunc", FINAL_ONLY, elementwise(_FLOATS), 1)
FRACT = _pointwise("fract", FINAL_ONLY, elementwise(_FLOATS), 1)
MED3 = _pointwise("med3", LANEWISE_ON, elementwise(_MEDIANS, _MEDIANS, _MEDIANS), 3, commutes=True)
# The larger and the smaller number; NaN if either operand is NaN.
MAXIMUM = _pointwise("maximum", FINAL_ONLY, elementwise(_FLOAT, _FLOAT), 2, commutes=True)
MINIMUM = _pointwise("minimum", FINAL_ONLY, elementwise(_FLOAT, _FLOAT), 2, commutes=True)
COPYSIGN = _pointwise("copysign", FINAL_ONLY, elementwise(_FLOATS, _FLOATS), 2)
DIV_SCALE = _row("div_scale", FINAL_ONLY, 2, infer_div_scale, _integer("numerator"))
DIV_FMAS = _pointwise("div_fmas", FINAL_ONLY, elementwise(_FLOATS, _FLOATS, _FLOATS, _BOOL), 4)
DIV_FIXUP = _pointwise("div_fixup", FINAL_ONLY, elementwise(_FLOATS, _FLOATS, _FLOATS), 3)
IS_CLASS = _row("is_class", FINAL_ONLY, 1, infer_class, _integer("mask"))

STAGE_OPS: dict[str, Op] = {
    op.name: op
    for op in (
        *REDUCTION_OPS, *ATOMIC_OPS, MATRIX,
        LAUNCH, IF, FOR, WHILE, YIELD, WORKGROUP_ID, LOCAL_ID, WORKGROUP_SIZE, WORKGROUP_COUNT,
        LOAD, VECTOR_LOAD, STORE, VECTOR_STORE,
        LDS_ALLOCATE, LDS_LOAD, LDS_TRANSPOSE_LOAD, LDS_STORE, SCRATCH_ALLOCATE, SCRATCH_LOAD, SCRATCH_STORE,
        LOAD_TO_LDS, ASYNC_WAIT, STAGGER, PRIORITY, ORDER,
        BARRIER, PACK, EXTRACT, SPLAT, SPLIT_BITS,
        LANE_SHUFFLE, LANE_EXCHANGE, ROW_BROADCAST, READ_FIRST_LANE, FIND_LANE, ANY_LANE,
        BALLOT, FMA,
        SHIFT_LEFT, SHIFT_RIGHT, ALIGN_BITS, SIGNED_BITS, CHOOSE_BITS, FIRST_ONE, ADD_CARRY,
        MULTIPLY_HIGH, MULTIPLY_ADD, MULTIPLE, LOW_WORD, HIGH_WORD, JOIN_WORDS,
        LESS_EQUAL, GREATER_EQUAL, NOT_EQUAL, UNORDERED, MAXIMUM, MINIMUM,
        HW_EXP2, HW_LOG2, HW_RCP, HW_RSQ, HW_SQRT, HW_TWO_OVER_PI,
        LDEXP, FREXP_MANTISSA, FREXP_EXPONENT, TRUNC, FRACT, MED3, COPYSIGN, DIV_SCALE, DIV_FMAS,
        DIV_FIXUP, IS_CLASS,
    )
}  # fmt: skip
