"""One-liners of numpy's compile, and have numpy's results."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import asmgen
from asmgen.frontends.traced import functions
from tests.device import chosen_device
from tests.unit.asmgen.numpy_examples import EXAMPLES
from tests.unit.asmgen.numpy_lines import LINES, Line

FEW = 5  # one example of so many is an ordinary test


def cases() -> list[Any]:
    slow = [pytest.param(line, id=line[0], marks=[pytest.mark.slow] if number % FEW else []) for number, line in enumerate(EXAMPLES)]
    return [*[pytest.param(line, id=line[0]) for line in LINES], *slow]


@pytest.mark.parametrize("line", cases())
def test_a_line_gives_what_numpy_gives(line: Line) -> None:
    _, function, arrays = line
    with warnings.catch_warnings(action="ignore"):
        expected = function(*[array.copy() for array in arrays])
    results = asmgen.compile(function, inputs=list(arrays))(*arrays, device=chosen_device())
    wanted: list[Any] = list(expected) if isinstance(expected, tuple | list) else [expected]  # pyright: ignore[reportUnknownArgumentType]
    assert len(results) == len(wanted)
    for result, each in zip(results, wanted, strict=True):
        compare(result, np.asarray(each))


def compare(result: Any, wanted: Any) -> None:
    assert (result.dtype, result.shape) == (wanted.dtype, wanted.shape)
    rtol, atol = (1e-12, 1e-13) if wanted.dtype == np.float64 else (6e-6, 1e-6)
    np.testing.assert_allclose(result.astype(np.float64), wanted.astype(np.float64), rtol=rtol, atol=atol)


def test_a_shift_by_counts_is_short() -> None:
    """A step for each bit of the count: 4 elements a lane, 5 steps each."""
    program = asmgen.compile(lambda x, n: x << n, inputs=[asmgen.spec("i32", 64)] * 2)
    assert len(program.kernels[0].assembly.splitlines()) < 300


@pytest.mark.parametrize("type_", ["i64", "u64"])
def test_a_wide_quotient_by_a_power_of_two_is_a_shift(type_: str) -> None:
    program = asmgen.compile(lambda x: x // 32, inputs=[asmgen.spec(type_, 64)])
    assert len(program.kernels[0].assembly.splitlines()) < 220


def test_a_table_is_indexed_as_the_refusal_says() -> None:
    rows, table = np.array([1, -1, 3], np.int32), np.eye(10, dtype=np.float32)
    with pytest.raises(asmgen.InputError, match=r"functions.gather\(table, x, axis=0\)"):
        _ = asmgen.compile(lambda x: table[x], inputs=[rows])
    (result,) = asmgen.compile(lambda x: functions.gather(table, x, axis=0), inputs=[rows])(rows, device=chosen_device())
    compare(result, table[rows])


# Of an array ("n", 4): functions that are compiled for every n.
OPEN: list[Any] = [
    lambda x: np.sort(x, axis=1), lambda x: np.median(x, axis=1), lambda x: np.roll(x, 1, axis=0),
    lambda x: x[:, [0, 2]], lambda x: x[x > 0].sum(), lambda x: np.diff(x, axis=0),
    lambda x: np.take_along_axis(x, np.argsort(x, 1), 1), lambda x: (x - x.mean(0)) / x.std(0),
]  # fmt: skip


@pytest.mark.parametrize("function", OPEN)
def test_a_size_that_the_launch_knows(function: Any) -> None:
    x = np.random.default_rng(9).normal(size=(7, 4))
    (result,) = asmgen.compile(function, inputs=[asmgen.spec("f64", ("n", 4))])(x, device=chosen_device())
    compare(result, np.asarray(function(x)))


@pytest.mark.parametrize("function", [lambda x: np.array_split(x, 2), lambda x: np.resize(x, (2, 2)), lambda x: x.var(0, ddof=1)])
def test_what_needs_the_value_of_a_size_is_refused(function: Any) -> None:
    with pytest.raises(asmgen.InputError, match="only the launch knows it"):
        _ = asmgen.compile(function, inputs=[asmgen.spec("f64", ("n", 4))])
