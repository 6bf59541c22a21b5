"""A loose tile: nothing is chosen if a condition fails, and memory outside the buffer is not read."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen
from asmgen.cli.stages import stage_text
from asmgen.compilation import Compilation
from asmgen.compiler import start
from asmgen.frontends.sources import read_source
from asmgen.ir.program import Stage
from asmgen.options import Options
from asmgen.pipeline import advance
from isa.targets import parse_target

TEXT = """stage blockwise gfx942
kernel @first grid(only: 1) waves(1) lanes(64) {
  layout piece = lane(0:1 0:2 0:4 0:8 0:16 0:32)
  x = @param:x -> f32, {1,40}
  z = @param:z -> f32, {1,64}
  t = tile_load[at={0, c1}, where={c1 < 40}, loose=true](x) -> f32, {1,64} @ piece
  tile_store[at={0, c1}](t, z)
}
"""


def lowered(text: str) -> Compilation:
    compilation = start(read_source(text, None, Options()), parse_target("gfx942"), Options())
    advance(compilation, "lanewise")
    return compilation


def test_nothing_is_chosen_among_elements_and_nothing_outside_is_read() -> None:
    """The buffer ends before the tile does; the sanitizer tells of any access after its end."""
    x = np.arange(40, dtype=np.float32).reshape(1, 40)
    (z,) = asmgen.compile(TEXT)(x)
    assert np.array_equal(z[:, :40], x)
    for text, chosen in ((TEXT, ["u32"]), (TEXT.replace(", loose=true", ""), ["u32", "f32"])):
        statements = lowered(text).stages.programs[Stage.LANEWISE].modules[0].walk()
        assert [str(one.result.type) for one in statements if one.op.name == "where"] == chosen


CONCAT = "a = @param:a -> f32, {64,41}\nb = @param:b -> f32, {64,23}\nc = concat[axis=1](a, b)\no = exp(c)\n@return(o)\n"
PAD = "a = @param:a -> f32, {64,41}\np = pad[pads={0,0,0,23}](a)\no = exp(p)\n@return(o)\n"


@pytest.mark.parametrize(("text", "is_loose"), [(CONCAT, True), (PAD, False)])
def test_a_concat_reads_loose_tiles_and_a_pad_takes_its_zeros(text: str, is_loose: bool) -> None:
    compilation = start(read_source(text, None, Options()), parse_target("gfx942"), Options())
    advance(compilation, "blockwise")
    assert ("loose=true" in stage_text(compilation, "blockwise")) is is_loose


ROWS = """stage blockwise gfx942
kernel @rows grid(only: 1) waves(1) lanes(64) {
  layout piece = reg(0:1 0:2 0:4) lane(0:8 0:16 0:32 1:0 2:0 4:0)
  x = @param:x -> f16, {ROWS,41}
  z = @param:z -> f16, {8,64}
  t = tile_load[at={c0, c1}, where={c0 < ROWS, c1 < 41}, loose=true](x) -> f16, {8,64} @ piece
  m = mask[where={c1 < 41}](t) -> f16, {8,64} @ piece
  tile_store[at={c0, c1}](m, z)
}
"""


def rows_of(rows: int, columns: int) -> str:
    return ROWS.replace("ROWS", str(rows)).replace("41", str(columns))


@pytest.mark.parametrize(("rows", "columns", "wide"), [(8, 41, 1), (5, 41, 1), (5, 47, 1), (1, 5, 0)])
def test_a_loose_load_reads_over_the_end_of_a_row(rows: int, columns: int, wide: int) -> None:
    """One of eight elements begins in the row, so the load of 16 bytes reads seven elements of the next row,
    or one. Behind the last row is no element: the sanitizer tells of an access there. A buffer of fewer than
    eight elements has no such load."""
    x = np.arange(rows * columns, dtype=np.float16).reshape(rows, columns)
    program = asmgen.compile(rows_of(rows, columns))
    assert program.kernels[0].assembly.count("\tglobal_load_dwordx4") == wide
    (z,) = program(x)
    assert np.array_equal(z[:rows, :columns], x)
    assert not z[:, columns:].any()


def test_a_loose_load_does_not_begin_before_a_row() -> None:
    """The first element of a vector does not exist, and the others do."""
    text = rows_of(8, 64).replace("c1 < 64", "0 < c1")
    x = np.arange(8 * 64, dtype=np.float16).reshape(8, 64)
    (z,) = asmgen.compile(text)(x)
    assert np.array_equal(z[:, 1:], x[:, 1:])
    assert not z[:, 0].any()


def test_a_mask_of_half_a_vector_is_a_single_choice() -> None:
    text = rows_of(8, 41).replace("mask[where={c1 < 41}]", "mask[where={c1 < 44}]")
    statements = lowered(text).stages.programs[Stage.LANEWISE].modules[0].walk()
    chosen = [str(one.result.type) for one in statements if one.op.name == "where" and one.result.name.startswith("m")]
    assert chosen == ["f16x4", "f16x4"]
