"""Sums and means of integers in f64, which are taken as i32 if these suffice."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import asmgen
from asmgen.gentext.parser import parse
from asmgen.graph.ops import CUMSUM, REDUCE_SUM
from asmgen.graph.rewritings.integer_sums import with_integer_sums
from asmgen.ir.types import F64, I32, U32

TEXT = """x = @param:x -> {element}, {{{dims}}}
c = convert[target_type={to}](x)
y = {op}[{axis}](c)
@return(y)
"""


@pytest.mark.parametrize("op", ["reduce_sum", "reduce_mean"])
@pytest.mark.parametrize(
    ("element", "dims", "to", "is_integer"),
    [
        ("i8", "2,16777216", "f64", True),
        ("i8", "2,16777217", "f64", False),
        ("u16", "3,32768", "f64", True),
        ("u16", "3,32769", "f64", False),
        ("bool", "3,100000", "f64", True),
        ("i32", "3,1", "f64", True),
        ("i32", "3,2", "f64", False),
        ("i8", "3,n", "f64", False),
        ("i8", "3,8", "f32", False),
        ("f32", "3,8", "f64", False),
        ("bool", "3,100000", "i64", True),
        ("bool", "3,n", "i64", False),
        ("u8", "3,16843009", "u64", True),
        ("u8", "3,16843010", "u64", False),
        ("i32", "3,2", "i64", False),
    ],
)
def test_sums_that_fit_are_integers(op: str, element: str, dims: str, to: str, is_integer: bool) -> None:
    if op == "reduce_mean" and to in ("i64", "u64"):
        op = "cumsum"
    (module,) = parse(TEXT.format(element=element, dims=dims, to=to, op=op, axis="axis=1" if op == "cumsum" else "axes={1}"), "sums.gen").modules
    sums = [each for each in with_integer_sums(module).statements if each.op in (REDUCE_SUM, CUMSUM) and each.result.type.element in (I32, U32)]
    assert bool(sums) is is_integer


@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.bool_])
@pytest.mark.parametrize("target", ["gfx942", "gfx1201"])
def test_means_are_those_of_numpy(dtype: Any, target: str) -> None:
    """Extremes only: each sum is far from 0."""
    extreme = 1 if dtype is np.bool_ else np.iinfo(dtype).min or np.iinfo(dtype).max
    x = np.full((5, 1001), extreme).astype(dtype)
    x[:, ::7] = 0
    program = asmgen.compile(lambda x: (x.mean(1), x.sum(0, dtype=np.float64)), target=target, inputs=[x])
    for got, wanted in zip(program(x, device="emulator"), (x.mean(1), x.sum(0, dtype=np.float64)), strict=True):
        assert got.dtype == F64.numpy
        np.testing.assert_array_max_ulp(got, wanted, 1)


@pytest.mark.parametrize("target", ["gfx90a", "gfx1201"])
def test_counts_and_running_sums_are_those_of_numpy(target: str) -> None:
    """Without an add with carry: the numbers of each i64 are those of an i32."""
    x = np.random.default_rng(1).integers(-128, 128, (5, 300)).astype(np.int8)

    def sums(x: Any) -> Any:
        return (x == 3).sum(0), x.sum(1), np.cumsum(x > 0, axis=1)[:, ::-1] - 1, (x < 0).sum()

    program = asmgen.compile(sums, target=target, inputs=[x])
    for got, wanted in zip(program(x, device="emulator"), sums(x), strict=True):
        np.testing.assert_array_equal(got, wanted)
        assert got.dtype == wanted.dtype
    for kernel in program.kernels:
        assert "addc" not in kernel.assembly
        assert "add_co_ci" not in kernel.assembly
