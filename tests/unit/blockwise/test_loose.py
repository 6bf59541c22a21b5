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
