"""The graph of one trace, the literals that it makes of Python numbers and arrays, and the Python places of
its statements."""

from __future__ import annotations

import math
import re
import sys
from itertools import islice
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from asmgen.frontends.traced.spec import Spec, named_element
from asmgen.graph.builder import GraphBuilder
from asmgen.index.size import Size
from asmgen.ir.constants import Constants, Numbers, of_array
from asmgen.ir.numbers import integer_range, number_as
from asmgen.ir.program import Attributes, Op, Value
from asmgen.ir.shapes import format_type
from asmgen.ir.types import BOOL, ELEMENT_TYPES, ElementType, NumberKind, TensorType, tensor
from isa.diagnostics import InputError, Place

_HERE = str(Path(__file__).parents[2])  # the package: an op of numpy that is compiled itself has no line


@runtime_checkable
class _NumpyLike(Protocol):
    """What this module uses of a numpy array or scalar, so that it need not import numpy."""

    @property
    def dtype(self) -> Any: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    def tolist(self) -> Any: ...


class Traced:
    """A value of the graph as the traced function holds it."""

    def __init__(self, tracer: Tracer) -> None:
        self.tracer = tracer

    @property
    def value(self) -> Value:
        """The value that it is now."""
        raise NotImplementedError

    @property
    def type(self) -> TensorType:
        assert isinstance(self.value.type, TensorType), "a graph's values are tensors"
        return self.value.type

    def __repr__(self) -> str:
        return f"Array({self.value.name}: {format_type(self.type)})"


class Tracer:
    """The graph of one trace, and the literals that it has made.

    With `is_strict` no array is converted that the function does not convert itself; `propagates_nan` says
    that a NaN wins in max and min.
    """

    def __init__(self, builder: GraphBuilder, is_strict: bool = False, propagates_nan: bool = False) -> None:
        self.builder = builder
        self.is_strict = is_strict
        self.propagates_nan = propagates_nan
        self._literals: dict[tuple[str, str | Constants, tuple[int, ...]], Value] = {}

    def parameter(self, name: str, given: object) -> Value:
        """The parameter for an input: a `Spec`, or an example array, of which type and shape are taken."""
        fresh = self.builder.fresh_name(identifier(name))
        type_ = given.type if isinstance(given, Spec) else _type_of_example(name, given)
        return self.builder.param(fresh, fresh, type_, Place(f"input {name}"))

    def operand(self, op: Op, given: object, other: ElementType, place: Place) -> Value:
        """An operand of a statement. A number becomes a literal of the type of the array next to it, an array
        one of its own type.

        So does a numpy scalar that is of another kind of number than the array next to it.
        """
        if isinstance(given, Traced):
            if given.tracer is not self:
                raise InputError(
                    place,
                    "TRC004",
                    f"{op.name} got {given!r} of another trace, wanted arrays of one function call",
                )
            return given.value
        if isinstance(given, Size):
            message = f"{op.name} got {given}, wanted an array or a number: only the launch knows its value"
            raise InputError(place, "TRC008", message, help="pass it as an array of rank 0")
        if isinstance(given, bool | int | float):
            return self.number(given, other, place)
        if isinstance(given, _NumpyLike):
            listed = given.tolist() if _is_scalar(given) else None
            if isinstance(listed, bool | int | float) and _is_of_kind(listed, other):
                return self.number(listed, other, place)
            return self.constant(given, place)
        message = f"{op.name} got {type(given).__name__}, wanted a traced array, a number or a numpy array"
        raise InputError(place, "TRC004", message)

    def apply(self, op: Op, operands: tuple[Value, ...], attributes: Attributes, place: Place) -> Value:
        return self.builder.apply(op, operands, attributes, self.builder.fresh_name(op.name), place)

    def number(self, number: float, element: ElementType, place: Place) -> Value:
        """A literal of rank 0; `InputError` TRC004 where the type cannot hold the number."""
        return self._literal((_typed(number, element, place),), tensor(element, ()), place)

    def constant(self, array: Any, place: Place) -> Value:
        """A literal of a numpy array."""
        return self._literal(of_array(array), tensor(element_of(array, place), tuple(array.shape)), place)

    def _literal(self, values: Numbers, type_: TensorType, place: Place) -> Value:
        # repr tells 0.0 from -0.0
        numbers = values if isinstance(values, Constants) else repr(values)
        key = (type_.element.name, numbers, type_.dims)
        if key not in self._literals:
            self._literals[key] = self.builder.literal(
                self.builder.fresh_name("literal"), values, type_, place
            )
        return self._literals[key]


def identifier(name: str) -> str:
    """A Python name as gen text can spell it."""
    return re.sub(r"\W", "_", name, flags=re.ASCII)


def caller() -> Place:
    """The Python expression that called into tracing, of the traced function or what it calls, but not of
    numpy."""
    frame = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
    while frame.f_back is not None and _is_between(
        frame.f_code.co_filename, str(frame.f_globals.get("__name__"))
    ):
        frame = frame.f_back
    _, _, column, _ = next(
        islice(frame.f_code.co_positions(), frame.f_lasti // 2, None), (None, None, None, None)
    )
    return Place(frame.f_code.co_filename, frame.f_lineno, 0 if column is None else column + 1)


def _is_between(file: str, module: str) -> bool:
    return file.startswith(_HERE) or module == "numpy" or module.startswith("numpy.")


def _type_of_example(name: str, given: object) -> TensorType:
    from asmgen.ir.arrays import as_numpy

    place = f"input {name}"
    array = as_numpy(given, place, "TRC001", "asmgen.spec(...) or an array")
    return tensor(element_of(array, place), array.shape)


def _is_scalar(given: object) -> bool:
    """Whether it is a numpy scalar. numpy is not imported for that: a program that has one has imported
    it.
    """
    numpy = sys.modules.get("numpy")
    return numpy is not None and isinstance(given, numpy.generic)


def _is_of_kind(number: float, element: ElementType) -> bool:
    """Whether a number may be written next to an array of the type: integers with floats, bools with
    bools alone."""
    if isinstance(number, bool) or element is BOOL:
        return isinstance(number, bool) and element is BOOL
    return element.is_float or isinstance(number, int)


def _typed(number: float, element: ElementType, place: Place) -> int | float | bool:
    """The number as the type has it: rounded, but neither cut to an integer nor made infinite."""
    value = number_as(number, element) if _is_of_kind(number, element) else None
    if value is not None and (math.isfinite(value) or not _is_finite(number)):
        return value
    if element is BOOL:
        wanted = "True or False"
    elif element.is_float:
        wanted = "a number that it can hold"
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


def element_of(array: _NumpyLike, place: Place | str) -> ElementType:
    element = named_element(array.dtype)
    if element is None:
        wanted = " ".join(dict.fromkeys(known.numpy for known in ELEMENT_TYPES.values()))
        raise InputError(place, "TRC001", f"got an array of {array.dtype}, wanted one of {wanted}")
    return element
