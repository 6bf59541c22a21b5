"""The arguments of a compiled kernel, and its arrays after the launch as numpy computes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from msgspec import Struct

from isa.targets import TargetId

Array = np.ndarray[Any, Any]
Sizes = tuple[int, int, int]


class Out(NamedTuple):
    """An array that the kernel alone writes, and all of it; `error` is how far a number may be off."""

    after: Array
    error: Array | float = 0.0


class Changed(NamedTuple):
    """An array that the kernel reads and writes."""

    before: Array
    after: Array
    error: Array | float = 0.0


class Left(NamedTuple):
    """An array with final contents that depend on the order of the waves."""

    before: Array


class Local(NamedTuple):
    """The size in bytes of LDS that a `local` pointer argument points to."""

    size: int


class Case(Struct, frozen=True):
    """A launch: the grid in workgroups, the block in work-items, one value per argument, and LDS beside the kernel's own."""

    grid: Sizes
    block: Sizes
    arguments: tuple[Any, ...]
    lds_bytes: int = 0

    def values(self) -> list[Any]:
        """The arguments before the launch; arrays that are only written have a pattern that no kernel
        computes."""
        return [_before(argument) for argument in self.arguments]

    def undefined(self) -> tuple[int, ...]:
        """The positions of arrays whose content counts as never written."""
        return tuple(i for i, argument in enumerate(self.arguments) if isinstance(argument, Out))

    def judge(self, results: list[Array]) -> None:
        """AssertionError if an array differs from numpy's."""
        arrays = [argument for argument in self.arguments if _is_array(argument)]
        assert len(arrays) == len(results)
        for place, (argument, got) in enumerate(zip(arrays, results, strict=True)):
            if isinstance(argument, Out | Changed):
                _agree(got, argument, place)
            elif not isinstance(argument, Left):
                np.testing.assert_array_equal(got, argument, f"array {place} is not the kernel's to change")


def _is_array(argument: Any) -> bool:
    """Whether it is a buffer; an array without dimensions is a struct that is passed by value."""
    return isinstance(argument, Out | Changed | Left) or (isinstance(argument, np.ndarray) and argument.ndim > 0)


def _before(argument: Any) -> Any:
    if isinstance(argument, Out):
        return np.frombuffer(b"\xa5" * argument.after.nbytes, argument.after.dtype).reshape(argument.after.shape).copy()
    if isinstance(argument, Local):
        return argument.size
    return argument.before if isinstance(argument, Changed | Left) else argument


def _agree(got: Array, argument: Out | Changed, place: int) -> None:
    if not np.any(argument.error):
        np.testing.assert_array_equal(got, argument.after, f"array {place}")
        return
    off = np.abs(got.astype(np.float64) - argument.after)
    assert (off <= argument.error).all(), f"array {place} is off by up to {off.max():.3g}, allowed {np.max(argument.error):.3g}"


def case(grid: int | Sizes, block: int | Sizes, *arguments: Any, lds_bytes: int = 0) -> Case:
    """A case; a number is a size along x alone."""
    sizes = tuple((size, 1, 1) if isinstance(size, int) else size for size in (grid, block))
    return Case(sizes[0], sizes[1], arguments, lds_bytes)


Reference = Callable[[TargetId], Case]


class Kernel(NamedTuple):
    """A kernel of a file: its reference, and the targets that have its instructions."""

    file: str
    reference: Reference
    runs_on: Callable[[TargetId], bool]


def kernels_of(file: str, *references: Reference, runs_on: Callable[[TargetId], bool] = lambda target: True) -> dict[str, Kernel]:
    """Kernels by the names of their references."""
    return {reference.__name__: Kernel(file, reference, runs_on) for reference in references}


def random(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


def words(seed: int, *shape: int, below: int = 1 << 32) -> Array:
    """Random u32."""
    return random(seed).integers(0, below, shape, np.uint64).astype(np.uint32)


def zeros(*shape: int, dtype: Any = np.uint32) -> Array:
    return np.zeros(shape, dtype)


def is_cdna(target: TargetId) -> bool:
    return target.target.family == "cdna"


def is_rdna(target: TargetId) -> bool:
    return target.target.family == "rdna"
