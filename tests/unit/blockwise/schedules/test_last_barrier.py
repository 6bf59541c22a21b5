"""No barrier behind the last access to LDS, and no other is left out."""

from __future__ import annotations

import pytest

from asmgen.blockwise.actions import Barrier, For, LdsLoad
from asmgen.blockwise.program import Kernel
from asmgen.blockwise.schedules.choices import Contract
from asmgen.blockwise.schedules.last_barrier import without_last_barriers
from asmgen.blockwise.schedules.schedule import schedule
from asmgen.blockwise.text.reader import read_program
from asmgen.gentext.parser import parse
from isa.targets import parse_target
from tests.unit.blockwise.schedules.graphs import product_text

CHOICE = Contract(64, 64, 64, 4, 1, "v_wmma_f32_16x16x16_f16")


def kernel_of(k: int) -> Kernel:
    """A product with a single buffer."""
    module = parse(product_text("f16", 256, 256, k), "product.gen").modules[0]
    return schedule(module, CHOICE, parse_target("gfx1100").target)


def barriers(kernel: Kernel) -> tuple[int, int]:
    """The barriers of the program outside of loops, and those of them behind the last load from LDS."""
    ops = [statement.op for statement in kernel.statements]
    last = max(place for place, op in enumerate(ops) if isinstance(op, LdsLoad))
    found = [place for place, op in enumerate(ops) if isinstance(op, Barrier)]
    return len(found), len([place for place in found if place > last])


def test_a_product_of_one_trip_does_not_wait_behind_its_reads() -> None:
    assert barriers(kernel_of(64)) == (1, 0)


@pytest.mark.parametrize("k", [128, 512])
def test_trips_keep_their_barriers(k: int) -> None:
    """Each trip of a loop has one before its reads, and one behind them. The last trip is behind the loop."""
    kernel = kernel_of(k)
    (loop,) = [each for each in kernel.statements if isinstance(each.op, For)]
    assert sum(isinstance(each.op, Barrier) for each in loop.regions[0].statements) == 2
    assert barriers(kernel) == (1, 0)


PROGRAM = """stage blockwise gfx1100
kernel @test grid(row: 1) waves(2) lanes(32) {{
  layout own = reg() lane(1 2 4 8 16) wave(32)
  x = @param:x -> f32, {{64}}
  y = @param:y -> f32, {{64}}
  lds = lds_allocate() -> f32, {{64}} @ offset(1 2 4 8 16 32)
  t = tile_load[at={{c0}}](x) -> f32, {{64}} @ own
  lds_store(t, lds)
  barrier()
  u = lds_load(lds) -> f32, {{64}} @ own
{code}
}}
"""


def left(code: str) -> int:
    lines = "".join(f"  {line}\n" for line in code.split(" | ")).rstrip("\n")
    kernel = read_program(PROGRAM.format(code=lines), "test.gen").kernels[0]
    return sum(isinstance(each.op, Barrier) for each in without_last_barriers(kernel).statements)


STORE = "tile_store[at={c0}](u, y)"
EXCHANGE = "lds_store(p, lds) | barrier() | q = lds_load(lds) -> f32, {64} @ own"
LOOP = "w = for[k = 0 to 2](u) (p) { | %s | yield(%s) | }"
TURNED = "v = relayout(u) -> f32, {64} @ reg() lane(2 4 8 16 32) wave(1)"


@pytest.mark.parametrize(
    ("code", "count"),
    [
        (f"barrier() | {STORE}", 1),
        (f"barrier() | {TURNED} | {STORE.replace('u', 'v')}", 2),  # waves exchange elements by LDS behind it
        ("barrier() | lds_store(u, lds) | barrier() | v = lds_load(lds) -> f32, {64} @ own | " + STORE, 3),
        (f"barrier() | {LOOP % (EXCHANGE, 'q')}", 2),
        (f"{LOOP % (STORE, 'p')} | barrier()", 2),
        # a wave may read what another has stored before the barrier
        (f"{STORE} | barrier() | v = tile_load[at={{63 - c0}}](y) -> f32, {{64}} @ own", 2),
    ],
)
def test_barriers_stay_if_waves_exchange_anything_behind_them(code: str, count: int) -> None:
    assert left(code) == count
