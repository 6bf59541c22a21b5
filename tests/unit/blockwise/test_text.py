"""Tile programs as text: printed programs read back, and each broken rule is named at its place."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from asmgen import blockwise
from asmgen.blockwise.actions import AsyncWait
from asmgen.blockwise.lowering import lower
from asmgen.blockwise.rules.lds_bytes import lds_bytes_of
from asmgen.blockwise.text.printer import print_program
from asmgen.blockwise.text.reader import read_program
from asmgen.frontends.sources import read_text
from isa.diagnostics import InputError
from isa.targets import parse_target

TILES = Path(__file__).parents[2] / "tiles"
PROGRAMS = {path.stem: path.read_text(encoding="utf-8") for path in sorted(TILES.glob("*.gen"))}


@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_print_as_they_are_written(name: str) -> None:
    assert print_program(read_program(PROGRAMS[name], f"{name}.gen")) == PROGRAMS[name]


def test_the_example_of_the_package_is_one() -> None:
    documentation = blockwise.__doc__ or ""
    lines = [line[4:] for line in documentation.splitlines() if line.startswith("    ")]
    text = "\n".join(lines) + "\n"
    assert print_program(read_program(text, "example.gen")) == text


# program, the replaced text and its replacement, and the error
BROKEN = [
    (
        "softmax",
        "d = sub(t, mb) ->",
        "d = sub(t, m) ->",
        "sub: operand layouts differ in shape: {1,1024} and {1,1}; broadcast one of them",
    ),
    ("softmax", "wave(0:256 0:512)", "wave(0:512 0:256)", None),
    ("softmax", "wave(0:256 0:512)", "wave(0:256)", "the shape is {1,1024}, wanted {1,512}"),
    (
        "softmax",
        "waves(4)",
        "waves(2)",
        "the layout has 6 lane bits and 2 wave bits, wanted 6 and 1 for 2 waves of 64",
    ),
    ("softmax", "waves(4)", "waves(3)", "a workgroup of 3 waves, wanted a power of two"),
    ("softmax", "lanes(64)", "lanes(32)", "waves of 32 lanes, and the target's have 64"),
    ("softmax", "axes={1}", "axes={2}", "axes are {2}, wanted some of 0 to 1"),
    (
        "softmax",
        "at={row, c1}](x)",
        "at={row}](x)",
        "`at` has 1 indices, wanted 2 for a buffer of {4096,1024}",
    ),
    (
        "softmax",
        "at={row, c1}](x)",
        "at={row, c1 + 1}](x)",
        "index 1, c1 + 1, goes from 1 to 1024, and the buffer has 1024 there",
    ),
    (
        "softmax",
        "at={row, c1}](x)",
        "at={row, c2}](x)",
        "c2 from 0 to 4294967295 is not of this tile of {1,1024}, which has c1",
    ),
    ("softmax", "at={row, c1}](x)", "at={line, c1}](x)", "line is not an index here, wanted one of wave, row"),
    ("softmax", "x = @param:x -> f32", "x = @param:x -> f16", "the tile is of f32 and the buffer of f16"),
    ("softmax", "(o, z)", "(z, o)", "operand 1 is a buffer, wanted a tile"),
    ("softmax", "exp(d)", "exp(d, d)", "exp: 2 operands, wanted 1"),
    ("softmax", "op=max", "op=all", "all of f32, wanted sum, prod, max or min"),
    ("softmax", "@ everyone\n  mb", "@ all_of_them\n  mb", "all_of_them is not a layout of the kernel"),
    ("softmax", "reduce[op=max, ", "reduce[", "reduce lacks the attribute op"),
    (
        "col_sum",
        "fill[value=0.0]() -> f32, {4,512} @ sums",
        "fill[value=0.0]() -> f32, {1,512} @ sum",
        "operand layouts differ in shape",
    ),
    ("col_sum", "yield(next)", "yield(few, next)", "2 values, wanted 1"),
    ("col_sum", "step 16", "step 0", "got a step of 0"),
    (
        "col_sum",
        "part: 32",
        "part: 33",
        "index 0, c0 + r, goes from 0 to 8447, and the buffer has 8192 there",
    ),
    (
        "col_sum",
        "{4,512} @ sums\n  total",
        "{4,512} @ rows\n  total",
        "the shape is {4,512}, wanted {16,512}",
    ),
    ("transpose", "f32, {32,32} @ offset", "f16, {32,32} @ offset", "the tile is of f32 and the LDS of f16"),
    ("transpose", "offset(8:0 16:0", "offset(8:0 8:0", "offset bit 0 and offset bit 1 have the same basis 8:0"),
    ("matmul", "slots(2)", "slots(1)", "the slot (k floordiv 4) mod 2 goes from 0 to 1, and the LDS has 1"),
    (
        "matmul",
        "contract(a_k, b_k, acc)",
        "contract(b_k, a_k, acc)",
        "contract: operands of {4,16}, {16,4}, {16,16}, wanted",
    ),
    (
        "matmul",
        "lane(0:0 0:0 0:0 2:0 4:0 8:0)",
        "lane(2:0 4:0 8:0 0:0 0:0 0:0)",
        "the layout of a does not match the rows or columns of c in the same lanes",
    ),
    ("pointwise", "(x, i)", "(x)", "v0 from 0 to 4294967295 is not of this tile of {128}, which has c0"),
]


@pytest.mark.parametrize(("name", "old", "new", "rule"), BROKEN)
def test_an_edit_is_honoured_or_its_rule_named(name: str, old: str, new: str, rule: str | None) -> None:
    assert old in PROGRAMS[name]
    text = PROGRAMS[name].replace(old, new)
    if rule is None:
        assert print_program(read_program(text, "edited.gen")) == text
        return
    with pytest.raises(InputError) as raised:
        _ = read_program(text, "edited.gen")
    assert rule in raised.value.message
    assert str(raised.value).startswith("edited.gen:")


THROUGH_LDS = """stage blockwise gfx942
kernel @turned grid(x0: 4, y0: 7) waves(4) lanes(64) {
  layout by_rows = reg(8:0 16:0) lane(0:1 0:2 0:4 0:8 0:16 1:0) wave(2:0 4:0)
  layout by_columns = reg(0:8 0:16) lane(1:0 2:0 4:0 8:0 16:0 0:1) wave(0:2 0:4)
  x = @param:x -> f32, {224,128}
  z = @param:z -> f32, {128,224}
  first = lds_allocate() -> f32, {32,32} @ offset(0:1 0:2 0:4 0:8 0:16 1:0 2:0 4:0 8:0 16:0) slots(9)
  second = lds_allocate() -> f32, {32,32} @ offset(0:1 0:2 0:4 0:8 0:16 1:0 2:0 4:0 8:0 16:0) slots(9)
  t = tile_load[at={c0 + 32*y0, c1 + 32*x0}](x) -> f32, {32,32} @ by_rows
  lds_store(t, first)
  barrier()
  u = lds_load(first) -> f32, {32,32} @ by_columns
  barrier()
  lds_store[slot=8](u, second)
  barrier()
  v = lds_load[slot=8](second) -> f32, {32,32} @ by_columns
  tile_store[at={c1 + 32*x0, c0 + 32*y0}](v, z)
}
"""


def test_tiles_in_lds_that_a_barrier_parts_count_once() -> None:
    """Each of the two takes 36 KB of 64 KB."""
    (kernel,) = read_program(THROUGH_LDS, "turned.gen").kernels
    assert lds_bytes_of(kernel) == 36 << 10
    between = "  barrier()\n  lds_store[slot=8]"
    with pytest.raises(InputError) as raised:
        _ = read_program(THROUGH_LDS.replace(between, between.removeprefix("  barrier()\n")), "turned.gen")
    assert "the tiles in LDS have 73728 bytes, and the target has 65536 for a workgroup" in raised.value.message


def test_a_copy_fills_its_tile_in_lds_until_a_wait_for_all() -> None:
    load = "  t = tile_load[at={c0 + 32*y0, c1 + 32*x0}](x) -> f32, {32,32} @ by_rows\n  lds_store(t, first)\n"
    copy = "  async_copy[at={c0 + 32*y0, c1 + 32*x0}, layout=by_rows](x, first)\n"
    assert load in THROUGH_LDS
    waited = THROUGH_LDS.replace(load, f"{copy}  async_wait()\n")
    (kernel,) = read_program(waited, "turned.gen").kernels
    assert lds_bytes_of(kernel) == 36 << 10
    under_way = [each for each in kernel.statements if not isinstance(each.op, AsyncWait)]
    assert lds_bytes_of(replace(kernel, statements=tuple(under_way))) == 72 << 10


LITERALS = """stage blockwise gfx942
kernel @scaled grid(block: 1) waves(1) lanes(64) results(z: 0) {
  layout flat = reg(1) lane(2 4 8 16 32 64)
  x = @param:x -> f32, {128}
  w = @literal{-1.5, 2.0, -inf} -> f32, {3}
  z = @param:z -> f32, {128}
  t = tile_load[at={c0}](x) -> f32, {128} @ flat
  s = tile_load[at={c0 mod 3}](w) -> f32, {128} @ flat
  m = mul(t, s) -> f32, {128} @ flat
  tile_store[at={c0}](m, z)
}
"""


def test_literals_and_results_print_as_they_are_written() -> None:
    assert print_program(read_program(LITERALS, "scaled.gen")) == LITERALS


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ("{-1.5, 2.0, -inf}", "{-1.5, 2.0}", "2 values, wanted 3"),
        ("w = @literal{-1.5", "@literal{-1.5", "wanted a name and a buffer's type"),
        ("results(z: 0)", "results(y: 0)", "y is not a buffer of the kernel, which has x, z"),
        ("results(z: 0)", "results(x: 0)", "a buffer that the kernel does not write; store a tile to x"),
        ("results(z: 0)", "results(z: 0, z: 1)", "names z twice"),
        ("results(z: 0)", "results(z: 1)", "leaves a number out; the file states 1 results, wanted the numbers from 0 to 0"),
        ("at={c0}](x)", "at={c0}, where={c0 <= 127}](x)", "got '<', wanted INDEX < INDEX"),
        ("at={c0}](x)", "at={c0}, where={c0 > 3}](x)", "got '>', wanted INDEX < INDEX"),
        ("at={c0}](x)", "at={blok}](x)", "blok is not an index here, wanted one of block, c0, c1, c2 or 14 others"),
    ],
)
def test_literals_and_results_that_are_none(old: str, new: str, wanted: str) -> None:
    with pytest.raises(InputError, match=wanted):
        _ = read_program(LITERALS.replace(old, new), "scaled.gen")


def test_results_of_several_kernels_are_numbered_once() -> None:
    body = LITERALS.partition("\n")[2]
    other = body.replace("@scaled", "@again").replace("param:z", "param:y").replace("results(z", "results(y")
    _ = read_program(LITERALS + other.replace("(y: 0)", "(y: 1)"), "two.gen")
    with pytest.raises(InputError, match=r"results\(y: 0\) has z already") as raised:
        _ = read_program(LITERALS + other, "two.gen")
    assert str(raised.value).startswith("two.gen:12:")


def test_a_program_without_a_result_has_no_lowering() -> None:
    text = LITERALS.replace(" results(z: 0)", "").replace("  tile_store[at={c0}](m, z)\n", "")
    with pytest.raises(InputError, match="no kernel of the file writes a buffer") as raised:
        _ = lower(read_program(text, "scaled.gen"), parse_target("gfx942"))
    assert str(raised.value).startswith("scaled.gen:2:1:")


@pytest.mark.parametrize(("first", "stage"), [("kernel @k grid(", "blockwise"), ("# c\n\nprogram @p {", "gridwise")])
def test_a_text_without_its_stage_line_is_told_which(first: str, stage: str) -> None:
    with pytest.raises(InputError, match=f"wanted 'stage {stage} TARGET' as the first line"):
        _ = read_text(first, "headless.gen")
