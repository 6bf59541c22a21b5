"""The arguments of a kernel by hand, from the annotations of its function.

    def scale(k: Builder, x: global_pointer[f32], a: f32, n: Annotated[u32, below(1 << 30)]) -> None: ...

A pointer and a number of 32 or 64 bits are SGPRs. A u32 or an i32 is also a symbol of index expressions;
`below` and `between` bound the numbers that a caller may pass. An index is as wide as its bounds need.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import (
    TYPE_CHECKING,
    Annotated,
    ClassVar,
    Generic,
    Literal,
    TypeVar,
    get_args,
    get_origin,
)

from asmgen.assembly.values import One, Pointer, Scalar
from asmgen.ir.types import ELEMENT_TYPES, ElementType, NumberKind
from isa.diagnostics import InputError, Place
from isa.named_tuple import NamedTuple
from isa.program import Argument

if TYPE_CHECKING:
    import sympy

    class _Symbol(sympy.Symbol):
        """An integer argument, as type checkers see it: a symbol of an index expression."""

        element: ClassVar[str]
else:

    class _Symbol:
        """An integer argument; the function receives its symbol."""


class Number:
    """A number by value."""

    element: ClassVar[str]


class f16(Scalar[One], Number):
    element = "f16"


class f32(Scalar[One], Number):
    element = "f32"


class f64(Scalar[Literal[2]], Number):
    element = "f64"


class u64(Scalar[Literal[2]], Number):
    element = "u64"


class i64(Scalar[Literal[2]], Number):
    element = "i64"


class u32(_Symbol):
    element = "u32"


class i32(_Symbol):
    element = "i32"


class u16(_Symbol):
    element = "u16"


class i16(_Symbol):
    element = "i16"


class u8(_Symbol):
    element = "u8"


class i8(_Symbol):
    element = "i8"


class bf16:
    """A type of memory; no number by value."""

    element = "bf16"


Element = TypeVar("Element")


class global_pointer(Pointer, Generic[Element]):
    """A pointer to global memory, in an SGPR pair. Two pointers must not lead to overlapping memory if the
    kernel writes through one of them; `launch` refuses such arrays (LNC005).

    `global_pointer(f32)` is the same annotation as `global_pointer[f32]`, for code without a type checker."""

    if not TYPE_CHECKING:

        def __new__(cls, element: object) -> object:
            return cls[element]


class Bounds(NamedTuple):
    """The least and the largest value that a caller may pass."""

    least: int
    most: int


def below(end: int) -> Bounds:
    """An argument from 0 to `end - 1`."""
    return Bounds(0, end - 1)


def between(least: int, most: int) -> Bounds:
    """An argument from `least` to `most`, both included."""
    return Bounds(least, most)


class Formal(NamedTuple):
    """An argument of a kernel: its name, the type of its number or of the memory behind a pointer, and the
    bounds of an integer."""

    name: str
    element: ElementType
    is_pointer: bool
    bounds: Bounds | None

    @property
    def bytes(self) -> int:
        """The size in the kernarg segment."""
        return _POINTER_BYTES if self.is_pointer else self.element.bytes


_POINTER_BYTES = 8


def formals_of(function: Callable[..., object], place: Place) -> tuple[Formal, ...]:
    """The arguments after the builder. `InputError` HND001 for an argument without an annotation, or if the
    annotation is not a type of a kernel's argument."""
    try:
        annotations = inspect.get_annotations(function, eval_str=True)
    except (NameError, TypeError, AttributeError) as fault:
        raise InputError(place, "HND001", f"an annotation has no value: {fault}", help=_WANTED) from None
    parameters = list(inspect.signature(function).parameters.values())
    if not parameters:
        raise InputError(place, "HND001", "the function has no arguments, wanted the builder first: (k, ...)")
    first = parameters[0].name
    if _element_name(annotations.get(first)) is not None:
        message = f"the first argument {first} has a type of memory or numbers, wanted the builder: (k, ...)"
        raise InputError(place, "HND001", message)
    formals: list[Formal] = []
    for parameter in parameters[1:]:
        if parameter.kind is not parameter.POSITIONAL_OR_KEYWORD or parameter.default is not parameter.empty:
            message = f"got {parameter}, wanted a plain argument without a default"
            raise InputError(place, "HND001", message)
        if parameter.name not in annotations:
            message = f"argument {parameter.name} has no annotation, wanted its type"
            raise InputError(place, "HND001", message, help=_WANTED)
        formals.append(_formal(parameter.name, annotations[parameter.name], place))
    return tuple(formals)


_WANTED = "global_pointer[f32], f32, u32, Annotated[u32, below(1 << 20)], ... of asmgen.assembly"


def _element_name(annotation: object) -> str | None:
    """The type of a number, or of the memory behind a pointer; None if the annotation is neither."""
    is_pointer = get_origin(annotation) is global_pointer
    inner = get_args(annotation)[0] if is_pointer else annotation
    name = getattr(inner, "element", None)
    is_known = isinstance(inner, type) and isinstance(name, str) and (inner is not bf16 or is_pointer)
    return name if is_known else None


def _formal(name: str, annotation: object, place: Place) -> Formal:
    bounds: Bounds | None = None
    if get_origin(annotation) is Annotated:
        annotation, *notes = get_args(annotation)
        given = [note for note in notes if isinstance(note, Bounds)]
        bounds = given[0] if given else None
    is_pointer = get_origin(annotation) is global_pointer
    known = _element_name(annotation)
    if known is None:
        shown = getattr(annotation, "__name__", annotation)
        raise InputError(
            place, "HND001", f"argument {name} is {shown}, wanted a type of an argument", help=_WANTED
        )
    element = ELEMENT_TYPES[known]
    return Formal(name, element, is_pointer, None if is_pointer else _bounds(name, element, bounds, place))


def _bounds(name: str, element: ElementType, given: Bounds | None, place: Place) -> Bounds | None:
    """The bounds of an integer of at most 32 bits: those of its type, or those given."""
    if element.is_float or element.bits > 32:
        if given is not None:
            message = f"argument {name} is {element.name} with bounds, wanted bounds of an integer of 32 bits"
            raise InputError(place, "HND001", message)
        return None
    is_signed = element.kind is NumberKind.SIGNED
    of_type = (
        Bounds(-(1 << element.bits - 1), (1 << element.bits - 1) - 1)
        if is_signed
        else below(1 << element.bits)
    )
    bounds = given or of_type
    if not of_type.least <= bounds.least <= bounds.most <= of_type.most:
        message = (
            f"argument {name} is from {bounds.least} to {bounds.most}, wanted bounds within {element.name}"
        )
        raise InputError(place, "HND001", message)
    return bounds


def arguments_of(formals: tuple[Formal, ...]) -> tuple[Argument, ...]:
    """The arguments in the kernarg segment: each at the next multiple of its size."""
    arguments: list[Argument] = []
    end = 0
    for formal in formals:
        offset = -(-end // formal.bytes) * formal.bytes
        end = offset + formal.bytes
        if formal.is_pointer:
            arguments.append(Argument(formal.name, offset, formal.bytes, type=formal.element.name))
        else:
            arguments.append(
                Argument(formal.name, offset, formal.bytes, "by_value", "", "", formal.element.name)
            )
    return tuple(arguments)
