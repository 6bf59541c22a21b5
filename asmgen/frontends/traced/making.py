"""Arrays that a traced function makes: tables, indices, and a number in a shape."""

from __future__ import annotations

from typing import Any

import numpy as np

from asmgen.frontends.traced.array import Array, Tracer, apply
from asmgen.frontends.traced.places import caller
from asmgen.frontends.traced.promotion import converted, taken
from asmgen.frontends.traced.spec import named_element, shown_value, whole_numbers
from asmgen.graph.ops import IOTA, LITERAL
from asmgen.index.size import Sizes
from asmgen.ir.arrays import numpy_dtype
from asmgen.ir.program import literal_numbers
from asmgen.ir.types import BOOL, ElementType
from isa.diagnostics import InputError


def table(tracer: Tracer, array: np.ndarray[Any, Any]) -> Array:
    """A numpy array as a traced array."""
    return Array(tracer.constant(array, caller()), tracer)


def iota(tracer: Tracer, axis: int, dims: Sizes) -> Array:
    """The index along an axis of each element, as i32."""
    return Array(tracer.apply(IOTA, (), {"axis": axis, "out_lens": dims}, caller()), tracer)


def positions(a: Array, axis: int) -> Array:
    """The index along an axis, in a shape that broadcasts to the array's."""
    return iota(a.tracer, axis, tuple(size if at == axis else 1 for at, size in enumerate(a.type.dims)))


def like(number: float, a: Array) -> Array:
    """A number of an array's type."""
    return Array(a.tracer.number(number, a.type.element, a.tracer.place()), a.tracer)


def whole_number(a: Array) -> int | None:
    """The integer that an array of rank 0 is if it is a literal; None for any other array."""
    made = next((each for each in reversed(a.tracer.builder.statements) if a.value in each.results), None)
    if made is None or made.op is not LITERAL or a.type.dims or a.type.element.is_float:
        return None
    return int(literal_numbers(made)[0])


def spread(number: float, a: Array, element: ElementType | None = None) -> Array:
    """A number in the shape of an array."""
    made = Array(a.tracer.number(number, element or a.type.element, a.tracer.place()), a.tracer)
    return apply("multibroadcast", made, out_lens=a.type.dims)


def full_like(a: Array, fill_value: object, dtype: object = None, shape: object = None) -> Array:
    """An array of the shape and type of another, with every element the same number."""
    element = a.type.element if dtype is None else named_element(dtype)
    if element is None:
        raise InputError(caller(), "TRC007", f"got dtype={shown_value(dtype)}, wanted a type of a program")
    number = taken("np.full_like", fill_value, a.tracer)
    if isinstance(number, float) and not element.is_float and element is not BOOL:
        number = int(number)
    filled = converted("np.full_like", number, numpy_dtype(element), a.tracer)
    dims = a.type.dims if shape is None else whole_numbers(shape)
    if dims is None:
        raise InputError(caller(), "TRC007", f"got shape={shape!r}, wanted a tuple of integers")
    return apply("multibroadcast", filled, out_lens=dims)


def zeros_like(a: Array, dtype: object = None, *, shape: object = None) -> Array:
    return full_like(a, _is_true(a, dtype, False), dtype, shape)


def ones_like(a: Array, dtype: object = None, *, shape: object = None) -> Array:
    return full_like(a, _is_true(a, dtype, True), dtype, shape)


def _is_true(a: Array, dtype: object, number: bool) -> bool | int:
    element = a.type.element if dtype is None else named_element(dtype)
    return number if element is BOOL else int(number)
