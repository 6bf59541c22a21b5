"""Scans: an exclusive scan begins with the identity element of its op, and the bits along the axis may be anywhere."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import asmgen
from asmgen.blockwise.interpret import interpret
from asmgen.blockwise.text.reader import read_program
from asmgen.ir.types import ELEMENT_TYPES

SHAPE = (2, 90)
NUMPY = {"max": np.maximum, "min": np.minimum, "sum": np.add, "prod": np.multiply}
FIRST = {  # docs/gen-text.md: the least and the greatest number of the type, of floats the infinities
    ("max", "f32"): -np.inf, ("min", "f32"): np.inf, ("sum", "f32"): 0, ("prod", "f32"): 1,
    ("max", "i32"): -(2**31), ("min", "i32"): 2**31 - 1, ("sum", "i32"): 0, ("prod", "i32"): 1,
}  # fmt: skip


@pytest.mark.parametrize(("op", "element"), FIRST)
def test_the_first_element_is_the_identity(op: str, element: str) -> None:
    x = np.random.default_rng(1).choice([-3, -1, 1, 2], SHAPE, p=[0.05, 0.45, 0.45, 0.05]).astype(ELEMENT_TYPES[element].numpy)
    text = f"x = @param:x -> {element}, {{2,90}}\ny = cum{op}[axis=1, exclusive=true](x)\n@return(y)\n"
    (result,) = asmgen.compile(text, target="gfx942")(x, device="emulator")
    before = NUMPY[op].accumulate(x, axis=1, dtype=x.dtype)[:, :-1]
    np.testing.assert_array_equal(result, np.concatenate([np.full((2, 1), FIRST[op, element], x.dtype), before], axis=1))


TILES = """stage blockwise gfx942
kernel @scan grid(block: 1) waves(4) lanes(64) {{
  layout l = {layout}
  x = @param:x -> {element}, {{16,32}}
  z = @param:z -> {element}, {{16,32}}
  t = tile_load[at={{c0, c1}}](x) -> {element}, {{16,32}} @ l
  s = scan[op={op}, axis=0{more}](t) -> {element}, {{16,32}} @ l
  tile_store[at={{c0, c1}}](s, z)
}}
"""
ROWS_OF_WAVES = "reg(0:2) lane(0:16 0:8 0:1 1:0 2:0 0:4) wave(4:0 8:0)"


def scanned(op: str, element: str, layout: str, more: str, x: NDArray[Any]) -> NDArray[Any]:
    text = TILES.format(op=op, element=element, layout=layout, more=more)
    (result,) = asmgen.compile(text, target="gfx942")(x, device="emulator")
    memory = {"x": x.reshape(-1), "z": np.zeros(x.size, x.dtype)}
    interpret(read_program(text, "scan.gen").kernels[0], memory)
    np.testing.assert_array_equal(memory["z"].reshape(x.shape), result)
    return np.asarray(result)


@pytest.mark.parametrize(("op", "element"), [("max", "i8"), ("min", "i8"), ("max", "i16"), ("min", "u16")])
def test_a_tile_of_small_integers_begins_with_the_least_or_greatest_of_its_type(op: str, element: str) -> None:
    limits = np.iinfo(ELEMENT_TYPES[element].numpy)
    x = np.random.default_rng(2).integers(max(limits.min, -9), 9, (16, 32)).astype(ELEMENT_TYPES[element].numpy)
    result = scanned(op, element, ROWS_OF_WAVES, ", exclusive=true", x)
    assert (result[0] == (limits.min if op == "max" else limits.max)).all()
    np.testing.assert_array_equal(result[1:], NUMPY[op].accumulate(x, axis=0)[:-1])


@pytest.mark.parametrize("more", ["", ", reverse=true"])
@pytest.mark.parametrize("bits", ["lane(0:16 0:8 0:1 4:0 2:0 0:4) wave(1:0 8:0)", "lane(8:0 0:8 0:1 0:16 1:0 0:4) wave(4:0 2:0)"])
def test_waves_may_have_lower_rows_than_lanes(bits: str, more: str) -> None:
    x = np.random.default_rng(3).integers(-9, 9, (16, 32)).astype("i4")
    turned = x[::-1] if more else x
    wanted = np.cumsum(turned, axis=0)
    np.testing.assert_array_equal(scanned("sum", "i32", f"reg(0:2) {bits}", more, x), wanted[::-1] if more else wanted)
