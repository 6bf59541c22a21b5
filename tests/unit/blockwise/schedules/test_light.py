"""Light pointwise kernels: several accesses a lane share the computation of addresses."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen
from asmgen.blockwise.program import TileProgram
from asmgen.blockwise.schedules.choices import Pointwise
from asmgen.blockwise.schedules.schedule import schedule
from asmgen.blockwise.text.printer import print_program
from asmgen.blockwise.text.reader import read_program
from asmgen.gridwise.choose import chosen
from isa.targets import TARGETS, parse_target
from tests.unit.blockwise.schedules.graphs import graph_of

LIGHT = "x = @param:x -> f32, {4194304}\nz = relu(x)\n@return(z)\n"
FEW = "x = @param:x -> f32, {1000000}\nz = relu(x)\n@return(z)\n"
CUT = "x = @param:x -> f16, {4096,1024}\ns = slice[axes={1}, starts={0}, ends={1016}](x)\nz = contiguous(s)\n@return(z)\n"
SMALL = "x = @param:x -> f32, {100000}\nz = relu(x)\n@return(z)\n"
CODE = "x = @param:x -> f32, {10240}\nc = cos(x)\nz = mul(c, x)\n@return(z)\n"
HEAVY = "x = @param:x -> f32, {4194304}\ne = exp(x)\nz = erf(e)\n@return(z)\n"


@pytest.mark.parametrize(
    ("text", "target", "wanted"),
    [
        (LIGHT, "gfx1100", Pointwise(4, 8, 4)),
        (LIGHT, "gfx942", Pointwise(4, 2, 4)),  # 13 waves a SIMD with an access a lane
        (FEW, "gfx942", Pointwise(4, 4, 1)),  # 3 waves a SIMD hide each other's latencies
        (CUT, "gfx942", Pointwise(8, 1, 4)),  # a division for each access
        (HEAVY, "gfx1100", Pointwise(4, 8, 1)),
        (CODE, "gfx942", Pointwise(1, 4, 1)),  # its code takes longer to fetch than the elements
        (CODE.replace("10240", "200000"), "gfx942", Pointwise(1, 4, 1)),
        (CODE.replace("10240", "600000"), "gfx942", Pointwise(4, 4, 1)),
        (SMALL, "gfx1100", Pointwise(4, 2, 1)),  # 4 waves a SIMD wait once each; two accesses take 1.23 times the clocks for erf
        (SMALL.replace("100000", "20000"), "gfx1100", Pointwise(4, 8, 1)),  # a workgroup a unit
    ],
)
def test_a_lane_has_as_many_accesses_as_are_worth_it(text: str, target: str, wanted: Pointwise) -> None:
    assert chosen(graph_of(text), TARGETS[target]) == wanted


GRID = """stage gridwise {target}
program @add {{
  x = parameter -> f32, {{{elements}}}
  z = result -> f32, {{{elements}}}
  launch @add(x) -> (z) grid({groups}) by pointwise[vector=4, waves=2, repeat={repeat}] {{
    x = @param:x -> f32, {{{elements}}}
    z = add(x, x) -> f32, {{{elements}}}
    @return(z)
  }}
}}
"""


@pytest.mark.parametrize("repeat", [2, 3])
@pytest.mark.parametrize(("tail", "groups"), [(-1, 1), (0, 2), (1, 2), (511, 2), (1023, 2)])
def test_the_elements_after_the_last_whole_tile(tail: int, groups: int, repeat: int) -> None:
    elements = 2 * 512 * repeat + tail
    groups = max(groups, -(-(512 * repeat - 1) // 512)) if tail < 0 else max(groups, -(-tail // 512))
    text = GRID.format(target="gfx942", elements=elements, groups=groups, repeat=repeat)
    x = np.arange(elements, dtype=np.float32)
    (z,) = asmgen.compile(text)(x, device="emulator")
    assert np.array_equal(z, x + x)


@pytest.mark.parametrize(("row", "tiles"), [(44, 1), (64, 2)])
def test_a_row_is_in_tiles_of_one_layout(row: int, tiles: int) -> None:
    """Lanes past the end of a row store its last elements too. If the last whole tile of 512 ended within a
    row, two workgroups would, by two statements."""
    graph = graph_of("x = @param:x -> f32, {300,40}, {48,1}\nz = relu(x)\n@return(z)\n")
    kernel = schedule(graph.module, Pointwise(2, 2, 2, row), TARGETS["gfx942"], graph.outputs)
    printed = print_program(TileProgram(parse_target("gfx942"), (kernel,)))
    assert printed.count("tile_store") == tiles
    assert print_program(read_program(printed, "k.gen")) == printed
