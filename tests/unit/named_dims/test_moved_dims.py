"""Slices, steps, pads, gathers and concat along a named dim: one code object at several sizes, next to numpy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import asmgen
from asmgen.kernels import build_kernel
from isa.diagnostics import InputError
from tests.rows import in_turn
from tests.unit.named_dims.sizes_of_programs import Arrays, Sized, hold
from tests.unit.named_dims.test_launches import numbers, text

ALL = (0, 1, 3, 65, 5003)


def taken(x: Arrays, i: Arrays, axis: int = 0) -> Arrays:
    """Elements by indices that count from the end if they are negative, and are clamped."""
    size = x.shape[axis]
    return np.take(x, np.clip(np.where(i < 0, i + size, i), 0, size - 1), axis)


CASES = {
    "without the first": Sized(("f32, {5,n}",), ("o = slice[axes=1, starts=1, ends={n}](x)",), lambda x: x[:, 1:], ALL[1:]),
    "a part that is there": Sized(("u8, {n}",), ("o = slice[axes=0, starts=2, ends=19](x)",), lambda x: x[2:19], (19, 20, 5003)),
    "the last but one": Sized(("f32, {n,3}",), ("o = slice[axes=0, starts=-3, ends=-1](x)",), lambda x: x[-3:-1], ALL[2:]),
    "neighbours": Sized(
        ("i32, {n}",),
        ("a = slice[axes=0, starts=1, ends=2147483647](x)", "b = slice[axes=0, starts=0, ends=-1](x)", "o = sub(a, b)"),
        np.diff, ALL[1:],
    ),
    "every third": Sized(("f32, {5,n}",), ("o = step[axes=1, steps=3](x)",), lambda x: x[:, ::3]),
    "a sum of every other": Sized(
        ("f32, {3,n}",), ("y = step[axes=1, steps=2](x)", "o = reduce_sum[axes=1](y)"), lambda x: x[:, ::2].sum(1, keepdims=True),
    ),
    "zeros around it": Sized(("f32, {n}",), ("o = pad[pads={2,3}](x)",), lambda x: np.pad(x, (2, 3))),
    "ones around rows": Sized(
        ("i32, {3,n}",), ("o = pad[pads={1,2,0,1}, value=1.0](x)",), lambda x: np.pad(x, ((1, 0), (2, 1)), constant_values=1),
    ),
    "its edges": Sized(
        ("f32, {3,n}",), ("o = pad[pads={0,2,0,1}, mode=edge](x)",), lambda x: np.pad(x, ((0, 0), (2, 1)), mode="edge"), ALL[1:],
    ),
    "mirrored": Sized(
        ("f32, {n,3}",), ("o = pad[pads={2,0,1,0}, mode=reflect](x)",), lambda x: np.pad(x, ((2, 1), (0, 0)), mode="reflect"), ALL[2:],
    ),
    "gathered from n": Sized(("f32, {n}", "i32, {7}"), ("o = gather[axis=0](x, y)",), taken, ALL[1:]),
    "gathered columns": Sized(("f16, {6,n}", "i64, {n}"), ("o = gather[axis=1](x, y)",), lambda x, i: taken(x, i, 1)),
    "two lengths": Sized(("f32, {n}", "f32, {7}"), ("o = concat[axis=0](x, y)",), lambda x, y: np.concatenate([x, y])),
    "twice, from the end": Sized(  # an index less than 0 next to n up to 2^31
        ("u8, {n}",), ("c = concat[axis=0](x, x)", "o = reverse[axes=0](c)"), lambda x: np.concatenate([x, x])[::-1],
    ),
}  # fmt: skip


@pytest.mark.broad
@pytest.mark.parametrize(("name", "target"), in_turn(CASES, ["gfx942", "gfx1100"], of=2))
def test_one_code_object_at_every_size(name: str, target: str) -> None:
    hold(CASES[name], target)


CATALOGUE: dict[str, Any] = {
    "pad_add": lambda x, y: np.pad(x, 2) + y,
    "gather_add": lambda x, i, y: taken(x, i) + y,
    "concat_add": lambda a, b, y: np.concatenate([a, b]) + y,
}


@pytest.mark.broad
@pytest.mark.parametrize(("name", "target"), list(zip(CATALOGUE, ("gfx90a", "gfx950", "gfx1201"), strict=True)))
def test_the_catalogue_moves_any_number_of_elements(name: str, target: str) -> None:
    program = asmgen.compile(build_kernel(name, [("n", "?")]), target=target)
    for n in (0, 1, 65, 3001):
        x, y = numbers(n), numbers({"pad_add": n + 4, "gather_add": n, "concat_add": 2 * n}[name], seed=1)
        i = np.arange(-n, n, 2).astype(np.int32)
        arrays = {"pad_add": (x, y), "gather_add": (x, i, y), "concat_add": (x, x + 1, y)}[name]
        np.testing.assert_array_equal(program(*arrays, device="emulator")[0], CATALOGUE[name](*arrays))


def test_a_traced_function_takes_parts() -> None:
    def parts(x: Any) -> Any:
        return x[1:] + x[:-1], x[:, :3], x[-1], x[2], x[1 : x.shape[0] - 1], x[::2], x[:5, -2:]

    program = asmgen.compile(parts, target="gfx942", inputs=[asmgen.spec("f32", ("n", 7))])
    for n in (5, 6, 100):
        x = numbers(n, 7)
        for got, wanted in zip(program(x, device="emulator"), parts(x), strict=True):
            np.testing.assert_array_equal(got, wanted)
    with pytest.raises(InputError, match=r"CALL010\]: n is 4, wanted at least 5"):  # there may be no x[2], which is looked for
        _ = program(numbers(4, 7), device="emulator")


@pytest.mark.parametrize(
    ("line", "n", "said"),
    [
        ("o = slice[axes=0, starts=1, ends={n-5}](x)", 4, "n is 4, wanted at least 5"),  # numpy counts -1 from the end
        ("o = pad[pads={3,0}, mode=reflect](x)", 3, "n is 3, wanted at least 4"),
        ("o = gather[axis=0](x, i)", 0, "n is 0, wanted at least 1"),
    ],
)
def test_too_few_elements_are_refused_at_the_launch(line: str, n: int, said: str) -> None:
    source = text("x = @param:x -> f32, {n}", "i = @literal{0, 1} -> i32, {2}", line, "@return(o)")
    with pytest.raises(InputError, match=f"CALL010.: {said}"):
        _ = asmgen.compile(source, target="gfx942")(numbers(n), device="emulator")


def test_an_end_beyond_the_axis_is_the_axis_end() -> None:
    source = text("x = @param:x -> f32, {n}", "o = slice[axes=0, starts=0, ends={n+1}](x)", "@return(o)")
    program = asmgen.compile(source, target="gfx942")
    np.testing.assert_array_equal(program(numbers(5), device="emulator")[0], numbers(5))
