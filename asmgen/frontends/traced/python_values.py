"""Python's values as the graph has them: numbers, numpy arrays, and the keyword arguments of an op."""

from __future__ import annotations

import math
import sys
from typing import Any, Protocol, runtime_checkable

from asmgen.frontends.traced.shape_size import ShapeSize
from asmgen.frontends.traced.spec import named_element, shown_value, whole_numbers
from asmgen.ir.numbers import integer_range, number_as
from asmgen.ir.program import Attribute, AttributeKind, Attributes, AttributeSpec, Op
from asmgen.ir.types import (
    BOOL,
    ELEMENT_TYPES,
    TYPE_NAMES,
    ElementType,
    NumberKind,
    TensorType,
    close_types,
    tensor,
)
from isa.diagnostics import InputError, Place, close_names


@runtime_checkable
class NumpyLike(Protocol):
    """A numpy array or scalar, as far as a literal needs it."""

    @property
    def dtype(self) -> Any: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    def tolist(self) -> Any: ...


def type_of_example(name: str, given: object) -> TensorType:
    """The type and shape of an example array, given as the input `name`."""
    from asmgen.ir.arrays import as_numpy

    place = f"input {name}"
    array = as_numpy(given, place, "TRC001", "asmgen.spec(...) or an array")
    return tensor(element_of(array, place), array.shape)


def is_scalar(given: object) -> bool:
    """Whether it is a numpy scalar. This loads no numpy: a program with a numpy scalar has loaded it."""
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(given, numpy.generic)


def is_of_kind(number: float, element: ElementType) -> bool:
    """Whether a number may be written next to an array of the type: integers with floats, bools with
    bools alone."""
    if isinstance(number, bool) or element is BOOL:
        return isinstance(number, bool) and element is BOOL
    return element.is_float or isinstance(number, int)


def typed_number(number: float, element: ElementType, place: Place) -> int | float | bool:
    """The number as the type has it: rounded, but neither cut to an integer nor made infinite."""
    value = number_as(number, element) if is_of_kind(number, element) else None
    if value is not None and (math.isfinite(value) or not _is_finite(number)):
        return value
    if element is BOOL:
        wanted = "True or False"
    elif element.is_float:
        wanted = "a number in its range"
    else:
        wanted = "an integer from {} to {}".format(*integer_range(element))
    raise InputError(
        place,
        "TRC004",
        f"got {number!r} with an array of {element}, wanted {wanted}",
        help=_way_out(number, element),
    )


def _way_out(number: float, element: ElementType) -> str:
    if element is BOOL and not isinstance(number, bool):
        return f"np.float32({number!r}) says the type itself"
    return "astype converts an array" if element.kind is not NumberKind.FLOAT else ""


def _is_finite(number: float) -> bool:
    return isinstance(number, int) or math.isfinite(number)


def element_of(array: NumpyLike, place: Place | str) -> ElementType:
    """The element type of a numpy array; `InputError` TRC001 if a program has no such type."""
    element = named_element(array.dtype)
    if element is None:
        wanted = " ".join(dict.fromkeys(known.numpy for known in ELEMENT_TYPES.values()))
        raise InputError(place, "TRC001", f"got an array of {array.dtype}, wanted one of {wanted}")
    return element


def whole_attributes(op: Op, given: dict[str, object], place: Place) -> Attributes:
    """Every attribute of the op in the row's order, defaults included; `InputError` TRC005 at `place`
    otherwise."""
    for name in given:
        if all(name != known.name for known in op.attributes):
            names = [known.name for known in op.attributes]
            raise InputError(
                place,
                "TRC005",
                f"{op.name} has no attribute {name}, wanted {' or '.join(names) or 'none'}",
                help=close_names(name, names),
            )
    whole: Attributes = {}
    for known in op.attributes:
        value = _attribute(known, given[known.name]) if known.name in given else known.default
        if value is None:
            got = shown_value(given[known.name]) if known.name in given else "nothing"
            wanted, help = " or ".join(known.words) or known.kind.value, ""
            if known.kind is AttributeKind.TYPE:
                wanted = f"one of {' '.join(TYPE_NAMES)}, or a numpy dtype"
                help = close_types(str(given.get(known.name)))
            message = f"{op.name} got {got} for {known.name}, wanted {wanted}"
            raise InputError(place, "TRC005", message, help=help)
        whole[known.name] = value
    return whole


def _attribute(known: AttributeSpec, given: object) -> Attribute | None:
    """The value of an attribute, None if it is of another kind."""
    match known.kind:
        case AttributeKind.BOOL:
            return given if isinstance(given, bool) else None
        case AttributeKind.INTEGER:
            return given if isinstance(given, int) and not isinstance(given, bool) else None
        case AttributeKind.FLOAT:
            return (
                float(given)
                if isinstance(given, int | float | ShapeSize) and not isinstance(given, bool)
                else None
            )
        case AttributeKind.TYPE:
            element = named_element(given)
            return element.name if element else None
        case AttributeKind.WORD:
            return given if isinstance(given, str) and (not known.words or given in known.words) else None
        case AttributeKind.LIST:
            return whole_numbers(given)
        case AttributeKind.SHAPE | AttributeKind.INDEX:
            return None  # of no op that a function can have
