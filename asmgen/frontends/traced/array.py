"""The arrays of a function that is being traced: operators, methods and numpy's functions add statements to
the graph.

What needs an array's values cannot be traced: its truth, its numbers, going through it one by one
(`InputError` TRC003).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from asmgen.frontends.traced.attributes import whole_attributes
from asmgen.frontends.traced.shape_size import of_shape
from asmgen.frontends.traced.tracer import Traced, caller
from asmgen.graph.ops import GRAPH_OPS, graph_op
from asmgen.ir.types import BOOL
from isa.diagnostics import InputError, close_names

if TYPE_CHECKING:
    import numpy as np


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


def _unknown(what: str, wanted: str, help: str = "") -> InputError:
    return InputError(caller(), "TRC003", f"{what} not known while tracing, wanted {wanted}", help=help)


class Array(Traced):
    """An array of a function that is being traced."""

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple([of_shape(dim) for dim in self.type.dims])

    @property
    def ndim(self) -> int:
        return self.type.rank

    @property
    def size(self) -> int:
        return of_shape(self.type.elements)

    @property
    def dtype(self) -> np.dtype[Any]:
        from asmgen.runtime.arrays import numpy_dtype

        return numpy_dtype(self.type.element)

    @property
    def T(self) -> Array:  # numpy's name
        from asmgen.frontends.traced.numpy_functions import transpose

        return transpose(self)

    def __getattr__(self, name: str) -> Callable[..., object]:
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

        return call_ufunc(ufunc.__name__, method, operands, keywords)

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
        return _composed("divide", self, other)

    def __rtruediv__(self, other: object) -> Array:
        return _composed("divide", other, self)

    def __floordiv__(self, other: object) -> Array:
        return _composed("floor_divide", self, other)

    def __rfloordiv__(self, other: object) -> Array:
        return _composed("floor_divide", other, self)

    def __pow__(self, other: object) -> Array:
        return _composed("power", self, other)

    def __rpow__(self, other: object) -> Array:
        return _composed("power", other, self)

    def __mod__(self, other: object) -> Array:
        return apply("mod", self, other)

    def __rmod__(self, other: object) -> Array:
        return apply("mod", other, self)

    def __matmul__(self, other: object) -> Array:
        return apply("dot", self, other)

    def __rmatmul__(self, other: object) -> Array:
        return apply("dot", other, self)

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
        return _composed("less_equal", self, other)

    def __ge__(self, other: object) -> Array:
        return _composed("greater_equal", self, other)

    def __eq__(self, other: object) -> Array:  # pyright: ignore[reportIncompatibleMethodOverride]
        return apply("equal", self, other)

    def __ne__(self, other: object) -> Array:  # pyright: ignore[reportIncompatibleMethodOverride]
        return _composed("not_equal", self, other)

    __hash__ = object.__hash__

    def __and__(self, other: object) -> Array:
        return apply("logical_and" if self.type.element is BOOL else "bitwise_and", self, other)

    def __rand__(self, other: object) -> Array:
        return self & other

    def __or__(self, other: object) -> Array:
        return apply("logical_or", self, other)

    def __ror__(self, other: object) -> Array:
        return self | other

    def __xor__(self, other: object) -> Array:
        return apply("logical_xor", self, other)

    def __rxor__(self, other: object) -> Array:
        return self ^ other

    def __invert__(self) -> Array:
        return apply("not", self)

    def __getitem__(self, key: object) -> Array:
        from asmgen.frontends.traced.indexing import indexed

        return indexed(self, key)

    def __bool__(self) -> NoReturn:
        raise _unknown("the truth of a traced array is", "where(condition, a, b)")

    def __float__(self) -> NoReturn:
        raise _unknown(
            "the numbers of a traced array are",
            "operations on whole arrays",
            "np.exp(x) in place of math.exp(x), say",
        )

    __int__ = __index__ = __complex__ = __float__

    def __array__(self, *_: object, **__: object) -> NoReturn:
        raise _unknown("the numbers of a traced array are", "a function of numpy's that has an op")

    def __len__(self) -> NoReturn:
        raise _unknown(
            "what len() and a loop see of a traced array is", "x.shape[0], or operations on whole arrays"
        )

    __iter__ = __len__

    def __contains__(self, item: object) -> NoReturn:
        raise _unknown("what a traced array contains is", "a comparison of the whole array")

    def __setitem__(self, key: object, value: object) -> NoReturn:
        raise InputError(
            caller(),
            "TRC006",
            "a traced array is not written to, wanted a new array",
            help="np.where(condition, a, b) chooses",
        )


def _composed(numpy_name: str, *operands: object) -> Array:
    from asmgen.frontends.traced.numpy_functions import COMPOSED

    return COMPOSED[numpy_name](*operands)
