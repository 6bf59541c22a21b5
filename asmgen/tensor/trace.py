"""Traces a Python function over array operators into a graph, the same that its gen text would parse to.

    def scale(x, y):
        return functions.relu(x * 2 + y)

    program = trace(scale, [spec("f32", (4, 8)), spec("f32", (8,))])

A Python number becomes a literal of rank 0 with the type of the array beside it; a numpy array becomes a literal of its
own type. A statement's place is the file, line and column of the Python expression.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, NoReturn, Protocol, cast, runtime_checkable

from asmgen.tensor.builder import GraphBuilder
from asmgen.tensor.cursor import close_names
from asmgen.tensor.ir import Program, Stage, Value
from asmgen.tensor.numbers import integer_range, number_as
from asmgen.tensor.oprow import Attributes, Op
from asmgen.tensor.ops import graph_op
from asmgen.tensor.shapes import format_list, format_type
from asmgen.tensor.trace_attributes import whole_attributes
from asmgen.tensor.types import BOOL, ELEMENT_TYPES, ElementType, TensorType, tensor
from isa.diagnostics import InputError, Place

_HERE = str(Path(__file__).parent)
_BY_NUMPY = {element.numpy: element for element in ELEMENT_TYPES.values()}


@dataclass(frozen=True, slots=True)
class Spec:
    """What an argument of a traced function is."""

    type: TensorType


@runtime_checkable
class _NumpyLike(Protocol):
    """What is asked of a numpy array or scalar, so that numpy need not be imported."""

    @property
    def dtype(self) -> Any: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    def tolist(self) -> Any: ...


def spec(element: str, dims: Sequence[int], strides: Sequence[int] | None = None) -> Spec:
    """An argument by gen's type name, its shape, and its strides in elements (row-major where left out).

    Raises `InputError` GEN012 for an unknown type and GEN013 for dims or strides that are not integers >= 0.
    """
    found = ELEMENT_TYPES.get(element)
    if found is None:
        names = " ".join(name for name, type_ in ELEMENT_TYPES.items() if name == type_.name)
        raise InputError("spec", "GEN012", f"unknown type {element}, wanted one of {names}", help=close_names(str(element), ELEMENT_TYPES))
    sizes = _sizes("dims", dims)
    if strides is None:
        return Spec(tensor(found, sizes))
    steps = _sizes("strides", strides)
    if len(steps) != len(sizes):
        raise InputError("spec", "GEN013", f"strides is {format_list(steps)}, wanted one per dim of {format_list(sizes)}")
    return Spec(TensorType(found, sizes, steps))


def _sizes(what: str, sizes: Sequence[object]) -> tuple[int, ...]:
    if not isinstance(sizes, list | tuple) or not all(isinstance(size, int) and not isinstance(size, bool) and size >= 0 for size in sizes):
        raise InputError("spec", "GEN013", f"{what} is {sizes!r}, wanted a tuple of integers >= 0")
    return tuple(size for size in sizes if isinstance(size, int))


def trace(function: Callable[..., object], inputs: Sequence[object]) -> Program:
    """The graph of `function`, called with one array per element of `inputs` (a `Spec`, or an example array).

    Raises `InputError` TRC001 where inputs and arguments do not match, TRC002 for a result that is not an array, and what
    inference raises, at the Python line.
    """
    name = _identifier(_name_of(function))
    try:
        bound = inspect.signature(function).bind(*inputs)
    except (TypeError, ValueError) as error:  # ValueError: a callable that does not say its arguments
        raise InputError("inputs", "TRC001", f"{len(inputs)} inputs do not fit {name}: {error}, wanted one per argument") from error
    names = [argument for argument, given in bound.arguments.items() for _ in _listed(given)]
    tracer = _Tracer(GraphBuilder())
    arrays = [tracer.parameter(argument, given) for argument, given in zip(names, inputs, strict=True)]
    result = function(*arrays)
    values: list[Value] = []
    for output in _listed(result):
        if not isinstance(output, Array):
            raise InputError(_place_of(function), "TRC002", f"{name} returns {type(output).__name__}, wanted arrays", help="return x, or (x, y)")
        values.append(output.value)
    if not values:
        raise InputError(_place_of(function), "TRC002", f"{name} returns nothing, wanted at least one array")
    return Program(Stage.GRAPH, (tracer.builder.finish(name, tuple(values), _place_of(function)),))


class Array:
    """An array of a function that is being traced: operators and methods add statements to the graph."""

    __array_ufunc__ = None  # numpy arrays leave the operators to this class

    def __init__(self, value: Value, tracer: _Tracer) -> None:
        self.value = value
        self.tracer = tracer

    @property
    def type(self) -> TensorType:
        assert isinstance(self.value.type, TensorType), "a graph's values are tensors"
        return self.value.type

    @property
    def shape(self) -> tuple[int, ...]:
        return self.type.dims

    @property
    def dtype(self) -> str:
        """gen's name of the element type."""
        return self.type.element.name

    def __repr__(self) -> str:
        return f"Array({self.value.name}: {format_type(self.type)})"

    def __add__(self, other: object) -> Array:
        return apply("add", self, other)

    def __radd__(self, other: object) -> Array:
        return apply("add", other, self)

    def __sub__(self, other: object) -> Array:
        return apply("sub", self, other)

    def __rsub__(self, other: object) -> Array:
        return apply("sub", other, self)

    def __mul__(self, other: object) -> Array:
        return apply("mul", self, other)

    def __rmul__(self, other: object) -> Array:
        return apply("mul", other, self)

    def __truediv__(self, other: object) -> Array:
        return apply("div", self, other)

    def __rtruediv__(self, other: object) -> Array:
        return apply("div", other, self)

    def __pow__(self, other: object) -> Array:
        return apply("pow", self, other)

    def __mod__(self, other: object) -> Array:
        return apply("mod", self, other)

    def __matmul__(self, other: object) -> Array:
        return apply("dot", self, other)

    def __neg__(self) -> Array:
        return apply("neg", self)

    def __pos__(self) -> Array:
        return self

    def __abs__(self) -> Array:
        return apply("abs", self)

    def __lt__(self, other: object) -> Array:
        return apply("less", self, other)

    def __gt__(self, other: object) -> Array:
        return apply("greater", self, other)

    def __le__(self, other: object) -> Array:
        return apply("logical_or", self < other, self == other)

    def __ge__(self, other: object) -> Array:
        return apply("logical_or", self > other, self == other)

    def __eq__(self, other: object) -> Array:  # pyright: ignore[reportIncompatibleMethodOverride]
        return apply("equal", self, other)

    def __ne__(self, other: object) -> Array:  # pyright: ignore[reportIncompatibleMethodOverride]
        return apply("not", self == other)

    __hash__ = object.__hash__

    def __and__(self, other: object) -> Array:
        return apply("logical_and" if self.type.element is BOOL else "bitwise_and", self, other)

    def __or__(self, other: object) -> Array:
        return apply("logical_or", self, other)

    def __xor__(self, other: object) -> Array:
        return apply("logical_xor", self, other)

    def __invert__(self) -> Array:
        return apply("not", self)

    def __bool__(self) -> NoReturn:
        raise InputError(_caller(), "TRC003", "the truth of a traced array is not known while tracing, wanted where(condition, a, b)")

    def astype(self, target_type: str) -> Array:
        """The array converted to another element type."""
        return apply("convert", self, target_type=target_type)


def apply(op_name: str, *operands: object, **attributes: object) -> Array:
    """Add the statement of a graph op; numbers and numpy arrays among the operands become literals.

    Raises `InputError` TRC004 for operands, TRC005 for attributes, and what inference raises.
    """
    op = graph_op(op_name)
    place = _caller()
    arrays = [operand for operand in operands if isinstance(operand, Array)]
    if not arrays:
        raise InputError(place, "TRC004", f"{op_name} got no traced array, wanted at least one")
    tracer = arrays[0].tracer
    # the type of a bare number: that of the last array, so that the condition of `where` does not decide
    values = tuple([tracer.operand(op, operand, arrays[-1].type.element, place) for operand in operands])
    return tracer.apply(op, values, whole_attributes(op, attributes, place), place)


class _Tracer:
    """The graph of one trace, and the literals that it has made."""

    def __init__(self, builder: GraphBuilder) -> None:
        self.builder = builder
        self._literals: dict[tuple[str, str, tuple[int, ...]], Value] = {}

    def parameter(self, name: str, given: object) -> Array:
        if isinstance(given, Spec):
            type_ = given.type
        elif isinstance(given, _NumpyLike):
            type_ = tensor(_element_of(given, f"input {name}"), tuple(given.shape))
        else:
            raise InputError(f"input {name}", "TRC001", f"got {type(given).__name__}, wanted asmgen.spec(...) or a numpy array")
        fresh = self.builder.fresh_name(_identifier(name))
        return Array(self.builder.param(fresh, fresh, type_), self)

    def operand(self, op: Op, given: object, element: ElementType, place: Place) -> Value:
        if isinstance(given, Array):
            if given.tracer is not self:
                raise InputError(place, "TRC004", f"{op.name} got {given!r} of another trace, wanted arrays of one function call")
            return given.value
        if isinstance(given, bool | int | float):
            return self._literal((given,), tensor(element, ()), place)
        if isinstance(given, _NumpyLike):
            listed = given.tolist()
            return self._literal(tuple(_flat(listed)), tensor(_element_of(given, place), tuple(given.shape)), place)
        raise InputError(place, "TRC004", f"{op.name} got {type(given).__name__}, wanted a traced array, a number or a numpy array")

    def apply(self, op: Op, operands: tuple[Value, ...], attributes: Attributes, place: Place) -> Array:
        return Array(self.builder.apply(op, operands, attributes, self.builder.fresh_name(op.name), place), self)

    def _literal(self, numbers: tuple[int | float | bool, ...], type_: TensorType, place: Place) -> Value:
        values = tuple([_typed(number, type_.element, place) for number in numbers])
        key = (type_.element.name, repr(values), type_.dims)
        if key not in self._literals:
            self._literals[key] = self.builder.literal(self.builder.fresh_name("literal"), values, type_, place)
        return self._literals[key]


def _identifier(name: str) -> str:
    """A Python name as gen text can spell it."""
    return re.sub(r"\W", "_", name, flags=re.ASCII)


def _flat(numbers: Any) -> list[Any]:
    """The numbers of nested lists, row-major."""
    return [number for item in _listed(numbers) for number in (_flat(item) if isinstance(item, list) else [item])]


def _listed(given: object) -> list[Any]:
    """The items of a list or tuple, or the one thing that is given."""
    return list(cast("list[Any] | tuple[Any, ...]", given)) if isinstance(given, list | tuple) else [given]


def _typed(number: int | float | bool, element: ElementType, place: Place) -> int | float | bool:
    value = None if isinstance(number, bool) is not (element is BOOL) else number_as(number, element)
    if value is not None:
        return value
    if element is BOOL:
        wanted = "True or False"
    elif element.is_float:
        wanted = "a number"
    else:
        wanted = "an integer from {} to {}".format(*integer_range(element))
    raise InputError(place, "TRC004", f"got {number!r} beside an array of {element}, wanted {wanted}", help="astype converts an array")


def _element_of(array: _NumpyLike, place: Place | str) -> ElementType:
    element = _BY_NUMPY.get(array.dtype.name)
    if element is None:
        raise InputError(place, "TRC001", f"got an array of {array.dtype}, wanted one of {' '.join(_BY_NUMPY)}")
    return element


def _caller() -> Place:
    """The Python expression that called into this package."""
    frame = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_HERE):
        frame = frame.f_back
    _, _, column, _ = next(islice(frame.f_code.co_positions(), frame.f_lasti // 2, None), (None, None, None, None))
    return Place(frame.f_code.co_filename, frame.f_lineno, 0 if column is None else column + 1)


def _name_of(function: Callable[..., object]) -> str:
    return getattr(function, "__name__", "traced")


def _place_of(function: Callable[..., object]) -> Place:
    code = getattr(function, "__code__", None)
    return Place(code.co_filename, code.co_firstlineno, 1) if code is not None else Place(_name_of(function))
