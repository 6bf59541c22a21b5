"""Result types of ops that compute element by element, and of statements with a written type or no result
(rules and codes: `asmgen.graph.infer`)."""

from __future__ import annotations

from asmgen.graph.infer.checks import BROADCASTS, Types, check_agreement, check_element, fail, tensors
from asmgen.ir.program import Attributes, Op
from asmgen.ir.shapes import broadcast_dims, format_list, format_type
from asmgen.ir.types import BOOL, ELEMENT_TYPES, U8, ElementType, LaneType, computed, tensor
from isa.diagnostics import Place


def element_by_element(op: Op, types: Types, element: ElementType, place: Place | None) -> Types:
    """Operands that broadcast, or lane values of as many lanes, give results of `element`."""
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
        return (first if first.element is element else LaneType(element, first.lanes),)
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
    return element_by_element(op, types, check_agreement(op, types, place), place)


def to_bool(op: Op, types: Types, _attributes: Attributes, place: Place | None) -> Types:
    """Element by element; operands of the same type give bool."""
    for index, type_ in enumerate(types):
        check_element(op, type_, index, place)
    _ = check_agreement(op, types, place)
    return element_by_element(op, types, BOOL, place)


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
    return element_by_element(op, types, check_agreement(op, types, place, 1), place)


def convert(op: Op, types: Types, attributes: Attributes, place: Place | None) -> Types:
    element = ELEMENT_TYPES[str(attributes["target_type"])]
    if element.is_code and element is not types[0].element:
        fail(
            op, place, "GEN301",
            f"target_type is {element}, to which nothing is rounded, wanted a type of numbers or bool",
            f"bit_cast[target_type={element}] takes the bits of a u8",
        )  # fmt: skip
    return element_by_element(op, types, element, place)


def widen(op: Op, types: Types, _attributes: Attributes, place: Place | None) -> Types:
    """The type in which the operand is computed."""
    return element_by_element(op, types, computed(types[0].element), place)


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
    return element_by_element(op, types, element, place)


def quantize(op: Op, types: Types, _attributes: Attributes, place: Place | None) -> Types:
    """The zero point's type, u8 without a zero point."""
    for index, type_ in enumerate(types[:2]):
        check_element(op, type_, index, place)
    return element_by_element(op, types, types[2].element if len(types) > 2 else U8, place)


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
    return element_by_element(op, types, scale.element, place)


def written(op: Op, _types: Types, _attributes: Attributes, place: Place | None) -> Types:
    """`@param` and `@literal`: the written type."""
    fail(op, place, "GEN302", "its type cannot be inferred, wanted '->' and a type")


def nothing(_op: Op, _types: Types, _attributes: Attributes, _place: Place | None) -> Types:
    return ()
