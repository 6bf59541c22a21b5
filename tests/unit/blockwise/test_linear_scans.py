"""Linear recurrences on tiles: the bits along the axis may be registers, lanes or waves in any order."""

from __future__ import annotations

import re

import numpy as np
import pytest

import asmgen
from asmgen.blockwise.interpret import interpret
from asmgen.blockwise.text.reader import read_program
from isa.diagnostics import InputError

TILES = """stage blockwise {target}
kernel @scan grid(block: 1) waves(4) lanes({lanes}) {{
  layout l = {layout}
  layout r = {row}
  a = @param:a -> i32, {{16,{columns}}}
  b = @param:b -> i32, {{16,{columns}}}
  z = @param:z -> i32, {{16,{columns}}}
  t = tile_load[at={{c0, c1}}](a) -> i32, {{16,{columns}}} @ l
  u = tile_load[at={{c0, c1}}](b) -> i32, {{16,{columns}}} @ l
  {scan}
  tile_store[at={{c0, c1}}](s, z)
}}
"""
SCAN = "s = scan[op=linear, axis=0](t, u) -> i32, {16,32} @ l"
AFTER = "h = fill[value=5]() -> i32, {1,32} @ r\n  s, n = scan[op=linear, axis=0](t, u, h) -> i32, {16,32} @ l, i32, {1,32} @ r"
BITS = {  # the bits along the axis
    "waves": ("reg(0:2) lane(0:16 0:8 0:1 1:0 2:0 0:4) wave(4:0 8:0)", "reg(0:2) lane(0:16 0:8 0:1 0:0 0:0 0:4) wave(0:0 0:0)"),
    "registers": ("reg(1:0 2:0 4:0) lane(8:0 0:1 0:2 0:4 0:8 0:16) wave(0:0 0:0)", "lane(0:0 0:1 0:2 0:4 0:8 0:16) wave(0:0 0:0)"),
    "mixed": ("reg(2:0 0:1) lane(0:2 8:0 0:4 1:0 0:8 4:0) wave(0:16 0:0)", "reg(0:1) lane(0:2 0:0 0:4 0:0 0:8 0:0) wave(0:16 0:0)"),
    "rows of lanes": ("reg(0:1) lane(1:0 2:0 4:0 8:0 0:2 0:4) wave(0:8 0:16)", "reg(0:1) lane(0:0 0:0 0:0 0:0 0:2 0:4) wave(0:8 0:16)"),
    "a lane": ("reg(1:0 2:0 4:0 8:0) lane(0:1 0:2 0:4 0:8 0:16 0:0) wave(0:0 0:0)", "lane(0:1 0:2 0:4 0:8 0:16 0:0) wave(0:0 0:0)"),
}  # fmt: skip


@pytest.mark.parametrize("more", ["", ", reverse=true", ", exclusive=true", ", exclusive=true, reverse=true"])
@pytest.mark.parametrize("bits", BITS)
def test_bits_along_the_axis(bits: str, more: str) -> None:
    layout, row = BITS[bits]
    for scan, first in ((SCAN, 0), (AFTER, 5)):
        text = TILES.format(target="gfx942", lanes=64, layout=layout, row=row, columns=32, scan=scan.replace("axis=0", f"axis=0{more}"))
        random = np.random.default_rng(3)
        a, b = (random.integers(-9, 9, (16, 32)).astype(np.int32) for _ in range(2))
        (result,) = asmgen.compile(text, target="gfx942")(a, b, device="emulator")
        memory = {"a": a.reshape(-1), "b": b.reshape(-1), "z": np.zeros(a.size, np.int32)}
        interpret(read_program(text, "scan.gen").kernels[0], memory)
        step, wanted, h = -1 if "reverse" in more else 1, np.empty_like(a), np.full(32, first, np.int32)
        for at in range(16)[::step]:
            after = a[at] * h + b[at]
            wanted[at] = h if "exclusive" in more else after
            h = after
        np.testing.assert_array_equal(result, wanted)
        np.testing.assert_array_equal(memory["z"].reshape(a.shape), wanted)


@pytest.mark.parametrize(
    ("scan", "message"),
    [
        ("s = scan[op=linear, axis=0](t) -> i32, {16,32} @ l", "a tile of factors and a tile of summands"),
        ("v = convert[to=u32](t)\n  s = scan[op=linear, axis=0](v, u) -> u32, {16,32} @ l", "the tile of summands"),
        ("s = reduce[op=linear, axes={0}](t)", "linear combines pairs, in a scan; wanted sum, prod, max or min"),
    ],
)
def test_bad_tiles(scan: str, message: str) -> None:
    layout, row = BITS["a lane"]
    text = TILES.format(target="gfx942", lanes=64, layout=layout, row=row, columns=32, scan=scan)
    with pytest.raises(InputError, match=re.escape(message)):
        read_program(text, "scan.gen")
