"""numpy arrays as tensors in memory: element types, layouts, and the check of a user's arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import ml_dtypes
import numpy as np
from numpy.lib.stride_tricks import as_strided

from asmgen.index.size import number, numbers
from asmgen.ir.dlpack import Exporter, from_dlpack
from asmgen.ir.numbers import integer_range
from asmgen.ir.program import Statement, argument_name, tensor_type
from asmgen.ir.types import ElementType, NumberKind, TensorType
from isa.diagnostics import InputError

Array = np.ndarray[Any, Any]
_PROTOCOLS = ("__array__", "__array_interface__", "__array_struct__")
ARRAY_WANTED = "a numpy array, or an array by DLPack or the buffer protocol"


def numpy_dtype(element: ElementType) -> np.dtype[Any]:
    """The numpy or ml_dtypes type of an element type."""
    return np.dtype(getattr(ml_dtypes, element.numpy, None) or element.numpy)


def as_numpy(given: object, place: str, code: str, wanted: str) -> Array:
    """A user's object as an array, without a copy if possible.

    Accepted are numpy arrays and scalars (in the other byte order by their numbers), objects that speak
    DLPack in the CPU's memory (such as a torch tensor), objects that numpy reads by its own protocols, and
    buffers (array.array, memoryview). `InputError` with `code` at `place` for anything else.
    """
    if isinstance(given, np.ma.MaskedArray):
        help = "x.filled(0) replaces the masked elements by 0, x.data drops the mask"
        raise InputError(place, code, f"got a masked array, wanted {wanted} without a mask", help=help)
    if isinstance(given, np.ndarray | np.generic):
        array = np.asarray(cast("Array", given))
        return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))
    if isinstance(given, Exporter):
        try:
            return from_dlpack(given)
        except (BufferError, RuntimeError, TypeError, ValueError) as error:  # as exporters differ
            help = "x.detach().cpu() of torch, or what copies the array to the CPU's memory"
            raise InputError(
                place,
                code,
                f"got {type(given).__name__} that cannot be read: {error}, wanted {wanted}",
                help=help,
            ) from error
    if not isinstance(given, type) and any(hasattr(given, name) for name in _PROTOCOLS):
        try:
            return np.asarray(given)
        except (AttributeError, RuntimeError, TypeError, ValueError) as error:  # as its own method raises
            message = f"got {type(given).__name__} that numpy makes no array of: {error}, wanted {wanted}"
            raise InputError(place, code, message) from error
    buffer: Any = given
    try:
        return np.asarray(memoryview(buffer))
    except TypeError as error:  # no buffer
        is_number = isinstance(given, bool | int | float)
        help = (
            "np.float32(x) is a number with a type"
            if is_number
            else "np.asarray(x, np.float32) makes an array of a list"
        )
        raise InputError(place, code, f"got {type(given).__name__}, wanted {wanted}", help=help) from error


def as_numbers(array: Array, place: str, code: str) -> Array:
    """An array in this machine's byte order; `InputError` with `code` at `place` for objects, text, dates and
    records."""
    dtype = array.dtype
    if dtype.hasobject or dtype.fields or dtype.kind in "USmM":
        raise InputError(place, code, f"got an array of {dtype}, wanted numbers")
    return array if dtype.isnative else array.astype(dtype.newbyteorder("="))


def checked(array: object, parameter: Statement) -> Array:
    """The array, if it has the parameter's element type and shape; `InputError` CALL002 to CALL004 naming the
    argument."""
    name, wanted = argument_name(parameter), tensor_type(parameter.result)
    given = as_numpy(array, f"argument {name}", "CALL002", ARRAY_WANTED)
    dtype = numpy_dtype(wanted.element)
    if given.dtype != dtype:
        message = f"got an array of {given.dtype}, wanted {dtype} ({wanted.element})"
        help = f'x.astype("{dtype}") converts' if given.dtype.kind in "biuf" else ""
        raise InputError(f"argument {name}", "CALL003", message, help=help)
    if given.shape != wanted.dims:
        raise InputError(
            f"argument {name}", "CALL004", f"got an array of shape {given.shape}, wanted {wanted.dims}"
        )
    return given


def checked_scalar(given: object, parameter: Statement) -> Array:
    """The number in the parameter's type, as an array without dims; `InputError` CALL006, CALL007 with the
    name of the argument.

    Numbers of Python and of numpy are accepted, and arrays of a single element without dims. An integer may
    have any type with its value in range, and may be passed for a float; a float is rounded to the
    parameter's type.
    """
    name, element = argument_name(parameter), parameter.result.type.element
    place = f"argument {name}"
    number, shown = cast("Any", given), repr(given)[:_LONGEST_SHOWN]
    if isinstance(given, np.generic | np.ndarray) and not cast("Array", given).shape:
        number = cast("Array", given).item()
    fits = isinstance(number, _NUMBERS[element.kind]) and (
        element.kind is NumberKind.BOOL or not isinstance(number, bool)
    )
    if not fits:
        raise InputError(
            place, "CALL006", f"got {shown}, wanted {_WANTED[element.kind]} for a scalar of {element}"
        )
    if not element.is_float and element.kind is not NumberKind.BOOL:
        low, high = integer_range(element)
        if not low <= number <= high:
            raise InputError(
                place,
                "CALL007",
                f"got {number}, wanted an integer from {low} to {high}: it is a scalar of {element}",
            )
    with np.errstate(over="ignore"):
        return np.array(number, numpy_dtype(element))


_LONGEST_SHOWN = 80
_NUMBERS: dict[NumberKind, tuple[type, ...]] = {
    NumberKind.BOOL: (bool,), NumberKind.SIGNED: (int,), NumberKind.UNSIGNED: (int,),
    NumberKind.FLOAT: (int, float),
}  # fmt: skip
_WANTED = {
    NumberKind.BOOL: "True or False", NumberKind.SIGNED: "an integer", NumberKind.UNSIGNED: "an integer",
    NumberKind.FLOAT: "a number",
}  # fmt: skip


def laid_out(array: Array, type_: TensorType) -> Array:
    """The elements of `array` in a flat buffer, at the places of the parameter's strides."""
    if type_.is_packed:
        return np.ascontiguousarray(array).reshape(-1)
    buffer = np.zeros(number(type_.span), array.dtype)
    if 0 not in type_.dims:
        strided_view(buffer, type_)[...] = array
    return buffer


def strided_view(buffer: Array, type_: TensorType) -> Array:
    """A flat buffer seen as the tensor that lies in it."""
    return strided(buffer, type_.shape, numbers(type_.strides))


def strided(buffer: Array, shape: Sequence[int], strides: Sequence[int]) -> Array:
    """A flat buffer as an array of a shape, with strides in elements. It is laid out as integers, since
    numpy cannot write the name of fp8e5m2, which it would read again."""
    bits = buffer.view(f"u{buffer.itemsize}")
    steps = [stride * buffer.itemsize for stride in strides]
    return as_strided(bits, tuple(shape), steps).view(buffer.dtype)
