"""`sort` of tile programs: any layout of the keys, with and without numbers, all of them or the first."""

from __future__ import annotations

import random
import re
from typing import Any

import numpy as np
import pytest

import asmgen
from asmgen.blockwise.layout.algebra import Part
from asmgen.blockwise.layout.text import print_layout
from asmgen.blockwise.lowering.ops.sort import odd_even
from asmgen.blockwise.schedules.deals import Deal, dealt
from isa.diagnostics import InputError
from isa.targets import TARGETS, parse_target

TYPES = {"i32": np.int32, "u32": np.uint32, "i64": np.int64, "u64": np.uint64}
KERNEL = """\
stage blockwise {target}
kernel @sorts grid(b: 2) waves({waves}) lanes({lanes}) {{
  layout keys = {layout}
  x = @param:x -> {element}, {{{all},{columns}}}
  z = @param:z -> {element}, {{{all},{count}}}
  w = @param:w -> i32, {{{all},{count}}}
  t = tile_load[at={{{rows}*b + c0, c1}}](x) -> {element}, {{{rows},{columns}}} @ keys
  p = positions[at={{c1}}]() -> i32, {{{rows},{columns}}} @ keys
  s, q = sort[axis=1, first={first}](t, p)
  u = sort[axis=1, first={first}](t)
  tile_store[at={{{rows}*b + c0, c1}}]({stored}, z)
  tile_store[at={{{rows}*b + c0, c1}}](q, w)
}}
"""


@pytest.mark.parametrize("count", [1, 2, 4, 8, 16, 32])
def test_the_network_of_registers_sorts_all_bits(count: int) -> None:
    """A network that sorts all rows of 0 and 1 sorts all rows; of 32 places random rows."""
    rng = np.random.default_rng(count)
    bits = np.arange(1 << count) if count <= 16 else rng.integers(0, 1 << count, 4096)
    rows = bits[:, None] >> np.arange(count) & 1
    for stage in odd_even(count):
        assert len({place for pair in stage for place in pair}) == 2 * len(stage)
        for low, high in stage:
            rows[:, [low, high]] = np.sort(rows[:, [low, high]], axis=1)
    assert (np.diff(rows, axis=1) >= 0).all()


def deals_of(rng: random.Random, lanes: int, waves: int) -> list[Deal]:
    """The bits of registers, lanes and waves in a random order, most of them along the axis."""
    left = {Part.REGISTERS: rng.choice([1, 2, 4, 8]), Part.LANES: lanes, Part.WAVES: waves}
    order = [Part.REGISTERS] * 2 + [Part.LANES] * 3 + [Part.WAVES] * 2
    rng.shuffle(order)
    deals = list[Deal]()
    for part in order:
        size = 1 << rng.randint(0, left[part].bit_length() - 1)
        left[part] //= size
        deals += [Deal(part, rng.choice([1, 1, 1, 0]), size)] if size > 1 else []
    return deals


def check(seed: int, target: str, has_blocks: bool = False) -> None:
    rng, numbers = random.Random(seed), np.random.default_rng(seed)
    lanes, waves = parse_target(target).target.wave_size, rng.choice([1, 1, 2, 4])
    layout = dealt(2, tuple(deals_of(rng, lanes, waves)), lanes, waves)
    rows, columns = layout.shape
    first = rng.choice([0, 1 << rng.randint(0, columns.bit_length() - 1)])
    element, stored = rng.choice(list(TYPES)), rng.choice(["s", "u"])
    of = np.iinfo(TYPES[element])
    text = KERNEL.format(
        target=target, waves=waves, lanes=lanes, layout=print_layout(layout), element=element, all=2 * rows,
        rows=rows, columns=columns, first=first, count=first or columns, stored=stored,
    )  # fmt: skip
    low, high = rng.choice([(of.min, of.max), (0, 3)])
    x: Any = numbers.integers(low, high, (2 * rows, columns), dtype=TYPES[element], endpoint=True)
    if has_blocks:
        blocks = 1 << rng.randint(0, (first or columns).bit_length() - 1)
        text = text.replace(f"first={first}", f"first={first}, blocks={blocks}")
        x = np.sort(x.reshape(2 * rows, -1, blocks)).reshape(x.shape)
    keys, places = asmgen.compile(text, target=target)(x, device="emulator")
    order = np.argsort(x, axis=1, kind="stable")[:, : first or columns]
    np.testing.assert_array_equal(keys, np.take_along_axis(x, order, 1), err_msg=f"seed {seed}\n{text}")
    np.testing.assert_array_equal(places, order, err_msg=f"seed {seed}\n{text}")


@pytest.mark.parametrize("target", TARGETS)
def test_any_layout(target: str) -> None:
    check(4, target)


@pytest.mark.parametrize("seed", range(3))
def test_blocks_in_order(seed: int) -> None:
    check(seed, list(TARGETS)[seed], has_blocks=True)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 140))
def test_many_layouts(seed: int) -> None:
    check(seed, list(TARGETS)[seed % len(TARGETS)], has_blocks=seed % 3 == 0)


HEAD = """\
stage blockwise gfx942
kernel @sorts grid(b: 1) waves(1) lanes(64) {
  layout keys = reg(0:1) lane(0:2 0:4 0:8 0:16 0:32 0:64)
  layout crossed = reg(0:1) lane(0:2 0:4 0:8 1:16 1:0 0:32)
  x = @param:x -> i32, {1,128}
  f = @param:f -> f32, {1,128}
  z = @param:z -> i32, {1,128}
  t = tile_load[at={c0, c1}](x) -> i32, {1,128} @ keys
  g = tile_load[at={c0, c1}](f) -> f32, {1,128} @ keys
"""


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("s = sort[axis=2](t)", "axis is 2, wanted 0 to 1"),
        ("s = sort[axis=1](g)", "the keys are f32, wanted i32, u32, i64 or u64"),
        ("s, q = sort[axis=1](t, g)", "the numbers are f32, wanted i32 or u32"),
        ("s = sort[axis=1, first=3](t)", "first is 3, wanted a power of two of at most 128"),
        ("s = sort[axis=1, first=256](t)", "first is 256, wanted a power of two of at most 128"),
        ("s = sort[axis=1, blocks=3](t)", "blocks is 3, wanted a power of two of at most 128"),
        ("s = sort[axis=1, blocks=256](t)", "blocks is 256, wanted a power of two of at most 128"),
        ("s = sort[axis=1, first=8, blocks=16](t)", "blocks is 16, wanted at most the 8 elements of first"),
        (
            "u = tile_load[at={0, c1 + c0}](x) -> i32, {2,64} @ crossed\n  s = sort[axis=1](u)",
            "the bases along axis 1 are repeated or mix coordinates; relayout the keys",
        ),
    ],
)
def test_what_is_wrong_is_named(line: str, words: str) -> None:
    with pytest.raises(InputError, match=words) as caught:
        _ = asmgen.compile(f"{HEAD}  {line}\n  tile_store[at={{c0, c1}}](t, z)\n}}\n", target="gfx942")
    assert caught.value.code == "BLK003"


SEVERAL = """\
stage blockwise gfx942
kernel @several grid(b: 3) waves(4) lanes(64) {
  layout few = lane(0:1 0:2 0:4 0:8 0:16 0:32) wave(0:64 0:128)
  layout many = reg(0:1 0:2) lane(0:4 0:8 0:16 0:32 0:64 0:128) wave(0:256 0:512)
  x = @param:x -> i64, {3,256}
  y = @param:y -> u64, {3,1024}
  v = @param:v -> i64, {3,256}
  w = @param:w -> u64, {3,1024}
  z = @param:z -> u32, {3,1024}
  s = tile_load[at={b, c1}](x) -> i64, {1,256} @ few
  t = tile_load[at={b, c1}](y) -> u64, {1,1024} @ many
  p = positions[at={c1}]() -> u32, {1,1024} @ many
  a = sort[axis=1](s)
  c, n = sort[axis=1](t, p)
  d = sort[axis=1](a)
  tile_store[at={b, c1}](d, v)
  tile_store[at={b, c1}](c, w)
  tile_store[at={b, c1}](n, z)
}
"""


def test_sorts_of_other_sizes_share_the_largest_buffer() -> None:
    """Of the keys of 64 bits 1,024, though a smaller sort comes first, and of the numbers as many."""
    program = asmgen.compile(SEVERAL)
    assert f".group_segment_fixed_size: {1024 * (8 + 4)}" in program.kernels[0].assembly
    rng = np.random.default_rng(5)
    x, y = rng.integers(-(1 << 40), 1 << 40, (3, 256)), rng.integers(0, 1 << 9, (3, 1024)).astype(np.uint64)
    v, w, z = program(x, y, device="emulator")
    np.testing.assert_array_equal(v, np.sort(x, axis=1))
    np.testing.assert_array_equal(w, np.sort(y, axis=1))
    np.testing.assert_array_equal(z, np.argsort(y, axis=1, kind="stable"))


def test_two_argsorts_of_a_program_take_the_lds_of_one() -> None:
    text = "x = @param:x -> f64, {2,2048}\ny = @param:y -> f64, {2,2048}\na = argsort[axis=1](x)\nb = argsort[axis=1](y)\n@return(a, b)\n"
    (kernel,) = asmgen.compile(text, target="gfx942").kernels
    assert f".group_segment_fixed_size: {2048 * (8 + 4)}" in kernel.assembly


def test_keys_become_floats_again_where_they_are_stored_from() -> None:
    text = "x = @param:x -> f32, {64,200}\ny = sort(x)\n@return(y)\n"
    (kernel,) = asmgen.compile(text, target="gfx942").kernels
    assert not re.search(r"v_mov_b(32|64)_e32 v\S+, v", kernel.assembly)
