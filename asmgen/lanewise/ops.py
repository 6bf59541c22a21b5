"""The rows of the ops that the stages after the graph add (docs/architecture.md, "The waist").

The graph's pointwise ops (`asmgen.graph.ops`) are ops of lanewise too; the rows here are the ops that the
graph does not have. The operands of an elementwise op are vectors of the same length: a scalar is repeated by
`splat`, or is a literal of the vector type.
"""

from __future__ import annotations

from typing import NoReturn

from asmgen.index import constant
from asmgen.index.size import Size, at_least
from asmgen.ir.program import (
    Attribute,
    AttributeKind,
    Attributes,
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
    I64,
    U32,
    U64,
    ElementType,
    LaneType,
    NumberKind,
    TensorType,
    ValueType,
    tensor,
)
from asmgen.lanewise.atomic_ops import ATOMIC_OPS
from asmgen.lanewise.reduction_ops import FINAL_ONLY, LANEWISE_ON, REDUCTION_OPS
from isa.diagnostics import InputError, Place

OPEN = ("none", "grid", "block")
MOST_PENDING = 1 << 10  # copies to LDS that a wait may leave under way; no counter counts so many
HIGHEST_PRIORITY = 3
UNNAMED = "none"  # of a loop that gives the number of its trip no name
MAX_LANES = 16  # of a lane vector; a lane moves at most 16 elements with four dwordx4
MAX_PACKED = 32  # of a vector that is packed: the factors of 8 bits of a matrix instruction
WORDS = (I32, U32)
WIDE = (I64, U64, F64)  # elements of two words
MOST_OF_WAVE = 64  # lanes
LANES_OF_ROW = 16  # that an instruction may read the lanes of
INTEGERS = (I32, U32, I64, U64)
_PACKED = tuple([ELEMENT_TYPES[name] for name in ("i8", "u8", "i16", "u16", "i32", "u32")])


def _fail(op: Op, place: Place | None, message: str) -> NoReturn:
    raise InputError(place or op.name, "GEN101", f"{op.name}: {message}")


def _lane(op: Op, types: tuple[ValueType, ...], index: int, place: Place | None) -> LaneType:
    type_ = types[index]
    if not isinstance(type_, LaneType):
        _fail(op, place, f"operand {index + 1} is a tensor, wanted a lane value")
    return type_


def _buffer(op: Op, types: tuple[ValueType, ...], place: Place | None) -> TensorType:
    type_ = types[0]
    if not isinstance(type_, TensorType):
        _fail(op, place, f"operand 1 is {type_}, wanted a buffer")
    return type_


def _element_of(
    op: Op, type_: LaneType, index: int, elements: tuple[ElementType, ...], place: Place | None
) -> None:
    if type_.element not in elements:
        _fail(
            op,
            place,
            f"operand {index + 1} is {type_}, wanted elements of {' or '.join(str(e) for e in elements)}",
        )


def _scalar(
    op: Op, types: tuple[ValueType, ...], index: int, elements: tuple[ElementType, ...], place: Place | None
) -> None:
    type_ = _lane(op, types, index, place)
    _element_of(op, type_, index, elements, place)
    if type_.lanes != 1:
        _fail(op, place, f"operand {index + 1} is {type_}, wanted a single lane value")


def _number(
    op: Op, attributes: Attributes, name: str, minimum: int, maximum: int, place: Place | None
) -> int:
    value = attributes[name]
    if not isinstance(value, int) or not minimum <= value <= maximum:
        _fail(op, place, f"{name} is {value}, wanted {minimum} to {maximum}")
    return value


def _elementwise(*operands: tuple[ElementType, ...], result: ElementType | None = None) -> InferResult:
    """Operands with the same number of lanes, each with an element type of its tuple. Operands with the first
    operand's tuple have the first operand's element type.

    The result has the element type `result`, or the first operand's.
    """

    def infer(
        op: Op, types: tuple[ValueType, ...], _attributes: Attributes, place: Place | None
    ) -> tuple[ValueType, ...]:
        first = _lane(op, types, 0, place)
        for i, elements in enumerate(operands):
            if i and types[i] is first and elements is operands[0]:
                continue
            type_ = _lane(op, types, i, place)
            _element_of(op, type_, i, elements, place)
            if type_.lanes != first.lanes or (elements is operands[0] and type_.element is not first.element):
                _fail(op, place, f"operands are {', '.join(str(t) for t in types)}, wanted types that agree")
        return (first if result is None else LaneType(result, first.lanes),)

    return infer


def _fixed(*results: LaneType) -> InferResult:
    """No operands to look at: the results are always these."""

    def infer(
        _op: Op, _types: tuple[ValueType, ...], _attributes: Attributes, _place: Place | None
    ) -> tuple[ValueType, ...]:
        return results

    return infer


def _any_operands(
    _op: Op, _types: tuple[ValueType, ...], _attributes: Attributes, _place: Place | None
) -> tuple[ValueType, ...]:
    """`yield`, and `if` beyond its condition: their types follow from the regions."""
    return ()


def _infer_launch(
    op: Op, _types: tuple[ValueType, ...], attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    for name in ("grid", "block"):
        sizes = attributes[name]
        if (
            not isinstance(sizes, tuple)
            or len(sizes) != 3
            or not all(isinstance(size, int | Size) and at_least(size, 0).is_possible for size in sizes)
        ):
            _fail(op, place, f"{name} is {sizes}, wanted three sizes")
    return ()


def _infer_axis(
    op: Op, _types: tuple[ValueType, ...], attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    _ = _number(op, attributes, "axis", 0, 2, place)
    return (LaneType(U32),)


def _lanes_of_access(op: Op, attributes: Attributes, place: Place | None) -> int:
    return _number(op, attributes, "size", 1, MAX_LANES, place) if "size" in attributes else 1


def _infer_load(
    op: Op, types: tuple[ValueType, ...], attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    buffer = _buffer(op, types, place)
    _scalar(op, types, 1, (U32,), place)
    return (LaneType(buffer.element, _lanes_of_access(op, attributes, place)),)


def _infer_store(
    op: Op, types: tuple[ValueType, ...], attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    buffer = _buffer(op, types, place)
    _scalar(op, types, 1, (U32,), place)
    wanted = LaneType(buffer.element, _lanes_of_access(op, attributes, place))
    if types[2] != wanted:
        _fail(op, place, f"the value is {types[2]}, wanted {wanted}")
    return ()


def _infer_to_lds(
    op: Op, types: tuple[ValueType, ...], attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    buffer, lds = _buffer(op, types, place), types[2]
    _scalar(op, types, 1, (U32,), place)
    if not isinstance(lds, TensorType) or lds.element is not buffer.element:
        _fail(op, place, f"operand 3 is {lds}, wanted LDS of {buffer.element}")
    _scalar(op, types, 3, (U32,), place)
    if len(types) > 4:
        _scalar(op, types, 4, (BOOL,), place)
    _ = _lanes_of_access(op, attributes, place)
    return ()


def _infer_wait(
    op: Op, _types: tuple[ValueType, ...], attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    _ = _number(op, attributes, "pending", 0, MOST_PENDING, place)
    return ()


def _infer_priority(
    op: Op, _types: tuple[ValueType, ...], attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    _ = _number(op, attributes, "level", 0, HIGHEST_PRIORITY, place)
    return ()


def _infer_pack(
    op: Op, types: tuple[ValueType, ...], _attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    parts = [_lane(op, types, i, place) for i in range(len(types))]
    if any(part.element != parts[0].element for part in parts):
        _fail(op, place, f"operands are {', '.join(str(p) for p in parts)}, wanted a common element type")
    lanes = sum(part.lanes for part in parts)
    if lanes > MAX_PACKED:
        _fail(op, place, f"the vector would have {lanes} lanes, wanted at most {MAX_PACKED}")
    return (LaneType(parts[0].element, lanes),)


def _infer_extract(
    op: Op, types: tuple[ValueType, ...], attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    vector = _lane(op, types, 0, place)
    count = _number(op, attributes, "size", 1, vector.lanes, place)
    _ = _number(op, attributes, "index", 0, vector.lanes - count, place)
    return (LaneType(vector.element, count),)


def _infer_splat(
    op: Op, types: tuple[ValueType, ...], attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    value = _lane(op, types, 0, place)
    if value.lanes != 1:
        _fail(op, place, f"operand 1 is {value}, wanted a single lane value")
    return (LaneType(value.element, _number(op, attributes, "lanes", 1, MAX_LANES, place)),)


def _infer_split(
    op: Op, types: tuple[ValueType, ...], attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    vector, name = _lane(op, types, 0, place), attributes["type"]
    _element_of(op, vector, 0, _PACKED, place)
    bits = _number(op, attributes, "bits", 1, 8, place)
    if name not in ("i8", "u8"):
        _fail(op, place, f"type is {name}, wanted i8 or u8")
    if bits & bits - 1:
        _fail(op, place, f"bits is {bits}, wanted 1, 2, 4 or 8")
    lanes = vector.lanes * vector.element.bits // bits
    if lanes > MAX_LANES:
        _fail(op, place, f"{vector} has {lanes} numbers of {bits} bits, wanted at most {MAX_LANES}")
    return (LaneType(ELEMENT_TYPES[str(name)], lanes),)


def _infer_if(
    op: Op, types: tuple[ValueType, ...], _attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    _scalar(op, types, 0, (BOOL,), place)
    return ()


def _infer_for(
    op: Op, types: tuple[ValueType, ...], _attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    for i in range(3):
        _scalar(op, types, i, WORDS, place)
    if types[0] != types[1] or types[0] != types[2]:
        _fail(
            op, place, f"start, stop and step are {types[0]}, {types[1]} and {types[2]}, wanted a common type"
        )
    return types[3:]


def _infer_while(
    op: Op, types: tuple[ValueType, ...], _attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    return tuple(_lane(op, types, i, place) for i in range(len(types)))


def _infer_lds(
    op: Op, _types: tuple[ValueType, ...], attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    name = attributes["type"]
    if not isinstance(name, str) or name not in ELEMENT_TYPES:
        _fail(op, place, f"type is {name}, wanted an element type")
    return (tensor(ELEMENT_TYPES[name], (_number(op, attributes, "size", 1, 1 << 20, place),)),)


def _infer_shuffle(
    op: Op, types: tuple[ValueType, ...], _attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    _scalar(op, types, 1, WORDS, place)
    return (_lane(op, types, 0, place),)


def _infer_exchange(
    op: Op, types: tuple[ValueType, ...], attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    _ = _number(op, attributes, "mask", 1, MOST_OF_WAVE - 1, place)
    return (_lane(op, types, 0, place),)


def _infer_broadcast(
    op: Op, types: tuple[ValueType, ...], attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    _scalar(op, types, 0, (F32, *WORDS), place)
    _ = _number(op, attributes, "lane", 0, LANES_OF_ROW - 1, place)
    return types


def _infer_find(
    op: Op, types: tuple[ValueType, ...], _attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    _scalar(op, types, 0, (BOOL,), place)
    return (LaneType(I32),)


def _infer_any(
    op: Op, types: tuple[ValueType, ...], _attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    _scalar(op, types, 0, (BOOL,), place)
    return (LaneType(BOOL),)


def _infer_carry(
    op: Op, types: tuple[ValueType, ...], attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    _scalar(op, types, 2, (BOOL,), place)
    for index in range(2):
        _scalar(op, types, index, WORDS, place)
    return _elementwise(WORDS, WORDS)(op, types[:2], attributes, place)


def _infer_ballot(
    op: Op, types: tuple[ValueType, ...], attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    _scalar(op, types, 0, (BOOL,), place)
    _ = _number(op, attributes, "word", 0, 1, place)
    return (LaneType(U32),)


def _infer_matrix(
    op: Op, types: tuple[ValueType, ...], _attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    """The result has the type of c."""
    if len(types) == 4:
        _fail(op, place, "there are scales of a, and none of b, wanted both or none")
    for name, type_ in zip(("a", "b", "c", "the scales of a", "the scales of b"), types, strict=False):
        if not isinstance(type_, LaneType):
            _fail(op, place, f"{name} is a tensor, wanted a lane value")
    return (types[2],)


def _infer_same(
    op: Op, types: tuple[ValueType, ...], _attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    return (_lane(op, types, 0, place),)


def _infer_join(
    op: Op, types: tuple[ValueType, ...], attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    (words,) = _elementwise((U32,), (U32,))(op, types, attributes, place)
    element = ELEMENT_TYPES[str(attributes["type"])]
    if element not in WIDE:
        _fail(op, place, f"type is {element}, wanted {' or '.join(str(e) for e in WIDE)}")
    assert isinstance(words, LaneType)
    return (LaneType(element, words.lanes),)


def _infer_div_scale(
    op: Op, types: tuple[ValueType, ...], attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    _ = _number(op, attributes, "numerator", 0, 1, place)
    (scaled,) = _elementwise(_FLOATS, _FLOATS)(op, types, attributes, place)
    assert isinstance(scaled, LaneType)
    return (scaled, LaneType(BOOL, scaled.lanes))


def _infer_class(
    op: Op, types: tuple[ValueType, ...], attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    _ = _number(op, attributes, "mask", 0, 0x3FF, place)
    return _elementwise(_FLOAT, result=BOOL)(op, types, attributes, place)


def _infer_multiple(
    op: Op, types: tuple[ValueType, ...], attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    _scalar(op, types, 0, (U32,), place)
    for name in ("by", "most"):
        _ = _number(op, attributes, name, 0, 0xFFFFFFFF, place)
    return (types[0],)


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
    "launch", LANEWISE_ON, 0, _infer_launch,
    AttributeSpec("grid", AttributeKind.LIST, holds_sizes=True), _list("block"),
    AttributeSpec("results", AttributeKind.LIST, ()),
    AttributeSpec("open", AttributeKind.WORD, "none", OPEN),
)  # fmt: skip
IF = Op("if", LANEWISE_ON, 1, 1, _infer_if, effects=True, regions=2)
# `trip` names the number of the trip, for the places that accesses inside state.
FOR = Op(
    "for", LANEWISE_ON, 3, None, _infer_for, (AttributeSpec("trip", AttributeKind.WORD, UNNAMED),),
    effects=True, regions=1, carried_from=3, has_counter=True,
)  # fmt: skip
WHILE = Op(
    "while", LANEWISE_ON, 0, None, _infer_while, effects=True, regions=2, carried_from=0, tests_first=True
)
YIELD = Op("yield", LANEWISE_ON, 0, None, _any_operands, effects=True, ends_region=True)

# Places and memory
WORKGROUP_ID = _row("workgroup_id", LANEWISE_ON, 0, _infer_axis, _integer("axis", 0))
LOCAL_ID = Op("local_id", LANEWISE_ON, 0, 0, _infer_axis, (_integer("axis", 0),), most=Scope.LANE)
# Of the launch: work-items of a workgroup, and workgroups of the grid, along an axis.
WORKGROUP_SIZE = _row("workgroup_size", LANEWISE_ON, 0, _infer_axis, _integer("axis", 0))
WORKGROUP_COUNT = _row("workgroup_count", LANEWISE_ON, 0, _infer_axis, _integer("axis", 0))
LOAD = _row("load", LANEWISE_ON, 2, _infer_load, _OFFSET, *_TOUCHED)
VECTOR_LOAD = _row("vector_load", LANEWISE_ON, 2, _infer_load, _SIZE, _OFFSET, *_TOUCHED)
# `streams`: the stored data needs no place in a cache.
_STREAMS = AttributeSpec("streams", AttributeKind.BOOL, False)
STORE = _effect("store", LANEWISE_ON, 3, _infer_store, _OFFSET, _STREAMS, *_TOUCHED)
VECTOR_STORE = _effect("vector_store", LANEWISE_ON, 3, _infer_store, _SIZE, _OFFSET, _STREAMS, *_TOUCHED)
LOADS, STORES = frozenset({LOAD, VECTOR_LOAD}), frozenset({STORE, VECTOR_STORE})  # of memory
LDS_ALLOCATE = _effect(
    "lds_allocate", LANEWISE_ON, 0, _infer_lds, _SIZE, AttributeSpec("type", AttributeKind.TYPE, "f32"),
    _integer("slots", 1),
)  # fmt: skip
LDS_LOAD = _effect("lds_load", LANEWISE_ON, 2, _infer_load, _integer("size", 1), _OFFSET, *_TOUCHED)
LDS_STORE = _effect("lds_store", LANEWISE_ON, 3, _infer_store, _integer("size", 1), _OFFSET, *_TOUCHED)
# A load of the target that transposes between the lanes of a wave: each lane's index names `size` adjacent
# elements, which groups of lanes exchange as the instruction `by` does (`isa.semantics.transposes`).
# `asmgen.lanewise.transposes` checks the name and the elements by the target's table. All lanes take part.
LDS_TRANSPOSE_LOAD = Op(
    "lds_transpose_load", LANEWISE_ON, 2, 2, _infer_load,
    (AttributeSpec("by", AttributeKind.WORD), _SIZE, _OFFSET, *_TOUCHED), effects=True, together=Scope.WAVE,
    most=Scope.LANE,
)  # fmt: skip
# Memory that each lane has for itself.
SCRATCH_ALLOCATE = _effect(
    "scratch_allocate", LANEWISE_ON, 0, _infer_lds, _SIZE, AttributeSpec("type", AttributeKind.TYPE, "f32")
)
SCRATCH_LOAD = _effect("scratch_load", LANEWISE_ON, 2, _infer_load, _integer("size", 1), _OFFSET, *_TOUCHED)
SCRATCH_STORE = _effect(
    "scratch_store", LANEWISE_ON, 3, _infer_store, _integer("size", 1), _OFFSET, *_TOUCHED
)
# Memory to LDS without registers: lane i of the wave moves `size` elements of the buffer, from `index` on, to
# the elements from `place + size * i` on. `place` is the same in the wave. Lanes with a false condition
# write zeros. The memory that it states is that in LDS. Nothing but `async_wait` waits for it: neither a load
# nor a barrier.
LOAD_TO_LDS = Op(
    "load_to_lds", LANEWISE_ON, 4, 5, _infer_to_lds, (_SIZE, *_TOUCHED), effects=True,
    together=Scope.WAVE,
)  # fmt: skip
# Waits until at most the last `pending` of the `load_to_lds` that the wave has issued are under way.
ASYNC_WAIT = Op(
    "async_wait", LANEWISE_ON, 0, 0, _infer_wait, (_integer("pending", 0),), effects=True,
    together=Scope.WAVE,
)  # fmt: skip
BARRIER = Op("barrier", LANEWISE_ON, 0, 0, _fixed(), effects=True, together=Scope.WORKGROUP)
# A barrier that some waves pass before others do: it is in an `if`, and in the other side of a later `if` of
# the same condition, so that every wave passes as many barriers in all. In between, these waves are a barrier
# ahead.
STAGGER = Op("stagger", LANEWISE_ON, 0, 0, _fixed(), effects=True, together=Scope.WAVE)
# The priority of the wave among those of its SIMD: of several waves that can issue, the highest does.
PRIORITY = Op(
    "priority", LANEWISE_ON, 0, 0, _infer_priority, (_integer("level", 0),), effects=True,
    together=Scope.WAVE,
)  # fmt: skip
# Accesses of memory and matrix instructions before it stay before those after it.
ORDER = Op("order", LANEWISE_ON, 0, 0, _fixed(), effects=True)

# Vectors and lanes
PACK = Op("pack", LANEWISE_ON, 1, MAX_PACKED, _infer_pack)
EXTRACT = _row("extract", LANEWISE_ON, 1, _infer_extract, _integer("index"), _integer("size", 1))
SPLAT = _row("splat", LANEWISE_ON, 1, _infer_splat, _integer("lanes"))
# The numbers of `bits` bits of each element, from the lowest bits on.
SPLIT_BITS = _row(
    "split_bits", LANEWISE_ON, 1, _infer_split, _integer("bits"),
    AttributeSpec("type", AttributeKind.TYPE, "u8"),
)  # fmt: skip
LANE_SHUFFLE = Op("lane_shuffle", LANEWISE_ON, 2, 2, _infer_shuffle, effects=True, together=Scope.WAVE)
# The value of the lane with the same number except for the bits of the mask.
LANE_EXCHANGE = Op(
    "lane_exchange", LANEWISE_ON, 1, 1, _infer_exchange, (_integer("mask"),), effects=True,
    together=Scope.WAVE, most=Scope.LANE,
)  # fmt: skip
# The value of lane number `lane` of each row of 16 lanes.
ROW_BROADCAST = Op(
    "row_broadcast", FINAL_ONLY, 1, 1, _infer_broadcast, (_integer("lane"),), effects=True,
    together=Scope.WAVE, most=Scope.LANE,
)  # fmt: skip
# The first of the lanes that are active here: it has a meaning in a part of a wave too.
READ_FIRST_LANE = Op("read_first_lane", LANEWISE_ON, 1, 1, _infer_same, effects=True, least=Scope.WAVE)
# The number of the first, or the last, lane of the wave for which a condition is true; a negative number if
# there is none.
FIND_LANE = Op(
    "find_lane", LANEWISE_ON, 1, 1, _infer_find, (AttributeSpec("last", AttributeKind.BOOL, False),),
    effects=True, together=Scope.WAVE, least=Scope.WAVE
)  # fmt: skip
# Whether a condition is true for an active lane of the wave.
ANY_LANE = Op("any_lane", LANEWISE_ON, 1, 1, _infer_any, effects=True, together=Scope.WAVE, least=Scope.WAVE)
# A word of the mask of the active lanes of the wave for which a condition is true: lanes 0 to 31, or from 32.
BALLOT = Op(
    "ballot", LANEWISE_ON, 1, 1, _infer_ballot, (_integer("word", 0),), effects=True, together=Scope.WAVE,
    least=Scope.WAVE
)  # fmt: skip
# A matrix instruction of the target, over a whole wave: d = matrix[by=v_mfma_f32_16x16x16_f16](a, b, c) is
# D := A B + C. Further operands are the scales of a and of b, if the instruction has scales. Each lane has
# its elements of A, B, C and D as the instruction's layouts say (`isa.semantics.matrix_layouts`);
# `asmgen.lanewise.matrices` checks the name and the types by the target's table. A lane's result depends on
# the operands of all lanes of its wave. The instruction ignores EXEC, so all lanes must be there.
MATRIX = Op(
    "matrix", LANEWISE_ON, 3, 5, _infer_matrix, (AttributeSpec("by", AttributeKind.WORD),), effects=True,
    together=Scope.WAVE, most=Scope.LANE,
)  # fmt: skip

# Arithmetic
FMA = _pointwise("fma", LANEWISE_ON, _elementwise(_FUSED, _FUSED, _FUSED), 3, commutes=True)
# The sum of two integers, plus 1 if the condition is true.
ADD_CARRY = _row("add_carry", LANEWISE_ON, 3, _infer_carry)
SHIFT_LEFT = _pointwise("shift_left", LANEWISE_ON, _elementwise(INTEGERS, _COUNT), 2)
SHIFT_RIGHT = _pointwise("shift_right", LANEWISE_ON, _elementwise(INTEGERS, _COUNT), 2)
# The lower of two words, the upper word first, after both are shifted right together by a count modulo 32.
ALIGN_BITS = _pointwise("align_bits", FINAL_ONLY, _elementwise((U32,), (U32,), (U32,)), 3)
# Some bits of a word, from a first bit on, as a number with a sign: `signed_bits(word, first, count)`.
SIGNED_BITS = _pointwise("signed_bits", FINAL_ONLY, _elementwise((U32,), (U32,), (U32,)), 3)
# Each bit of the second word if the first word has a 1 there, else of the third.
CHOOSE_BITS = _pointwise("choose_bits", FINAL_ONLY, _elementwise((U32,), (U32,), (U32,)), 3)
# The number of bits above the highest bit that is set; 2^32 - 1 for 0.
FIRST_ONE = _pointwise("first_one", FINAL_ONLY, _elementwise(WORDS, result=U32), 1)
MULTIPLY_HIGH = _pointwise("multiply_high", LANEWISE_ON, _elementwise(INTEGERS, INTEGERS), 2, commutes=True)
# The product of two words plus a number of two words, modulo 2^64.
MULTIPLY_ADD = _pointwise("multiply_add", FINAL_ONLY, _elementwise((U32,), (U32,), (U64,), result=U64), 3)
# `most` is the upper bound that an index expression knows of the number; later stages cannot find it again.
MULTIPLE = _row("multiple", LANEWISE_ON, 1, _infer_multiple, _integer("by"), _integer("most"))
LOW_WORD = _pointwise("low_word", LANEWISE_ON, _elementwise(WIDE, result=U32), 1)
HIGH_WORD = _pointwise("high_word", LANEWISE_ON, _elementwise(WIDE, result=U32), 1)
JOIN_WORDS = _row("join_words", LANEWISE_ON, 2, _infer_join, AttributeSpec("type", AttributeKind.TYPE, "u64"))
LESS_EQUAL = _pointwise("less_equal", LANEWISE_ON, _elementwise(_ORDERED, _ORDERED, result=BOOL), 2)
GREATER_EQUAL = _pointwise("greater_equal", LANEWISE_ON, _elementwise(_ORDERED, _ORDERED, result=BOOL), 2)
NOT_EQUAL = _pointwise(
    "not_equal", LANEWISE_ON, _elementwise(_COMPARED, _COMPARED, result=BOOL), 2, commutes=True
)
# Whether either operand is a NaN.
UNORDERED = _pointwise("unordered", FINAL_ONLY, _elementwise(_FLOATS, _FLOATS, result=BOOL), 2, commutes=True)

# The hardware's own functions
HW_EXP2 = _pointwise("hw_exp2", FINAL_ONLY, _elementwise(_FLOAT), 1)
HW_LOG2 = _pointwise("hw_log2", FINAL_ONLY, _elementwise(_FLOAT), 1)
HW_RCP = _pointwise("hw_rcp", FINAL_ONLY, _elementwise(_FLOATS), 1)
HW_RSQ = _pointwise("hw_rsq", FINAL_ONLY, _elementwise(_FLOATS), 1)
HW_SQRT = _pointwise("hw_sqrt", FINAL_ONLY, _elementwise(_FLOATS), 1)
# 53 bits of 2/pi, from a bit on that the exponent of the first operand chooses; later parts follow.
HW_TWO_OVER_PI = _pointwise("hw_two_over_pi", FINAL_ONLY, _elementwise((F64,), _SIGNED), 2)
LDEXP = _pointwise("ldexp", FINAL_ONLY, _elementwise(_FLOATS, _SIGNED), 2)
FREXP_MANTISSA = _pointwise("frexp_mantissa", FINAL_ONLY, _elementwise(_FLOATS), 1)
FREXP_EXPONENT = _pointwise("frexp_exponent", FINAL_ONLY, _elementwise(_FLOATS, result=I32), 1)
TRUNC = _pointwise("trunc", FINAL_ONLY, _elementwise(_FLOATS), 1)
FRACT = _pointwise("fract", FINAL_ONLY, _elementwise(_FLOATS), 1)
MED3 = _pointwise("med3", LANEWISE_ON, _elementwise(_MEDIANS, _MEDIANS, _MEDIANS), 3, commutes=True)
# The larger and the smaller number; NaN if either operand is NaN.
MAXIMUM = _pointwise("maximum", FINAL_ONLY, _elementwise(_FLOAT, _FLOAT), 2, commutes=True)
MINIMUM = _pointwise("minimum", FINAL_ONLY, _elementwise(_FLOAT, _FLOAT), 2, commutes=True)
COPYSIGN = _pointwise("copysign", FINAL_ONLY, _elementwise(_FLOATS, _FLOATS), 2)
DIV_SCALE = _row("div_scale", FINAL_ONLY, 2, _infer_div_scale, _integer("numerator"))
DIV_FMAS = _pointwise("div_fmas", FINAL_ONLY, _elementwise(_FLOATS, _FLOATS, _FLOATS, _BOOL), 4)
DIV_FIXUP = _pointwise("div_fixup", FINAL_ONLY, _elementwise(_FLOATS, _FLOATS, _FLOATS), 3)
IS_CLASS = _row("is_class", FINAL_ONLY, 1, _infer_class, _integer("mask"))

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
