"""Named dims that are not the outermost of a tensor, and several in a tensor: one code object at several
sizes, next to numpy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import asmgen
from asmgen.ir.named_dims import MOST_BYTES
from asmgen.kernels import build_kernel
from isa.diagnostics import InputError
from tests.unit.named_dims.test_launches import numbers, text

Arrays = np.ndarray[Any, Any]

# The lines of a program, the shapes of its arguments for an n and an m, and its results in numpy.
PROGRAMS: dict[str, tuple[tuple[str, ...], Callable[[int, int], list[tuple[int, ...]]], Callable[..., Arrays]]] = {
    "a bias": (
        ("x = @param:x -> f32, {5,n}", "y = @param:y -> f32, {n}", "o = add(x, y)", "@return(o)"),
        lambda n, _: [(5, n), (n,)], lambda x, y: x + y,
    ),
    "a number for each row": (
        ("x = @param:x -> f32, {2,3,n}", "y = @param:y -> f32, {3,1}", "o = mul(x, y)", "@return(o)"),
        lambda n, _: [(2, 3, n), (3, 1)], lambda x, y: x * y,
    ),
    "a dim in the middle": (
        ("x = @param:x -> f32, {3,n,8}", "y = @param:y -> f32, {n,1}", "z = @param:z -> f32, {8}", "p = mul(x, y)", "o = add(p, z)", "@return(o)"),
        lambda n, _: [(3, n, 8), (n, 1), (8,)], lambda x, y, z: x * y + z,
    ),
    "a row of few elements": (
        ("x = @param:x -> f32, {3,n,7}", "y = @param:y -> f32, {n,1}", "r = reverse[axes={2}](x)", "o = add(r, y)", "@return(o)"),
        lambda n, _: [(3, n, 7), (n, 1)], lambda x, y: x[:, :, ::-1] + y,
    ),
    "an outer sum": (
        ("x = @param:x -> f32, {n,1}", "y = @param:y -> f32, {m}", "o = add(x, y)", "@return(o)"),
        lambda n, m: [(n, 1), (m,)], lambda x, y: x + y,
    ),
    "two names": (
        ("x = @param:x -> f32, {n,m}", "y = @param:y -> f32, {n,m}", "o = sub(x, y)", "@return(o)"),
        lambda n, m: [(n, m), (n, m)], lambda x, y: x - y,
    ),
    "a transpose": (
        ("x = @param:x -> f32, {n,m}", "o = transpose[permutation={1,0}](x)", "@return(o)"), lambda n, m: [(n, m)], lambda x: x.T,
    ),
    "a reshape and a concat": (
        ("x = @param:x -> f32, {n,4}", "y = reshape[dims={4,n}](x)", "r = reverse[axes={1}](y)", "o = concat[axis=1](y, r)", "@return(o)"),
        lambda n, _: [(n, 4)], lambda x: np.concatenate([x.reshape(4, -1), x.reshape(4, -1)[:, ::-1]], 1),
    ),
    "columns": (
        ("x = @param:x -> f32, {4,n}", "o = reduce_sum[axes=0](x)", "@return(o)"), lambda n, _: [(4, n)], lambda x: x.sum(0, keepdims=True),
    ),
    "a mean of columns": (
        ("x = @param:x -> f32, {n,5}", "o = reduce_mean[axes=0](x)", "@return(o)"), lambda n, _: [(n, 5)], lambda x: x.mean(0, keepdims=True),
    ),
    "a scan of columns": (
        ("x = @param:x -> f32, {4,n}", "o = cumsum[axis=0](x)", "@return(o)"), lambda n, _: [(4, n)], lambda x: x.cumsum(0),
    ),
    "the first of the largest": (
        ("x = @param:x -> f32, {4,n}", "o = argmax[axis=0](x)", "@return(o)"), lambda n, _: [(4, n)], lambda x: x.argmax(0, keepdims=True),
    ),
    "rows of two names": (
        ("x = @param:x -> f32, {3,n,m}", "o = reduce_mean[axes=1](x)", "@return(o)"), lambda n, m: [(3, n, m)], lambda x: x.mean(1, keepdims=True),
    ),
}  # fmt: skip


@pytest.mark.broad
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_dim_that_is_not_the_outermost(name: str) -> None:
    lines, shapes, wanted = PROGRAMS[name]
    program = asmgen.compile(text(*lines), target=("gfx942", "gfx1201")[len(name) % 2])
    for n, m in ((1, 3), (3, 1), (65, 7), (1027, 2)):
        given = [numbers(*shape, seed=number) for number, shape in enumerate(shapes(n, m))]
        np.testing.assert_allclose(program(*given, device="emulator")[0], wanted(*given), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("name", ["a bias", "two names", "a transpose", "columns"])
def test_an_empty_result_stores_nothing(name: str) -> None:
    lines, shapes, wanted = PROGRAMS[name]
    program = asmgen.compile(text(*lines), target="gfx942")
    given = [numbers(*shape) for shape in shapes(0, 3)]
    assert program(*given, device="emulator")[0].shape == wanted(*given).shape


_MACHINES = (("gfx90a", np.float32), ("gfx1100", np.float16), ("gfx1201:wave64", np.float32), ("gfx942", np.float16))
_KERNELS = ("row_sum", "softmax", "layernorm", "row_max")
_CELLS = [
    pytest.param(name, *machine, marks=() if kernel == turn else pytest.mark.slow)
    for kernel, name in enumerate(_KERNELS)
    for turn, machine in enumerate(_MACHINES)
]


@pytest.mark.broad
@pytest.mark.parametrize(("name", "target", "dtype"), _CELLS)
def test_row_kernels_of_any_rows_and_columns(name: str, target: str, dtype: type) -> None:
    """The whole of `--set rows=? --set cols=?`, from one code object."""
    settings = [("rows", "?"), ("cols", "?"), ("dtype", np.dtype(dtype).name.replace("loat", ""))]
    program = asmgen.compile(build_kernel(name, settings), target=target)
    assert len(program.kernels) == 1
    for rows, cols in ((0, 5), (2, 1), (3, 63), (1, 1000)):
        x, more = numbers(rows, cols).astype(dtype), [numbers(cols, seed=seed).astype(dtype) for seed in (1, 2)]
        arrays = (x, *more) if name == "layernorm" else (x,)
        (o,) = program(*arrays, device="emulator")
        np.testing.assert_allclose(o.astype(np.float64), _of_rows(name, *arrays), rtol=1e-5 if dtype is np.float32 else 4e-3, atol=1e-4)


def _of_rows(name: str, x: Arrays, *more: Arrays) -> Arrays:
    wide = x.astype(np.float64)
    if name == "softmax":
        powers = np.exp(wide - wide.max(1, keepdims=True))
        return powers / powers.sum(1, keepdims=True)
    if name == "layernorm":
        centred = wide - wide.mean(1, keepdims=True)
        return centred / np.sqrt((centred**2).mean(1, keepdims=True) + 1e-5) * more[0] + more[1]
    return wide.sum(1, keepdims=True) if name == "row_sum" else wide.max(1, keepdims=True)


def test_a_mean_of_nothing_is_not_a_number() -> None:
    program = asmgen.compile(text("x = @param:x -> f32, {3,n}", "o = reduce_mean[axes=1](x)", "@return(o)"), target="gfx942")
    assert np.isnan(program(numbers(3, 0), device="emulator")[0]).all()


@pytest.mark.parametrize("n", [3, 7, 49, 1000])
def test_a_mean_is_that_of_the_size_as_a_number(n: int) -> None:
    """1/n is rounded as a number in the code is: the same bits."""
    named, plain = (
        asmgen.compile(text(f"x = @param:x -> f32, {{2,{size}}}", "o = reduce_mean[axes=1](x)", "@return(o)"), target="gfx942") for size in ("n", n)
    )
    x = np.zeros((2, n), np.float32)
    x[:, 0] = 1.0, 3e38
    np.testing.assert_array_equal(named(x, device="emulator")[0], plain(x, device="emulator")[0])


def test_elements_in_no_buffer_are_counted_at_the_launch() -> None:
    """Seven times 10^4 rows of as many: each buffer is small, and the number of an element is beyond 32 bits."""
    lines = ("x = @param:x -> f32, {n,1}", "y = @param:y -> f32, {m}", "s = add(x, y)", "o = reduce_sum(s)", "@return(o)")
    program = asmgen.compile(text(*lines), target="gfx942")
    assert program(numbers(3, 1), numbers(2, seed=1), device="emulator")[0].shape == (1, 1)
    x, y = np.broadcast_to(np.float32(0), (70000, 1)), np.broadcast_to(np.float32(0), 70000)
    with pytest.raises(InputError, match=r":[34]:1: error\[CALL010\]: \w+ has 4900000000 elements, wanted at most 2\^32"):
        _ = program(x, y, device="emulator")


def test_buffers_of_two_names_are_measured_at_the_launch() -> None:
    program = asmgen.compile(text(*PROGRAMS["an outer sum"][0]), target="gfx942")
    x, y = np.broadcast_to(np.float32(0), (1 << 16, 1)), np.broadcast_to(np.float32(0), (1 << 15,))
    assert MOST_BYTES < (1 << 16) * (1 << 15) * 4
    with pytest.raises(InputError, match=r"result o: error\[CALL010\]: the buffer has 8589934592 bytes"):
        _ = program(x, y, device="emulator")


@pytest.mark.parametrize("dims", ["7,m,33", "231*m", "m,231"])
@pytest.mark.parametrize("m", [1, 5, 300])
def test_rows_of_a_named_length_are_stored_in_other_dims_beside_their_largest(dims: str, m: int) -> None:
    """It is shown that row*m and less than another m are within 231*m."""
    lines = ("x = @param:x -> i32, {33,7,m}", f"y = reshape[dims={{{dims}}}](x)", "z = reduce_max[axes=2](x)", "@return(z, y)")
    x = np.random.default_rng(m).integers(-100, 100, (33, 7, m)).astype(np.int32)
    largest, moved = asmgen.compile(text(*lines), target="gfx942")(x, device="emulator")
    np.testing.assert_array_equal(largest, x.max(2, keepdims=True))
    np.testing.assert_array_equal(moved.ravel(), x.ravel())
