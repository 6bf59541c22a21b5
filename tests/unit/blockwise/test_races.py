"""LDS and buffers that waves share with no barrier between are refused; what one wave keeps for itself needs none."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen
from asmgen.blockwise.program import Kernel, TileProgram
from asmgen.blockwise.rules.races.judge import Race
from asmgen.blockwise.schedules.choices import Contract
from asmgen.blockwise.schedules.schedule import schedule
from asmgen.blockwise.text.printer import print_program
from asmgen.blockwise.text.reader import read_program
from asmgen.cli.stages import stage_text
from asmgen.compiler import start
from asmgen.frontends.sources import read_text
from asmgen.options import Options
from asmgen.pipeline import advance
from isa.diagnostics import InputError
from isa.targets import TARGETS, parse_target
from tests.device import chosen_device
from tests.unit.blockwise.schedules.test_contract import graph_of

PRODUCT = "a = @param:a -> f32, {64,64}\nb = @param:b -> f32, {64,64}\nd = dot(a, b)\n@return(d)\n"
# Each wave turns its own eight rows around: lanes read what others of their wave wrote.
OWN_ROWS = """stage blockwise gfx942
kernel @turn grid(group: 1) waves(2) lanes(64) {
  layout rows = lane(0:1 0:2 0:4 1:0 2:0 4:0) wave(8:0)
  layout columns = lane(1:0 2:0 4:0 0:1 0:2 0:4) wave(8:0)
  x = @param:x -> f32, {16,8}
  z = @param:z -> f32, {16,8}
  lds = lds_allocate() -> f32, {16,8} @ offset(0:1 0:2 0:4 1:0 2:0 4:0 8:0)
  t = tile_load[at={c0, c1}](x) -> f32, {16,8} @ rows
  lds_store(t, lds)
  u = lds_load(lds) -> f32, {16,8} @ columns
  tile_store[at={c0, c1}](u, z)
}
"""


def product(buffers: int) -> str:
    kernel = schedule(graph_of(PRODUCT).module, Contract(32, 32, 16, 4, buffers), TARGETS["gfx942"])
    return print_program(TileProgram(parse_target("gfx942"), (kernel,)))


def without_barrier(text: str, number: int) -> str:
    parts = text.split("    barrier()\n")
    return "    barrier()\n".join([*parts[:number], parts[number] + parts[number + 1], *parts[number + 2 :]])


COLUMNS = "columns = lane(1:0 2:0 4:0 0:1 0:2 0:4) wave(8:0)"
READS, OVERWRITES = "lds_load: a wave reads what another writes to lds by ", "lds_store: a wave overwrites what another may still read of lds"
# The slot that a wave reads, and the slot that another writes at the same time, depend on the workgroup or on the trip.
ALL_LANES = "columns = lane(1:0 2:0 8:0 0:1 0:2 0:4) wave(4:0)"
BOTH_SLOTS = "  lds_store[slot=0](t, lds)\n  lds_store[slot=1](t, lds)\n  barrier()\n"
BY_ROW = (
    OWN_ROWS.replace(COLUMNS, ALL_LANES)
    .replace("group: 1", "row: 2")
    .replace("z = @param:z -> f32, {16,8}", "z = @param:z -> f32, {32,8}")
    .replace("tile_store[at={c0, c1}]", "tile_store[at={c0 + 16*row, c1}]")
    .replace("8:0)\n  t =", "8:0) slots(2)\n  t =")
    .replace("  lds_store(", f"{BOTH_SLOTS}  lds_store[slot=(row + 1) mod 2](")
    .replace("lds_load(", "lds_load[slot=0](")
)
IN_TRIPS = """stage blockwise gfx942
kernel @turn grid(group: 1) waves(2) lanes(64) {
  layout rows = lane(0:1 0:2 0:4 1:0 2:0 4:0) wave(8:0)
  layout columns = lane(1:0 2:0 8:0 0:1 0:2 0:4) wave(4:0)
  z = @param:z -> f32, {16,8}
  lds = lds_allocate() -> f32, {16,8} @ offset(0:1 0:2 0:4 1:0 2:0 4:0 8:0) slots(2)
  t = fill[value=0.0]() -> f32, {16,8} @ rows
  for[k = 0 to 16 step 2]() {
    lds_store[slot=(k floordiv 4) mod 2](t, lds)
    barrier()
    u = lds_load[slot=(k floordiv 4) mod 2](lds) -> f32, {16,8} @ columns
    tile_store[at={c0, c1}](u, z)
    yield()
  }
}
"""
# A wave has the even rows before row 8 and the odd rows after. The loads are of even rows: a part at row 0 would not meet.
LATER_PART = (
    OWN_ROWS.replace("lane(0:1 0:2 0:4 1:0 2:0 4:0) wave(8:0)", "lane(0:1 0:2 0:4 2:0 4:0 9:0) wave(1:0)")
    .replace(COLUMNS, "columns = lane(2:0 4:0 0:0 0:1 0:2 0:4) wave(1:0)")
    .replace("lds_load(lds) -> f32, {16,8}", "lds_load[origin={8, 0}](lds) -> f32, {8,8}")
)
RACES = {
    "reads before all have written": (without_barrier(product(2), 0), f"{READS}lds_store at product.gen:"),
    "writes the one slot before all have read": (without_barrier(product(1), 1), OVERWRITES),
    "turns to the slot too early": (product(2).replace("(k floordiv 16) mod 2", "(k floordiv 32) mod 2"), OVERWRITES),
    "rows of another wave": (OWN_ROWS.replace(COLUMNS, "columns = lane(1:0 2:0 8:0 0:1 0:2 0:4) wave(4:0)"), READS),
    "copies": (OWN_ROWS.replace(COLUMNS, "columns = reg(8:0) lane(1:0 2:0 4:0 0:1 0:2 0:4) wave(0:0)"), READS),
    "a slot of another workgroup": (BY_ROW, READS),
    "a slot of two trips": (IN_TRIPS, OVERWRITES),
    "a part at row 8": (LATER_PART, READS),
}
CASES = {
    "writes the one slot before all have read": "element {8,0} of slot 0, by wave 1 in trip k = 0 and then wave 0 in trip k = 16",
    "a slot of another workgroup": "for row = 1, element {4,0} of slot 0, by wave 0 and then wave 1",
    "a slot of two trips": "element {4,0} of slot 0, by wave 1 in trip k = 0 and then wave 0 in trip k = 2",
}


@pytest.mark.parametrize("name", list(RACES))
def test_a_missing_barrier_is_named(name: str) -> None:
    text, words = RACES[name]
    with pytest.raises(InputError) as caught:
        _ = read_program(text, "product.gen")
    assert caught.value.code == "BLK003"
    assert words in caught.value.message
    assert "put barrier() there" in caught.value.message
    assert CASES.get(name, "and then wave") in caught.value.message


@pytest.mark.parametrize("name", list(RACES))
def test_what_is_refused_is_a_race_on_the_machine(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Past the verifier, the emulator's sanitizer finds it."""

    def none(kernel: Kernel) -> tuple[object, ...]:
        del kernel
        return ()

    for rule in ("races", "unwritten"):
        monkeypatch.setattr(f"asmgen.blockwise.rules.verify.{rule}", none)
    (kernel,) = asmgen.compile(RACES[name][0], target="gfx942").kernels
    assert kernel.grid is not None
    buffers = [np.zeros(64 * 64, "f4") for _ in kernel.arguments]
    with pytest.raises(InputError, match="SAN003"):
        _ = asmgen.run(kernel.assembly, kernel=kernel.name, grid=kernel.workgroups, block=kernel.block, args=buffers, device="emulator")


def test_what_a_wave_keeps_for_itself_needs_no_barrier() -> None:
    x = np.arange(128, dtype="f4").reshape(16, 8)
    (z,) = asmgen.compile(OWN_ROWS, target="gfx942")(x, device=chosen_device())
    assert np.array_equal(z, x)


def test_different_parts_of_lds_are_no_race() -> None:
    text = OWN_ROWS.replace("  lds_store(t, lds)\n", "  lds_store(t, lds)\n  barrier()\n  lds_store[origin={16, 0}](t, lds)\n").replace(
        "{16,8} @ offset(0:1 0:2 0:4 1:0 2:0 4:0 8:0)", "{32,8} @ offset(0:1 0:2 0:4 1:0 2:0 4:0 8:0 16:0)"
    )
    crossed = text.replace("columns = lane(1:0 2:0 4:0", "columns = lane(1:0 2:0 8:0").replace("0:4) wave(8:0)\n  x", "0:4) wave(4:0)\n  x")
    assert crossed != text
    assert read_program(crossed, "turn.gen").kernels


UNWRITTEN = {
    "nothing is stored": (OWN_ROWS.replace("  lds_store(t, lds)\n", ""), "element {0,0} of slot 0 of lds, and no statement before writes it"),
    "half of it is stored": (
        OWN_ROWS.replace(
            "lds_store(t, lds)",
            "h = tile_load[at={c0, c1}](x) -> f32, {8,8} @ lane(0:1 0:2 0:4 1:0 2:0 0:0) wave(4:0)\n  lds_store(h, lds)\n  barrier()",
        ),
        "element {8,0} of slot 0 of lds",
    ),
    "the other slot is stored": (
        BY_ROW.replace(BOTH_SLOTS, "")
        .replace(ALL_LANES, COLUMNS)
        .replace("slot=(row + 1) mod 2", "slot=0")
        .replace("lds_load[slot=0](", "lds_load[slot=row]("),
        "element {0,0} of slot 1 of lds for row = 1",
    ),
    "the first trip has no slot": (
        IN_TRIPS.replace(ALL_LANES, COLUMNS).replace("lds_load[slot=(k floordiv 4) mod 2]", "lds_load[slot=(k floordiv 4 + 1) mod 2]"),
        "element {0,0} of slot 1 of lds in trip k = 0",
    ),
}


@pytest.mark.parametrize("name", list(UNWRITTEN))
def test_what_was_never_written_is_not_read(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the sanitizer sees on the machine."""
    text, words = UNWRITTEN[name]
    with pytest.raises(InputError) as caught:
        _ = read_program(text, "k.gen")
    assert caught.value.code == "BLK003"
    assert f"lds_load: it reads {words}" in caught.value.message
    monkeypatch.setattr("asmgen.blockwise.rules.verify.unwritten", lambda kernel: ())
    (kernel,) = asmgen.compile(text, target="gfx942").kernels
    buffers = [np.zeros(64 * 64, "f4") for _ in kernel.arguments]
    with pytest.raises(InputError, match="SAN004"):
        _ = asmgen.run(kernel.assembly, kernel=kernel.name, grid=kernel.workgroups, block=kernel.block, args=buffers, device="emulator")


def test_what_a_later_trip_writes_is_read_behind_the_loop() -> None:
    """Slot 1 is written by the trips from k = 4 on."""
    behind = "  }\n  v = lds_load[slot=1](lds) -> f32, {16,8} @ columns\n  tile_store[at={c0, c1}](v, y)\n}\n"
    text = IN_TRIPS.replace(ALL_LANES, COLUMNS).replace("  z = @param", "  y = @param:y -> f32, {16,8}\n  z = @param").replace("  }\n}\n", behind)
    assert read_program(text, "k.gen").kernels
    with pytest.raises(InputError, match=r"element \{0,0\} of slot 1 of lds, and no statement before writes it"):
        _ = read_program(text.replace("k = 0 to 16", "k = 0 to 4"), "k.gen")


def of_buffers(body: str) -> str:
    """Four workgroups of two waves. In `rows` and `turned` the same wave has a row, in `columns` both have."""
    return f"""stage blockwise gfx942
kernel @buffers grid(row: 4) waves(2) lanes(64) {{
  layout rows = lane(0:1 0:2 0:4 1:0 2:0 4:0) wave(8:0)
  layout turned = lane(1:0 2:0 4:0 0:1 0:2 0:4) wave(8:0)
  layout columns = lane(1:0 2:0 4:0 8:0 0:1 0:2) wave(0:4)
  x = @param:x -> f32, {{64,64}}
  z = @param:z -> f32, {{64,64}}
  y = @param:y -> f32, {{64,8}}
{body}}}
"""


LOAD = "  t = tile_load[at={c0 + 16*row, c1}](x) -> f32, {16,8} @ rows\n"
STORE = "  tile_store[at={c0 + 16*row, c1}](t, z)\n"
BACK = "  u = tile_load[at={c0 + 16*row, c1}](z) -> f32, {16,8} @ columns\n  tile_store[at={c0 + 16*row, c1}](u, y)\n"
IN_A_LOOP = """  for[k = 0 to 4 step 1]() {
    t = tile_load[at={c0 + 16*k, c1}](x) -> f32, {16,8} @ rows
    tile_store[at={c0 + 16*row, c1 + 8*(k mod 2)}](t, z)
    barrier()
    u = tile_load[at={c0 + 16*row, c1 + 8*(k mod 2)}](z) -> f32, {16,8} @ columns
    tile_store[at={c0 + 16*row, c1}](u, y)
    barrier()
    yield()
  }
"""
# Workgroups share rows. Waves exchange them through LDS; the last workgroup begins 8 rows early.
THROUGH_LDS = """  lds = lds_allocate() -> f32, {16,8} @ offset(0:1 0:2 0:4 1:0 2:0 4:0 8:0) slots(2)
  t = tile_load[at={c0 + min(16*row, 40), c1}](x) -> f32, {16,8} @ rows
  lds_store[slot=1](t, lds)
  barrier()
  u = lds_load[slot=1](lds) -> f32, {16,8} @ columns
  tile_store[at={c0 + min(16*row, 40), c1}](u, z)
"""
# 500 elements in rows of 51: lanes past the end have the last four.
NUMBER = "(c0 mod 4 + min(4*(c0 floordiv 4), 496))"
FLAT = "{512} @ reg(1 2) lane(4 8 16 32 64 128) wave(256)"
AT_NUMBER = f"[at={{{NUMBER} floordiv 51, {NUMBER} mod 51}}]"
SUM_OF_ALL = f"""  t = tile_load{AT_NUMBER}(x) -> f32, {FLAT}
  s = reduce[op=sum, axes={{0}}](t) -> f32, {{1}} @ lane(0 0 0 0 0 0) wave(0)
  u = broadcast(s) -> f32, {FLAT}
  tile_store{AT_NUMBER}(u, z)
"""
# 900 rows in planes of 300: workgroups and lanes past the end have the last row and column.
AT_PLANE = "at={(min(c0 + 32*row, 899)) floordiv 300, (min(c0 + 32*row, 899)) mod 300, min(c1, 4)}"
PLANES = f"""stage blockwise gfx942
kernel @planes grid(row: 29) waves(4) lanes(64) {{
  layout piece = lane(0:1 0:2 0:4 1:0 2:0 4:0) wave(8:0 16:0)
  x = @param:x -> f32, {{3,300,5}}
  z = @param:z -> f32, {{3,300,5}}
  t = tile_load[{AT_PLANE}](x) -> f32, {{32,8}} @ piece
  tile_store[{AT_PLANE}, where={{c0 + 32*row < 900, c1 < 5}}](t, z)
}}
"""
# In a trip, waves have rows of their own, and lanes past the last of seven columns have the last.
AT_TRIP = "at={(c1 + k) floordiv 255, c0 mod 4 + min(4*(c0 floordiv 4), 3), (c1 + k) mod 255}"
IN_TRIPS_OF_ROWS = f"""stage blockwise gfx1100
kernel @trips grid(row: 1) waves(2) lanes(32) {{
  layout piece = reg(0:1 0:2 1:0 2:0) lane(0:4 0:8 0:16 4:0 8:0) wave(16:0) repeat(1:3)
  x = @param:x -> f32, {{2,7,255}}
  z = @param:z -> f32, {{2,7,255}}
  for[k = 0 to 480 step 96]() {{
    t = tile_load[{AT_TRIP}](x) -> f32, {{32,96}} @ piece
    tile_store[{AT_TRIP}, where={{4*(c0 floordiv 4) < 7}}](t, z)
    yield()
  }}
}}
"""
# Rows of 323 in groups of three: accesses of four past the end of a row have its last four.
COLUMN = "c0 mod 4 + min(4*((256*block + c0 floordiv 4) mod 81), 319)"
BATCH = "(1024*block + c0) floordiv 16524"
INSIDE = "1024*block + c0 < 49572"
AT_COLUMN = f"at={{{BATCH}, ((1024*block + c0) floordiv 324) mod 51, {COLUMN}}}, where={{{INSIDE}}}"
AT_MEAN = f"at={{{BATCH}, ((1024*block + c0) floordiv 972) mod 17}}, where={{{INSIDE}, {COLUMN} < 200}}"
GROUPS = f"""stage blockwise gfx942
kernel @groups grid(block: 49) waves(4) lanes(64) {{
  layout flat = reg(1 2) lane(4 8 16 32 64 128) wave(256 512)
  x = @param:x -> f32, {{3,51,323}}
  means = @param:means -> f32, {{3,17}}
  z = @param:z -> f32, {{3,51,323}}
  t = tile_load[{AT_COLUMN}](x) -> f32, {{1024}} @ flat
  mean = tile_load[{AT_MEAN}](means) -> f32, {{1024}} @ flat
  d = sub(t, mean) -> f32, {{1024}} @ flat
  tile_store[{AT_COLUMN}](d, z)
}}
"""
# The digits of a workgroup's id are not next to each other; the stored values do not follow from them.
DIGITS_APART = """stage blockwise gfx942
kernel @apart grid(row: 1, other: 768) waves(1) lanes(64) {
  x = @param:x -> f32, {768,64}
  z = @param:z -> f32, {2,64,384}
  t = tile_load[at={other, c0}](x) -> f32, {64} @ lane(1 2 4 8 16 32)
  tile_store[at={other floordiv 384, c0, other mod 384}](t, z)
}
"""
BUFFER_RACES = {
    "read by other waves": (
        LOAD + STORE + BACK,
        "a wave reads what another writes to z by tile_store at k.gen:10:3, and no barrier is between: for row = 0, element {0,4}, by wave 0",
    ),
    "read of the next workgroup": (
        LOAD + STORE + "  barrier()\n" + BACK.replace("16*row, c1}](z)", "16*((row + 1) mod 4), c1}](z)"),
        "element {16,0}, by workgroup row = 1 and workgroup row = 0; the workgroups of a launch have no order",
    ),
    "stores of all workgroups": (
        LOAD + STORE.replace(" + 16*row", ""),
        "tile_store: a workgroup writes what another writes to z by tile_store at k.gen:10:3: element {0,0}",
    ),
    "stores that overlap": (LOAD + STORE.replace("16*row", "8*row"), "element {8,0}, by workgroup row = 1 and workgroup row = 0"),
    "elements of a tile": (
        LOAD + STORE.replace("c1}", "c1 mod 4}"),
        "two elements of the tile go to the same element of z: for row = 0, {0,4} and {0,0} to {0,0}",
    ),
    "elements of a tile at an index plus its remainder": (
        LOAD + STORE.replace("c0 + 16*row", "c0 + c0 mod 2 + 8*row"),
        "two elements of the tile go to the same element of z: for row = 0, {8,0} and {7,0} to {8,0}",
    ),
    "elements of a tile in rows of four with five columns": (
        LOAD + STORE.replace("c0 + 16*row, c1}", "row, 4*c0 + c1}, where={c1 < 5, 4*c0 + c1 < 64}"),
        "two elements of the tile go to the same element of z: for row = 0, {8,0} and {7,4} to {0,32}",
    ),
    "elements of a tile at a quotient and the remainder of another": (
        LOAD + STORE.replace("c0 + 16*row, c1}", "4*row + c0 floordiv 4, 8*(c0 mod 2) + c1}"),
        "two elements of the tile go to the same element of z: for row = 0, {2,0} and {0,0} to {0,0}",
    ),
    "values from LDS": (
        THROUGH_LDS.replace("40), c1}](x)", "39), c1}](x)"),
        "element {40,0}, by workgroup row = 3 and workgroup row = 2",
    ),
    "values from a slot of LDS that the workgroup decides": (
        THROUGH_LDS.replace("  barrier", "  v = add(t, t)\n  lds_store(v, lds)\n  barrier").replace("lds_load[slot=1]", "lds_load[slot=row mod 2]"),
        "by workgroup row = 3 and workgroup row = 2",
    ),
    "in a loop": (
        IN_A_LOOP.replace(" + 8*(k mod 2)", "").replace("    barrier()\n    yield", "    yield"),
        "z by tile_load at k.gen:13:5, and no barrier is between: for row = 0, element {0,4}, by wave 1 in trip k = 0 and then wave 0 in trip k = 1",
    ),
}
NO_BUFFER_RACES = {
    "a barrier is between": LOAD + STORE + "  barrier()\n" + BACK,
    "the same wave has a row": LOAD + STORE + BACK.replace("columns", "turned"),
    "in place": LOAD.replace("(x)", "(z)") + STORE,
    "in place, and turned in a wave": LOAD.replace("(x)", "(z)").replace("rows", "turned")
    + "  u = relayout(t) -> f32, {16,8} @ rows\n"
    + STORE.replace("(t", "(u"),
    "other columns": LOAD + STORE + BACK.replace("16*row, c1}](z)", "16*row, c1 + 8}](z)"),
    "other rows": LOAD + STORE.replace("c0 + 16*row", "4*c0 + row"),
    "slots of a loop": IN_A_LOOP.replace("    barrier()\n    yield", "    yield").replace("tile_store[at={c0 + 16*row, c1}](u, y)", "v = add(u, u)"),
    "rows of eight merged": LOAD + STORE.replace("c0 + 16*row, c1}", "2*row + (8*c0 + c1) floordiv 64, (8*c0 + c1) mod 64}"),
    "columns below seven merged": LOAD + STORE.replace("c0 + 16*row, c1}", "2*row + (7*c0 + c1) floordiv 64, (7*c0 + c1) mod 64}, where={c1 < 7}"),
    "the same values": LOAD.replace("16*row", "8*row") + STORE.replace("16*row", "8*row"),
    "the same values through LDS": THROUGH_LDS,
    "the same values through a buffer of one row less": THROUGH_LDS.replace("c1}](x)", "c1}, where={c0 + min(16*row, 40) < 55}](x)"),
    "a sum of all elements at the digits of a number": SUM_OF_ALL,
    "a constant": "  t = fill[value=1.0]() -> f32, {16,8} @ rows\n" + STORE.replace(" + 16*row", ""),
}


@pytest.mark.parametrize("name", list(BUFFER_RACES))
def test_a_race_in_a_buffer_is_named(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sanitizer sees it on the machine, if the accesses are of different waves."""
    body, words = BUFFER_RACES[name]
    with pytest.raises(InputError) as caught:
        _ = read_program(of_buffers(body), "k.gen")
    assert caught.value.code == "BLK003"
    assert words in caught.value.message

    def none(kernel: Kernel) -> tuple[Race, ...]:
        del kernel
        return ()

    monkeypatch.setattr("asmgen.blockwise.rules.verify.races", none)
    (kernel,) = asmgen.compile(of_buffers(body), target="gfx942").kernels
    buffers = [np.arange(64 * 64, dtype="f4") for _ in kernel.arguments]
    if name.startswith("elements of a tile"):
        return
    with pytest.raises(InputError, match="SAN003"):
        _ = asmgen.run(kernel.assembly, kernel=kernel.name, grid=kernel.workgroups, block=kernel.block, args=buffers, device="emulator")


@pytest.mark.parametrize("name", list(NO_BUFFER_RACES))
def test_what_is_no_race_in_a_buffer(name: str) -> None:
    """Nor is it to the sanitizer."""
    (kernel,) = asmgen.compile(of_buffers(NO_BUFFER_RACES[name]), target="gfx942").kernels
    buffers = [np.arange(64 * 64, dtype="f4") for _ in kernel.arguments]
    _ = asmgen.run(kernel.assembly, kernel=kernel.name, grid=kernel.workgroups, block=kernel.block, args=buffers, device="emulator")


@pytest.mark.parametrize(
    "text", [PLANES, IN_TRIPS_OF_ROWS, GROUPS, DIGITS_APART], ids=["planes", "trips", "groups", "digits"]
)
def test_stores_of_the_same_values_need_no_long_search(text: str) -> None:
    """It would have too many parts."""
    assert read_program(text, "k.gen").kernels


def test_stores_of_other_values_are_refused_if_the_search_is_too_long() -> None:
    with pytest.raises(InputError, match="it is not shown that no two elements"):
        _ = read_program(GROUPS.replace("floordiv 972) mod 17", "floordiv 4) mod 17"), "k.gen")


def test_a_store_by_data_is_left_to_the_sanitizer() -> None:
    index = "  p = positions[at={c0 mod 4}]() -> i32, {16,8} @ rows\n"
    assert read_program(of_buffers(LOAD + index + "  tile_store[at={v0, c1}, where={v0 < 64}](t, z, p)\n"), "k.gen").kernels


def test_a_copy_to_lds_reads_its_buffer_until_the_wait() -> None:
    head = "  lds = lds_allocate() -> f32, {16,8} @ offset(0:1 0:2 0:4 1:0 2:0 4:0 8:0)\n"
    copy = "  async_copy[at={c0 + 16*row, c1}, layout=rows](z, lds)\n"
    end = "  async_wait()\n  barrier()\n  u = lds_load(lds) -> f32, {16,8} @ columns\n"
    with pytest.raises(InputError) as caught:
        _ = read_program(of_buffers(head + LOAD + copy + STORE + end), "k.gen")
    assert "tile_store: a wave writes elements that a copy may still read of z by async_copy at k.gen:11:3" in caught.value.message
    assert read_program(of_buffers(head + LOAD + copy + "  async_wait()\n" + STORE + end), "k.gen").kernels
    turned = STORE.replace("c1}", "7 - c1}")
    with pytest.raises(InputError, match="async_copy: a wave reads what another writes to z by tile_store"):
        _ = read_program(of_buffers(head + LOAD + turned + copy.replace("c0 +", "15 - c0 +") + end), "k.gen")


# Lanes of the last columns have three of their columns in common: they carry and store the same sums.
RUNNING = """stage blockwise gfx942
kernel @running grid(row: 1) waves(1) lanes(64) {
  layout piece = reg(0:1 0:2 1:0) lane(0:4 0:8 0:16 0:32 0:64 2:0)
  layout rows = reg(0:1 0:2) lane(0:4 0:8 0:16 0:32 0:64 0:0)
  x = @param:x -> f32, {12,91}
  z = @param:z -> f32, {12,91}
  s = fill[value=0]() -> f32, {1,128} @ rows
  r = for[k = 0 to 12 step 4](s) (p) {
    t = tile_load[at={c0 + k, c1 mod 4 + min(4*(c1 floordiv 4), 87)}](x) -> f32, {4,128} @ piece
    y, last = scan[op=sum, axis=0](t, p) -> f32, {4,128} @ piece, f32, {1,128} @ rows
    tile_store[at={c0 + k, c1 mod 4 + min(4*(c1 floordiv 4), 87)}, where={4*(c1 floordiv 4) < 91}](y, z)
    yield(last)
  } -> f32, {1,128} @ rows
}
"""
OF_COLUMN = "tile_load[at={k, c1 mod 64}](x) -> f32, {1,128} @ rows\n"
CARRIED_APART = {
    "first values": RUNNING.replace("fill[value=0]()", "tile_load[at={c0, c1 mod 64}](x)"),
    "values of a trip": RUNNING.replace("yield(last)", f"q = {OF_COLUMN}    yield(q)"),
    "sums of trips": RUNNING.replace("yield(last)", f"q = {OF_COLUMN}    r_1 = add(last, q)\n    yield(r_1)"),
    "sums of other trips": RUNNING.replace("tile_store[at={c0 + k,", "tile_store[at={c0 + k mod 4,"),
    "sums of rows of other trips": RUNNING.replace("12 step 4", "9 step 3"),
    "sums of other rows": RUNNING.replace("tile_store[at={c0 + k,", "tile_store[at={c0 mod 2 + k,"),
    "sums of a row too many": RUNNING.replace("tile_store[at={c0 + k,", "tile_store[at={c0 mod 2 + k,").replace("91}](y", "91, c0 < 3}](y"),
}


def test_lanes_may_store_what_a_loop_carries_for_both_of_them() -> None:
    (kernel,) = asmgen.compile(RUNNING, target="gfx942").kernels
    x = np.arange(12 * 91, dtype="f4").reshape(12, 91)
    _, z = asmgen.run(kernel.assembly, kernel=kernel.name, grid=(1, 1, 1), block=(64, 1, 1), args=[x, np.zeros_like(x)], device="emulator")
    np.testing.assert_array_equal(z, np.cumsum(x, axis=0))


@pytest.mark.parametrize("name", list(CARRIED_APART))
def test_lanes_may_not_store_what_a_loop_carries_for_one_of_them(name: str) -> None:
    with pytest.raises(InputError, match=r"two elements of the tile go to the same element of z|writes what another writes"):
        _ = read_program(CARRIED_APART[name], "k.gen")


def test_lanes_may_store_to_the_remainder_of_a_row_if_a_condition_keeps_the_others() -> None:
    text = RUNNING.replace("tile_store[at={c0 + k,", "tile_store[at={c0 mod 2 + k,").replace("91}](y", "91, 2*(c0 floordiv 2) < 2}](y")
    assert read_program(text, "k.gen").kernels


@pytest.mark.parametrize(
    ("shape", "axis", "element", "target"),
    [
        ("47,91", 0, "f32", "gfx942"),  # lanes of the last columns, in a loop
        ("47,1001", 0, "f64", "gfx90a"),  # rows by their remainders
        ("17,1001,7", 0, "i32", "gfx1100"),  # columns by quotients
        ("17,259,3", 2, "f64", "gfx90a"),  # a single column
        ("1001,1001", 0, "u8", "gfx1100"),  # parts with trips
        ("259,259", 0, "i32", "gfx942"),  # stored by several workgroups
    ],
)
def test_the_tile_texts_of_scans_are_legal_input(shape: str, axis: int, element: str, target: str) -> None:
    text = f"x = @param:x -> {element}, {{{shape}}}\ny = cummax[axis={axis}](x)\n@return(y)\n"
    compilation = start(read_text(text, "scan.gen"), parse_target(target), Options())
    advance(compilation, "blockwise")
    assert read_program(stage_text(compilation, "blockwise"), "scan.tiles.gen").kernels
