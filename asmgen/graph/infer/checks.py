"""The parts that all functions of result types share: refusals of a statement, and checks of operands and
attributes."""

from __future__ import annotations

from typing import NoReturn

from asmgen.index.size import Dim, Size, numbers
from asmgen.ir.program import Attributes, AttributeSpec, Op
from asmgen.ir.shapes import Dims, format_list
from asmgen.ir.types import (
    ELEMENT_TYPES,
    ElementType,
    TensorType,
    ValueType,
)
from isa.diagnostics import InputError, Place

Types = tuple[ValueType, ...]
BROADCASTS = "dims that are equal or 1, from the last on"


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
