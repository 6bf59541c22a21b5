"""The kernel of a product stores slices of its results, such as the queries, keys and values of joined weights."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import asmgen

Of = Callable[..., Any]


def attention(x: Any, w: Any) -> Any:
    y = np.maximum(x @ w, np.float16(-9))
    return y[..., :96], y[..., 96:128], y[..., 128:]


def overlapping(x: Any, w: Any) -> Any:
    y = x @ w
    return y[..., 16:80], y, y[..., 64:160]


def uneven(x: Any, w: Any) -> Any:
    y = x @ w
    return y[..., :37], y[..., 37:]


def of_rows(x: Any, w: Any) -> Any:
    y = x @ w
    return y[:16], y[16:]


def reshaped(x: Any, w: Any) -> Any:
    y = x @ w
    return y[..., 32:64].reshape(-1), y[..., :32]


def reduced(x: Any, w: Any) -> Any:
    y = x @ w
    return y[..., :32], y.max(-1)


def reversed_rows(x: Any, w: Any) -> Any:
    y = (x @ w)[::-1]
    return y[..., :32], y[..., 32:]


def siblings(x: Any, w: Any) -> Any:
    return (x @ w)[..., :32], x @ (w * np.float16(2))


def launches(of: Of, target: str, dims: tuple[int, ...], columns: int = 160, schedules: tuple[str, ...] = ()) -> int:
    random = np.random.default_rng(4)
    x, w = [random.integers(-3, 4, each).astype(np.float16) for each in (dims, (dims[-1], columns))]
    program = asmgen.compile(of, target=target, inputs=[x, w], schedules=schedules, assembler="builtin")
    for result, wanted in zip(program(x, w, device="emulator"), of(x, w), strict=True):
        np.testing.assert_array_equal(result, wanted)
    return len(program.launches)


@pytest.mark.parametrize("of", [attention, overlapping])
@pytest.mark.parametrize(("target", "dims"), [
    ("gfx90a", (48, 64)), ("gfx942", (8, 256)), ("gfx950", (2, 33, 64)), ("gfx1100", (64, 64)), ("gfx1201", (17, 96)), ("gfx1201:wave64", (64, 64)),
])  # fmt: skip
def test_slices_that_begin_and_end_with_a_tile_need_no_launch(of: Of, target: str, dims: tuple[int, ...]) -> None:
    assert launches(of, target, dims) == 1


@pytest.mark.parametrize("of", [uneven, of_rows, reshaped, reduced, reversed_rows, siblings])
@pytest.mark.parametrize("target", ["gfx942", "gfx1100"])
def test_other_slices_are_right_too(of: Of, target: str) -> None:
    assert launches(of, target, (40, 64)) >= 1


def test_waves_out_of_step_store_the_slices_of_both_halves() -> None:
    halves = "contract[m=256, n=256, k=64, waves=8, buffers=2, by=v_mfma_f32_16x16x32_f16, stages=2, copies=16, staggered=1]"
    assert launches(attention, "gfx950", (256, 512), 256, (halves,)) == 1
