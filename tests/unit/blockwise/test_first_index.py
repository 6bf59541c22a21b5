"""argmax and argmin of rows that one wave has: from the extremes of chunks down to one element."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import asmgen
from asmgen.compiled import CompiledProgram
from tests.rows import in_turn

ROWS, COLUMNS = 2048, 512  # so many rows that each has one wave


def program_text(op: str, last: bool, element: str) -> str:
    return f"x = @param:x -> {element}, {{{ROWS},{COLUMNS}}}\no = {op}[axis=1, select_last_index={str(last).lower()}](x)\n@return(o)\n"


@cache
def compiled(op: str, last: bool, element: str, target: str) -> CompiledProgram:
    return asmgen.compile(program_text(op, last, element), target=target)


def wanted(op: str, last: bool, x: NDArray[Any]) -> NDArray[np.int64]:
    """NaN loses; of a row of NaN alone the first index, or the last."""
    values = np.where(np.isnan(x), np.nan, x).astype(np.float64)
    extreme = (np.fmax if op == "argmax" else np.fmin).reduce(values, axis=1, keepdims=True)
    found = values == extreme
    found[np.isnan(values).all(axis=1)] = True
    return COLUMNS - 1 - np.argmax(found[:, ::-1], axis=1) if last else np.argmax(found, axis=1)


def rows_of(dtype: type[np.generic]) -> NDArray[Any]:
    """Extremes once, twice in a lane, in a chunk, in lanes of one chunk and of two, everywhere; at both ends."""
    x = (np.random.default_rng(3).integers(-999, 999, (ROWS, COLUMNS))).astype(dtype)
    for row, places in enumerate([(0,), (511,), (4, 7), (255, 256), (3, 300), (9, 10, 400), (128, 129, 2), (260, 131), tuple(range(512))]):
        for place in places:
            x[row, place] = 1000 if row % 2 else -1000
    return x


@pytest.mark.parametrize("target", ["gfx942", "gfx1100"])
@pytest.mark.parametrize("last", [False, True])
@pytest.mark.parametrize("op", ["argmax", "argmin"])
def test_the_first_or_the_last_of_the_extremes_is_found(op: str, last: bool, target: str) -> None:
    x = rows_of(np.float32)
    x[9], x[10, ::2], x[11, 1:] = np.nan, np.nan, np.nan
    x[8, ::3] = -0.0
    x[8, 1::3], x[8, 2::3] = 0.0, -0.0
    (result,) = compiled(op, last, "f32", target)(x, device="emulator")
    np.testing.assert_array_equal(result.reshape(-1), wanted(op, last, x))
    negated = np.negative(x)
    (result,) = compiled(op, last, "f32", target)(negated, device="emulator")
    np.testing.assert_array_equal(result.reshape(-1), wanted(op, last, negated))


@pytest.mark.parametrize(("op", "last"), [("argmax", False), ("argmin", True)])
def test_integers_too(op: str, last: bool) -> None:
    x = rows_of(np.int32)
    x[9], x[10] = np.iinfo(np.int32).min, np.iinfo(np.int32).max
    (result,) = compiled(op, last, "i32", "gfx1201")(x, device="emulator")
    np.testing.assert_array_equal(result.reshape(-1), wanted(op, last, x))


def test_a_wave_takes_two_rows_and_reduces_each_once() -> None:
    """The index needs no reduction over the lanes: the first lane of a mask has it."""
    for target in ("gfx942", "gfx1100"):
        (kernel,) = compiled("argmax", False, "f32", target).kernels
        assert "v_min" not in kernel.assembly and kernel.assembly.count("quad_perm:[1,0,3,2]") == 2
        assert kernel.grid is not None and kernel.grid[0] * kernel.block[0] * 2 == ROWS * (64 if target == "gfx942" else 32)


def tied(rows: int, columns: int) -> NDArray[Any]:
    """Few numbers, so that most extremes are there several times, in lanes, chunks and waves; and rows of NaN."""
    random = np.random.default_rng(5)
    x = random.integers(0, 6, (rows, columns)).astype(np.float32)
    for row in range(0, rows, 3):  # extremes that are there once or twice, anywhere
        x[row, random.integers(0, columns, 2)], x[row, random.integers(0, columns)] = 9, -9
    for row in range(5, rows, 7):  # and in the last elements alone, which whole accesses leave over
        x[row, columns - 1 - row % 9] = 9 if row % 2 else -9
    x[1], x[2, : columns // 2], x[4, columns // 2 :] = np.nan, np.nan, np.nan
    return x


SHAPES = [(1024, 768, "gfx942"), (1024, 768, "gfx1100"), (2046, 1024, "gfx90a"), (40, 8192, "gfx942"), (40, 4096, "gfx1201"), (24, 12288, "gfx942")]
TAILS = [(1024, 1003, "gfx942"), (1022, 1001, "gfx1201"), (513, 1000, "gfx90a"), (24, 9999, "gfx1100"), (16, 50257, "gfx950")]


@pytest.mark.parametrize(("shape", "way"), in_turn([*SHAPES, *TAILS], [("argmax", False), ("argmin", True), ("argmax", True)], of=3))
def test_rows_of_any_number_of_chunks_and_of_several_waves(shape: tuple[int, int, str], way: tuple[str, bool]) -> None:
    (rows, columns, target), (op, last) = shape, way
    text = f"x = @param:x -> f32, {{{rows},{columns}}}\no = {op}[axis=1, select_last_index={str(last).lower()}](x)\n@return(o)\n"
    program = asmgen.compile(text, target=target)
    assert any(name in program.kernels[0].assembly for name in ("s_ff1", "s_ctz", "s_flbit", "s_clz"))
    x = tied(rows, columns)
    (result,) = program(x, device="emulator")
    values = x.astype(np.float64)
    extreme = (np.fmax if op == "argmax" else np.fmin).reduce(values, axis=1, keepdims=True)
    found = values == extreme
    found[np.isnan(values).all(axis=1)] = True
    expected = columns - 1 - np.argmax(found[:, ::-1], axis=1) if last else np.argmax(found, axis=1)
    np.testing.assert_array_equal(result.reshape(-1), expected)
