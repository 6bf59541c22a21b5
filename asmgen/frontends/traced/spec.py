"""The arguments of a traced function, and the names of element types in Python programs."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import SupportsIndex, cast

from msgspec import Struct

from asmgen.frontends.traced.shape_size import as_given
from asmgen.index.size import Dim, Size, Sizes, at_least, named_dim
from asmgen.ir.named_dims import PROVISIONAL, why_reserved
from asmgen.ir.shapes import format_list, format_type
from asmgen.ir.types import ELEMENT_TYPES, TYPE_NAMES, ElementType, TensorType, tensor
from isa.diagnostics import InputError, close_names

_BY_NUMPY = {element.numpy: element for element in ELEMENT_TYPES.values()}
_BY_PYTHON: dict[object, ElementType] = {
    kind: _BY_NUMPY[name] for kind, name in ((bool, "bool"), (int, "int64"), (float, "float64"))
}


class Spec(Struct, frozen=True):
    """The type of an argument of a traced function."""

    type: TensorType

    def __repr__(self) -> str:
        return f"Spec({format_type(self.type)})"


def spec(element: object, dims: object, strides: object = None) -> Spec:
    """An argument by its type, its shape, and its strides in elements (row-major by default).

    The type is gen's name ("f32"), numpy's name ("float32"), or a numpy dtype; the shape of a single dim
    may be a plain number or a name. A dim may be a name, as in ("n", 1024): a size that the launch knows,
    the same at each use of the name. Raises `InputError` GEN012 for an unknown type, GEN013 for dims or
    strides that are neither integers >= 0 nor names, GEN014 for a name that a dim cannot have.
    """
    type_ = named_element(element)
    if type_ is None:
        names = " ".join(TYPE_NAMES)
        got = element if isinstance(element, str) else shown_value(element)
        help = close_names(str(element), [*ELEMENT_TYPES, *_BY_NUMPY])
        raise InputError(
            "spec",
            "GEN012",
            f"unknown type {got[:40]}, wanted one of {names}, or a numpy dtype",
            help=help,
        )
    sizes = _sizes("dims", dims)
    if strides is None:
        return Spec(tensor(type_, sizes))
    steps = _sizes("strides", strides)
    if len(steps) != len(sizes):
        raise InputError(
            "spec",
            "GEN013",
            f"strides is {format_list(steps)}, wanted a stride for each dim of {format_list(sizes)}",
        )
    return Spec(TensorType(type_, sizes, steps))


def named_element(given: object) -> ElementType | None:
    """The element type by the name of gen or numpy, by a numpy dtype or scalar type, or by Python's bool,
    int and float.

    None for anything else. numpy need not be imported: a dtype is asked for its name.
    """
    if isinstance(given, str):
        return ELEMENT_TYPES.get(given) or _BY_NUMPY.get(given)
    if isinstance(given, type):
        return _BY_PYTHON.get(given) or _BY_NUMPY.get(given.__name__)
    name = getattr(given, "name", None)
    return _BY_NUMPY.get(name) if isinstance(name, str) else None


def shown_value(given: object) -> str:
    """A Python value as a message shows it: a class, such as np.complex64, by its name."""
    return given.__name__ if isinstance(given, type) else repr(given)


def whole_numbers(given: object) -> Sizes | None:
    """The integers of a list or tuple, or a single integer; None if anything else is among them."""
    listed = cast("Sequence[object]", given) if isinstance(given, list | tuple) else (given,)
    if any(isinstance(number, bool) or not isinstance(number, SupportsIndex | Size) for number in listed):
        return None
    try:
        return tuple([_whole_number(number) for number in listed])
    except TypeError:  # an array has __index__, and is an integer only if it has one element
        return None


def _whole_number(number: object) -> Dim:
    return as_given(number) if isinstance(number, int | Size) else index(cast("SupportsIndex", number))


def _sizes(what: str, given: object) -> Sizes:
    listed = cast("Sequence[object]", given) if isinstance(given, list | tuple) else (given,)
    names = [size for size in listed if isinstance(size, str) and what == "dims"]
    sizes = whole_numbers([_named(size) if size in names else size for size in listed])
    if sizes is None or not all(at_least(size, 0).is_shown for size in sizes):
        got = " ".join(repr(cast("object", given))[:80].split())
        raise InputError("spec", "GEN013", f"{what} is {got}, wanted a tuple of integers >= 0 or names")
    return sizes


def _named(name: object) -> Dim:
    """A dim by its name; its range follows from the whole graph."""
    text = str(name)
    is_name = text.isidentifier() and text.isascii()
    why = why_reserved(text) if is_name else "wanted letters, digits and _"
    if why:
        raise InputError(
            "spec", "GEN014", f"{name!r} is not a valid name of a dim: {why}", help="as in ('n', 1024)"
        )
    return named_dim(text, 0, PROVISIONAL)
