"""LDS that waves share with no barrier between is refused; what one wave keeps for itself needs none."""

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
BY_ROW = (
    OWN_ROWS.replace(COLUMNS, ALL_LANES)
    .replace("group: 1", "row: 2")
    .replace("8:0)\n  t =", "8:0) slots(2)\n  t =")
    .replace("lds_store(", "lds_store[slot=(row + 1) mod 2](")
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

    def none(kernel: Kernel) -> tuple[Race, ...]:
        del kernel
        return ()

    monkeypatch.setattr("asmgen.blockwise.rules.verify.races", none)
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
    text = OWN_ROWS.replace("lds_store(t, lds)", "lds_store[origin={16, 0}](t, lds)").replace(
        "{16,8} @ offset(0:1 0:2 0:4 1:0 2:0 4:0 8:0)", "{32,8} @ offset(0:1 0:2 0:4 1:0 2:0 4:0 8:0 16:0)"
    )
    crossed = text.replace("columns = lane(1:0 2:0 4:0", "columns = lane(1:0 2:0 8:0").replace("0:4) wave(8:0)\n  x", "0:4) wave(4:0)\n  x")
    assert crossed != text
    assert read_program(crossed, "turn.gen").kernels
