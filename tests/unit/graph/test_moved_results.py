"""A kernel stores results in slices or in another order, such as the queries, keys and values of joined weights."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import asmgen

Of = Callable[..., Any]
TILE = "contract[m=16, n=32, k=64, waves=2, buffers=1, by=v_mfma_f32_16x16x4_f32]"


def attention(x: Any, w: Any) -> Any:
    y = np.maximum(x @ w, np.float16(-9))
    return y[..., :96], y[..., 96:128], y[..., 128:]


def overlapping(x: Any, w: Any) -> Any:
    y = x @ w
    return y[..., 16:80], y, y[..., 64:160]


def heads(x: Any, w: Any) -> Any:
    y = np.maximum(x @ w, np.float16(-9)).reshape(*x.shape[:-1], 5, 32)
    return (y.transpose(1, 0, 2) if y.ndim == 3 else y.transpose(0, 2, 1, 3),)


def joined_heads(x: Any, w: Any) -> Any:
    rank = len(x.shape)
    y = (x @ w).reshape(*x.shape[:-1], 5, 2, 16).transpose(rank, rank - 1, *range(rank - 1), rank + 1)
    return y[0], y[1]


def turned(x: Any, w: Any) -> Any:
    return (np.swapaxes(x @ w, -1, -2),)


def pixels(x: Any, w: Any) -> Any:
    """Images with the channels last become such with the channels first."""
    rows = x.shape[-2]
    return (np.moveaxis((x @ w).reshape(*x.shape[:-2], rows // 8 if rows % 8 == 0 else 1, -1, 160), -1, 0),)


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


def turned_rows(x: Any, w: Any) -> Any:
    y = (x @ w).T
    return y[:, :16], y[:, 16:]


def other_rows(x: Any, w: Any) -> Any:
    """Rows of 160 become rows of 100: no part of a dim is shared."""
    return ((x @ w).reshape(-1, 100).T,)


def siblings(x: Any, w: Any) -> Any:
    return (x @ w)[..., :32], x @ (w * np.float16(2))


def launches(of: Of, target: str, dims: tuple[int, ...], columns: int = 160, schedules: tuple[str, ...] = ()) -> int:
    random = np.random.default_rng(4)
    x, w = [random.integers(-3, 4, each).astype(np.float16) for each in (dims, (dims[-1], columns))]
    program = asmgen.compile(of, target=target, inputs=[x, w], schedules=schedules, assembler="builtin")
    for result, wanted in zip(program(x, w, device="emulator"), of(x, w), strict=True):
        np.testing.assert_array_equal(result, wanted)
    return len(program.launches)


@pytest.mark.parametrize("of", [attention, overlapping, heads, joined_heads, turned, pixels])
@pytest.mark.parametrize(("target", "dims"), [
    ("gfx90a", (48, 64)), ("gfx942", (8, 256)), ("gfx950", (2, 33, 64)), ("gfx1100", (64, 64)), ("gfx1201", (17, 96)), ("gfx1201:wave64", (64, 64)),
])  # fmt: skip
def test_results_at_other_places_need_no_launch(of: Of, target: str, dims: tuple[int, ...]) -> None:
    assert launches(of, target, dims) == 1


@pytest.mark.parametrize("of", [uneven, of_rows, turned_rows, other_rows])
@pytest.mark.parametrize("target", ["gfx942", "gfx1100"])
def test_slices_and_rows_may_end_in_tiles(of: Of, target: str) -> None:
    assert launches(of, target, (40, 64)) == 1


@pytest.mark.parametrize("of", [reshaped, reduced, reversed_rows, siblings])
@pytest.mark.parametrize("target", ["gfx942", "gfx1100"])
def test_other_slices_are_right_too(of: Of, target: str) -> None:
    assert launches(of, target, (40, 64)) >= 1


MIXED: dict[str, tuple[str, Of, tuple[int, ...], int]] = {
    "merged columns": ("gfx942", lambda x, w: ((x @ w).reshape(-1),), (3300, 12), 7),
    "merged columns of a maximum": ("gfx1100", lambda x, w: (np.maximum((x @ w).reshape(60, 5, 77), np.float16(0)),), (3300, 12), 7),
    "heads of rows that tiles do not divide": (
        "gfx942", lambda x, w: tuple((x @ w).reshape(4, 49, 3, 2, 40).transpose(2, 0, 3, 1, 4)[i] for i in range(3)), (196, 16), 240,
    ),
    "joined heads of batches": (
        "gfx942", lambda x, w: tuple((x @ w).reshape(4, 64, 3, 2, 64).transpose(2, 0, 3, 1, 4)[i] for i in range(3)), (256, 16), 384,
    ),
    "parts of rows apart": (
        "gfx1201", lambda x, w: ((x @ w).reshape(8, 77, 1, 4, 16).transpose(0, 3, 1, 2, 4).reshape(32, 77, 16),), (616, 16), 64,
    ),
    "windows": (
        "gfx1100", lambda x, w: ((x @ w).reshape(4, 4, 7, 7, 32).transpose(0, 2, 1, 3, 4).reshape(28, 28, 32),), (16, 49, 16), 32,
    ),
    "patches": ("gfx90a", lambda x, w: ((x @ w).reshape(7, 7, 16, 3, 3).transpose(4, 0, 2, 1, 3).reshape(3, 112, 21),), (49, 16), 144),
    "a slice of a part of the columns": ("gfx950", lambda x, w: ((x @ w)[:, :96].transpose(2, 0, 1),), (8, 100, 16), 32),
    "a slice of a part of the rows": ("gfx942", lambda x, w: ((x @ w).reshape(4, 5, 7, 32)[:, 3].transpose(2, 1, 0),), (140, 16), 32),
}  # fmt: skip


@pytest.mark.parametrize("name", MIXED)
def test_rows_and_columns_may_be_mixed(name: str) -> None:
    target, of, dims, columns = MIXED[name]
    assert launches(of, target, dims, columns) == 1


def test_waves_out_of_step_store_the_slices_of_both_halves() -> None:
    halves = "contract[m=256, n=256, k=64, waves=8, buffers=2, by=v_mfma_f32_16x16x32_f16, stages=2, copies=16, staggered=1]"
    assert launches(attention, "gfx950", (256, 512), 256, (halves,)) == 1


def test_a_launch_moves_rows_of_which_the_launch_knows_the_number() -> None:
    """The rule of races does not show that workgroups of several batches are apart: a batch has a number of rows that
    tiles need not divide."""
    inputs = [asmgen.spec(np.float16, (5, "m", 8)), asmgen.spec(np.float16, (8, 20))]
    program = asmgen.compile(lambda x, w: (x @ w).reshape(-1), target="gfx1100", inputs=inputs, assembler="builtin")
    assert len(program.kernels) == 2
    x, w = (np.arange(size, dtype=np.float16).reshape(dims) % 7 for size, dims in ((5 * 37 * 8, (5, 37, 8)), (160, (8, 20))))
    (flat,) = program(x, w, device="emulator")
    assert np.array_equal(flat, (x @ w).reshape(-1))


def test_sums_of_rows_are_stored_in_another_order() -> None:
    def sums(x: Any, w: Any) -> Any:
        return (x.reshape(8, 5, -1).sum(-1).T,)

    assert launches(sums, "gfx942", (40, 64)) == 1


@pytest.mark.parametrize("target", ["gfx942", "gfx1201"])
def test_heads_of_open_sizes_need_no_launch(target: str) -> None:
    def of(x: Any, w: Any) -> Any:
        return (x @ w).reshape(x.shape[0], x.shape[1], 2, 16).transpose(0, 2, 1, 3)

    x = asmgen.spec(np.float16, ("b", "s", 48))
    program = asmgen.compile(of, target=target, inputs=[x, asmgen.spec(np.float16, (48, 32))], assembler="builtin")
    assert len(program.launches) == 1
    random = np.random.default_rng(4)
    for b, s in [(1, 1), (3, 40), (2, 129)]:
        x, w = [random.integers(-3, 4, each).astype(np.float16) for each in ((b, s, 48), (48, 32))]
        np.testing.assert_array_equal(program(x, w, device="emulator")[0], of(x, w))


def test_rows_of_an_open_number_are_cut_and_turned_without_a_launch() -> None:
    def of(x: Any, w: Any) -> Any:
        return (x @ w)[1:].T

    inputs = [asmgen.spec(np.float16, ("m", 16)), asmgen.spec(np.float16, (16, 24))]
    program = asmgen.compile(of, target="gfx942", inputs=inputs, assembler="builtin")
    assert len(program.launches) == 1
    random = np.random.default_rng(4)
    for m in (1, 2, 70):
        x, w = [random.integers(-3, 4, each).astype(np.float16) for each in ((m, 16), (16, 24))]
        np.testing.assert_array_equal(program(x, w, device="emulator")[0], of(x, w))


def test_digits_of_the_number_of_a_tile_are_shown_to_be_apart() -> None:
    """A row of the product is a quotient of 49 and a sum with a remainder, with the column between them."""

    def of(x: Any, w: Any) -> Any:
        return (x @ w).reshape(8, 784, 64).transpose(0, 2, 1)

    inputs = [asmgen.spec(np.float32, (6272, 147)), asmgen.spec(np.float32, (147, 64))]
    program = asmgen.compile(of, target="gfx942", inputs=inputs, schedules=(TILE,), assembler="builtin")
    assert len(program.launches) == 1
