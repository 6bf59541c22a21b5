"""The arguments of a kernel that is launched by itself: how an array or a number is checked and passed, and
which arrays come back."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any

import numpy as np
from msgspec import Struct

from asmgen.ir.arrays import Array, as_numpy, numpy_dtype, strided
from asmgen.ir.named_dims import MOST_BYTES
from asmgen.ir.types import ELEMENT_TYPES, row_major
from isa.diagnostics import InputError, Place
from isa.emulator.launching.arguments import ArgumentValue
from isa.named_tuple import NamedTuple


class Passed(NamedTuple):
    """The values passed for an argument, and the shape of their array."""

    values: tuple[ArgumentValue, ...]
    shape: tuple[int, ...] = ()
    dtype: np.dtype[Any] | None = None


class Formal(Struct, frozen=True):
    """An argument: a number of type `element`, or an array with these elements; an empty `element` is any
    type.

    `dims` are the dims that an array must have: None for any size, and no dims at all if the shape does not
    matter. `strides` and `offset` are the places of the elements in memory, in elements; a stride of None is
    packed. `is_described` means that the array is passed with its sizes and strides.
    """

    name: str
    element: str
    place: Place | str
    is_array: bool
    is_written: bool = False
    dims: tuple[int | None, ...] | None = None
    strides: tuple[int | None, ...] = ()
    offset: int = 0
    is_described: bool = False
    lanes: int = 0  # of a vector that is passed by value; 0 of a number
    passed: str = ""  # the type of the elements in the call; empty: `element`

    def taken(self, given: object) -> Passed:
        """The values to pass for an array or a number. `InputError` LNC004 if it has another type."""
        if not self.is_array:
            return Passed((self._number(given),))
        array = as_numpy(given, self._place, "LNC004", f"an array of {self.element}")
        self._check(array)
        buffer = self._as_passed(self._laid_out(array))
        if not self.is_described:
            return Passed((buffer,), array.shape, array.dtype)
        numbers = (self.offset, *array.shape, *self._strides(array.shape))
        return Passed((buffer[:1].copy(), buffer, *map(np.int64, numbers)), array.shape, array.dtype)

    def given_back(self, passed: Passed, after: Iterator[Array]) -> Iterator[Array]:
        """The array after the launch; nothing for a number. `after` are the kernel's buffers."""
        if not self.is_array:
            return
        if self.is_described:
            _ = next(after)  # of the allocated pointer
        buffer = next(after)
        if passed.dtype is not None and buffer.dtype != passed.dtype:
            count = buffer.nbytes // passed.dtype.itemsize
            buffer = buffer.view(np.uint8)[: count * passed.dtype.itemsize].view(passed.dtype)
            buffer = buffer[: prod(passed.shape)] if self._is_packed(passed.shape) else buffer
        if self._is_packed(passed.shape):
            yield buffer.reshape(passed.shape)
        else:
            yield self._window(buffer, passed.shape).copy()

    @property
    def _place(self) -> str:
        return (
            f"{self.place}: argument {self.name}"
            if isinstance(self.place, Place)
            else f"argument {self.name}"
        )

    def _number(self, given: object) -> ArgumentValue:
        if self.lanes:
            return self._vector(given)
        type_ = ELEMENT_TYPES[self.element]
        wanted = f"a number of type {self.element}"
        if isinstance(given, int | float) and not isinstance(given, np.generic):
            return self._converted(given, wanted)
        number = as_numpy(given, self._place, "LNC004", wanted)
        if number.ndim or number.dtype != numpy_dtype(type_):
            what = f"an array of shape {number.shape}" if number.ndim else f"a number of {number.dtype}"
            raise self._refused(what, wanted)
        return number.reshape(())

    def _vector(self, given: object) -> ArgumentValue:
        """A vector, with zeros up to a power of two of elements."""
        dtype = numpy_dtype(ELEMENT_TYPES[self.element])
        wanted = f"an array of {self.lanes} numbers of type {self.element}"
        array = as_numpy(given, self._place, "LNC004", wanted)
        if array.shape != (self.lanes,) or array.dtype != dtype:
            raise self._refused(f"an array of {array.dtype} of shape {array.shape}", wanted)
        whole = np.zeros(1 << (self.lanes - 1).bit_length(), dtype)
        whole[: self.lanes] = array
        return whole if self.lanes > 1 else whole.reshape(())

    def _converted(self, given: float, wanted: str) -> ArgumentValue:
        """A Python number in the argument's type."""
        type_ = ELEMENT_TYPES[self.element]
        dtype = numpy_dtype(type_)
        if type_.is_float:
            return np.array(given, dtype)
        if isinstance(given, float):
            raise self._refused(f"the float {given}", wanted)
        if not -(1 << type_.bits - 1) <= given < 1 << type_.bits:
            raise self._refused(f"{given}", f"{wanted}, which has {type_.bits} bits")
        return np.array(given & (1 << type_.bits) - 1, f"u{type_.bytes}").view(dtype)

    def _check(self, array: Array) -> None:
        wanted = numpy_dtype(ELEMENT_TYPES[self.element]) if self.element else array.dtype
        if array.dtype != wanted:
            raise self._refused(f"an array of {array.dtype}", f"one of {wanted}")
        if array.nbytes >= MOST_BYTES:
            raise self._refused(f"an array of {array.nbytes} bytes", "less than 2^32")
        if self.dims is None:
            return
        fits = len(array.shape) == len(self.dims) and all(
            dim is None or dim == size for dim, size in zip(self.dims, array.shape, strict=False)
        )
        if not fits:
            shape = "x".join("?" if dim is None else str(dim) for dim in self.dims)
            raise self._refused(f"an array of shape {array.shape}", f"{shape or 'a single element'}")

    def _strides(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        """The strides of an array of a shape in memory."""
        packed = 1
        strides: list[int] = []
        for size, known in zip(reversed(shape), reversed(self.strides), strict=True):
            strides.append(packed if known is None else known)
            packed = strides[-1] * size
        return tuple(reversed(strides))

    def _is_packed(self, shape: tuple[int, ...]) -> bool:
        """Whether the elements follow each other without gaps from the beginning, the last dim first."""
        if self.dims is None:
            return True
        inner = zip(self._strides(shape), row_major(shape), shape, strict=True)
        return self.offset == 0 and all(stride == packed or size == 1 for stride, packed, size in inner)

    def _laid_out(self, array: Array) -> Array:
        """The array's elements at their places by the argument's type."""
        if self._is_packed(array.shape):
            return np.ascontiguousarray(array).reshape(-1)
        strides = self._strides(array.shape)
        last = sum((size - 1) * stride for size, stride in zip(array.shape, strides, strict=True))
        buffer = np.zeros(self.offset + max(last, 0) + 1, array.dtype)
        self._window(buffer, array.shape)[...] = array
        return buffer

    def _as_passed(self, buffer: Array) -> Array:
        """A buffer as elements of the type that the kernel's metadata has: the same bytes, and zeros up to a
        whole element."""
        if not self.passed or numpy_dtype(ELEMENT_TYPES[self.passed]) == buffer.dtype:
            return buffer
        dtype = numpy_dtype(ELEMENT_TYPES[self.passed])
        bytes_ = buffer.view(np.uint8)
        whole = np.zeros(max(-(-bytes_.size // dtype.itemsize), 1) * dtype.itemsize, np.uint8)
        whole[: bytes_.size] = bytes_
        return whole.view(dtype)

    def _window(self, buffer: Array, shape: tuple[int, ...]) -> Array:
        return strided(buffer[self.offset :], shape, self._strides(shape))

    def _refused(self, got: str, wanted: str) -> InputError:
        return InputError(self.place, "LNC004", f"argument {self.name} is {got}, wanted {wanted}")
