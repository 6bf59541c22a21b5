"""Reductions of about as many elements are a single kernel."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen

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
