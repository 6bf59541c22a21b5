"""`async_copy`: loads that go straight to LDS, waits that count them, and what targets refuse."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import asmgen
from asmgen.blockwise.interpret.run import Tiles, interpret
from asmgen.blockwise.text.reader import read_program
from isa.assembler.assembling import assemble_text
from isa.diagnostics import InputError
from isa.emulator.sanitizer.faults import SanitizerError
from isa.instruction import Trait
from isa.table import table_of
from isa.targets import TARGETS, parse_target
from tests.device import chosen_device
from tests.machine_code import longest_loop
from tests.unit.isa.code_objects import LLVM, differences, of_llvm

Array = NDArray[np.float16]

# A product of f16 with two slots, rows beyond 100 masked, and zeros in the last trip's copy. 16 bytes a lane.
WIDE = (Path(__file__).parents[2] / "tiles" / "matmul_async.gen").read_text(encoding="utf-8")
_LAYOUTS = {
    "reg(0:1 0:2 0:4) lane(0:8 0:16 1:0 2:0 4:0 8:0) wave(16:0 32:0)": "reg(0:1 16:0 32:0) lane(0:2 0:4 0:8 0:16 1:0 2:0) wave(4:0 8:0)",
    "reg(1:0 2:0 4:0) lane(8:0 16:0 0:1 0:2 0:4 0:8) wave(0:16 0:32)": "reg(1:0 0:16 0:32) lane(2:0 4:0 8:0 16:0 0:1 0:2) wave(0:4 0:8)",
}
COPYING = [name for name, target in TARGETS.items() if target.lds_copy_bytes]


def product(target: str, wide: bool = False) -> str:
    """The product with 16 bytes a lane, or 4."""
    text = WIDE.replace("gfx950", target)
    for layout, narrow in () if wide else _LAYOUTS.items():
        assert layout in text
        text = text.replace(layout, narrow)
    return text


def operands() -> tuple[Array, Array]:
    generator = np.random.default_rng(7)
    a, b = (generator.integers(-3, 4, (rows, 128)).astype(np.float16) for rows in (100, 128))
    return a, b


def loop_of(assembly: str) -> list[str]:
    """The instructions of the loop, without comments."""
    lines = [line.partition(";")[0].strip() for line in assembly.splitlines()]
    first = lines.index(".Lproduct.loop:")
    last = next(i for i, line in enumerate(lines) if "cbranch" in line and ".Lproduct.loop" in line)
    return [line for line in lines[first + 1 : last + 1] if line]


CASES = [(target, wide) for target in COPYING for wide in (True, False) if not wide or 16 in TARGETS[target].lds_copy_bytes]


@pytest.mark.parametrize(("target", "wide"), CASES)
def test_a_loop_with_two_slots_is_right_and_its_waits_count(target: str, wide: bool) -> None:
    program = asmgen.compile(product(target, wide), target=target, verify_passes=True)
    body = loop_of(program.kernels[0].assembly)
    load, copies = ("buffer_load_dwordx4", 2) if wide else ("buffer_load_dword", 8)
    loads = [line for line in body if line.startswith(f"{load} ")]
    assert len(loads) == copies and all(line.endswith(" offen lds") for line in loads)
    assert [line for line in body if "vmcnt" in line] == [f"s_waitcnt vmcnt({copies})"]
    assert sum("m0" in line.split(",")[0] for line in body) == copies
    assert not [line for line in body if "exec" in line or "ds_write" in line]  # masks are in the addresses
    a, b = operands()
    (z,) = program(a, b, device=chosen_device())
    np.testing.assert_array_equal(z, (a.astype(np.float64) @ b.astype(np.float64).T).astype(np.float16))


def pipelined(target: str, wide: bool) -> str:
    """The product with marks of stages in place of slots by hand: copies are two trips ahead."""
    text = product(target, wide).replace("slots(2)", "slots(4)").replace("    barrier()\n    yield", "    yield")
    first, last = text.index("  async_copy"), text.index("    a_k = lds_load")
    loop = """  total = for[k = 0 to 128 step 32](zero) (acc) {
    async_copy[at={c0 + 64*row, c1 + k}, layout=a_in, where={c0 + 64*row < 100}, slot=(k floordiv 32) mod 4](a, a_lds)
    async_copy[at={c1 + 64*column, c0 + k}, layout=b_in, slot=(k floordiv 32) mod 4](bt, b_lds)
    stage()
    stage()
    async_wait()
    barrier()
"""
    return text[:first] + loop + text[last:].replace("(k floordiv 32) mod 2", "(k floordiv 32) mod 4")


@pytest.mark.parametrize(("target", "wide"), [("gfx950", True), ("gfx90a", False)])
def test_stages_keep_the_copies_of_two_trips_under_way(target: str, wide: bool) -> None:
    program = asmgen.compile(pipelined(target, wide), target=target, verify_passes=True)
    body = loop_of(program.kernels[0].assembly)
    assert [line for line in body if "vmcnt" in line] == [f"s_waitcnt vmcnt({2 if wide else 8})"]
    a, b = operands()
    (z,) = program(a, b, device=chosen_device())
    np.testing.assert_array_equal(z, (a.astype(np.float64) @ b.astype(np.float64).T).astype(np.float16))


@pytest.mark.parametrize("count", [3, 4])
def test_the_sanitizer_finds_a_wait_that_is_too_short(count: int) -> None:
    program = asmgen.compile(product("gfx950", wide=True), target="gfx950")
    assembly = program.kernels[0].assembly
    a, b = operands()
    arguments = [a, b, np.zeros((100, 128), np.float16)]

    def launch(text: str) -> None:
        _ = asmgen.run(text, kernel="product", grid=(2, 2, 1), block=(256, 1, 1), args=arguments, device="emulator")

    launch(assembly)
    with pytest.raises(SanitizerError, match="LDS is read before the wait for the copy that writes it"):
        launch(assembly.replace("s_waitcnt vmcnt(2)", f"s_waitcnt vmcnt({count})"))


@pytest.mark.needs_llvm(*LLVM)
@pytest.mark.parametrize("target", COPYING)
def test_the_bytes_are_those_of_llvm(target: str) -> None:
    wide = 16 in TARGETS[target].lds_copy_bytes
    text = asmgen.compile(product(target, wide), target=target).kernels[0].assembly
    machine = parse_target(target)
    assert differences(assemble_text(text, machine, "product.s"), of_llvm(text, machine)) == []


@pytest.mark.parametrize("tiles", list(Tiles))
def test_the_interpreter_agrees(tiles: Tiles) -> None:
    (kernel,) = read_program(WIDE, "product.gen").kernels
    a, b = operands()
    z = np.zeros(100 * 128, np.float16)
    interpret(kernel, {"a": a.reshape(-1), "bt": b.reshape(-1), "z": z}, tiles)
    np.testing.assert_array_equal(z.reshape(100, 128), (a.astype(np.float64) @ b.astype(np.float64).T).astype(np.float16))


@pytest.mark.parametrize("target", list(TARGETS))
def test_the_record_has_the_widths_of_the_rows(target: str) -> None:
    """The whole dwords among them: smaller loads write a dword of LDS."""
    rows = [row for row in table_of(TARGETS[target]).rows if Trait.LDS_DMA in row.traits and row.form == "offen lds"]
    assert tuple(sorted({row.memory_bytes for row in rows if row.memory_bytes >= 4})) == TARGETS[target].lds_copy_bytes


# a tile of {64,64} f16 that a wave copies to LDS and stores again
SMALL = """stage blockwise gfx950
kernel @small grid(block: 1) waves(2) lanes(64) {
  layout moved = reg(0:1 0:2 0:4 16:0 32:0) lane(0:8 0:16 0:32 1:0 2:0 4:0) wave(8:0)
  layout kept = reg(0:1 0:2 0:4 16:0 32:0) lane(0:8 0:16 0:32 1:0 2:0 4:0) wave(8:0)
  x = @param:x -> f16, {64,64}
  z = @param:z -> f16, {64,64}
  lds = lds_allocate() -> f16, {64,64} @ offset(0:1 0:2 0:4 0:8 0:16 0:32 1:0 2:0 4:0 8:0 16:0 32:0)
  async_copy[at={c0, c1}, layout=moved](x, lds)
  async_wait[pending=0]()
  barrier()
  t = lds_load(lds) -> f16, {64,64} @ kept
  tile_store[at={c0, c1}](t, z)
}
"""
MOVED = "moved = reg(0:1 0:2 0:4 16:0 32:0) lane(0:8 0:16 0:32 1:0 2:0 4:0) wave(8:0)"
PLACED = "offset(0:1 0:2 0:4 0:8 0:16 0:32 1:0 2:0 4:0 8:0 16:0 32:0)"
WANTED = r"wanted reg\(0:1 0:2 0:4\) lane\(0:8 0:16 0:32 1:0 2:0 4:0\)"
REFUSED = {
    "lanes in another order": (MOVED, "moved = reg(0:1 0:2 0:4 16:0 32:0) lane(0:8 0:16 1:0 0:32 2:0 4:0) wave(8:0)",
        rf"lane bit 2 has 1:0, which is 128 bytes into the LDS, wanted 64: lane i writes at 16 \* i; {WANTED}"),
    "8 bytes a lane": (MOVED, "moved = reg(0:1 0:2 0:32 16:0 32:0) lane(0:4 0:8 0:16 1:0 2:0 4:0) wave(8:0)",
        rf"lane 1 writes 8 bytes after lane 0, and gfx950 copies 4 or 12 or 16 bytes a lane, in the order of the lanes; {WANTED}"),
    "waves inside an access": (MOVED, "moved = reg(0:1 0:2 8:0 16:0 32:0) lane(0:8 0:16 0:32 1:0 2:0 4:0) wave(0:4)",
        rf"no register bit is 8 bytes into the LDS, and lane 1 is 16: the registers of an access follow each other; {WANTED}"),
    "waves with copies": (MOVED, "moved = reg(0:1 0:2 0:4 8:0 16:0 32:0) lane(0:8 0:16 0:32 1:0 2:0 4:0) wave(0:0)",
        r"wave bit 0 has a zero basis, so that waves would write the same elements"),
    "a register that turns the lanes": (MOVED, "moved = reg(0:1 0:2 0:4 16:8 32:0) lane(0:8 0:16 0:32 1:0 2:0 4:0) wave(8:0)",
        r"adds \d+ to the offset by XOR, wanted multiples of 512"),
    "padding inside an instruction": (PLACED, f"{PLACED} pad(64:8)",
        r"writes 512 elements of LDS in a row, and 8 are left free after every 64; wanted multiples of 512 and 8"),
    "memory in another order": (
        "at={c0, c1}, layout", "at={c1, c0}, layout", r"a lane copies 8 elements in a row in LDS, wanted 8 elements that are in a row"),
    "a condition inside an access": (
        "layout=moved]", "layout=moved, where={c1 < 60}]", r"a condition parts the 8 elements that a lane copies at a time"),
    "addresses of single elements": (
        "x = @param:x -> f16, {64,64}", "x = @param:x -> f16, {64,65}", r"an address in memory is a multiple of 2 bytes, wanted a multiple of 4"),
    "more than an offset reaches": ("x = @param:x -> f16, {64,64}", "x = @param:x -> f16, {64,33554432}", r"x may have more than 2147483648 bytes"),
}  # fmt: skip


@pytest.mark.parametrize("name", list(REFUSED))
def test_what_no_instruction_can_copy_is_refused(name: str) -> None:
    old, new, message = REFUSED[name]
    assert old in SMALL
    with pytest.raises(InputError, match=message) as caught:
        _ = asmgen.compile(SMALL.replace(old, new), target="gfx950")
    assert caught.value.code == "BLK012"


@pytest.mark.parametrize("target", [name for name in TARGETS if name not in COPYING])
@pytest.mark.parametrize("line", ["async_copy[at={c0, c1}, layout=moved](x, lds)", "async_wait[pending=0]()"])
def test_targets_without_copies_say_what_to_write(target: str, line: str) -> None:
    text = f"""stage blockwise {target}
kernel @row grid(block: 1) waves(1) lanes(32) {{
  layout moved = reg(0:1 0:2 0:4) lane(0:8 0:16 0:32 1:0 2:0)
  x = @param:x -> f16, {{4,64}}
  lds = lds_allocate() -> f16, {{4,64}} @ offset(0:1 0:2 0:4 0:8 0:16 0:32 1:0 2:0)
  {line}
}}
"""
    with pytest.raises(InputError, match=rf"{target} has no copies from memory to LDS; write tile_load and lds_store") as caught:
        _ = read_program(text, "row.gen")
    assert caught.value.code == "BLK012"


SWIZZLED = SMALL.replace(PLACED, "offset(0:1 0:2 0:4 0:8 0:16 0:32 1:8 2:16 4:32 8:0 16:0 32:0)").replace(
    MOVED, MOVED.replace("1:0 2:0 4:0", "1:8 2:16 4:32")
)


@pytest.mark.parametrize(
    "text", [SMALL, SWIZZLED, SMALL.replace(PLACED, f"{PLACED} pad(512:8)"), SMALL.replace("layout=moved]", "layout=moved, where={c0 < 37}]")]
)
def test_a_tile_goes_through_lds_as_it_is(text: str) -> None:
    """A swizzle of layout and placement, padding after whole instructions, and rows that are zeros."""
    x = np.random.default_rng(3).standard_normal((64, 64)).astype(np.float16)
    (z,) = asmgen.compile(text, target="gfx950", verify_passes=True)(x, device=chosen_device())
    rows = 37 if "c0 < 37" in text else 64
    np.testing.assert_array_equal(z, np.where(np.arange(64)[:, None] < rows, x, 0))


@pytest.mark.parametrize(("element", "target"), [("f64", "gfx942"), ("f64", "gfx950"), ("u8", "gfx90a"), ("f32", "gfx90a")])
def test_elements_of_every_size(element: str, target: str) -> None:
    """As many as fit an access; an element that does not fit is refused."""
    of_numpy = np.dtype(element.replace("f", "float").replace("u", "uint"))
    size, width = of_numpy.itemsize, 16 if 16 in TARGETS[target].lds_copy_bytes else 4
    bits = [f"0:{1 << bit}" for bit in range(10)]
    inside = max(1, width // size).bit_length() - 1
    layout = f"reg({' '.join(bits[:inside])}) lane({' '.join(bits[inside : inside + 6])})"
    columns = 64 << inside
    text = f"""stage blockwise {target}
kernel @row grid(block: 1) waves(1) lanes(64) {{
  layout moved = {layout.replace("reg() ", "")}
  x = @param:x -> {element}, {{1,{columns}}}
  z = @param:z -> {element}, {{1,{columns}}}
  lds = lds_allocate() -> {element}, {{1,{columns}}} @ offset({" ".join(bits[: inside + 6])})
  async_copy[at={{0, c1}}, layout=moved](x, lds)
  async_wait[pending=0]()
  t = lds_load(lds) -> {element}, {{1,{columns}}} @ moved
  tile_store[at={{0, c1}}](t, z)
}}
"""
    if size > width:
        with pytest.raises(InputError, match="gfx942 copies 4 bytes a lane, and f64 has 8; write tile_load and lds_store"):
            _ = asmgen.compile(text, target=target)
        return
    x = np.arange(columns).reshape(1, -1).astype(of_numpy)
    (z,) = asmgen.compile(text, target=target)(x, device=chosen_device())
    np.testing.assert_array_equal(z, x)


def test_some_waves_copy_for_all() -> None:
    """Wave 1 copies the tile, and both waves read it after the barrier."""
    copy = """  waves[1 to 2]() {
    async_copy[at={c0, c1}, layout=alone](x, lds)
    async_wait[pending=0]()
    yield()
  }
"""
    first, last = SMALL.index("  async_copy"), SMALL.index("  barrier")
    text = SMALL[:first] + copy + SMALL[last:]
    text = text.replace("  layout kept", "  layout alone = reg(0:1 0:2 0:4 8:0 16:0 32:0) lane(0:8 0:16 0:32 1:0 2:0 4:0)\n  layout kept")
    x = np.random.default_rng(4).standard_normal((64, 64)).astype(np.float16)
    (z,) = asmgen.compile(text, target="gfx950", verify_passes=True)(x, device=chosen_device())
    np.testing.assert_array_equal(z, x)


def test_a_condition_of_the_whole_wave_is_compared_once_a_trip() -> None:
    """By one compare, a mask of all or of no lanes, and a choice for each access; the other compare ends the loop."""
    (kernel,) = asmgen.compile(WIDE, target="gfx950").kernels
    code = [instr.row.mnemonic for instr in longest_loop(kernel.assembly, "gfx950")]
    assert sum(name.startswith("s_cmp") for name in code) == 2
    assert [name for name in code if name.startswith("s_cselect")] == ["s_cselect_b64"]
    assert sum(name.startswith("v_cndmask") for name in code) == sum(name.startswith("buffer_load") for name in code)


def test_more_loads_under_way_than_a_counter_counts() -> None:
    """17 copies of 4 loads are more than the 63 of vmcnt. The wait leaves 63 or fewer under way."""
    copies = [f"  async_copy[at={{c0 + {8 * slot}, c1}}, layout=moved, slot={slot}](x, lds)" for slot in range(20)]
    text = f"""stage blockwise gfx942
kernel @many grid(g: 1) waves(1) lanes(64) {{
  layout moved = reg(0:1 2:0 4:0) lane(0:2 0:4 0:8 0:16 0:32 1:0)
  x = @param:x -> f16, {{160,64}}
  z = @param:z -> f16, {{24,64}}
  lds = lds_allocate() -> f16, {{8,64}} @ offset(0:1 0:2 0:4 0:8 0:16 0:32 1:0 2:0 4:0) slots(20)
{chr(10).join(copies)}
  async_wait[pending=17]()
  a = lds_load[slot=0](lds) -> f16, {{8,64}} @ moved
  b = lds_load[slot=2](lds) -> f16, {{8,64}} @ moved
  async_wait()
  c = lds_load[slot=19](lds) -> f16, {{8,64}} @ moved
  tile_store[at={{c0, c1}}](a, z)
  tile_store[at={{c0 + 8, c1}}](b, z)
  tile_store[at={{c0 + 16, c1}}](c, z)
}}
"""
    program = asmgen.compile(text, target="gfx942", verify_passes=True)
    counts = [int(count) for count in re.findall(r"vmcnt\((\d+)\)", program.kernels[0].assembly)]
    assert 0 in counts and all(count <= 63 for count in counts), counts
    x = np.arange(160 * 64, dtype=np.float16).reshape(160, 64)
    (z,) = program(x, device=chosen_device())
    np.testing.assert_array_equal(z, np.concatenate([x[8 * slot : 8 * slot + 8] for slot in (0, 2, 19)]))
