"""Graphs found by random graphs, each the smallest of its kind: one code object at several sizes, next to
numpy."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen
from tests.unit.named_dims.sizes_of_programs import Arrays, Sized, hold
from tests.unit.named_dims.test_launches import text

SIZES = ((4, 4), (5, 33), (1030, 7))
FEWER_ROWS = ((4, 4), (5, 33), (70, 7))  # of a program whose rows are n times m


def softmax(x: Arrays, axis: int = 0) -> Arrays:
    powers = np.exp(x - x.max(axis, keepdims=True))
    return powers / powers.sum(axis, keepdims=True)


def rolled(x: Arrays, count: int) -> Arrays:
    return np.roll(x, -count, 0)


ROLLED = ("a = slice[axes=0, starts=3, ends=2147483647](x)", "b = slice[axes=0, starts=0, ends=3](x)", "c = concat[axis=0](a, b)")
CASES = {
    "a size that no buffer of the kernel has": Sized(
        ("f32, {n}",),
        ("p = argmin[axis=0, select_last_index=true](x)", "f = convert[target_type=f32](p)", "r = reduce_sum[axes=0](x)", "o = mul(f, r)"),
        lambda x: (x.argmin() * x.sum()).reshape(1),
    ),
    "lanes that hold scalars are whole where the program begins": Sized(
        ("f32, {n}",), (*ROLLED, "o = softmax[axis=0](c)"), lambda x: softmax(rolled(x, 3)),
    ),
    "a stencil of known rows over a concat of named rows": Sized(
        ("f32, {n,64}",),
        (
            "q = concat[axis=0](x, x)", "p = pad[pads={0,0,300,0}](q)", "a = slice[axes=0, starts=0, ends=298](p)",
            "b = slice[axes=0, starts=1, ends=299](p)", "c = slice[axes=0, starts=2, ends=300](p)", "d = add(a, b)", "o = add(d, c)",
        ),
        lambda x: np.sum([np.pad(np.concatenate([x, x]), ((0, 300), (0, 0)))[row : row + 298] for row in range(3)], 0),
    ),
    "mirrored and reversed": Sized(
        ("f32, {n}",),
        ("r = reverse[axes=0](x)", "s = slice[axes=0, starts=0, ends=-1](r)", "p = pad[pads={1,0}, mode=reflect](s)", "o = reduce_mean[axes=0](p)"),
        lambda x: np.pad(x[:0:-1], (1, 0), mode="reflect").mean(0, keepdims=True),
    ),
    "a sum of what is reversed": Sized(("i32, {n}",), ("r = reverse[axes=0](x)", "o = cummax[axis=0](r)"), lambda x: np.maximum.accumulate(x[::-1])),
    "sums of the columns of several products": Sized(
        ("f32, {3,16,2}", "f32, {2,n}"),
        ("d = dot(x, y)", "s = reduce_sum[axes=1](d)", "o = squeeze[axes=1](s)"),
        lambda x, y: (x @ y).sum(1),
    ),
    "rows from the last on": Sized(("i32, {m,n}",), ("o = reverse[axes=0](x)",), lambda x: x[::-1]),
    "rows of two": Sized(("f16, {16,n,2}",), ("o = reverse[axes=1](x)",), lambda x: x[:, ::-1]),
    "scans of short rows": Sized(("f32, {n,m,4}",), ("o = cumsum[axis=2, reverse=true](x)",), lambda x: x[..., ::-1].cumsum(2)[..., ::-1]),
    "a mean of all that is taken back": Sized(
        ("f32, {7,n}",), ("f = reshape[dims={7*n}](x)", "g = neg(f)", "h = reshape[dims={7,n}](g)", "s = reduce_mean(h)", "o = sub(h, s)"),
        lambda x: x.mean() - x,
    ),
    "all in reverse, by rows": Sized(
        ("f32, {m,n}",),
        ("f = reshape[dims={m*n}](x)", "r = reverse[axes=0](f)", "y = reshape[dims={m,n}](r)", "s = reduce_mean[axes={1}](y)", "o = sub(y, s)"),
        lambda x: x[::-1, ::-1] - x[::-1, ::-1].mean(1, keepdims=True),
    ),
    "a mean over two, then over columns": Sized(
        ("f32, {m,n}", "f32, {1,n}"), ("s = reduce_mean[axes={0,1}](x)", "o = mul(s, y)"), lambda x, y: x.mean() * y,
    ),
    "columns of pairs from the last on": Sized(
        ("f32, {m,n}",),
        ("c = concat[axis=1](x, x)", "s = step[axes=1, steps=2](c)", "f = reshape[dims={m*n}](s)", "o = reverse[axes=0](f)"),
        lambda x: np.concatenate([x, x], 1)[:, ::2].reshape(-1)[::-1],
    ),
    "what is left of rows around": Sized(  # seeds 964, 1033, 1683 and 1778 of the random graphs were refused
        ("f32, {3,2,n}",), ("o = reduce_sum[axes={0,2}](x)",), lambda x: x.sum((0, 2), keepdims=True),
    ),
    "rows of squares, of which the longest are short": Sized(("f32, {n,m,m}",), ("o = softmax[axis=2](x)",), lambda x: softmax(x, 2)),
    "a softmax over m after its axes moved": Sized(  # seed 531
        ("f32, {m,16,4}",),
        (
            "r = reshape[dims={4,16,m}](x)", "t = transpose[permutation={2,1,0}](r)", "p = softmax[axis=0](t)", "c = cumsum[axis=1](p)",
            "o = step[axes=0, steps=3](c)",
        ),
        lambda x: softmax(x.reshape(4, 16, -1).transpose(2, 1, 0), 0).cumsum(1)[::3],
    ),
    "a sum of four more": Sized(  # seed 580
        ("f32, {3,n}", "f32, {3,4}"), ("c = concat[axis=1](x, y)", "o = reduce_sum[axes=1](c)"),
        lambda x, y: x.sum(1, keepdims=True) + y.sum(1, keepdims=True),
    ),
    "the other dim is four at least": Sized(("f32, {m,n}",), ("o = slice[axes=0, starts=4, ends={m}](x)",), lambda x: x[4:]),
}  # fmt: skip


@pytest.mark.broad
@pytest.mark.parametrize("name", CASES)
def test_one_code_object_at_every_size(name: str) -> None:
    sizes = FEWER_ROWS if name.startswith("rows of squares") else SIZES
    hold(CASES[name], ("gfx942", "gfx1100")[len(name) % 2], [{"n": n, "m": m} for n, m in sizes])


def test_a_part_of_the_largest_dims_that_fills_workgroups() -> None:
    """n is at most 2^31 - 1 here, of which half, rounded up, is a multiple of a workgroup's elements."""
    program = asmgen.compile(text("x = @param:x -> f16, {n,m}", "o = step[axes=0, steps=2](x)", "@return(o, x)"), target="gfx942")
    for n, m in SIZES:
        x = np.random.default_rng(n).normal(size=(n, m)).astype(np.float16)
        half, same = program(x, device="emulator")
        assert (half == x[::2]).all() and (same == x).all()


def test_what_results_without_elements_are_made_of_is_not_computed() -> None:
    """A launch of its own has a maximum over m, of which there is none."""
    program = asmgen.compile(
        text(
            "x = @param:x -> f32, {m,16,4}",
            "r = reshape[dims={4,16,m}](x)",
            "p = softmax[axis=2](r)",
            "t = transpose[permutation={2,0,1}](p)",
            "@return(t)",
        ),
        target="gfx942",
    )
    assert program(np.zeros((0, 16, 4), np.float32), device="emulator")[0].shape == (0, 4, 16)


@pytest.mark.parametrize("n", [1, 7])
def test_rows_of_all_dims_are_stored_within_the_first(n: int) -> None:
    """The number of an element, divided by n and then by 5, was not shown to be less than n."""
    program = asmgen.compile("x = @param:x -> i32, {n,5,n}\nm = reduce_mean(x)\nz = less(x, m)\n@return(z)\n")
    x = np.arange(5 * n * n, dtype=np.int32).reshape(n, 5, n) % 11 - 3
    np.testing.assert_array_equal(program(x, device="emulator")[0], x < int(x.mean()))


@pytest.mark.parametrize("n", [1, 40])
def test_results_of_one_row_and_of_many(n: int) -> None:
    """A grid for both has as many workgroups as the larger result, the result with more rows."""
    lines = ("x = @param:x -> u8, {1,n}", "y = @param:y -> u8, {1024,n}", "a = abs(x)", "b = convert[target_type=f32](y)")
    program = asmgen.compile(text(*lines, "@return(a, b)"), target="gfx1201")
    x, y = np.arange(n, dtype=np.uint8).reshape(1, n), np.arange(1024 * n).reshape(1024, n).astype(np.uint8)
    for found, wanted in zip(program(x, y, device="emulator"), (x, y), strict=True):
        np.testing.assert_array_equal(found, wanted)
