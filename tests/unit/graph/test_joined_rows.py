"""Products of a row by weights of different dims are a kernel, which stores each result as a slice of all."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import asmgen

ROW = np.random.default_rng(5).integers(-4, 5, (1, 96)).astype(np.float16)
SIZES = (40, 8, 11)


def weights(*sizes: int) -> list[Any]:
    random = np.random.default_rng(6)
    return [random.integers(-4, 5, (size, 96)).astype(np.float16) for size in sizes]


def results(row: Any, *of: Any) -> Any:
    return tuple([row @ each.T for each in of])


def scaled(row: Any, first: Any, *of: Any) -> Any:
    return (row * 2 @ first.T * np.float16(0.5), *results(row, *of))


def compiled(of: Any, target: str, *given: Any) -> Any:
    program = asmgen.compile(of, target=target, inputs=[*given], assembler="builtin")
    for result, wanted in zip(program(*given, device="emulator"), of(*given), strict=True):
        np.testing.assert_array_equal(result, wanted)
    return program


@pytest.mark.parametrize("target", ["gfx90a", "gfx950", "gfx1100", "gfx1201", "gfx1100:wave64"])
def test_a_row_by_weights_of_different_dims_is_a_launch(target: str) -> None:
    assert len(compiled(results, target, ROW, *weights(*SIZES)).launches) == 1


def test_products_of_another_row_are_a_launch_of_their_own() -> None:
    assert len(compiled(scaled, "gfx942", ROW, *weights(40, 8)).launches) == 2


def parts(x: Any) -> Any:
    sums = x.sum(-1, keepdims=True)
    return sums[1:4, 2:6], sums[:, :3, 0], sums[4, 6]


def columns(x: Any) -> Any:
    most = x.max(0)
    return most[1:3], most[3:]


@pytest.mark.parametrize(("of", "dims"), [(parts, (5, 7, 64)), (columns, (50, 9)), (columns, (64, 37))])
def test_the_kernel_of_reductions_stores_slices_of_them(of: Any, dims: tuple[int, ...]) -> None:
    x = np.random.default_rng(7).integers(-4, 5, dims).astype(np.float32)
    assert len(compiled(of, "gfx1201", x).launches) == 1


def test_workgroups_of_a_concat_are_those_of_its_operands() -> None:
    """Whether an operand of a concat has a row is a condition of the row, not of each element."""
    row = np.zeros((1, 4096), np.float16)
    of = [[np.zeros((size, 4096), np.float16) for size in sizes] for sizes in ((1536,), (1024, 256, 256))]
    programs = [asmgen.compile(results, target="gfx950", inputs=[row, *each], assembler="builtin") for each in of]
    assert len({program.launches[0].kernel.block for program in programs}) == 1
