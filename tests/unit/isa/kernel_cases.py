"""The arguments of a test kernel and numpy's results; helpers with which the references compute in Python's
whole numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from msgspec import Struct, field

from isa.table import table_of
from isa.targets import TargetId

Array = np.ndarray[Any, Any]


class Case(Struct, frozen=True):
    """A launch and what numpy says of it.

    `expected` maps positions among the array arguments to their contents afterwards, `error` those that may
    be off to by how much, in the same shape; for numpy's NaN any NaN will do. `undefined` are the arguments
    that the kernel only writes.
    """

    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    args: list[Any]
    expected: dict[int, Array]
    undefined: tuple[int, ...] = field(default=())
    error: dict[int, Array] = field(default_factory=dict[int, Array])


Reference = Callable[[TargetId], Case]


class Kernel(Struct, frozen=True):
    """A kernel: its file, the reference, the targets that have its instructions, and options for clang beside
    the usual options."""

    file: str
    reference: Reference
    runs_on: Callable[[TargetId], bool] = lambda target: True
    options: tuple[str, ...] = ()
    entry: str = ""  # in the file, if it is not the kernel's own name


def agrees(case: Case, results: list[Array]) -> None:
    """AssertionError if an array differs from numpy's."""
    for position, expected in case.expected.items():
        got = results[position].reshape(expected.shape)
        assert got.dtype.itemsize == expected.dtype.itemsize
        if position in case.error:
            off = np.abs(got.astype(np.float64) - expected)
            assert (off <= case.error[position]).all(), f"off by {np.nanmax(off / case.error[position]):.3g} of what is allowed"
        else:
            np.testing.assert_array_equal(got, expected)
            if expected.dtype.kind == "f":
                numbers = ~np.isnan(expected)
                np.testing.assert_array_equal(np.signbit(got[numbers]), np.signbit(expected[numbers]))


def kernels_of(file: str, *references: Reference) -> dict[str, Kernel]:
    """Kernels that run on every target, by the names of their references."""
    return {reference.__name__: Kernel(file, reference) for reference in references}


def lanes(inputs: Iterable[Array], outputs: Iterable[Array], scalars: Iterable[Any] = (), block: int = 64) -> Case:
    """A kernel with an element of each input per work-item, rows of outputs, then scalars; workgroups of `block`."""
    arrays, results = list(inputs), list(outputs)
    args = [*arrays, *(np.zeros_like(result) for result in results), *scalars]
    expected = {len(arrays) + k: result for k, result in enumerate(results)}
    return Case((len(arrays[0]) // block, 1, 1), (block, 1, 1), args, expected, tuple(expected))


def rows(dtype: Any, *columns: Any) -> Array:
    """Columns side by side; Python's whole numbers wrap to the type."""
    return np.stack([wrapped(column, dtype) for column in columns], -1)


def wrapped(column: Any, dtype: Any) -> Array:
    kind = np.dtype(dtype)
    if kind.kind == "f" or (isinstance(column, np.ndarray) and column.dtype.kind == "f"):
        return np.asarray(column).astype(kind)
    mask = (1 << 8 * kind.itemsize) - 1
    return np.array([int(x) & mask for x in column], f"u{kind.itemsize}").view(kind)


def each(function: Callable[..., Any], *columns: Iterable[Any]) -> list[Any]:
    """The function of every lane's values as Python's whole numbers."""
    return [function(*(int(value) for value in values)) for values in zip(*columns, strict=True)]


def signed(value: int, bits: int) -> int:
    """The low bits as a two's complement number."""
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def clamp(value: int, bits: int, is_signed: bool) -> int:
    """The nearest number of the type."""
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if is_signed else (0, (1 << bits) - 1)
    return min(max(value, low), high)


def quotient(a: int, b: int) -> int:
    """C's division, towards zero."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def has_row_share(target: TargetId) -> bool:
    """Whether a lane may read lane 15 of its own row; others read that of the row before."""
    control = next(spec for spec in table_of(target.target).row("v_mov_b32_dpp").modifiers if spec.name == "dpp_ctrl")
    return "row_share" in control.words
