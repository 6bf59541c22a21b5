"""The types of the results of the ops in `asmgen.lanewise.ops`, and the limits of operands and attributes.

Each row has a function that checks its operands and attributes. It raises `InputError` GEN101.
"""

from __future__ import annotations

from typing import NoReturn

from asmgen.index.size import Size, at_least
from asmgen.ir.program import (
    Attributes,
    InferResult,
    Op,
)
from asmgen.ir.types import (
    BOOL,
    ELEMENT_TYPES,
    F32,
    F64,
    I32,
    I64,
    U32,
    U64,
    ElementType,
    LaneType,
    TensorType,
    ValueType,
    tensor,
)
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


def elementwise(*operands: tuple[ElementType, ...], result: ElementType | None = None) -> InferResult:
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


def fixed(*results: LaneType) -> InferResult:
    """No operands to look at: the results are always these."""

    def infer(
        _op: Op, _types: tuple[ValueType, ...], _attributes: Attributes, _place: Place | None
    ) -> tuple[ValueType, ...]:
        return results

    return infer


def any_operands(
    _op: Op, _types: tuple[ValueType, ...], _attributes: Attributes, _place: Place | None
) -> tuple[ValueType, ...]:
    """`yield`, and `if` beyond its condition: their types follow from the regions."""
    return ()


def infer_launch(
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


def infer_axis(
    op: Op, _types: tuple[ValueType, ...], attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    _ = _number(op, attributes, "axis", 0, 2, place)
    return (LaneType(U32),)


def _lanes_of_access(op: Op, attributes: Attributes, place: Place | None) -> int:
    return _number(op, attributes, "size", 1, MAX_LANES, place) if "size" in attributes else 1


def infer_load(
    op: Op, types: tuple[ValueType, ...], attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    buffer = _buffer(op, types, place)
    _scalar(op, types, 1, (U32,), place)
    return (LaneType(buffer.element, _lanes_of_access(op, attributes, place)),)


def infer_store(
    op: Op, types: tuple[ValueType, ...], attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    buffer = _buffer(op, types, place)
    _scalar(op, types, 1, (U32,), place)
    wanted = LaneType(buffer.element, _lanes_of_access(op, attributes, place))
    if types[2] != wanted:
        _fail(op, place, f"the value is {types[2]}, wanted {wanted}")
    return ()


def infer_to_lds(
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


def infer_wait(
    op: Op, _types: tuple[ValueType, ...], attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    _ = _number(op, attributes, "pending", 0, MOST_PENDING, place)
    return ()


def infer_priority(
    op: Op, _types: tuple[ValueType, ...], attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    _ = _number(op, attributes, "level", 0, HIGHEST_PRIORITY, place)
    return ()


def infer_pack(
    op: Op, types: tuple[ValueType, ...], _attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    parts = [_lane(op, types, i, place) for i in range(len(types))]
    if any(part.element != parts[0].element for part in parts):
        _fail(op, place, f"operands are {', '.join(str(p) for p in parts)}, wanted a common element type")
    lanes = sum(part.lanes for part in parts)
    if lanes > MAX_PACKED:
        _fail(op, place, f"the vector would have {lanes} lanes, wanted at most {MAX_PACKED}")
    return (LaneType(parts[0].element, lanes),)


def infer_extract(
    op: Op, types: tuple[ValueType, ...], attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    vector = _lane(op, types, 0, place)
    count = _number(op, attributes, "size", 1, vector.lanes, place)
    _ = _number(op, attributes, "index", 0, vector.lanes - count, place)
    return (LaneType(vector.element, count),)


def infer_splat(
    op: Op, types: tuple[ValueType, ...], attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    value = _lane(op, types, 0, place)
    if value.lanes != 1:
        _fail(op, place, f"operand 1 is {value}, wanted a single lane value")
    return (LaneType(value.element, _number(op, attributes, "lanes", 1, MAX_LANES, place)),)


def infer_split(
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


def infer_if(
    op: Op, types: tuple[ValueType, ...], _attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    _scalar(op, types, 0, (BOOL,), place)
    return ()


def infer_for(
    op: Op, types: tuple[ValueType, ...], _attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    for i in range(3):
        _scalar(op, types, i, WORDS, place)
    if types[0] != types[1] or types[0] != types[2]:
        _fail(
            op, place, f"start, stop and step are {types[0]}, {types[1]} and {types[2]}, wanted a common type"
        )
    return types[3:]


def infer_while(
    op: Op, types: tuple[ValueType, ...], _attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    return tuple(_lane(op, types, i, place) for i in range(len(types)))


def infer_lds(
    op: Op, _types: tuple[ValueType, ...], attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    name = attributes["type"]
    if not isinstance(name, str) or name not in ELEMENT_TYPES:
        _fail(op, place, f"type is {name}, wanted an element type")
    return (tensor(ELEMENT_TYPES[name], (_number(op, attributes, "size", 1, 1 << 20, place),)),)


def infer_shuffle(
    op: Op, types: tuple[ValueType, ...], _attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    _scalar(op, types, 1, WORDS, place)
    return (_lane(op, types, 0, place),)


def infer_exchange(
    op: Op, types: tuple[ValueType, ...], attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    _ = _number(op, attributes, "mask", 1, MOST_OF_WAVE - 1, place)
    return (_lane(op, types, 0, place),)


def infer_broadcast(
    op: Op, types: tuple[ValueType, ...], attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    _scalar(op, types, 0, (F32, *WORDS), place)
    _ = _number(op, attributes, "lane", 0, LANES_OF_ROW - 1, place)
    return types


def infer_find(
    op: Op, types: tuple[ValueType, ...], _attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    _scalar(op, types, 0, (BOOL,), place)
    return (LaneType(I32),)


def infer_any(
    op: Op, types: tuple[ValueType, ...], _attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    _scalar(op, types, 0, (BOOL,), place)
    return (LaneType(BOOL),)


def infer_carry(
    op: Op, types: tuple[ValueType, ...], attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    _scalar(op, types, 2, (BOOL,), place)
    for index in range(2):
        _scalar(op, types, index, WORDS, place)
    return elementwise(WORDS, WORDS)(op, types[:2], attributes, place)


def infer_ballot(
    op: Op, types: tuple[ValueType, ...], attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    _scalar(op, types, 0, (BOOL,), place)
    _ = _number(op, attributes, "word", 0, 1, place)
    return (LaneType(U32),)


def infer_matrix(
    op: Op, types: tuple[ValueType, ...], _attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    """The result has the type of c."""
    if len(types) == 4:
        _fail(op, place, "there are scales of a, and none of b, wanted both or none")
    for name, type_ in zip(("a", "b", "c", "the scales of a", "the scales of b"), types, strict=False):
        if not isinstance(type_, LaneType):
            _fail(op, place, f"{name} is a tensor, wanted a lane value")
    return (types[2],)


def infer_same(
    op: Op, types: tuple[ValueType, ...], _attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    return (_lane(op, types, 0, place),)


def infer_join(
    op: Op, types: tuple[ValueType, ...], attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    (words,) = elementwise((U32,), (U32,))(op, types, attributes, place)
    element = ELEMENT_TYPES[str(attributes["type"])]
    if element not in WIDE:
        _fail(op, place, f"type is {element}, wanted {' or '.join(str(e) for e in WIDE)}")
    assert isinstance(words, LaneType)
    return (LaneType(element, words.lanes),)


def infer_div_scale(
    op: Op, types: tuple[ValueType, ...], attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    _ = _number(op, attributes, "numerator", 0, 1, place)
    (scaled,) = elementwise((F32, F64), (F32, F64))(op, types, attributes, place)
    assert isinstance(scaled, LaneType)
    return (scaled, LaneType(BOOL, scaled.lanes))


def infer_class(
    op: Op, types: tuple[ValueType, ...], attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    _ = _number(op, attributes, "mask", 0, 0x3FF, place)
    return elementwise((F32,), result=BOOL)(op, types, attributes, place)


def infer_multiple(
    op: Op, types: tuple[ValueType, ...], attributes: Attributes, place: Place | None
) -> tuple[ValueType, ...]:
    _scalar(op, types, 0, (U32,), place)
    for name in ("by", "most"):
        _ = _number(op, attributes, name, 0, 0xFFFFFFFF, place)
    return (types[0],)
