"""Tile programs in numpy: on whole tiles and holder by holder, against the wanted results."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from asmgen.blockwise.actions import Combine, Reduce
from asmgen.blockwise.interpret import Tiles, interpret
from asmgen.blockwise.interpret.holders import HolderTiles, pack, unpack
from asmgen.blockwise.interpret.whole import WholeTiles
from asmgen.blockwise.layout.layout import Layout, layout
from asmgen.blockwise.program import TileProgram
from asmgen.blockwise.rules.codes import BrokenRule
from asmgen.blockwise.rules.reduction import partial
from asmgen.blockwise.text.reader import read_program
from asmgen.ir.program import Scope
from tests.layouts import random_layout
from tests.unit.blockwise.test_text import PROGRAMS

Array = NDArray[Any]
MODES = list(Tiles)

# Sizes of the stated programs made small; the structure stays.
SMALLER: dict[str, tuple[tuple[str, str], ...]] = {
    "softmax": (("4096", "3"),),
    "col_sum": (
        ("{8192,", "{128,"),
        ("50257", "700"),
        ("column: 99", "column: 2"),
        ("part: 32", "part: 4"),
        ("256*part to 256*part + 256", "32*part to 32*part + 32"),
        ("{32,700}", "{4,700}"),
        ("column: 197", "column: 3"),
        ("0 to 32 ", "0 to 4 "),
    ),
}


def program(name: str) -> TileProgram:
    text = PROGRAMS[name]
    for old, new in SMALLER.get(name, ()):
        text = text.replace(old, new)
    return read_program(text, f"{name}.gen")


def numbers(shape: tuple[int, ...], dtype: str, seed: int = 0) -> Array:
    """Whole numbers, so that sums in any order are the same."""
    return np.random.default_rng(seed).integers(-8, 9, shape).astype(dtype)


def run(name: str, mode: Tiles, *buffers: dict[str, Array]) -> None:
    for kernel, memory in zip(program(name).kernels, buffers, strict=True):
        interpret(kernel, {key: array.reshape(-1) for key, array in memory.items()}, mode)


@pytest.mark.parametrize("mode", MODES)
def test_softmax(mode: Tiles) -> None:
    x, z = numbers((3, 1024), "float32"), np.zeros((3, 1024), "float32")
    run("softmax", mode, {"x": x, "z": z})
    e = np.exp(x.astype("float64") - x.max(axis=1, keepdims=True))
    assert np.allclose(z, e / e.sum(axis=1, keepdims=True), rtol=1e-5, atol=0)


@pytest.mark.parametrize("mode", MODES)
def test_column_sums_in_parts(mode: Tiles) -> None:
    x, parts, z = (
        numbers((128, 700), "float16"),
        np.full((4, 700), np.nan, "float32"),
        np.zeros((1, 700), "float32"),
    )
    run("col_sum", mode, {"x": x, "parts": parts}, {"parts": parts, "z": z})
    assert np.array_equal(z[0], x.astype("float64").sum(axis=0))


@pytest.mark.parametrize("mode", MODES)
def test_transpose_through_lds(mode: Tiles) -> None:
    x, z = numbers((250, 128), "float32"), np.zeros((128, 250), "float32")
    run("transpose", mode, {"x": x, "z": z})
    assert np.array_equal(z, x.T)


@pytest.mark.parametrize("mode", MODES)
def test_matrix_product(mode: Tiles) -> None:
    a, b, c = numbers((48, 64), "float32", 1), numbers((64, 32), "float32", 2), np.zeros((48, 32), "float32")
    run("matmul", mode, {"a": a, "b": b, "c": c})
    assert np.array_equal(c, a.astype("float64") @ b.astype("float64"))


@pytest.mark.parametrize("mode", MODES)
def test_pointwise_of_gathered_elements(mode: Tiles) -> None:
    x, index, z = (
        numbers((1200,), "float16"),
        np.random.default_rng(3).permutation(1200).astype("int32"),
        np.zeros(1200, "float16"),
    )
    run("pointwise", mode, {"x": x, "index": index, "z": z})
    taken = x[1199 - index].astype("float64")
    assert np.allclose(z, taken / (1 + np.exp(-taken)), rtol=1e-3, atol=1e-7)


@pytest.mark.parametrize("mode", MODES)
def test_scan_in_chunks(mode: Tiles) -> None:
    x, z = numbers((6, 1100), "int32"), np.zeros((6, 1100), "int32")
    run("scan", mode, {"x": x, "z": z})
    assert np.array_equal(z, np.cumsum(x, axis=1))


@pytest.mark.parametrize("count", [40, pytest.param(2000, marks=pytest.mark.slow)])
def test_random_layouts_move_reduce_and_broadcast(count: int) -> None:
    """Holder by holder as on whole tiles: any layout to any other, reductions along any axes, and back by a
    broadcast.
    """
    draw = random.Random(11)
    for _ in range(count):
        source = random_layout(draw)
        array = np.arange(1, 1 + np.prod(source.shape)).reshape(source.shape)
        held = pack(array, source)
        assert np.array_equal(unpack(held, source), array)
        result = _changed(draw, source)
        assert np.array_equal(unpack(HolderTiles().relayout(held, source, result), result), array)
        axes = tuple(sorted(draw.sample(range(source.rank), draw.randint(1, source.rank))))
        for within in Scope:
            _check_reduction(source, array, Reduce(Combine.SUM, axes, within))


def _check_reduction(source: Layout, array: Array, action: Reduce) -> None:
    try:
        result = partial(source, action.axes, action.within)
    except BrokenRule:
        return
    held = HolderTiles().reduce(pack(array, source), action, source, result)
    whole = WholeTiles().reduce(array, action, source, result)
    assert np.array_equal(unpack(held, result), whole)
    assert np.array_equal(whole.sum(axis=action.axes), array.sum(axis=action.axes))
    if action.within is Scope.WORKGROUP:
        wide = HolderTiles().broadcast(held, result, source)
        assert np.array_equal(unpack(wide, source), np.broadcast_to(whole, source.shape))


def _changed(draw: random.Random, source: Layout) -> Layout:
    """The same bases, dealt to registers, lanes and waves anew."""
    bases = draw.sample(source.columns, len(source.columns))
    first, second = len(source.registers), len(source.registers) + len(source.lanes)
    return layout(source.sizes, tuple(bases[:first]), tuple(bases[first:second]), tuple(bases[second:]), source.repeat)
