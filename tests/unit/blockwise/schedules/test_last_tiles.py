"""The last tile of a product ends with the matrix, and has results in common with the tile before it."""

import re

import numpy as np
import pytest

import asmgen
from asmgen.blockwise.program import TileProgram
from asmgen.blockwise.schedules.choices import Contract
from asmgen.blockwise.schedules.schedule import schedule
from asmgen.blockwise.text.printer import print_program
from asmgen.gentext.parser import parse
from isa.targets import TARGETS, parse_target
from tests.device import chosen_device

PARTS = """a = @param:a -> f32, {40,64}
b = @param:b -> f32, {64,71}
a_1 = reshape[dims={40,2,32}](a)
a_2 = transpose[permutation={1,0,2}](a_1)
b_1 = reshape[dims={2,32,71}](b)
c = dot(a_2, b_1)
@return(c)
"""
STRIPS = """a = @param:a -> f32, {40,64}
b = @param:b -> f32, {64,71}
d = @param:d -> f32, {64,142}
c = dot(a, b)
e = dot(a, d)
@return(c, e)
"""
CHOICE = Contract(32, 32, 8, 1, 2)
CASES = {"parts of gfx950": PARTS, "parts of gfx1201": PARTS, "strips of gfx90a": STRIPS, "strips of gfx1100": STRIPS}


@pytest.mark.parametrize("name", CASES)
def test_loads_of_a_last_tile_have_no_condition(name: str) -> None:
    """Of parts along k, and of several products, one tile alone stores a result. The load of 16 bytes would
    otherwise be split at the end of a row of 71."""
    text, target = CASES[name], name.split()[-1]
    tiles = print_program(TileProgram(parse_target(target), (schedule(parse(text, "product.gen").modules[0], CHOICE, TARGETS[target]),)))
    assert "tile_load" in tiles and not re.search("tile_load.*where", tiles), tiles
    for store in re.findall("tile_store.*", tiles):
        assert store.count("< c") == 2, store
    draw = np.random.default_rng(3)
    a, b, d = (draw.integers(-9, 9, dims).astype("f4") for dims in ((40, 64), (64, 71), (64, 142)))
    results = asmgen.compile(tiles, target=target)(*((a, b) if text is PARTS else (a, b, d)), device=chosen_device())
    wanted = [np.stack([a[:, :32] @ b[:32], a[:, 32:] @ b[32:]])] if text is PARTS else [a @ b, a @ d]
    for result, truth in zip(results, wanted, strict=True):
        np.testing.assert_array_equal(result, truth)


SHORT = "a = @param:a -> i8, {3,29,61}\nb = @param:b -> i8, {3,61,27}\nc = dot[target_type=i32](a, b)\n@return(c)\n"


@pytest.mark.parametrize(
    ("target", "by", "wide"),
    [("gfx942", "v_mfma_i32_16x16x32_i8", "dwordx4"), ("gfx1201", "v_wmma_i32_16x16x16_iu8", "b128")],
)
def test_short_rows_are_read_over_their_ends(target: str, by: str, wide: str) -> None:
    """A row of b is shorter than the tile, and each trip reads both factors over the ends of their rows. The
    last rows end with their buffers: the sanitizer tells of a read behind them."""
    program = asmgen.compile(SHORT, target=target, schedules=(f"contract[m=32, n=32, k=64, waves=1, buffers=1, by={by}]",))
    assert program.kernels[0].assembly.count(f"\tglobal_load_{wide}") >= 2
    draw = np.random.default_rng(4)
    a, b = (draw.integers(-128, 128, dims).astype(np.int8) for dims in ((3, 29, 61), (3, 61, 27)))
    (result,) = program(a, b, device=chosen_device())
    np.testing.assert_array_equal(result, a.astype(int) @ b.astype(int))
