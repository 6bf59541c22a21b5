"""The large reductions of `tools.full_size`: programs, inputs, and what is right.

A sum is of whole numbers whose partial sums are exact in f32, so that it has one right result. A softmax is
held to the bound of docs/numerics.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Dims = tuple[int, ...]
Judge = Callable[[Sequence[Array], float], str]
"""What is wrong with results, in words, where an element passes through so many additions."""

ULP = 2.0**-23  # of a number from 1 to 2
LOW = -1e4  # of which exp is 0


class Case(NamedTuple):
    """A program of one parameter x, its inputs with their judges, and how many times it may read x."""

    text: str
    inputs: Callable[[], Iterator[tuple[Array, Judge]]]
    passes: int = 1


def _braces(numbers: Sequence[int]) -> str:
    return "{" + ",".join(map(str, numbers)) + "}"


def _text(dims: Dims, *lines: str) -> str:
    return "\n".join([f"x = @param:x -> f32, {_braces(dims)}", *lines, ""])


def _whole_numbers(dims: Dims) -> Array:
    """From -7 to 7 without 0, of random sign, so that sums stay small and an element that is lost shows."""
    generator = np.random.default_rng(9)
    numbers = generator.integers(1, 8, dims, np.int8)
    numbers *= generator.choice(np.array([-1, 1], np.int8), dims)
    return numbers.astype(np.float32)


def total(dims: Dims, axes: Dims) -> Case:
    """A sum."""

    def inputs() -> Iterator[tuple[Array, Judge]]:
        x = _whole_numbers(dims)
        yield x, partial(_differ, [x.sum(axes, np.float64, keepdims=True)], 0)

    return Case(_text(dims, f"s = reduce_sum[axes={_braces(axes)}](x)", "@return(s)"), inputs)


def statistics(dims: Dims, axes: Dims) -> Case:
    """The mean and the mean of the squares, which are of exact sums."""

    def inputs() -> Iterator[tuple[Array, Judge]]:
        x = _whole_numbers(dims)
        yield x, partial(_differ, [each.mean(axes, np.float64, keepdims=True) for each in (x, x * x)], 1.5)

    mean = f"reduce_mean[axes={_braces(axes)}]"
    return Case(_text(dims, "q = mul(x, x)", f"m = {mean}(x)", f"s = {mean}(q)", "@return(m, s)"), inputs)


def softmax(dims: Dims, axis: int, passes: int) -> Case:
    """Of ordinary numbers; and of peaks, few enough that each of them shows in the sum of its row."""

    def inputs() -> Iterator[tuple[Array, Judge]]:
        generator = np.random.default_rng(9)
        x = generator.standard_normal(dims, np.float32) * np.float32(3)
        yield x, partial(_far_from_softmax, x, axis)
        x[generator.random(dims, np.float32) > 512 / dims[axis]] = LOW
        yield x, partial(_far_from_softmax, x, axis)

    return Case(_text(dims, f"s = softmax[axis={axis}](x)", "@return(s)"), inputs, passes)


def _differ(exact: Sequence[Array], ulps: float, found: Sequence[Array], _: float) -> str:
    words = ""
    for one, other in zip(found, exact, strict=True):
        wrong = np.abs(one - other) > ulps * np.spacing(np.abs(other).astype(np.float32))
        words += f"{np.count_nonzero(wrong)} of {wrong.size} results are wrong; " if wrong.any() else ""
    return words


def _far_from_softmax(x: Array, axis: int, found: Sequence[Array], additions: float) -> str:
    shifted = x - x.max(axis, keepdims=True).astype(np.float64)
    exact = np.exp(shifted)
    exact /= exact.sum(axis, keepdims=True)
    _ = np.minimum(np.abs(shifted), 128, out=shifted)
    allowed = exact * ((8 + 1.5 * shifted) * ULP + additions * ULP / 2) + 8 * 2.0**-149
    share = float(np.max(np.abs(exact - found[0]) / allowed))
    return "" if share <= 1 else f"{share:.2f} times what is allowed"


CASES = {
    "full_sum of 1 M": total((1 << 20,), (0,)),
    "full_sum of 64 M": total((1 << 26,), (0,)),
    "row_sum 1 x 16 M": total((1, 1 << 24), (1,)),
    "softmax 1 x 16 M": softmax((1, 1 << 24), 1, 2),
    "col_sum 65536 x 256": total((65536, 256), (0,)),
    "col_sum 1 M x 3": total((1 << 20, 3), (0,)),
    "col_sum 8192 x 50257": total((8192, 50257), (0,)),
    "softmax over axis 0 of {4096,1024}": softmax((4096, 1024), 0, 2),
    "softmax over axis 1 of {64,1024,64}": softmax((64, 1024, 64), 1, 1),
    "batch statistics of {32,64,56,56}": statistics((32, 64, 56, 56), (0, 2, 3)),
}
