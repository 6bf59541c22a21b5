"""The arrays of a function that is being traced, and the trace that records its operations.

An array's operators, methods and indexing, and numpy's functions of it, all go to the `Operations` of its
trace, which add statements to the graph. A write to an array (`x[0] = 1`, `x += 1`) gives it another
value; as in numpy, its views have the new numbers too:

    row = x[0]       a view of x
    x += 1           row has the new numbers
    row *= 2         and so has x

Each value of the graph is computed once and never changes. A view remembers the value of its base, and is
made again when the base has another value; writing to a view makes a new value of the base.

An operation that needs an array's numbers cannot be traced: its truth, its length if the launch alone
knows it, a loop over many elements (`InputError` TRC003).
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, Protocol, cast

from asmgen.frontends.traced.places import caller
from asmgen.frontends.traced.python_values import (
    NumpyLike,
    element_of,
    is_of_kind,
    is_scalar,
    type_of_example,
    typed_number,
    whole_attributes,
)
from asmgen.frontends.traced.refused import IN_PLACE_OF_TRUTH, NoSuchMethod, not_known, unclear_view
from asmgen.frontends.traced.shape_size import of_shape
from asmgen.frontends.traced.spec import Spec
from asmgen.graph.builder import GraphBuilder
from asmgen.graph.ops import GRAPH_OPS, graph_op
from asmgen.index.size import Size, Sizes
from asmgen.ir.constants import Constants, Numbers, of_array
from asmgen.ir.program import Attributes, Op, Value
from asmgen.ir.shapes import format_type
from asmgen.ir.types import ElementType, TensorType, tensor
from isa.diagnostics import InputError, Place, close_names

if TYPE_CHECKING:
    import numpy as np

_MOST_ROWS = 64  # of a loop over an array


class Operations(Protocol):
    """The operations of traced arrays, by numpy's names: `asmgen.frontends.traced.numpy_calls` has them
    all."""

    @property
    def methods(self) -> Mapping[str, Callable[..., object]]: ...

    def operator(self, name: str, *operands: object) -> object:
        """The ufunc that an operator is."""
        ...

    def in_place(self, array: Array, name: str, other: object) -> Array:
        """A ufunc that writes its result to the array."""
        ...

    def ufunc(
        self, ufunc: np.ufunc, method: str, operands: Sequence[object], keywords: Mapping[str, object]
    ) -> object: ...

    def function(
        self,
        function: Callable[..., object],
        operands: Sequence[object],
        keywords: Mapping[str, object],
    ) -> object: ...

    def method(self, array: Array, name: str) -> Callable[..., Any]: ...

    def item(self, array: Array, key: object, /) -> object: ...

    def assign(self, array: Array, key: object, value: object, /) -> None: ...


def _left(name: str) -> Callable[[Array, object], Array]:
    """The operator with the array on its left, by the name of its ufunc."""

    def operator(self: Array, other: object) -> Array:
        return cast("Array", self.tracer.operations.operator(name, self, other))

    return operator


def _right(name: str) -> Callable[[Array, object], Array]:
    def operator(self: Array, other: object) -> Array:
        return cast("Array", self.tracer.operations.operator(name, other, self))

    return operator


def _in_place(name: str) -> Callable[[Array, object], Array]:
    def operator(self: Array, other: object) -> Array:
        return self.tracer.operations.in_place(self, name, other)

    return operator


def _unary(name: str) -> Callable[[Array], Array]:
    def operator(self: Array) -> Array:
        return cast("Array", self.tracer.operations.operator(name, self))

    return operator


class Array:
    """An array of a function that is being traced."""

    def __init__(self, value: Value, tracer: Tracer, view: View | None = None) -> None:
        self._own = value
        self._view = view
        self.tracer = tracer

    @property
    def value(self) -> Value:
        if self._view is not None:
            self._own = self._view.now(self._own)
        return self._own

    def write(self, value: Value) -> None:
        """Give the array and its base, if it is a view, other numbers; type and shape stay."""
        if self._view is not None:
            self._view.write(Array(value, self.tracer))
        self._own = value

    @property
    def view_of(self) -> View | None:
        """The view that the array is; None for an array that owns its numbers."""
        return self._view

    @property
    def type(self) -> TensorType:
        assert isinstance(self.value.type, TensorType), "a graph's values are tensors"
        return self.value.type

    def __repr__(self) -> str:
        return f"Array({self.value.name}: {format_type(self.type)})"

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple([of_shape(dim) for dim in self.type.dims])

    @shape.setter
    def shape(self, _shape: object) -> None:
        message = "the shape of a traced array stays as it is, wanted a new array"
        raise InputError(caller(), "TRC006", message, help="x = x.reshape(8, 8)")

    @property
    def ndim(self) -> int:
        return self.type.rank

    @property
    def size(self) -> int:
        return of_shape(self.type.elements)

    @property
    def itemsize(self) -> int:
        return self.type.element.bytes

    @property
    def nbytes(self) -> int:
        return self.size * self.itemsize

    @property
    def dtype(self) -> np.dtype[Any]:
        from asmgen.ir.arrays import numpy_dtype  # numpy takes long to load, and reading a program needs none

        return numpy_dtype(self.type.element)

    @property
    def T(self) -> Array:  # numpy's name
        return self.transpose()

    @property
    def mT(self) -> Array:  # numpy's name
        return self.swapaxes(-1, -2)

    @property
    def real(self) -> Array:
        return self

    @property
    def flat(self) -> Array:
        return self.ravel()

    def __getattr__(self, name: str) -> Callable[..., Any]:
        """numpy's methods, by the table of its functions."""
        if name.startswith("_"):  # numpy and others ask for their protocols
            raise AttributeError(name)
        methods = self.tracer.operations.methods
        if name in methods:
            return self.tracer.operations.method(self, name)
        message = f"a traced array has no {name}, wanted one of {' '.join(sorted(methods))}"
        help = (
            f"functions.{name}(x), of asmgen.frontends.traced"
            if name in GRAPH_OPS
            else close_names(name, methods)
        )
        raise NoSuchMethod(caller(), "TRC006", message, help=help)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self.tracer.operations.methods})

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *operands: object, **keywords: object) -> object:
        return self.tracer.operations.ufunc(ufunc, method, operands, keywords)

    def __array_function__(
        self,
        function: Callable[..., object],
        types: object,
        operands: Sequence[object],
        keywords: Mapping[str, object],
    ) -> object:
        return self.tracer.operations.function(function, operands, keywords)

    __add__, __radd__, __iadd__ = _left("add"), _right("add"), _in_place("add")
    __sub__, __rsub__, __isub__ = _left("subtract"), _right("subtract"), _in_place("subtract")
    __mul__, __rmul__, __imul__ = _left("multiply"), _right("multiply"), _in_place("multiply")
    __truediv__, __rtruediv__, __itruediv__ = _left("divide"), _right("divide"), _in_place("divide")
    __floordiv__, __rfloordiv__, __ifloordiv__ = (
        _left("floor_divide"),
        _right("floor_divide"),
        _in_place("floor_divide"),
    )
    __mod__, __rmod__, __imod__ = _left("remainder"), _right("remainder"), _in_place("remainder")
    __pow__, __rpow__, __ipow__ = _left("power"), _right("power"), _in_place("power")
    __matmul__, __rmatmul__, __imatmul__ = _left("matmul"), _right("matmul"), _in_place("matmul")
    __and__, __rand__, __iand__ = _left("bitwise_and"), _right("bitwise_and"), _in_place("bitwise_and")
    __or__, __ror__, __ior__ = _left("bitwise_or"), _right("bitwise_or"), _in_place("bitwise_or")
    __xor__, __rxor__, __ixor__ = _left("bitwise_xor"), _right("bitwise_xor"), _in_place("bitwise_xor")
    __lshift__, __rlshift__, __ilshift__ = _left("left_shift"), _right("left_shift"), _in_place("left_shift")
    __rshift__, __rrshift__, __irshift__ = (
        _left("right_shift"),
        _right("right_shift"),
        _in_place("right_shift"),
    )
    __neg__ = _unary("negative")
    __pos__ = _unary("positive")
    __abs__ = _unary("absolute")
    __invert__ = _unary("invert")
    __lt__ = _left("less")
    __gt__ = _left("greater")
    __le__ = _left("less_equal")
    __ge__ = _left("greater_equal")

    def __eq__(self, other: object) -> Array:  # pyright: ignore[reportIncompatibleMethodOverride]
        return cast("Array", self.tracer.operations.operator("equal", self, other))

    def __ne__(self, other: object) -> Array:  # pyright: ignore[reportIncompatibleMethodOverride]
        return cast("Array", self.tracer.operations.operator("not_equal", self, other))

    __hash__ = object.__hash__

    def __divmod__(self, other: object) -> tuple[Array, ...]:
        return cast("tuple[Array, ...]", self.tracer.operations.operator("divmod", self, other))

    def __rdivmod__(self, other: object) -> tuple[Array, ...]:
        return cast("tuple[Array, ...]", self.tracer.operations.operator("divmod", other, self))

    def __round__(self, decimals: int = 0) -> Array:
        return self.round(decimals)

    def __format__(self, form: str) -> str:
        if form:
            raise not_known(
                "the numbers of a traced array are", "no format", "return the array, and print the result"
            )
        return repr(self)

    def __copy__(self) -> Array:
        return self.copy()

    def __deepcopy__(self, _memo: object) -> Array:
        return self.copy()

    def __getitem__(self, key: object) -> Any:  # a selection, of a mask
        return self.tracer.operations.item(self, key)

    def __setitem__(self, key: object, value: object) -> None:
        self.tracer.operations.assign(self, key, value)

    def __bool__(self) -> NoReturn:
        raise not_known("the truth of a traced array is", "where(condition, a, b)", IN_PLACE_OF_TRUTH)

    def __float__(self) -> NoReturn:
        raise not_known(
            "the numbers of a traced array are",
            "operations on whole arrays",
            "np.exp(x) in place of math.exp(x), x.astype(...) in place of float(x) or int(x)",
        )

    __int__ = __complex__ = __float__

    def __index__(self) -> NoReturn:
        raise not_known(
            "the numbers of a traced array are",
            "an integer for a size, an axis or a place in a list",
            "arrays to be joined stand in a list, as in np.concatenate([x, y])",
        )

    def __array__(self, *_: object, **__: object) -> NoReturn:
        raise not_known(
            "the numbers of a traced array are",
            "a function of numpy's that is given the array itself",
            "np.stack([x, y]) makes one array of a list, functions.gather(table, x, axis=0) of "
            "asmgen.frontends.traced is table[x] of a numpy array, x needs no np.asarray, "
            "x.astype(np.float32) is np.float32(x), and np.zeros_like(x) can be assigned to",
        )

    def __len__(self) -> int:
        if not self.ndim:
            raise InputError(caller(), "TRC003", "got len() of an array of rank 0, wanted an array with axes")
        length = self.shape[0]
        if isinstance(length, Size):
            raise not_known(
                f"the length {length} is",
                "none: only the launch knows it",
                "x.shape[0] is the length in a shape; a number to compute with is an argument",
            )
        return length

    def __iter__(self) -> Iterator[Array]:
        """The rows in order: a loop over them is unrolled."""
        rows = len(self)
        if rows > _MOST_ROWS:
            what = f"a loop over {rows} rows would be unrolled, which is"
            raise not_known(what, f"at most {_MOST_ROWS} rows, or operations on whole arrays")
        return (self[row] for row in range(rows))

    def __contains__(self, item: object) -> NoReturn:
        raise not_known("the numbers in a traced array are", "a comparison of the whole array")


class View:
    """A view of a base: `read` makes the view from the base, `put` makes the base with other numbers in
    place of the view. `put` is None if numpy would copy, by strides that are not traced."""

    def __init__(
        self,
        base: Array,
        read: Callable[[Array], Array],
        put: Callable[[Array, Array], Array] | None,
        key: object = None,
    ) -> None:
        self.base = base
        self.key = key  # of a view by an index, to know it again in x[key] += 1
        self._read = read
        self._put = put
        self._made_of = base.value

    def now(self, value: Value) -> Value:
        """The value of the view, which was `value`."""
        base = self.base.value
        if base is self._made_of:
            return value
        if self._put is None:
            raise unclear_view()
        self._made_of = base
        return self._read(_plain(self.base)).value

    def write(self, new: Array) -> None:
        """Put the view's numbers into the base."""
        if self._put is None:
            raise unclear_view()
        self.base.write(self._put(_plain(self.base), new).value)
        self._made_of = self.base.value


def viewed(
    base: Array,
    read: Callable[[Array], Array],
    put: Callable[[Array, Array], Array] | None,
    key: object = None,
) -> Array:
    """The view that `read` makes of an array."""
    return Array(read(_plain(base)).value, base.tracer, View(base, read, put, key))


def is_row_major(a: Array) -> bool:
    """Whether the array is surely row-major in numpy, so that each reshape of it is a view."""
    return a.view_of is None


def _plain(a: Array) -> Array:
    return Array(a.value, a.tracer)


class Tracer:
    """The graph of a trace, its literals, and the operations of its arrays.

    With `is_strict` only the function itself converts arrays; with `propagates_nan` a NaN wins in max and
    min.
    """

    def __init__(
        self,
        builder: GraphBuilder,
        operations: Operations,
        is_strict: bool = False,
        propagates_nan: bool = False,
        most_statements: int = sys.maxsize,
    ) -> None:
        self.builder = builder
        self.operations = operations
        self.is_strict = is_strict
        self.propagates_nan = propagates_nan
        self.most_statements = most_statements
        self.warned: set[Place] = set()  # the expressions with a warning
        self._literals: dict[tuple[str, str | Constants, Sizes], Value] = {}

    def place(self) -> Place:
        """The place of new statements: that of an operation of MLIR, else the line of the traced function."""
        return self.builder.place or caller()

    def parameter(self, name: str, given: object) -> Value:
        """The parameter for an input: a `Spec`, or an example array with its type and shape."""
        fresh = self.builder.fresh(identifier(name))
        type_ = given.type if isinstance(given, Spec) else type_of_example(name, given)
        return self.builder.param(fresh, fresh, type_, Place(f"input {name}"))

    def operand(self, op: Op, given: object, other: ElementType, place: Place) -> Value:
        """An operand of a statement. A number becomes a literal in the type of the adjacent array, and so
        does a numpy scalar of another kind of number. A numpy array becomes a literal in its own type."""
        if isinstance(given, Array):
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
        if isinstance(given, NumpyLike):
            listed = given.tolist() if is_scalar(given) else None
            if isinstance(listed, bool | int | float) and is_of_kind(listed, other):
                return self.number(listed, other, place)
            return self.constant(given, place)
        message = f"{op.name} got {type(given).__name__}, wanted a traced array, a number or a numpy array"
        raise InputError(place, "TRC004", message)

    def apply(self, op: Op, operands: tuple[Value, ...], attributes: Attributes, place: Place) -> Value:
        if len(self.builder.statements) > self.most_statements:
            message = f"got more than {self.most_statements} operations, wanted a function that ends"
            help = "a loop of Python is traced turn by turn; functions on whole arrays have no loop"
            raise InputError(place, "TRC010", message, help=help)
        return self.builder.apply(op, operands, attributes, self.builder.fresh(op.name), place)

    def number(self, number: float, element: ElementType, place: Place) -> Value:
        """A literal of rank 0; `InputError` TRC004 if the number is not in the type's range."""
        return self._literal((typed_number(number, element, place),), tensor(element, ()), place)

    def constant(self, array: Any, place: Place) -> Value:
        """A literal of a numpy array."""
        return self._literal(of_array(array), tensor(element_of(array, place), tuple(array.shape)), place)

    def _literal(self, values: Numbers, type_: TensorType, place: Place) -> Value:
        # repr tells 0.0 from -0.0
        numbers = values if isinstance(values, Constants) else repr(values)
        key = (type_.element.name, numbers, type_.dims)
        if key not in self._literals:
            self._literals[key] = self.builder.literal(self.builder.fresh("literal"), values, type_, place)
        return self._literals[key]


def identifier(name: str) -> str:
    """A Python name as gen text can spell it."""
    return re.sub(r"\W", "_", name, flags=re.ASCII)


def apply(op_name: str, *operands: object, **attributes: object) -> Array:
    """Add the statement of a graph op; numbers and numpy arrays among the operands become literals.

    Raises `InputError` TRC004 for operands, TRC005 for attributes, and what inference raises.
    """
    op = graph_op(op_name)
    arrays = [operand for operand in operands if isinstance(operand, Array)]
    if not arrays:
        raise InputError(caller(), "TRC004", f"{op_name} got no traced array, wanted at least one array")
    tracer = arrays[0].tracer
    place = tracer.place()
    # the type of a bare number: that of the last array, so that the condition of `where` does not decide
    values = tuple([tracer.operand(op, operand, arrays[-1].type.element, place) for operand in operands])
    return Array(tracer.apply(op, values, whole_attributes(op, attributes, place), place), tracer)
