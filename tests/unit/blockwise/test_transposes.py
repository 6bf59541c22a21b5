"""`lds_load` by a transposing load: the lanes' addresses, tiles beside numpy and the interpreter, and refusals."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
import pytest

import asmgen
from asmgen.blockwise.interpret.run import Tiles, interpret
from asmgen.blockwise.layout.algebra import holders
from asmgen.blockwise.layout.layout import Holder, basis_text
from asmgen.blockwise.layout.text import print_layout
from asmgen.blockwise.matrix import instruction
from asmgen.blockwise.text.reader import read_program
from asmgen.blockwise.transposes import TransposingLoad, transposing_load, transposing_loads
from isa.diagnostics import InputError
from isa.targets import TARGETS
from tests.device import chosen_device
from tests.layouts import random_bases, read
from tests.unit.lanewise.test_transposes import halves, octets

GFX950 = TARGETS["gfx950"]
HALVES, OCTETS = "ds_read_b64_tr_b16", "ds_read_b64_tr_b8"


def load_of(name: str) -> TransposingLoad:
    found = transposing_load(name, GFX950)
    assert found is not None
    return found


# A lane reads adjacent columns of a row, as AMD's kernels with these instructions do: 16 lanes read 4 rows of 16 halves,
# or 8 rows of 16 bytes.
ADDRESSES = [
    (HALVES, "v_mfma_f32_16x16x32_f16", "reg(0:1 0:2 4:0) lane(0:4 0:8 1:0 2:0 8:0 16:0)"),
    (HALVES, "v_mfma_f32_16x16x16_bf16", "reg(0:1 0:2) lane(0:4 0:8 1:0 2:0 4:0 8:0)"),
    (HALVES, "v_mfma_f32_32x32x16_f16", "reg(0:1 0:2 4:0) lane(0:4 0:8 1:0 2:0 0:16 8:0)"),
    (OCTETS, "v_mfma_i32_16x16x64_i8", "reg(0:1 0:2 0:4 8:0) lane(0:8 1:0 2:0 4:0 16:0 32:0)"),
    (OCTETS, "v_mfma_f32_16x16x32_fp8_fp8", "reg(0:1 0:2 0:4) lane(0:8 1:0 2:0 4:0 8:0 16:0)"),
]


@pytest.mark.parametrize(("name", "by", "wanted"), ADDRESSES)
def test_the_addresses_of_the_second_factor(name: str, by: str, wanted: str) -> None:
    found = instruction(by, GFX950)
    assert found is not None
    named = load_of(name).addresses(found.layouts[1])
    assert named is not None and print_layout(named) == wanted


@pytest.mark.parametrize(("name", "place"), [(HALVES, halves), (OCTETS, octets)])
def test_every_lane_gets_the_element_that_another_lane_names(name: str, place: Callable[[int, int], tuple[int, int]]) -> None:
    load = load_of(name)
    tile = read("reg(1:0 2:0 4:0 8:0) lane(0:1 0:2 0:4 0:8 0:16 0:32) wave(16:0)")
    named = load.addresses(tile)
    assert named is not None
    for holder in holders(tile):
        inside, outside = holder.register % load.elements, holder.register // load.elements * load.elements
        lane, element = place(holder.lane, inside)
        assert tile.element(holder) == named.element(Holder(outside + element, lane, holder.wave)), holder


def test_only_gfx950_has_such_loads() -> None:
    assert {name for name, target in TARGETS.items() if transposing_loads(target)} == {"gfx950"}


TEXT = """stage blockwise gfx950
kernel @k grid(b: 1) waves(2) lanes(64) {{
  layout rows = {rows}
  layout tile = {tile}
  x = @param:x -> {element}, {{64,64}}
  z = @param:z -> {element}, {{64,64}}
  a = tile_load[at={{c0, c1}}](x) -> {element}, {{64,64}} @ rows
  lds = lds_allocate() -> {element}, {{64,64}} @ {placed} slots(2)
  lds_store[slot=1](a, lds)
  barrier()
  t = lds_load[slot=1, by={by}](lds) -> {element}, {{64,64}} @ tile
  tile_store[at={{c0, c1}}](t, z)
}}
"""
ROWS = "reg(0:1 0:2 0:4 4:0 8:0) lane(0:8 0:16 0:32 1:0 2:0 16:0) wave(32:0)"


def random_text(seed: int) -> str:
    """Lanes, registers, waves and offsets of any order and with sums of bases, if an instruction permits
    them."""
    draw = random.Random(seed)
    by, element, own = draw.choice([(HALVES, "f16", 2), (HALVES, "i16", 2), (OCTETS, "u8", 3)])
    low = [1 << bit for bit in range(own)]
    others, places = ([basis << own for basis in random_bases(draw, 12 - own)] for _ in range(2))
    lanes, rest = [*low, *others[: 6 - own]], others[6 - own :]
    parts = {"reg": rest[1:], "lane": lanes, "wave": rest[:1]}
    tile = " ".join(f"{name}({' '.join([basis_text(basis, (64, 64)) for basis in bases])})" for name, bases in parts.items())
    offsets = [*low, *places]
    padding = draw.choice(["", " pad(64:8)", " pad(512:16)"])
    placed = f"offset({' '.join([basis_text(basis, (64, 64)) for basis in offsets])}){padding}"
    return TEXT.format(rows=ROWS, tile=tile, element=element, placed=placed, by=by)


@pytest.mark.parametrize("seed", [*range(8), *[pytest.param(seed, marks=pytest.mark.slow) for seed in range(8, 300)]])
def test_random_layouts_of_tiles_and_lds(seed: int) -> None:
    text = random_text(seed)
    dtype = np.dtype("u1" if " u8," in text else "i2" if " i16," in text else "f2")
    x = np.random.default_rng(seed).permutation(4096).astype(dtype).reshape(64, 64)
    program = asmgen.compile(text, target="gfx950", verify_passes=True)
    assert program.kernels[0].assembly.count("\tds_read") == (4 if dtype.itemsize == 1 else 8), "an access of 8 bytes each"
    np.testing.assert_array_equal(program(x, device=chosen_device())[0], x)
    memory = {"x": x.reshape(-1), "z": np.zeros(4096, dtype)}
    interpret(read_program(text, "t.gen").kernels[0], memory, Tiles.HOLDERS)
    np.testing.assert_array_equal(memory["z"].reshape(64, 64), x)


PLAIN = TEXT.format(
    rows=ROWS, tile="reg(1:0 2:0 4:0 8:0 0:16) lane(0:1 0:2 0:4 0:8 16:0 32:0) wave(0:32)", element="f16", by=HALVES,
    placed="offset(0:1 0:2 0:4 0:8 0:16 0:32 1:0 2:0 4:0 8:0 16:0 32:0)",
)  # fmt: skip


def test_a_part_of_the_lds_in_some_waves() -> None:
    """The second wave reads a quarter of the LDS twice; its neighbour goes past."""
    layout = "reg(1:0 2:0 4:0 8:0) lane(0:1 0:2 0:4 0:8 0:16 16:0)"
    region = f"""  waves[1 to 2]() {{
    t = lds_load[origin={{32, 32}}, slot=1, by={HALVES}](lds) -> f16, {{32,32}} @ {layout}
    tile_store[at={{c0, c1}}](t, z)
    yield()
  }}
"""
    first, last = PLAIN.index("  t = lds_load"), PLAIN.rindex("}")
    text = (PLAIN[:first] + region + PLAIN[last:]).replace("z = @param:z -> f16, {64,64}", "z = @param:z -> f16, {32,32}")
    x = np.random.default_rng(1).permutation(4096).astype(np.float16).reshape(64, 64)
    np.testing.assert_array_equal(asmgen.compile(text, target="gfx950", verify_passes=True)(x, device=chosen_device())[0], x[32:, 32:])


def test_an_origin_that_begins_within_an_access_is_refused() -> None:
    """Row 32 begins at offset 2048 + 1."""
    text = PLAIN.replace("16:0 32:0) slots(2)", "16:0 32:1) slots(2)")
    first, last = text.index("  t = lds_load"), text.rindex("}")
    layout = "reg(1:0 2:0 4:0 8:0 0:16) lane(0:1 0:2 0:4 0:8 16:0 0:0) wave(0:32)"
    part = f"  t = lds_load[origin={{ORIGIN, 0}}, slot=1, by={HALVES}](lds) -> f16, {{32,64}} @ {layout}\n"
    text = text[:first] + part + "  tile_store[at={c0, c1}](t, z)\n" + text[last:]
    with pytest.raises(InputError, match="or origin adds 2049 to the offset by XOR, wanted multiples of 4"):
        _ = asmgen.compile(text.replace("ORIGIN", "32"), target="gfx950")


REFUSED = {
    "gfx942 has no loads from LDS that transpose; leave `by` out, and relayout the tile before lds_store": ("gfx950", "gfx942"),
    f"ds_read_b64_tr_b4 is not a load from LDS of gfx950 that transposes, wanted {OCTETS} or {HALVES}; did you mean": (HALVES, "ds_read_b64_tr_b4"),
    f"{OCTETS} loads elements of 8 bits, and the tile is of f16": (HALVES, OCTETS),
    "and 16:0 is 2048 bytes into the LDS, wanted 4; wanted offset(0:1 16:0 ...)": ("0:2 0:4 0:8 16:0 32:0)", "16:0 0:4 0:8 0:2 32:0)"),
    "and 0:2 is 4 bytes into the LDS, wanted 2; wanted offset(0:2 0:1 ...)": ("lane(0:1 0:2 0:4", "lane(0:2 0:1 0:4"),
    "and 0:1 is 128 bytes into the LDS, wanted 2; wanted offset(0:1 0:2 ...)": ("(0:1 0:2 0:4 0:8 0:16 0:32 1:0", "(1:0 0:2 0:4 0:8 0:16 0:32 0:1"),
    "adds 65 to the offset by XOR, wanted multiples of 4; wanted offset(0:1 0:2 ...)": ("1:0 2:0 4:0 8:0 16:0 32:0)", "1:1 2:0 4:0 8:0 16:0 32:0)"),
    "a slot has 4222 elements with 2 left free after every 64; wanted multiples of 4": ("32:0) slots(2)", "32:0) pad(64:2) slots(2)"),
    "a lane gets 4 elements from ds_read_b64_tr_b16, and the tile has 1 register bits, wanted at least 2": (
        "(lds) -> f16, {64,64} @ tile\n  tile_store", "(lds) -> f16, {2,64} @ reg(1:0) lane(0:1 0:2 0:4 0:8 0:16 0:32) wave(0:0)\n  tile_store"
    ),
}  # fmt: skip


@pytest.mark.parametrize("words", list(REFUSED))
def test_what_is_refused(words: str) -> None:
    old, new = REFUSED[words]
    assert PLAIN.count(old) == 1 or old in ("gfx950", HALVES)
    text = PLAIN.replace(old, new)
    with pytest.raises(InputError) as caught:
        _ = asmgen.compile(text, target="gfx942" if new == "gfx942" else "gfx950")
    assert (caught.value.code, words in caught.value.message) == ("BLK003", True), caught.value.message
