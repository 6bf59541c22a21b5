"""Reductions of about as many elements are a single kernel."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen
from asmgen.gentext.parser import parse
from asmgen.graph.ops import PAD
from asmgen.graph.rewritings.equal_lengths import with_equal_lengths

TYPES = ["float32", "float64", "int32", "float16"]


def lags(x: np.ndarray) -> np.ndarray:
    return np.stack([(x[:, : 40 - lag] * x[:, lag:]).sum(1) for lag in (0, 1, 3)], 1)


@pytest.mark.parametrize("target", ["gfx942", "gfx1201"])
@pytest.mark.parametrize("dtype", TYPES)
def test_sums_over_lags_are_a_kernel(target: str, dtype: str):
    program = asmgen.compile(lags, target=target, inputs=[asmgen.spec(np.dtype(dtype), (7, 40))], assembler="builtin")
    x = np.random.default_rng(3).integers(-4, 5, (7, 40)).astype(np.dtype(dtype))
    (got,) = program(x, device="emulator")
    np.testing.assert_array_equal(got, lags(x))
    assert len(program.kernels) == 2  # the sums, and their stack


def test_other_reductions_over_lags_are_a_kernel():
    """Each mean divides by its own length. A row of NaN has no maximum, and the last element again changes none."""

    def over(x: np.ndarray) -> tuple[np.ndarray, ...]:
        return x[:38].mean(), (x[1:] * x[:-1]).min(), x.max(), x[2:].prod(), (x[7:] + 0).max()

    inputs = [asmgen.spec(np.float32, 40)]
    program = asmgen.compile(over, target="gfx942", inputs=inputs, assembler="builtin", nan="ieee")
    x = np.where(np.arange(40) < 7, np.float32(0.75), np.float32(-1.25))
    np.testing.assert_allclose(program(x, device="emulator"), over(x), rtol=1e-6)
    x[7:] = np.nan
    assert np.isnan(program(x, device="emulator")[4])
    assert len(program.launches) == 1


def test_reductions_that_share_a_kernel_with_others_stay():
    def ranges(x: np.ndarray) -> tuple[np.ndarray, ...]:
        d = x[1:] - x[:-1]
        return d.sum(0), d.argmax(0), x.sum(0)

    program = asmgen.compile(ranges, target="gfx942", inputs=[asmgen.spec(np.float32, (30, 9))], assembler="builtin")
    assert len(program.kernels) == 2


def test_sums_of_other_lengths_stay():
    def halves(x: np.ndarray) -> tuple[np.ndarray, ...]:
        return x[:20].sum(), x.sum()

    program = asmgen.compile(halves, target="gfx942", inputs=[asmgen.spec(np.float32, 40)], assembler="builtin")
    assert len(program.kernels) == 2


def _padded(*lines: str, element: str = "f32") -> int:
    """How many operands of reductions of `x` {40} are padded."""
    (module,) = parse("\n".join([f"x = @param:x -> {element}, {{40}}", *lines, ""]), "x.gen").modules
    return sum(statement.op is PAD for statement in with_equal_lengths(module).statements)


def _sum_of(length: int, name: str, op: str = "reduce_sum") -> str:
    return f"{name}_x = slice[axes={{0}}, starts={{0}}, ends={{{length}}}](x)\n{name} = {op}[axes={{0}}]({name}_x)"


@pytest.mark.parametrize(("longest", "padded"), [(25, 1), (26, 0)])
def test_sums_are_at_most_a_quarter_longer(longest: int, padded: int):
    assert _padded(_sum_of(20, "a"), _sum_of(longest, "b"), "@return(a, b)") == padded


def test_a_row_of_nan_has_no_minimum():
    def over(x: np.ndarray) -> tuple[np.ndarray, ...]:
        return x[7:].min(), x.min()

    program = asmgen.compile(over, target="gfx942", inputs=[asmgen.spec(np.float32, 40)], assembler="builtin", nan="ieee")
    x = np.where(np.arange(40) < 7, np.float32(0.75), np.float32(np.nan))
    of_rest, of_all = program(x, device="emulator")
    assert np.isnan(of_rest)
    assert of_all == np.float32(0.75)


def test_sums_of_sums_are_apart_from_sums():
    later = "c = mul(x, a)\nc_x = slice[axes={0}, starts={0}, ends={38}](c)\nd = reduce_sum[axes={0}](c_x)"
    assert _padded(_sum_of(40, "a"), later, "@return(a, d)") == 0


def test_sums_stay_with_reductions_that_stay():
    """A mean of 16 bits has its own rounding."""
    assert _padded(_sum_of(39, "a", "reduce_mean"), _sum_of(39, "b"), _sum_of(40, "c"), "@return(a, b, c)", element="f16") == 0
