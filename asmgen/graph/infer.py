"""How result types follow from operand types: a function for each family of graph ops.

Each has the signature `asmgen.ir.program.InferResult` and raises `InputError` at the statement's place:
GEN301 for element types, GEN302 for shapes, GEN303 for values of attributes. The strides of a result are
row-major, but a view (`multibroadcast`, `transpose`, `slice`, ...) reaches its operand's elements through
the operand's own strides.
"""

from __future__ import annotations

from typing import NoReturn

from asmgen.index.size import Dim, Size, numbers
from asmgen.ir.program import Attributes, AttributeSpec, Op
from asmgen.ir.shapes import Dims, broadcast_dims, format_list, format_type
from asmgen.ir.types import (
    BOOL,
    ELEMENT_TYPES,
    ElementType,
    LaneType,
    TensorType,
    ValueType,
    computed,
    tensor,
)
from isa.diagnostics import InputError, Place

Types = tuple[ValueType, ...]
BROADCASTS = "dims that are equal or 1, from the last on"
U8 = ELEMENT_TYPES["u8"]


def fail(op: Op, place: Place | None, code: str, message: str, help: str = "") -> NoReturn:
    """Refuse a statement. Without other help it is the form of the op, with the defaults of its
    attributes."""
    raise InputError(place or op.name, code, f"{op.name}: {message}", help=help or _form(op))


def _form(op: Op) -> str:
    """An op as the table of docs/gen-text.md spells it, without the names of operands."""
    given = [f"{spec.name}={_default(spec)}" for spec in op.attributes]
    attributes = f"[{', '.join(given)}]" if given else ""
    return f"{op.name}{attributes}: see docs/gen-text.md#the-table-of-ops"


def _default(spec: AttributeSpec) -> str:
    if spec.default is None or spec.default == "":
        return f"{spec.kind.value}{'' if spec.default is None else '?'}"
    return format_list(spec.default) if isinstance(spec.default, tuple) else f"{spec.default}".lower()


def check_element(op: Op, type_: ValueType, index: int, place: Place | None) -> None:
    """The element type of operand `index` must be in the row."""
    if op.types and type_.element.name not in op.types:
        names = " ".join(
            name for name, element in ELEMENT_TYPES.items() if name == element.name and name in op.types
        )
        fail(
            op,
            place,
            "GEN301",
            f"operand {index + 1} has type {type_.element}, wanted one of {names}",
            "`convert[target_type=...]` converts",
        )


def check_agreement(op: Op, types: Types, place: Place | None, first: int = 0) -> ElementType:
    """Operands from `first` on must have the same element type; returns it."""
    wanted = types[first].element
    for index, type_ in enumerate(types[first:], first):
        if type_.element is not wanted:
            fail(
                op, place, "GEN301",
                        f"operand {index + 1} has type {type_.element}, wanted {wanted} as operand "
                        f"{first + 1} has",

                        f'there is no promotion; convert[target_type={wanted}](...) converts, in '
                        f'Python x.astype("{wanted}")',
            )  # fmt: skip
    return wanted


def tensors(op: Op, types: Types, place: Place | None) -> tuple[TensorType, ...]:
    """The operands, which must all be tensors."""
    result: list[TensorType] = []
    for index, type_ in enumerate(types):
        if not isinstance(type_, TensorType):
            fail(op, place, "GEN302", f"operand {index + 1} is a lane value of type {type_}, wanted a tensor")
        result.append(type_)
    return tuple(result)


def sizes(op: Op, attributes: Attributes, name: str, place: Place | None) -> Dims:
    """A LIST attribute as integers, or sizes that the launch knows."""
    value = attributes[name]
    listed = value if isinstance(value, tuple) else (value,)
    result: list[Dim] = []
    for number in listed:
        if isinstance(number, bool) or not isinstance(number, int | Size):
            fail(op, place, "GEN303", f"{name} contains {number}, wanted integers")
        result.append(number)
    return tuple(result)


def integers(op: Op, attributes: Attributes, name: str, place: Place | None) -> tuple[int, ...]:
    """A LIST attribute as integers."""
    listed = sizes(op, attributes, name, place)
    for size in listed:
        if isinstance(size, Size):
            fail(op, place, "GEN303", f"{name} contains {size}, wanted integers")
    return numbers(listed)


def one_integer(op: Op, attributes: Attributes, name: str, place: Place | None) -> int:
    return integers(op, attributes, name, place)[0]


def normal_axis(op: Op, axis: int, rank: int, place: Place | None, name: str = "axis") -> int:
    """An axis counted from the front; a negative axis counts from the end."""
    if not -rank <= axis < rank:
        wanted = f"{-rank} to {rank - 1}" if rank else "none, the operand has rank 0"
        fail(op, place, "GEN303", f"{name} is {axis}, wanted {wanted}")
    return axis % rank


def normal_axes(op: Op, attributes: Attributes, name: str, rank: int, place: Place | None) -> tuple[int, ...]:
    """The axes of a LIST attribute counted from the front, each once, in the order given."""
    axes = tuple(normal_axis(op, axis, rank, place, name) for axis in integers(op, attributes, name, place))
    if len(set(axes)) != len(axes):
        fail(op, place, "GEN303", f"{name} is {format_list(axes)}, wanted each axis once")
    return axes


def _element_by_element(op: Op, types: Types, element: ElementType, place: Place | None) -> Types:
    first = types[0]
    if isinstance(first, LaneType):
        for index, type_ in enumerate(types):
            if not isinstance(type_, LaneType) or type_.lanes != first.lanes:
                fail(
                    op,
                    place,
                    "GEN302",
                    f"operand {index + 1} is {format_type(type_)}, wanted a value of "
                    f"{first.lanes} lanes as operand 1 has",
                )
        return (LaneType(element, first.lanes),)
    shapes = tuple(type_.dims for type_ in tensors(op, types, place))
    dims = broadcast_dims(shapes)
    if dims is None:
        fail(
            op, place, "GEN302",
                    f"shapes {' and '.join(map(format_list, shapes))} do not broadcast, wanted "
                    f"{BROADCASTS}"
        )  # fmt: skip
    return (tensor(element, dims),)


def same_type(op: Op, types: Types, _attributes: Attributes, place: Place | None) -> Types:
    """Element by element; operands of the same type give that type."""
    for index, type_ in enumerate(types):
        check_element(op, type_, index, place)
    return _element_by_element(op, types, check_agreement(op, types, place), place)


def to_bool(op: Op, types: Types, _attributes: Attributes, place: Place | None) -> Types:
    """Element by element; operands of the same type give bool."""
    for index, type_ in enumerate(types):
        check_element(op, type_, index, place)
    _ = check_agreement(op, types, place)
    return _element_by_element(op, types, BOOL, place)


def choose(op: Op, types: Types, _attributes: Attributes, place: Place | None) -> Types:
    """`where(c, a, b)`: c is bool, a and b agree."""
    condition = types[0]
    if condition.element is not BOOL:
        fail(
            op,
            place,
            "GEN301",
            f"operand 1 has type {condition.element}, wanted bool",
            "a comparison, or convert[target_type=bool], gives bool",
        )
    return _element_by_element(op, types, check_agreement(op, types, place, 1), place)


def convert(op: Op, types: Types, attributes: Attributes, place: Place | None) -> Types:
    element = ELEMENT_TYPES[str(attributes["target_type"])]
    if element.is_code and element is not types[0].element:
        fail(
            op, place, "GEN301",
            f"target_type is {element}, to which nothing is rounded, wanted a type of numbers or bool",
            f"bit_cast[target_type={element}] takes the bits of a u8",
        )  # fmt: skip
    return _element_by_element(op, types, element, place)


def widen(op: Op, types: Types, _attributes: Attributes, place: Place | None) -> Types:
    """The type in which the operand is computed."""
    return _element_by_element(op, types, computed(types[0].element), place)


def bit_cast(op: Op, types: Types, attributes: Attributes, place: Place | None) -> Types:
    element = ELEMENT_TYPES[str(attributes["target_type"])]
    if element.bits != types[0].element.bits:
        fail(
            op,
            place,
            "GEN301",
            f"target_type {element} has {element.bits} bits, wanted {types[0].element.bits} as "
            f"{types[0].element} has",
        )
    return _element_by_element(op, types, element, place)


def quantize(op: Op, types: Types, _attributes: Attributes, place: Place | None) -> Types:
    """The zero point's type, u8 without a zero point."""
    for index, type_ in enumerate(types[:2]):
        check_element(op, type_, index, place)
    return _element_by_element(op, types, types[2].element if len(types) > 2 else U8, place)


def dequantize(op: Op, types: Types, _attributes: Attributes, place: Place | None) -> Types:
    """Gives the scale's type; the zero point has x's."""
    x, scale, *zero_point = types
    if not scale.element.is_float:
        fail(
            op,
            place,
            "GEN301",
            f"operand 2 has type {scale.element}, wanted a float type, which the result has",
        )
    if zero_point and zero_point[0].element is not x.element:
        fail(
            op,
            place,
            "GEN301",
            f"operand 3 has type {zero_point[0].element}, wanted {x.element} as operand 1 has",
        )
    return _element_by_element(op, types, scale.element, place)


def written(op: Op, _types: Types, _attributes: Attributes, place: Place | None) -> Types:
    """`@param` and `@literal`: the written type."""
    fail(op, place, "GEN302", "its type cannot be inferred, wanted '->' and a type")


def nothing(_op: Op, _types: Types, _attributes: Attributes, _place: Place | None) -> Types:
    return ()
