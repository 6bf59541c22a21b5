"""The index of an array, `x[key]`, as parts: a part for each axis, and None for a new axis."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import Any, SupportsIndex, TypeAlias, cast

import numpy as np

from asmgen.frontends.traced.array import Array
from asmgen.frontends.traced.places import caller
from asmgen.frontends.traced.promotion import as_array, is_constant, traced_in
from asmgen.frontends.traced.selection import Selection
from asmgen.frontends.traced.shape_size import as_given, known
from asmgen.index.size import Dim, Size
from asmgen.ir.types import BOOL
from isa.diagnostics import InputError
from isa.named_tuple import NamedTuple

Slice: TypeAlias = "slice[object, object, object]"
Integers = np.ndarray[Any, np.dtype[np.int64]]
Part: TypeAlias = "Slice | Dim | Array | Integers | None"
WANTED = "integers, slices, None, ..., arrays of integers or a mask"


class Range(NamedTuple):
    """The elements of an axis that a slice or an integer takes: `length` elements from `first` on, `step`
    apart."""

    first: int
    length: int
    step: int

    @property
    def low(self) -> int:
        """The least index."""
        return self.first if self.step > 0 else self.first + (self.length - 1) * self.step


def parts_of(x: Array, key: object) -> list[Part]:
    """A part for every axis, and the Nones between them. Known masks become arrays of integers."""
    given = list(cast("Sequence[object]", key)) if isinstance(key, tuple) else [key]
    parts: list[Any] = []
    for each in given:
        parts += _parts_of_one(x, each)
    used = sum(part is not None and part is not ... for part in parts)
    if used > x.ndim:
        message = f"got {used} indices of an array of {x.ndim} axes, wanted at most {x.ndim}"
        raise InputError(caller(), "TRC006", message)
    if sum(part is ... for part in parts) > 1:
        raise InputError(caller(), "TRC006", "got `...` twice, wanted it once")
    at = next((position for position, part in enumerate(parts) if part is ...), len(parts))
    whole = [slice(None)] * (x.ndim - used)
    return [*parts[:at], *whole, *parts[at + 1 :]]


def is_basic(parts: Sequence[Part]) -> bool:
    """Whether the key is of integers, slices and None alone, so that numpy gives a view."""
    return not any(isinstance(part, Array) or is_constant(part) for part in parts)


def _parts_of_one(x: Array, each: object) -> list[Any]:
    if each is None or each is ... or isinstance(each, slice):
        return [each]
    if isinstance(each, Selection):
        each.refuse("an index")
    if isinstance(each, Size):
        return [as_given(each)]
    if isinstance(each, SupportsIndex) and not isinstance(each, bool | np.bool_ | Array | np.ndarray):
        return [index(each)]
    if isinstance(each, list | tuple):
        listed = cast("Sequence[object]", each)
        is_traced = any(True for _ in traced_in(listed))
        each = as_array("an index", listed, x.tracer) if is_traced else np.asarray(listed)
    if isinstance(each, Array):
        if each.type.element is BOOL:
            message = "the elements that a mask chooses are as many as it is true for, wanted a shape"
            help = "np.where(mask, x, 0) keeps the shape; x[mask] by itself may be reduced or written"
            raise InputError(caller(), "TRC006", message, help=help)
        if not each.type.element.is_float:
            return [each]
    elif isinstance(each, np.ndarray | np.bool_):
        array = np.asarray(cast("np.ndarray[Any, Any]", each))
        if array.dtype == bool and array.ndim:
            return list(np.nonzero(array))
        if array.dtype.kind in "iu" or not array.size:
            return [array.astype(np.int64)]
    raise InputError(
        caller(), "TRC006", f"got an index of type {type(cast('object', each)).__name__}, wanted {WANTED}"
    )


def checked(number: Dim, axis: int, size: Dim) -> Dim:
    """An integer of a key, counted from the front if the size is known."""
    if isinstance(size, Size) or isinstance(number, Size):
        return number
    if not -size <= number < size:
        wanted = f"{-size} to {size - 1}" if size else "none, since the axis is empty"
        message = f"index {number} is outside of axis {axis} of size {size}, wanted {wanted}"
        raise InputError(caller(), "TRC006", message)
    return number % size


def names_a_size(part: Part) -> bool:
    """Whether an end of a slice is a size that only the launch knows."""
    return isinstance(part, slice) and any(isinstance(each, Size) for each in (part.start, part.stop))


def range_of(key: Slice | int, axis: int, size: int) -> Range:
    """The elements of an axis of known size."""
    if isinstance(key, int):
        return Range(known(checked(key, axis, size)), 1, 1)
    try:
        taken = range(*key.indices(size))
    except (TypeError, ValueError) as error:
        raise InputError(caller(), "TRC006", f"got the index {key}, wanted {WANTED}") from error
    return Range(taken.start, len(taken), taken.step)
