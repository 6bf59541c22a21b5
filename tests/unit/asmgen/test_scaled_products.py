"""Products of floats of 8 bits with scales: results beside numpy in float64, and the factors of the matrix
instruction."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from numpy.typing import NDArray

import asmgen
from asmgen.blockwise.schedules.choices import Contract
from asmgen.blockwise.schedules.kernel_graph import Graph
from asmgen.blockwise.schedules.misfit import misfit
from asmgen.gentext.parser import parse
from asmgen.graph.block_dots import BLOCK_DOT
from asmgen.graph.ops import DOT
from asmgen.gridwise.prepare import Multiplying, prepare
from isa.targets import TARGETS
from tests.commands import run
from tests.device import chosen_device
from tests.rows import MACHINES, in_turn

Array = NDArray[Any]
TEXT = """x = @param:x -> TYPE, {M,512}
w = @param:w -> TYPE, {128,512}
x_scale = @param:x_scale -> f32, {M,XK}
w_scale = @param:w_scale -> f32, {WN,WK}
a = dequantize[blocks={XB}](x, x_scale)
b = dequantize[blocks={WR,WB}](w, w_scale)
columns = transpose[permutation={1,0}](b)
o = dot(a, columns)
@return(o)
"""
# the sizes of blocks: along k of x; along n and along k of w
BLOCKS = {"squares": (128, 64, 128), "rows": (512, 1, 512), "one each": (512, 128, 512), "a scale of x, blocks of w": (512, 32, 64)}


def text_of(blocks: tuple[int, int, int], type_: str, m: int) -> str:
    of_x, rows, of_w = blocks
    names = {"TYPE": type_, "XK": 512 // of_x, "WN": 128 // rows, "WK": 512 // of_w, "XB": of_x, "WR": rows, "WB": of_w, "M": m}
    text = TEXT
    for name, value in names.items():
        text = text.replace(name, str(value))
    return text


def native(target: str) -> str:
    return "fp8e4m3fnuz" if target.startswith(("gfx90a", "gfx942")) else "fp8e4m3fn"


def arrays_of(blocks: tuple[int, int, int], type_: str, m: int) -> list[Array]:
    of_x, rows, of_w = blocks
    random = np.random.default_rng(m + rows)
    small = {"fp8e4m3fn": ml_dtypes.float8_e4m3fn, "fp8e4m3fnuz": ml_dtypes.float8_e4m3fnuz}[type_]
    x, w = (random.standard_normal(dims).astype(small) for dims in ((m, 512), (128, 512)))
    scales = [random.uniform(0.5, 2, dims).astype(np.float32) for dims in ((m, 512 // of_x), (128 // rows, 512 // of_w))]
    return [x, w, *scales]


@pytest.mark.parametrize(("m", "name", "target"), in_turn([1, 16], BLOCKS, MACHINES, of=2))
def test_results(m: int, name: str, target: str) -> None:
    of_x, rows, of_w = blocks = BLOCKS[name]
    type_ = native(target)
    arrays = arrays_of(blocks, type_, m)
    (found,) = asmgen.compile(text_of(blocks, type_, m), target=target)(*arrays, device=chosen_device())
    x, w, x_scale, w_scale = (array.astype(np.float64) for array in arrays)
    a, b = x * np.repeat(x_scale, of_x, 1), w * np.repeat(np.repeat(w_scale, rows, 0), of_w, 1)
    assert (np.abs(found - a @ b.T) <= 520 * 2.0**-24 * (np.abs(a) @ np.abs(b).T)).all()


@pytest.mark.parametrize("target", ["gfx942", "gfx950", "gfx1201"])
@pytest.mark.parametrize("name", list(BLOCKS))
def test_the_matrix_instruction_multiplies_small_floats(name: str, target: str) -> None:
    (kernel, *_) = asmgen.compile(text_of(BLOCKS[name], native(target), 16), target=target).kernels
    assert "_fp8_fp8" in kernel.assembly
    assert "v_cvt" not in kernel.assembly


def products(text: str, parts: int = 1) -> list[str]:
    (module,) = parse(text, "p.gen").modules
    made = prepare(module, products=Multiplying(lambda _defined: lambda _dot: parts)).statements
    return [statement.op.name for statement in made if statement.op in (DOT, BLOCK_DOT)]


def test_scales_of_blocks_of_k_multiply_the_sums_of_blocks() -> None:
    assert products(text_of(BLOCKS["squares"], "fp8e4m3fn", 16)) == ["block_dot"]
    assert products(text_of(BLOCKS["rows"], "fp8e4m3fn", 16)) == ["dot"]
    assert products(text_of(BLOCKS["squares"], "fp8e4m3fn", 16), parts=0) == []
    assert products(text_of((16, 128, 16), "fp8e4m3fn", 16)) == ["dot"]  # an instruction multiplies more of k at once


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("w = @param:w -> fp8e4m3fn", "w = @param:w -> fp8e5m2"),  # factors of two types
        ("o = dot(a, columns)", "h = convert[target_type=f16](a)\ni = convert[target_type=f16](columns)\no = dot(h, i)"),  # rounded first
    ],
)
def test_other_products_are_of_dequantized_factors(old: str, new: str) -> None:
    assert products(text_of(BLOCKS["squares"], "fp8e4m3fn", 16).replace(old, new)) == ["dot"]


def test_the_text_of_a_stage_reads_back(tmp_path: Path) -> None:
    source, launches = tmp_path / "p.gen", tmp_path / "launches.gen"
    _ = source.write_text(text_of(BLOCKS["squares"], "fp8e4m3fn", 16))
    status, printed = run(f"python -m asmgen kernel {source} --target gfx950 --emit gridwise -o {launches}")
    assert status == 0, printed
    assert "block_dot" in launches.read_text()
    status, printed = run(f"python -m asmgen kernel {launches} --target gfx950 --verify --against {source}")
    assert status == 0, printed


def test_a_trip_that_does_not_divide_a_block_is_refused() -> None:
    (module,) = parse(text_of((32, 32, 32), "fp8e4m3fn", 16), "p.gen").modules
    made = prepare(module, products=Multiplying(lambda _defined: lambda _dot: 1))
    by = "v_mfma_f32_16x16x32_fp8_fp8"
    words = misfit(Graph(made, (), False, None), Contract(16, 16, 64, 1, 2, by), TARGETS["gfx950"])
    assert "k is 64, wanted a divisor of 32" in words
