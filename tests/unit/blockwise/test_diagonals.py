"""Reductions of a diagonal: each lane chooses the register of its own coordinate."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen
from asmgen.blockwise.interpret.run import Tiles, interpret
from asmgen.blockwise.text.reader import read_program
from isa.diagnostics import InputError

# {4,S,S}: rows in registers and waves, the first of the axes of S in lanes, the second in registers
KERNEL = """stage blockwise {target}
kernel @diagonal grid(r: 1) waves(2) lanes({lanes}) {{
  layout tile = {tile}
  layout sums = {sums}
  x = @param:x -> f32, {{4,{size},{size}}}
  y = @param:y -> f32, {{4,1,1}}
  t = tile_load[at={{c0, c1, c2}}](x) -> f32, {{4,{size},{size}}} @ tile
  s = reduce[op={op}, axes={{1, 2}}, diagonal=true](t) -> f32, {{4,1,1}} @ sums
  tile_store[at={{c0, c1, c2}}](s, y)
}}
"""


def _text(target: str, bits: int, op: str = "sum", swapped: bool = False) -> str:
    """`swapped`: the second axis is in lanes."""
    lanes = 5 if target.startswith("gfx1") else 6
    first, second = [[basis.format(1 << bit) for bit in range(bits)] for basis in ("0:{}:0", "0:0:{}")]
    if swapped:
        first, second = second, first
    zeros = ["0:0:0"] * (lanes - bits)
    tile = f"reg({' '.join([*second, '1:0:0'])}) lane({' '.join([*first, *zeros])}) wave(2:0:0)"
    sums = f"reg(1:0:0) lane({' '.join(['0:0:0'] * lanes)}) wave(2:0:0)"
    return KERNEL.format(target=target, lanes=1 << lanes, tile=tile, sums=sums, size=1 << bits, op=op)


@pytest.mark.parametrize(
    ("target", "bits", "op", "swapped"),
    [("gfx942", 2, "sum", False), ("gfx950", 2, "max", True), ("gfx1100", 3, "sum", True), ("gfx90a", 1, "prod", False)],
)
def test_only_elements_with_the_same_coordinates_are_combined(target: str, bits: int, op: str, swapped: bool) -> None:
    x = np.random.default_rng(bits).integers(-9, 9, (4, 1 << bits, 1 << bits)).astype("f4")
    text = _text(target, bits, op, swapped)
    (y,) = asmgen.compile(text, target=target)(x, device="emulator")
    combine = {"sum": np.sum, "max": np.max, "prod": np.prod}[op]
    wanted = combine(np.diagonal(x, axis1=1, axis2=2), axis=1)
    np.testing.assert_array_equal(y.reshape(4), wanted)
    for tiles in Tiles:
        memory = {"x": x.reshape(-1), "y": np.zeros(4, "f4")}
        interpret(read_program(text, "diagonal.gen").kernels[0], memory, tiles)
        np.testing.assert_array_equal(memory["y"], wanted)


@pytest.mark.parametrize("change", [("axes={1, 2}", "axes={1}"), ("diagonal=true", "diagonal=true, within=lane")])
def test_other_axes_are_refused(change: tuple[str, str]) -> None:
    with pytest.raises(InputError, match="wanted two axes of the same size"):
        _ = asmgen.compile(_text("gfx942", 2).replace(*change), target="gfx942")
