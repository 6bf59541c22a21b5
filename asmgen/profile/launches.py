"""A launch to profile, and arrays for arguments that have only a shape.

The clocks of a kernel hardly depend on the numbers in its arrays. Floats are ordinary numbers; integers may
be indices, so they lie within the largest dim of the arguments.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

import numpy as np
from msgspec import Struct, field

from asmgen.ir.arrays import Array, numpy_dtype
from asmgen.ir.types import ElementType, NumberKind
from isa.emulator.launching.arguments import ArgumentValue, KernelCall
from isa.emulator.program.image import Image

Sizes = tuple[int, int, int]
_PERIOD = 16381  # elements; a prime number
_SMALL = 100  # the largest integer of a type that is too narrow for an index
_INDEX_BITS = 16
_SEED = 28
LARGE = 1 << 26  # bytes from which on generated arrays of floats are zeros, which take no memory


class Launch(Struct, frozen=True):
    """A kernel with its launch; `source` is the name of its source as the user gave it."""

    image: Image
    call: KernelCall
    source: str

    @property
    def name(self) -> str:
        return self.image.name

    @property
    def groups(self) -> int:
        return prod(self.call.grid)

    def is_like(self, other: Launch) -> bool:
        """Whether both launches of generated arguments take the same time: the same kernel, arrays of the
        same types and shapes at the same places, and the same integers."""
        mine, its = self.call, other.call
        return (
            (self.name, mine.grid, mine.block) == (other.name, its.grid, its.block)
            and _places(mine.arguments) == _places(its.arguments)
            and all(map(_is_like, mine.arguments, its.arguments))
        )

    @property
    def buffer_bytes(self) -> int:
        """The bytes of its arrays."""
        arrays = [value for value in self.call.arguments if isinstance(value, np.ndarray) and value.ndim]
        return sum({id(array): array.nbytes for array in arrays}.values())


class LaunchOptions(Struct, frozen=True):
    """How the kernels of a source are launched. `arguments` are those of the program or of the kernel, or
    none for generated arguments; `sizes` are the sizes of named dims and of MLIR arguments. `cleared` are the
    arguments of a program of tensors that are zeros if they are generated."""

    kernel: str | None = None
    grid: Sizes | None = None
    block: Sizes | None = None
    arguments: tuple[ArgumentValue, ...] = ()
    sizes: Mapping[str, tuple[int, ...]] = field(default_factory=dict[str, tuple[int, ...]])
    lds_bytes: int = 0
    cleared: tuple[str, ...] = ()


def _places(arguments: Sequence[ArgumentValue]) -> list[int]:
    """The number of the first argument with the same array, for each argument."""
    identities = [id(argument) for argument in arguments]
    return [identities.index(identity) for identity in identities]


def _is_like(one: ArgumentValue, other: ArgumentValue) -> bool:
    if not (isinstance(one, np.ndarray) and isinstance(other, np.ndarray)):
        return one == other
    if (one.dtype, one.shape) != (other.dtype, other.shape):
        return False
    return one.dtype.kind not in "iub" or np.array_equal(one, other)


def filled(element: ElementType, shape: Sequence[int], largest: int, number: int) -> Array:
    """An array for argument `number`. Integers are below `largest`, the largest dim of the arguments. Large
    arrays of floats are zeros."""
    count = prod(shape)
    if element.is_float and count * element.bytes >= LARGE:
        return np.zeros(tuple(shape), numpy_dtype(element))
    random = np.random.default_rng([_SEED, number])
    period: Any = random.normal(0.0, 1.0, _PERIOD)
    if element.kind is NumberKind.BOOL:
        period = period < 0
    elif not element.is_float:
        limit = max(1, largest) if element.bits >= _INDEX_BITS else _SMALL
        limit = min(limit, 1 << (element.bits - 1))
        period = random.integers(0, limit, _PERIOD)
    return np.resize(period.astype(numpy_dtype(element)), count).reshape(tuple(shape))


def zeros(dtype: np.dtype[Any], shape: Sequence[int]) -> Array:
    """An array of zeros that takes no memory, in the emulator neither."""
    return np.broadcast_to(np.zeros((), dtype), tuple(shape))


def number_for(element: ElementType) -> np.generic:
    """A number for a scalar argument."""
    value: Any = numpy_dtype(element).type(0.75 if element.is_float else 1)
    return value
