"""argmax, argmin and scans along a named dim and across it: one code object at several sizes, next to numpy."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen
from asmgen.kernels import build_kernel
from asmgen.profile.programs import launches_of_program
from isa.diagnostics import InputError
from tests.rows import in_turn
from tests.unit.named_dims.sizes_of_programs import Arrays, Sized, hold
from tests.unit.named_dims.test_launches import text

_SOME = (1, 3, 65, 5003)


def last_of_largest(x: Arrays) -> Arrays:
    return x.shape[1] - 1 - x[:, ::-1].argmax(1, keepdims=True)


CASES = {
    "argmax of rows": Sized(("f32, {5,n}",), ("o = argmax[axis=1](x)",), lambda x: x.argmax(1, keepdims=True), _SOME),
    "the last place": Sized(("u8, {3,n}",), ("o = argmax[axis=1, select_last_index=true](x)",), last_of_largest, _SOME),
    "argmin of columns": Sized(("i32, {n,3}",), ("o = argmin[axis=0](x)",), lambda x: x.argmin(0, keepdims=True), _SOME),
    "argmax of n rows": Sized(("f32, {n,7}",), ("o = argmax[axis=1](x)",), lambda x: x.argmax(1, keepdims=True)),
    "sums along n": Sized(("f32, {5,n}",), ("o = cumsum[axis=1](x)",), lambda x: x.cumsum(1)),
    "sums of a vector": Sized(("f32, {n}",), ("o = cumsum[axis=0](x)",), lambda x: x.cumsum(0)),
    "from the end, without itself": Sized(
        ("i32, {3,n}",), ("o = cumsum[axis=1, exclusive=true, reverse=true](x)",), lambda x: x[:, ::-1].cumsum(1)[:, ::-1] - x,
    ),
    "down the columns": Sized(("f32, {n,9}",), ("o = cumsum[axis=0](x)",), lambda x: x.cumsum(0), (0, 1, 3, 2500)),
    "up the columns": Sized(("f32, {n,9}",), ("o = cumsum[axis=0, reverse=true](x)",), lambda x: x[::-1].cumsum(0)[::-1], (0, 1, 3, 2500)),
    "maxima in n rows": Sized(("f16, {n,70}",), ("o = cummax[axis=1](x)",), lambda x: np.maximum.accumulate(x, 1)),
}  # fmt: skip


@pytest.mark.broad
@pytest.mark.parametrize(("name", "target"), in_turn(CASES, ["gfx942", "gfx1100"], of=2))
def test_one_code_object_at_every_size(name: str, target: str) -> None:
    hold(CASES[name], target)


@pytest.mark.parametrize("target", ["gfx942", "gfx1100"])
def test_short_rows_share_workgroups(target: str) -> None:
    """32 lanes have a row of up to 64 elements, and a workgroup has 8 rows. Reverse scans mask the elements beyond a row."""
    case = Sized(("i32, {m,n}",), ("o = cumsum[axis=1, reverse=true](x)",), lambda x: x[:, ::-1].cumsum(1)[:, ::-1])
    hold(case, target, [{"m": 19, "n": n} for n in (1, 32, 63, 64, 65, 1100)])
    program = asmgen.compile(case.text, target=target)
    made = [launches_of_program(program, "scans", (), {"m": 100, "n": n})[0].call.grid[0] for n in (3, 64, 65)]
    assert made == [13, 13, 100]


@pytest.mark.parametrize("is_last", [False, True])
def test_in_a_row_of_nan_the_place_is_the_first_or_the_last(is_last: bool) -> None:
    source = text("x = @param:x -> f32, {2,n}", f"o = argmax[axis=1, select_last_index={str(is_last).lower()}](x)", "@return(o)")
    program = asmgen.compile(source, target="gfx942")
    for n in (1, 5, 1000):
        x = np.full((2, n), np.nan, np.float32)
        x[1, n // 2] = 0
        np.testing.assert_array_equal(program(x, device="emulator")[0], [[n - 1 if is_last else 0], [n // 2]])


@pytest.mark.broad
@pytest.mark.parametrize(("name", "target"), [("argmax", "gfx1201"), ("cumsum", "gfx90a")])
def test_catalogue_rows_of_any_length(name: str, target: str) -> None:
    program = asmgen.compile(build_kernel(name, [("rows", "?"), ("cols", "?")]), target=target)
    for rows, cols in ((0, 3), (3, 1), (2, 1027)):
        x = np.random.default_rng(0).normal(size=(rows, cols)).astype(np.float32)
        wanted = x.argmax(1, keepdims=True) if name == "argmax" else x.cumsum(1, dtype=np.float64)
        np.testing.assert_allclose(program(x, device="emulator")[0], wanted, rtol=1e-5, atol=1e-4)


def test_places_are_those_that_an_i32_has() -> None:
    with pytest.raises(InputError, match=r"2:1: error\[GEN302\]: argmax: axis 0 has 3000000000 elements, wanted at most 2147483647"):
        _ = asmgen.compile(text("x = @param:x -> u8, {3000000000}", "o = argmax[axis=0](x)", "@return(o)"))
    program = asmgen.compile(text("x = @param:x -> u8, {n}", "o = argmax[axis=0](x)", "@return(o)"), target="gfx942")
    with pytest.raises(InputError, match=r"CALL010\]: n is 3000000000, wanted at most 10737"):
        _ = program(np.broadcast_to(np.uint8(0), 3000000000), device="emulator")


def test_a_scan_of_a_row_at_most() -> None:
    """The workgroups number themselves. The last row of {n,m} is one row, or none."""
    scan = ("x = @param:x -> f16, {n,m}", "c = cumsum[axis=1, exclusive=false, reverse=false](x)")
    program = asmgen.compile(text(*scan, "o = slice[axes=0, starts=-1, ends=2147483647](c)", "@return(o)"), target="gfx942")
    for n, m in ((3, 20000), (1, 5), (0, 5)):
        x = np.random.default_rng(m).integers(-1, 2, (n, m)).astype(np.float16)
        (found,) = program(x, device="emulator")
        assert found.shape == (min(n, 1), m) and (found == np.cumsum(x, 1)[-1:]).all()
