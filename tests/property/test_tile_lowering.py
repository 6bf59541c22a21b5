"""Tile programs lowered to lanes, compiled and run on the emulator with its sanitizer, against the
interpreter of tiles, which `test_tiles` compares with numpy.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import asmgen
from asmgen.blockwise.actions import Parameter
from asmgen.blockwise.interpret import Tiles, interpret
from asmgen.blockwise.program import Kernel
from asmgen.blockwise.text.reader import read_program
from asmgen.index.size import number
from asmgen.ir.types import TensorType
from asmgen.runtime.run import launch
from tests.property.test_tiles import SMALLER
from tests.rows import in_turn
from tests.unit.blockwise.test_text import PROGRAMS

Array = NDArray[Any]
TARGETS = ["gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1100:wave64", "gfx1201"]
WAVE32 = {"gfx1100", "gfx1201"}

# Rows of 64 columns: 16 lanes a row, 4 rows a wave.
SHORT_ROWS = """stage blockwise gfx942
kernel @softmax grid(group: 3) waves(2) lanes(64) {
  layout a = reg(0:1 0:2) lane(0:4 0:8 0:16 0:32 1:0 2:0) wave(4:0)
  layout b = lane(0:0 0:0 0:0 0:0 1:0 2:0) wave(4:0)
  x = @param:x -> f16, {21,64}
  z = @param:z -> f16, {21,64}
  s = @param:s -> f32, {21,1}
  t = tile_load[at={c0 + 8*group, c1}, where={c0 + 8*group < 21}](x) -> f16, {8,64} @ a
  w = convert[to=f32](t) -> f32, {8,64} @ a
  m = reduce[op=max, axes={1}](w) -> f32, {8,1} @ b
  mb = broadcast(m) -> f32, {8,64} @ a
  d = sub(w, mb) -> f32, {8,64} @ a
  e = exp(d) -> f32, {8,64} @ a
  s_1 = reduce[op=sum, axes={1}](e) -> f32, {8,1} @ b
  r = recip(s_1) -> f32, {8,1} @ b
  rb = broadcast(r) -> f32, {8,64} @ a
  o = mul(e, rb) -> f32, {8,64} @ a
  n = convert[to=f16](o) -> f16, {8,64} @ a
  tile_store[at={c0 + 8*group, c1}, where={c0 + 8*group < 21}](n, z)
  tile_store[at={c0 + 8*group, 0}, where={c0 + 8*group < 21}](s_1, s)
}
"""
CONTRACT = """stage blockwise gfx942
kernel @matmul grid(part: 1) waves(4) lanes(64) {
  layout c_tile = reg(0:1 0:2 1:0 2:0) lane(0:4 0:8 0:16 0:32 4:0 8:0) wave(16:0 32:0)
  layout a_tile = reg(0:1 0:2 0:4 0:8 1:0 2:0) lane(0:0 0:0 0:0 0:0 4:0 8:0) wave(16:0 32:0)
  layout b_tile = reg(0:1 0:2 1:0 2:0 4:0 8:0) lane(0:4 0:8 0:16 0:32 0:0 0:0) wave(0:0 0:0)
  a = @param:a -> f32, {64,16}
  b = @param:b -> f32, {16,64}
  c = @param:c -> f32, {64,64}
  zero = fill[value=0.0]() -> f32, {64,64} @ c_tile
  a_in = tile_load[at={c0, c1}](a) -> f32, {64,16} @ a_tile
  b_in = tile_load[at={c0, c1}](b) -> f32, {16,64} @ b_tile
  o = contract(a_in, b_in, zero) -> f32, {64,64} @ c_tile
  tile_store[at={c0, c1}](o, c)
}
"""


def for_target(text: str, target: str) -> str:
    """The text for another target. If its waves have 32 lanes, lane bit 5 becomes wave bit 0."""
    text = re.sub("stage blockwise .*", f"stage blockwise {target}", text)
    if "lanes(32)" in text or target not in WAVE32:
        return text
    text = re.sub(r"waves\((\d+)\) lanes\(64\)", lambda found: f"waves({2 * int(found[1])}) lanes(32)", text)
    text = re.sub(r"lane\(((?:\S+ ){4}\S+) (\S+)\)(?: wave\((.*?)\))?", _with_less_lanes, text)
    return text


def _with_less_lanes(found: re.Match[str]) -> str:
    return f"lane({found[1]}) wave({' '.join(filter(None, (found[2], found[3])))})"


def smaller(name: str) -> str:
    text = PROGRAMS[name]
    for old, new in SMALLER.get(name, ()):
        text = text.replace(old, new)
    return text


def parameters(kernel: Kernel) -> dict[str, TensorType]:
    return {
        statement.op.name: statement.result.type
        for statement in kernel.statements
        if isinstance(statement.op, Parameter) and isinstance(statement.result.type, TensorType)
    }


def check(text: str, target: str, special: dict[str, Array] | None = None) -> dict[str, Array]:
    """Run every kernel on small whole numbers, compiled and interpreted; gives the memory afterwards."""
    text = for_target(text, target)
    program = asmgen.compile(text, target=target)
    draw = np.random.default_rng(0)
    memory: dict[str, Array] = dict(special or {})
    kernels = read_program(text, "tiles.gen").kernels
    for kernel in kernels:
        for name, type_ in parameters(kernel).items():
            memory.setdefault(name, draw.integers(-8, 9, number(type_.span)).astype(type_.element.numpy))
    wanted = {name: array.copy() for name, array in memory.items()}
    for kernel, compiled in zip(kernels, program.kernels, strict=True):
        names = list(parameters(kernel))
        interpret(kernel, wanted, Tiles.HOLDERS)
        after = launch(compiled, [memory[name] for name in names], "emulator")
        memory |= dict(zip(names, [np.asarray(array) for array in after], strict=True))
    for name, array in wanted.items():
        np.testing.assert_allclose(memory[name].astype("f8"), array.astype("f8"), rtol=2e-3, atol=1e-6, err_msg=name)
    return memory


@pytest.mark.parametrize(("name", "target"), in_turn(["softmax", "col_sum", "transpose", "matmul", "scan"], TARGETS, of=2))
def test_stated_programs(name: str, target: str) -> None:
    _ = check(smaller(name), target)


@pytest.mark.parametrize("target", sorted(WAVE32))
def test_gathers_by_data(target: str) -> None:
    index = np.random.default_rng(1).permutation(1200).astype("int32")
    _ = check(PROGRAMS["pointwise"], target, {"index": index})


@pytest.mark.parametrize("target", TARGETS)
def test_rows_of_a_part_of_a_wave(target: str) -> None:
    after = check(SHORT_ROWS, target)
    x = after["x"].reshape(21, 64).astype("f8")
    e = np.exp(x - x.max(axis=1, keepdims=True))
    assert np.allclose(after["z"].reshape(21, 64).astype("f8"), e / e.sum(axis=1, keepdims=True), rtol=2e-3, atol=1e-6)
    assert np.allclose(after["s"], e.sum(axis=1), rtol=1e-5)


@pytest.mark.parametrize("target", TARGETS)
def test_outer_products(target: str) -> None:
    after = check(CONTRACT, target)
    product = after["a"].reshape(64, 16).astype("f8") @ after["b"].reshape(16, 64).astype("f8")
    assert np.array_equal(after["c"].reshape(64, 64), product)
