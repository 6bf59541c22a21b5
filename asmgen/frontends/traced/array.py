"""The arrays of a function that is being traced: operators, methods and numpy's functions add statements to
the graph.

An array is written to (`x[0] = 1`, `x += 1`) by giving it another value, and what is a view of it in numpy
has the new numbers too (`asmgen.frontends.traced.views`).

What needs an array's values cannot be traced: its truth, its numbers, going through it one by one
(`InputError` TRC003).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from asmgen.frontends.traced.attributes import whole_attributes
from asmgen.frontends.traced.shape_size import of_shape
from asmgen.frontends.traced.tracer import Traced, Tracer, caller
from asmgen.graph.ops import GRAPH_OPS, graph_op
from asmgen.index.size import Size
from asmgen.ir.program import Value
from isa.diagnostics import InputError, close_names

if TYPE_CHECKING:
    import numpy as np

    from asmgen.frontends.traced.views import View

_MOST_ROWS = 64  # of a loop over an array


class NoSuchMethod(InputError, AttributeError):
    """A method that a traced array does not have; `hasattr` sees an AttributeError."""


def apply(op_name: str, *operands: object, **attributes: object) -> Array:
    """Add the statement of a graph op; numbers and numpy arrays among the operands become literals.

    Raises `InputError` TRC004 for operands, TRC005 for attributes, and what inference raises.
    """
    op = graph_op(op_name)
    place = caller()
    arrays = [operand for operand in operands if isinstance(operand, Traced)]
    if not arrays:
        raise InputError(place, "TRC004", f"{op_name} got no traced array, wanted at least one")
    tracer = arrays[0].tracer
    # the type of a bare number: that of the last array, so that the condition of `where` does not decide
    values = tuple([tracer.operand(op, operand, arrays[-1].type.element, place) for operand in operands])
    return Array(tracer.apply(op, values, whole_attributes(op, attributes, place), place), tracer)


_IN_PLACE_OF_TRUTH = (
    "np.where for `if`, (0 < x) & (x < 1) for `and` and for 0 < x < 1, | for `or`, ~ for `not`, "
    "x.max() for max(x)"
)


def _unknown(what: str, wanted: str, help: str = "") -> InputError:
    return InputError(caller(), "TRC003", f"{what} not known while tracing, wanted {wanted}", help=help)


class Array(Traced):
    """An array of a function that is being traced."""

    def __init__(self, value: Value, tracer: Tracer, view: View | None = None) -> None:
        self._own = value
        self._view = view
        super().__init__(tracer)

    @property
    def value(self) -> Value:
        if self._view is not None:
            self._own = self._view.now(self._own)
        return self._own

    def write(self, value: Value) -> None:
        """Give the array, and what it is a view of, other numbers; type and shape stay."""
        if self._view is not None:
            self._view.write(Array(value, self.tracer))
        self._own = value

    @property
    def view_of(self) -> View | None:
        """What the array is a view of; None for one that owns its numbers."""
        return self._view

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
        from asmgen.ir.arrays import numpy_dtype

        return numpy_dtype(self.type.element)

    @property
    def T(self) -> Array:  # numpy's name
        from asmgen.frontends.traced.shaping import transpose

        return transpose(self)

    @property
    def mT(self) -> Array:  # numpy's name
        from asmgen.frontends.traced.shaping import swapaxes

        return swapaxes(self, -1, -2)

    @property
    def real(self) -> Array:
        return self

    @property
    def flat(self) -> Array:
        return self.ravel()

    def __getattr__(self, name: str) -> Callable[..., Any]:
        """numpy's methods, by the table of its functions."""
        from asmgen.frontends.traced.numpy_calls import METHODS, bound_method

        if name.startswith("_"):  # numpy and others ask for their protocols
            raise AttributeError(name)
        if name in METHODS:
            return bound_method(self, name)
        message = f"a traced array has no {name}, wanted one of {' '.join(sorted(METHODS))}"
        help = (
            f"functions.{name}(x), of asmgen.frontends.traced"
            if name in GRAPH_OPS
            else close_names(name, METHODS)
        )
        raise NoSuchMethod(caller(), "TRC006", message, help=help)

    def __dir__(self) -> list[str]:
        from asmgen.frontends.traced.numpy_calls import METHODS

        return sorted({*super().__dir__(), *METHODS})

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *operands: object, **keywords: object) -> object:
        from asmgen.frontends.traced.numpy_calls import call_ufunc

        return call_ufunc(ufunc, method, operands, keywords)

    def __array_function__(
        self,
        function: Callable[..., object],
        types: object,
        operands: Sequence[object],
        keywords: Mapping[str, object],
    ) -> object:
        from asmgen.frontends.traced.numpy_calls import call_function

        return call_function(function, operands, keywords)

    def __add__(self, other: object) -> Array:
        return _ufunc("add", self, other)

    def __radd__(self, other: object) -> Array:
        return _ufunc("add", other, self)

    def __iadd__(self, other: object) -> Array:
        return _into(self, "add", other)

    def __sub__(self, other: object) -> Array:
        return _ufunc("subtract", self, other)

    def __rsub__(self, other: object) -> Array:
        return _ufunc("subtract", other, self)

    def __isub__(self, other: object) -> Array:
        return _into(self, "subtract", other)

    def __mul__(self, other: object) -> Array:
        return _ufunc("multiply", self, other)

    def __rmul__(self, other: object) -> Array:
        return _ufunc("multiply", other, self)

    def __imul__(self, other: object) -> Array:
        return _into(self, "multiply", other)

    def __truediv__(self, other: object) -> Array:
        return _ufunc("divide", self, other)

    def __rtruediv__(self, other: object) -> Array:
        return _ufunc("divide", other, self)

    def __itruediv__(self, other: object) -> Array:
        return _into(self, "divide", other)

    def __floordiv__(self, other: object) -> Array:
        return _ufunc("floor_divide", self, other)

    def __rfloordiv__(self, other: object) -> Array:
        return _ufunc("floor_divide", other, self)

    def __ifloordiv__(self, other: object) -> Array:
        return _into(self, "floor_divide", other)

    def __mod__(self, other: object) -> Array:
        return _ufunc("remainder", self, other)

    def __rmod__(self, other: object) -> Array:
        return _ufunc("remainder", other, self)

    def __imod__(self, other: object) -> Array:
        return _into(self, "remainder", other)

    def __pow__(self, other: object) -> Array:
        return _ufunc("power", self, other)

    def __rpow__(self, other: object) -> Array:
        return _ufunc("power", other, self)

    def __ipow__(self, other: object) -> Array:
        return _into(self, "power", other)

    def __matmul__(self, other: object) -> Array:
        return _ufunc("matmul", self, other)

    def __rmatmul__(self, other: object) -> Array:
        return _ufunc("matmul", other, self)

    def __imatmul__(self, other: object) -> Array:
        return _into(self, "matmul", other)

    def __and__(self, other: object) -> Array:
        return _ufunc("bitwise_and", self, other)

    def __rand__(self, other: object) -> Array:
        return _ufunc("bitwise_and", other, self)

    def __iand__(self, other: object) -> Array:
        return _into(self, "bitwise_and", other)

    def __or__(self, other: object) -> Array:
        return _ufunc("bitwise_or", self, other)

    def __ror__(self, other: object) -> Array:
        return _ufunc("bitwise_or", other, self)

    def __ior__(self, other: object) -> Array:
        return _into(self, "bitwise_or", other)

    def __xor__(self, other: object) -> Array:
        return _ufunc("bitwise_xor", self, other)

    def __rxor__(self, other: object) -> Array:
        return _ufunc("bitwise_xor", other, self)

    def __ixor__(self, other: object) -> Array:
        return _into(self, "bitwise_xor", other)

    def __lshift__(self, other: object) -> Array:
        return _ufunc("left_shift", self, other)

    def __rlshift__(self, other: object) -> Array:
        return _ufunc("left_shift", other, self)

    def __ilshift__(self, other: object) -> Array:
        return _into(self, "left_shift", other)

    def __rshift__(self, other: object) -> Array:
        return _ufunc("right_shift", self, other)

    def __rrshift__(self, other: object) -> Array:
        return _ufunc("right_shift", other, self)

    def __irshift__(self, other: object) -> Array:
        return _into(self, "right_shift", other)

    def __divmod__(self, other: object) -> tuple[Array, ...]:
        return _ufuncs("divmod", self, other)

    def __rdivmod__(self, other: object) -> tuple[Array, ...]:
        return _ufuncs("divmod", other, self)

    def __neg__(self) -> Array:
        return _ufunc("negative", self)

    def __pos__(self) -> Array:
        return _ufunc("positive", self)

    def __abs__(self) -> Array:
        return _ufunc("absolute", self)

    def __invert__(self) -> Array:
        return _ufunc("invert", self)

    def __lt__(self, other: object) -> Array:
        return _ufunc("less", self, other)

    def __gt__(self, other: object) -> Array:
        return _ufunc("greater", self, other)

    def __le__(self, other: object) -> Array:
        return _ufunc("less_equal", self, other)

    def __ge__(self, other: object) -> Array:
        return _ufunc("greater_equal", self, other)

    def __eq__(self, other: object) -> Array:  # pyright: ignore[reportIncompatibleMethodOverride]
        return _ufunc("equal", self, other)

    def __ne__(self, other: object) -> Array:  # pyright: ignore[reportIncompatibleMethodOverride]
        return _ufunc("not_equal", self, other)

    __hash__ = object.__hash__

    def __round__(self, decimals: int = 0) -> Array:
        return self.round(decimals)

    def __format__(self, form: str) -> str:
        if form:
            raise _unknown(
                "the numbers of a traced array are", "no format", "return the array, and print the result"
            )
        return repr(self)

    def __copy__(self) -> Array:
        return self.copy()

    def __deepcopy__(self, _memo: object) -> Array:
        return self.copy()

    def __getitem__(self, key: object) -> Any:  # a selection, of a mask
        from asmgen.frontends.traced.indexing import indexed

        return indexed(self, key)

    def __setitem__(self, key: object, value: object) -> None:
        from asmgen.frontends.traced.assignment import assign

        assign(self, key, value)

    def __bool__(self) -> NoReturn:
        raise _unknown("the truth of a traced array is", "where(condition, a, b)", _IN_PLACE_OF_TRUTH)

    def __float__(self) -> NoReturn:
        raise _unknown(
            "the numbers of a traced array are",
            "operations on whole arrays",
            "np.exp(x) in place of math.exp(x), x.astype(...) in place of float(x) or int(x)",
        )

    __int__ = __complex__ = __float__

    def __index__(self) -> NoReturn:
        raise _unknown(
            "the numbers of a traced array are",
            "an integer for a size, an axis or a place in a list",
            "arrays to be joined stand in a list, as in np.concatenate([x, y])",
        )

    def __array__(self, *_: object, **__: object) -> NoReturn:
        raise _unknown(
            "the numbers of a traced array are",
            "a function of numpy's that is given the array itself",
            "np.stack([x, y]) makes one array of a list, functions.gather(table, x, axis=0) of "
            "asmgen.frontends.traced is table[x] of a numpy array, x needs no np.asarray, "
            "x.astype(np.float32) is np.float32(x), and np.zeros_like(x) can be assigned to",
        )

    def __len__(self) -> int:
        if not self.ndim:
            raise InputError(caller(), "TRC003", "got len() of an array of rank 0, wanted one with axes")
        length = self.shape[0]
        if isinstance(length, Size):
            raise _unknown(
                f"the length {length} is",
                "none: only the launch knows it",
                "x.shape[0] says it where a shape is wanted; a number to compute with is an argument",
            )
        return length

    def __iter__(self) -> Iterator[Array]:
        """The rows, one after another: a loop over them is unrolled."""
        rows = len(self)
        if rows > _MOST_ROWS:
            what = f"a loop over {rows} rows would be unrolled, which is"
            raise _unknown(what, f"at most {_MOST_ROWS} rows, or operations on whole arrays")
        return (self[row] for row in range(rows))

    def __contains__(self, item: object) -> NoReturn:
        raise _unknown("what a traced array contains is", "a comparison of the whole array")


def _ufunc(name: str, *operands: object) -> Array:
    from asmgen.frontends.traced.ufuncs import one

    return one(name, *operands)


def _ufuncs(name: str, *operands: object) -> tuple[Array, ...]:
    from asmgen.frontends.traced.ufuncs import call

    results = call(name, *operands)
    return results if isinstance(results, tuple) else (results,)


def _into(array: Array, name: str, other: object) -> Array:
    from asmgen.frontends.traced.assignment import write_into

    if not array.ndim and array.view_of is None:  # numpy has scalars there, which nothing changes
        return _ufunc(name, array, other)
    return write_into(array, _ufunc(name, array, other), f"np.{name}")
