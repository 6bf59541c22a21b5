"""Scans that go on in other workgroups: their rules, and both interpreters beside numpy."""

from __future__ import annotations

import numpy as np
import pytest

from asmgen.blockwise.interpret import Tiles, interpret
from asmgen.blockwise.lowering.program import lower
from asmgen.blockwise.text.reader import read_program
from asmgen.lanewise.interpret import interpret as interpret_lanes
from isa.diagnostics import InputError
from isa.targets import parse_target

TEXT = """stage blockwise gfx942
kernel @sums grid(row: 2, part: 3) waves(4) lanes(64) {
  layout piece = reg(0:1 0:2) lane(0:4 0:8 0:16 0:32 0:64 0:128) wave(0:256 0:512)
  layout everyone = lane(0:0 0:0 0:0 0:0 0:0 0:0) wave(0:0 0:0)
  x = @param:x -> i32, {2,3072}
  words = @param:words -> u64, {2,1,264}
  z = @param:z -> i32, {2,3072}
  t = tile_load[at={row, c1 + 1024*part}](x) -> i32, {1,1024} @ piece
  first = fill[value=7]() -> i32, {1,1} @ everyone
  s = scan[op=sum, axis=1, over=part](t, first, words) -> i32, {1,1024} @ piece
  tile_store[at={row, c1 + 1024*part}](s, z)
}
"""
X = np.random.default_rng(1).integers(-9, 10, (2, 3072)).astype(np.int32)
WANTED = X.cumsum(1, dtype=np.int32) + 7


@pytest.mark.parametrize("tiles", Tiles)
def test_a_row_goes_on_in_the_next_workgroup(tiles: Tiles) -> None:
    (kernel,) = read_program(TEXT, "sums.gen").kernels
    z = np.zeros(X.size, np.int32)
    interpret(kernel, {"x": X.reshape(-1), "words": np.zeros(528, np.uint64), "z": z}, tiles)
    np.testing.assert_array_equal(z.reshape(X.shape), WANTED)


def test_lanes_pass_on_what_precedes_a_part() -> None:
    program = read_program(TEXT, "sums.gen")
    (module,) = lower(program, parse_target("gfx942")).modules
    words, z = np.zeros(528, np.uint64), np.zeros(X.size, np.int32)
    interpret_lanes(module, [X.reshape(-1), words, z])
    np.testing.assert_array_equal(z.reshape(X.shape), WANTED)
    totals = X.reshape(2, 3, 1024).sum(2).astype(np.uint32)
    np.testing.assert_array_equal(words.reshape(2, 264)[:, :3], totals.astype(np.uint64) | 1 << 32)
    assert words[257] == 6


TWICE = "  u = scan[op=max, axis=1, over=part](t, first, words) -> i32, {1,1024} @ piece\n  tile_store[at={row, c1 + 1024*part}](u, z)\n"


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("over=part", "over=block", "over=block is not an id of a workgroup, wanted one of row, part"),
        ("(t, first, words)", "(t, first)", "there are 2 operands, wanted a buffer as operand 3"),
        (", over=part", "", "there are 3 operands, wanted a tile and what comes before it, or over=ID"),
        ("{2,1,264}", "{2,2,264}", "the words are {2,2,264}, wanted {2,1,264}"),
        ("u64, {2,1,264}", "u32, {2,1,264}", "wanted u64, {rows,blocks,264}"),
        ("u64, {2,1,264}", "u64, {2,1,528}", "wanted u64, {rows,blocks,264}"),
        ("  tile_store", TWICE + "  tile_store", "words has another use, wanted words of its own"),
    ],
)
def test_a_broken_rule_is_named(old: str, new: str, what: str) -> None:
    with pytest.raises(InputError) as caught:
        _ = lower(read_program(TEXT.replace(old, new, 1), "sums.gen"), parse_target("gfx942"))
    assert what in caught.value.message
