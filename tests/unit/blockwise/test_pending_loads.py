"""How many loads an `async_wait` leaves under way, beside every path of random programs."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import chain, product

from msgspec.structs import replace

from asmgen.blockwise import actions as ops
from asmgen.blockwise.actions import counted
from asmgen.blockwise.lowering.ops.copies import pending_loads
from asmgen.blockwise.program import Kernel, TileStatement
from asmgen.blockwise.text.reader import read_program
from asmgen.ir.program import Region, Statement
from tests.unit.blockwise.test_copies import SMALL

MOST_TRIPS = 3  # more do not change which copies are the last two
# 4 loads of 16 bytes a lane, and a copy of a quarter in a single load
QUARTER = "reg(0:1 0:2 0:4) lane(0:8 0:16 0:32 1:0 2:0 4:0) wave(8:0)"
TEXT = SMALL.replace("  layout moved", f"  layout quarter = {QUARTER}\n  layout moved").replace(
    "  async_wait",
    "  lds_2 = lds_allocate() -> f16, {16,64} @ offset(0:1 0:2 0:4 0:8 0:16 0:32 1:0 2:0 4:0 8:0)\n"
    "  async_copy[at={c0, c1}, layout=quarter](x, lds_2)\n  async_wait",
)


def copies() -> tuple[Kernel, list[TileStatement]]:
    (kernel,) = read_program(TEXT, "small.gen").kernels
    return kernel, [one for one in kernel.statements if isinstance(one.op, ops.AsyncCopy)]


LOADS = (4, 1)


def statements(rng: random.Random, known: Sequence[TileStatement], depth: int) -> tuple[TileStatement, ...]:
    made: list[TileStatement] = []
    for _ in range(rng.randint(1, 3)):
        kind = rng.choice(("copy", "copy", "wait", "loop" if depth else "copy"))
        if kind == "copy":
            one = rng.choice(known)
            made.append(Statement(one.op, one.operands, (), {}, (), None))
        elif kind == "wait":
            made.append(Statement(ops.AsyncWait(rng.randint(0, 2)), (), (), {}, (), None))
        else:
            region = Region((), (*statements(rng, known, depth - 1), Statement(ops.Yield(), (), (), {}, (), None)))
            made.append(Statement(counted(f"k{depth}", 0, 4), (), (), {}, (region,), None))
    return tuple(made)


def paths(code: Sequence[TileStatement]) -> Iterator[list[TileStatement]]:
    """The statements of every path, loops unrolled 0 to `MOST_TRIPS` times."""
    parts: list[list[list[TileStatement]]] = []
    for one in code:
        if not one.regions:
            parts.append([[one]])
            continue
        once = list(paths(one.regions[0].statements))
        turns = [[list(chain(*turn)) for turn in product(once, repeat=trips)] for trips in range(MOST_TRIPS + 1)]
        parts.append([turn for some in turns for turn in some][:40])
    for choice in product(*parts):
        yield list(chain(*choice))


def test_a_wait_leaves_the_fewest_loads_of_any_path() -> None:
    seed = random.randrange(1 << 30)
    print(f"seed {seed}")
    rng = random.Random(seed)
    kernel, known = copies()
    loads = {id(one.op): count for one, count in zip(known, LOADS, strict=True)}
    for _ in range(60):
        code = statements(rng, known, 1)
        wanted: dict[TileStatement, int | None] = {}
        for path in paths(code):
            done: list[int] = []
            for one in path:
                if isinstance(one.op, ops.AsyncCopy):
                    done.append(loads[id(one.op)])
                elif isinstance(one.op, ops.AsyncWait):
                    pending = one.op.pending
                    here = sum(done[len(done) - pending :]) if pending <= len(done) else None
                    before = wanted.get(one)
                    wanted[one] = here if before is None else before if here is None else min(here, before)
        assert pending_loads(replace(kernel, statements=code)) == wanted


def test_a_loop_without_trips_leaves_another_copy_the_last() -> None:
    """The last copy has 4 loads if the loop has no trip, and else 1: a wait for all but the last leaves 1."""
    kernel, (whole, quarter) = copies()
    done = Statement(ops.Yield(), (), (), {}, (), None)
    region = Region((), (Statement(quarter.op, quarter.operands, (), {}, (), None), done))
    loop = Statement(counted("k", 0, 4), (), (), {}, (region,), None)
    wait = Statement(ops.AsyncWait(1), (), (), {}, (), None)
    code = (Statement(whole.op, whole.operands, (), {}, (), None), loop, wait)
    assert pending_loads(replace(kernel, statements=code)) == {wait: 1}
