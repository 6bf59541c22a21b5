"""A `relayout` in which lanes with numbers that differ in known bits swap registers needs no lane numbers."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen
from isa.targets import TARGETS

TEXT = """stage blockwise {target}
kernel @k grid(row: 1) waves(1) lanes({lanes}) {{
  layout loaded = reg(0:1 0:2 0:4 1:0 2:0) lane(0:8 0:16 4:0 8:0 0:32{last})
  layout stored = reg(0:1 0:2 0:4 {registers}) lane({swapped} 4:0 8:0 0:32{last})
  x = @param:x -> {element}, {{16,{columns}}}
  z = @param:z -> {element}, {{16,{columns}}}
  t = tile_load[at={{c0, c1}}](x) -> {element}, {{16,{columns}}} @ loaded
  u = relayout(t) -> {element}, {{16,{columns}}} @ stored
  tile_store[at={{c0, c1}}](u, z)
}}
"""


@pytest.mark.parametrize("target", ["gfx90a", "gfx942", "gfx1100", "gfx1201"])
@pytest.mark.parametrize("element", ["f16", "i32", "i8"])
@pytest.mark.parametrize(
    ("registers", "swapped"),
    [("0:8 2:0", "1:0 0:16"), ("1:0 0:16", "0:8 2:0"), ("0:8 0:16", "1:0 2:0"), ("0:16 0:8", "2:0 1:0")],
)
def test_lanes_swap_registers(registers: str, swapped: str, element: str, target: str) -> None:
    lanes = TARGETS[target].wave_size
    columns, last = (128, " 0:64") if lanes == 64 else (64, "")
    text = TEXT.format(
        target=target, lanes=lanes, last=last, registers=registers, swapped=swapped, element=element, columns=columns
    )
    program = asmgen.compile(text, target=target)
    x = np.random.default_rng(1).integers(-99, 99, (16, columns)).astype({"f16": np.float16, "i32": np.int32, "i8": np.int8}[element])
    (z,) = program(x, device="emulator")
    np.testing.assert_array_equal(z, x)
    assert "permute_b32" not in program.kernels[0].assembly
