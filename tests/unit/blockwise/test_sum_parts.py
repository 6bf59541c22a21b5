"""Tiles that workgroups add up: their rules, both interpreters beside numpy."""

from __future__ import annotations

import numpy as np
import pytest

from asmgen.blockwise.interpret import Tiles, interpret
from asmgen.blockwise.lowering.program import lower
from asmgen.blockwise.text.printer import print_program
from asmgen.blockwise.text.reader import read_program
from asmgen.lanewise.interpret import interpret as interpret_lanes
from isa.diagnostics import InputError
from isa.targets import parse_target

TEXT = """stage blockwise gfx942
kernel @sums grid(part: 3, row: 2) waves(4) lanes(64) {
  layout piece = reg(0:1 0:2) lane(0:4 0:8 0:16 0:32 0:64 0:128) wave(0:256 0:512)
  x = @param:x -> i32, {2,3072}
  sums = @param:sums -> u64, {2,3,512}
  z = @param:z -> i32, {2,1024}
  arrived = @literal{0, 0, 0, 0, 0, 0, 0, 0} -> u32, {2,4}
  t = tile_load[at={row, c1 + 1024*part}](x) -> i32, {1,1024} @ piece
  s = sum_parts[over=part](t, sums, arrived) -> i32, {1,1024} @ piece
  tile_store[at={row, c1}](s, z)
}
"""
X = np.random.default_rng(1).integers(-9, 10, (2, 3072)).astype(np.int32)
WANTED = X.reshape(2, 3, 1024).sum(1)


@pytest.mark.parametrize("tiles", Tiles)
def test_the_last_workgroup_stores_the_sums(tiles: Tiles) -> None:
    (kernel,) = read_program(TEXT, "sums.gen").kernels
    z = np.zeros(2048, np.int32)
    interpret(kernel, {"x": X.reshape(-1), "sums": np.zeros(3072, np.uint64), "z": z}, tiles)
    np.testing.assert_array_equal(z.reshape(2, 1024), WANTED)


def test_lanes_add_up_the_parts() -> None:
    (module,) = lower(read_program(TEXT, "sums.gen"), parse_target("gfx942")).modules
    z = np.zeros(2048, np.int32)
    interpret_lanes(module, [X.reshape(-1), np.zeros(3072, np.uint64), z])
    np.testing.assert_array_equal(z.reshape(2, 1024), WANTED)


def test_the_text_reads_back() -> None:
    program = read_program(TEXT, "sums.gen")
    text = print_program(program)
    assert "sum_parts[over=part](t, sums, arrived)" in text
    assert print_program(read_program(text, "again.gen")) == text


STORE = "  tile_store[at={row, c1}](s, z)\n"


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("over=part", "over=block", "over=block is no id of a workgroup, wanted one of part, row"),
        ("{2,3,512}", "{2,3,511}", "the sums are u64, {2,3,511}, wanted u64, {2,3,512}"),
        ("u64, {2,3,512}", "u32, {2,3,1024}", "wanted u64 of rank 3, row-major"),
        ("{0, 0, 0, 0, 0, 0, 0, 0} -> u32, {2,4}", "{0, 0, 0, 0} -> u32, {2,2}", "the arrivals are u32, {2,2}, wanted u32, {2,4}"),
        ("literal{0", "literal{1", "arrived is no literal of zeros"),
        ("at={row, c1}](s", "at={row, min(c1 + part, 1023)}](s", "tile_store after it names part"),
        ("  s = sum", "  tile_store[at={row, c1}](t, z)\n  s = sum", "a workgroup writes what another writes to z"),
        (STORE, "  barrier()\n" + STORE, "barrier comes after it, when each wave is alone"),
        (STORE, "  u = sum_parts[over=part](s, sums, arrived) -> i32, {1,1024} @ piece\n" + STORE, "has another sum_parts"),
    ],
)
def test_a_broken_rule_is_named(old: str, new: str, what: str) -> None:
    assert old in TEXT
    text = TEXT.replace(old, new, 1)
    with pytest.raises(InputError) as caught:
        _ = lower(read_program(text, "sums.gen"), parse_target("gfx942"))
    assert what in caught.value.message
