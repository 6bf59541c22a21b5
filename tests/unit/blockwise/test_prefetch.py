"""Loops that load a tile for the next trip wait for it there, whatever else the trip does."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen
from asmgen.ir.arrays import numpy_dtype
from asmgen.ir.types import ELEMENT_TYPES
from isa.instruction import Event, Instr, Trait, Unit
from isa.targets import TARGETS
from isa.waits import waited
from tests.machine_code import longest_loop
from tests.rows import in_turn

ROWS = 3

LOOP = """stage blockwise {target}
kernel @prefetch grid(row: {rows}) waves(2) lanes({lanes}) {{
  layout row_of = reg(0:1 0:2 0:4) lane({bases}) wave(0:{half})
  layout everyone = lane({zeros}) wave(0:0)
  x = @param:x -> {element}, {{{rows},{columns}}}
  s = @param:s -> f32, {{{rows},1}}
  z = @param:z -> f32, {{{rows},{columns}}}
  none = fill[value=0.0]() -> f32, {sum}
  first = tile_load[at={{row, c1}}{first}](x) -> {element}, {{1,{step}}} @ row_of
  total, last = for[k = 0 to {columns} step {step}](none, first) (sum, now) {{
    next = tile_load[at={{row, c1 + k + {step}}}, where={{c1 + k + {step} < {columns}}}{otherwise}](x) -> {element}, {{1,{step}}} @ row_of
    {wide}
    {inside}
    yield(more, next)
  }}
  {after}
  tile_store[at={{row, 0}}](whole, s)
}}
"""
REDUCE = "part = reduce[op=sum, axes={{1}}]({of}) -> f32, {{1,1}} @ everyone"
STORE = "tile_store[at={{row, c1 + k}}, where={{c1 + k < {columns}}}](w, z)"


def text_of(target: str, element: str, columns: int, otherwise: str, has_reduce: bool, has_store: bool) -> str:
    lanes = TARGETS[target].wave_size
    half = 8 * lanes
    step = 2 * half
    row = f"{{1,{step}}} @ row_of"
    kind = ELEMENT_TYPES[element]
    wide = f"w = convert[to=f32](now) -> f32, {row}"
    if not kind.is_float:
        wide = f"i = convert[to=i32](now) -> i32, {row}\n    w = convert[to=f32](i) -> f32, {row}"
    inside = [REDUCE.format(of="w"), "more = add(sum, part) -> f32, {1,1} @ everyone"] if has_reduce else [f"more = add(sum, w) -> f32, {row}"]
    inside += [STORE.format(columns=columns)] if has_store else []
    after = "whole = add(total, none) -> f32, {1,1} @ everyone" if has_reduce else REDUCE.format(of="total").replace("part", "whole")
    return LOOP.format(
        target=target, element=element, rows=ROWS, lanes=lanes, half=half, step=step, columns=columns,
        bases=" ".join(f"0:{8 << bit}" for bit in range(lanes.bit_length() - 1)),
        zeros=" ".join(["0:0"] * (lanes.bit_length() - 1)), sum="{1,1} @ everyone" if has_reduce else row,
        first=f", where={{c1 < {columns}}}{otherwise}" if columns < step else "",
        otherwise=otherwise, wide=wide, inside="\n    ".join(inside), after=after,
    )  # fmt: skip


def waits_for_own_loads(loop: list[Instr], target: str) -> list[Instr]:
    """The waits of a trip for the loads of the same trip: by their counts they leave none of them under way,
    or not the first."""
    (counter,) = [counter for counter in TARGETS[target].counters if Event.VMEM_LOAD in counter.events]
    since_load = 0
    found: list[Instr] = []
    for instr in loop:
        is_counted = not counter.events.isdisjoint(instr.row.events)
        if is_counted and (since_load or Trait.LOAD in instr.row.traits):
            since_load += 1
        if since_load > waited(instr).get(counter.name, since_load):
            found.append(instr)
    return found


KINDS = {
    "choice": (False, False), "choice and barrier": (True, False), "choice and branch": (False, True), "all": (True, True),
}  # fmt: skip
ELEMENTS = [
    ("gfx90a", "f16"), ("gfx942", "bf16"), ("gfx942", "fp8e4m3fnuz"), ("gfx950", "i8"), ("gfx1100", "f16"), ("gfx1201", "fp8e4m3fn"),
]  # fmt: skip
WHOLE, SINGLE = 2496, 2501  # columns: a lane has its elements by one load, or each by a load with a condition


@pytest.mark.parametrize(("on", "kind"), in_turn(ELEMENTS, KINDS, of=2))
def test_a_loop_waits_for_the_loads_of_the_trip_before(on: tuple[str, str], kind: str) -> None:
    target, element = on
    has_reduce, has_store = KINDS[kind]
    for columns, otherwise in ((WHOLE, ", otherwise=1"), (SINGLE, ", otherwise=1"), (WHOLE, ", loose=true"), (SINGLE, "")):
        text = text_of(target, element, columns, otherwise, has_reduce, has_store)
        (kernel,) = asmgen.compile(text, target=target).kernels
        loop = longest_loop(kernel.assembly, target)
        assert any(instr.row.unit is Unit.VMEM and Trait.LOAD in instr.row.traits for instr in loop)
        assert not waits_for_own_loads(loop, target), (columns, otherwise)


@pytest.mark.parametrize("target, element", ELEMENTS)
def test_the_other_elements_have_the_other_value(target: str, element: str) -> None:
    """In every trip, also if the first tile is loaded by the same condition (500 columns)."""
    step = 16 * TARGETS[target].wave_size
    for columns, (has_reduce, has_store) in ((SINGLE, KINDS["all"]), (WHOLE, KINDS["choice"]), (500, KINDS["all"])):
        text = text_of(target, element, columns, ", otherwise=1", has_reduce, has_store)
        (kernel,) = asmgen.compile(text, target=target).kernels
        x = np.random.default_rng(0).integers(0, 5, (ROWS, columns)).astype(numpy_dtype(ELEMENT_TYPES[element]))
        arrays = [x.reshape(-1), np.zeros(ROWS, np.float32), np.zeros(x.size, np.float32)]
        _, s, z = asmgen.run(
            kernel.assembly, kernel=kernel.name, grid=kernel.workgroups, block=kernel.block or (1, 1, 1),
            args=arrays, device="emulator",
        )  # fmt: skip
        wide = x.astype("f4")
        np.testing.assert_array_equal(np.asarray(s), wide.sum(axis=1) + -columns % step)
        if has_store:
            np.testing.assert_array_equal(np.asarray(z).reshape(x.shape), wide)


SUMS = """stage blockwise gfx942
kernel @sums grid(row: 3) waves(1) lanes(64) {
  layout row_of = reg(0:1 0:2 0:4) lane(0:8 0:16 0:32 0:64 0:128 0:256)
  x = @param:x -> f16, {3,1792}
  z = @param:z -> f32, {3,512}
  none = fill[value=0.0]() -> f32, {1,512} @ row_of
  first = tile_load[at={row, c1}](x) -> f16, {1,512} @ row_of
  total, last = for[k = 0 to 1792 step 512](none, first) (sum, now) {
    next = tile_load[at={row, c1 + k + 512}, where={c1 + k + 512 < 1792}, otherwise=1](x) -> f16, {1,512} @ row_of
    w = convert[to=f32](now) -> f32, {1,512} @ row_of
    more = add(sum, w) -> f32, {1,512} @ row_of
    yield(more, next)
  }
  tile_store[at={row, c1}](total, z)
}
"""


def test_sums_stay_in_their_registers() -> None:
    """An allocation with a VGPR fewer and no more waves copied six of them in each trip."""
    (kernel,) = asmgen.compile(SUMS, target="gfx942").kernels
    loop = longest_loop(kernel.assembly, "gfx942")
    assert not any(instr.row.unit is Unit.VALU and Trait.MOVE in instr.row.traits for instr in loop)
