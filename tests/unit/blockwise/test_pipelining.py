"""Loops with stages: the code in their place, for every number of trips, and the errors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import asmgen
from asmgen.blockwise import pipelining
from asmgen.blockwise.actions import AsyncWait
from asmgen.blockwise.interpret import interpret
from asmgen.blockwise.pipelining import pipelined
from asmgen.blockwise.program import TileProgram
from asmgen.blockwise.text.printer import print_program
from asmgen.blockwise.text.reader import read_program
from asmgen.passes.clauses import is_global_load
from isa.diagnostics import InputError
from isa.instruction import Trait, Unit
from isa.targets import TARGETS
from isa.waits import waited
from tests.device import chosen_device
from tests.lds_conflicts import counted
from tests.machine_code import longest_loop

Array = NDArray[Any]
ROOT = Path(__file__).parents[3]

# The running sum of 128 columns at a time. STAGES stands for at least one mark.
SUM = """stage blockwise {target}
kernel @sum{dims} grid(row: 3) waves(1) lanes({lanes}) {{
  layout piece = reg(0:1{more}) lane({bits})
  x = @param:x -> f32, {{3,{n}}}
  z = @param:z -> f32, {{3,128}}
  zero = fill[value=0.0]() -> f32, {{1,128}} @ piece
  total = for[k = 0 to {n} step 128](zero) (acc) {{
    t = tile_load[at={{row, c1 + k}}, where={{c1 + k < {n}}}](x) -> f32, {{1,128}} @ piece
{stages}    next = add(acc, t) -> f32, {{1,128}} @ piece
    yield(next)
  }} -> f32, {{1,128}} @ piece
  tile_store[at={{row, c1}}](total, z)
}}
"""
MARK = "    stage()\n"
NO_WAIT = 7  # loads under way, more than a loop here has


def running_sum(n: str, stages: int, target: str = "gfx942", dims: str = "") -> str:
    lanes = {"gfx942": 64, "gfx1100": 32}[target]
    bits = [1 << bit for bit in range(7)]
    own = bits[1:] if lanes == 64 else bits[2:]
    return SUM.format(
        target=target, dims=dims, lanes=lanes, more="" if lanes == 64 else " 0:2", n=n, stages=MARK * (stages - 1),
        bits=" ".join(f"0:{bit}" for bit in own),
    )  # fmt: skip


def written(text: str) -> TileProgram:
    """The pipelined program, which reads back."""
    program = pipelined(read_program(text, "loop.gen"))
    printed = print_program(program)
    assert "stage()" not in printed
    assert print_program(read_program(printed, "written.gen")) == printed
    return program


def numbers(n: int) -> tuple[Array, Array]:
    x = np.random.default_rng(n).integers(-9, 9, (3, n)).astype("f4")
    wanted = np.zeros((3, 128), "f4")
    for first in range(0, n, 128):
        part = x[:, first : first + 128]
        wanted[:, : part.shape[1]] += part
    return x, wanted


def interpreted(program: TileProgram, x: Array, sizes: dict[str, int]) -> Array:
    z = np.full(3 * 128, np.nan, "f4")
    interpret(program.kernels[0], {"x": x.reshape(-1), "z": z}, sizes=sizes)
    return z.reshape(3, 128)


def test_a_loop_of_two_stages_is_written_as_the_package_says() -> None:
    lines = (pipelining.__doc__ or "").splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith("    total = for"))
    (source, made) = (
        "\n".join([line[2:] for line in lines[start:stop] if line.startswith("    ")])
        for start, stop in ((first, lines.index("", first)), (lines.index("", first) + 3, len(lines) - 1))
    )
    head = "\n".join(running_sum("4096", 1).replace("{1,128}", "{1,64}").splitlines()[:2])
    body = [
        "  layout row = lane(0:1 0:2 0:4 0:8 0:16 0:32)",
        "  x = @param:x -> f32, {3,4096}",
        "  z = @param:z -> f32, {3,64}",
        "  zero = fill[value=0.0]() -> f32, {1,64} @ row",
    ]
    tail = "  tile_store[at={row, c1}](total, z)\n}\n"
    before = "\n".join([head, *body, source, tail])
    after = "\n".join([head, *body, made, tail])
    assert print_program(written(before)) == after


@pytest.mark.parametrize("stages", [2, 3, 4])
@pytest.mark.parametrize("trips", range(9))
def test_every_number_of_trips_is_right(trips: int, stages: int) -> None:
    for n in sorted({max(0, 128 * trips - 60), 128 * trips}):
        x, wanted = numbers(n)
        text = running_sum(str(n), stages).replace("{3,0}", "{3,1}")
        np.testing.assert_array_equal(interpreted(written(text), x if n else np.zeros((3, 1), "f4"), {}), wanted)


@pytest.mark.parametrize("target", ["gfx942", "gfx1100"])
@pytest.mark.parametrize("stages", [2, 3, 4])
def test_a_tile_that_waits_several_trips_stays_in_its_registers(stages: int, target: str) -> None:
    """No wait is for a load of the trips between, and nothing is copied."""
    (kernel,) = asmgen.compile(running_sum("4096", stages, target), target=target).kernels
    loop = longest_loop(kernel.assembly, target)
    loads = [instr for instr in loop if Trait.LOAD in instr.row.traits]
    assert len(loads) == stages - 1
    counts = [count for instr in loop for count in waited(instr).values() if count < NO_WAIT]
    assert counts
    assert min(counts) >= stages - 2
    assert not any(Trait.MOVE in instr.row.traits for instr in loop)


@pytest.mark.parametrize("target", ["gfx942", "gfx1100"])
@pytest.mark.parametrize("stages", [2, 3])
def test_the_loop_is_that_of_whole_trips_if_the_last_is_not_whole(stages: int, target: str) -> None:
    loops: list[list[str]] = []
    for n in (4096, 4096 - 60):
        printed = print_program(written(running_sum(str(n), stages, target)))
        inside = printed.partition(" = for[")[2].partition("yield")[0]
        assert "tile_load" in inside
        assert "where" not in inside
        assert printed.count("where") == (n != 4096)
        (kernel,) = asmgen.compile(running_sum(str(n), stages, target), target=target).kernels
        loop = longest_loop(kernel.assembly, target)
        loops.append([instr.row.mnemonic for instr in loop if instr.row.unit in (Unit.VALU, Unit.VMEM)])
    assert loops[0] == loops[1]


@pytest.mark.parametrize("least", [0, 1, 129, 300])
@pytest.mark.parametrize("stages", [2, 3])
def test_a_number_of_trips_that_the_launch_knows(stages: int, least: int) -> None:
    program = written(running_sum("n", stages, dims=f" dims(n: {least} to 1048575)"))
    for n in (1, 128, 129, 256, 300, 511, 512, 513):
        if n >= least:
            x, wanted = numbers(n)
            np.testing.assert_array_equal(interpreted(program, x, {"n": n}), wanted, str(n))


@pytest.mark.parametrize(("target", "stages", "least"), [("gfx942", 3, 0), ("gfx1100", 2, 1), ("gfx1100", 3, 300)])
def test_on_the_device(target: str, stages: int, least: int) -> None:
    program = asmgen.compile(running_sum("n", stages, target, f" dims(n: {least} to 1048575)"), target=target)
    for n in (1, 128, 300, 512):
        if n >= least:
            x, wanted = numbers(n)
            (z,) = program(x, device=chosen_device())
            np.testing.assert_array_equal(z, wanted, str(n))


def test_whole_trips_have_no_conditions() -> None:
    """The bounds of the counter show that a whole number of trips stays within the buffer."""
    text = running_sum("128*n", 2, dims=" dims(n: 1 to 1048575)").replace(", where={c1 + k < 128*n}", "")
    program = written(text)
    assert "where" not in print_program(program)
    x, wanted = numbers(384)
    np.testing.assert_array_equal(interpreted(program, x, {"n": 3}), wanted)


# A product of {32,64} and {64,32}, whose waves share LDS. Each stage stands for a mark or nothing.
PRODUCT = """stage blockwise gfx942
kernel @product grid(group: 1) waves(2) lanes(64) {{
  layout a_load = reg(0:1 0:2) lane(0:4 0:8 1:0 2:0 4:0 8:0) wave(16:0)
  layout a_tile = reg(0:1 0:2) lane(1:0 2:0 4:0 8:0 0:4 0:8) wave(16:0)
  layout b_tile = reg(1:0 2:0) lane(0:1 0:2 0:4 0:8 4:0 8:0) wave(0:16)
  layout c_tile = reg(1:0 2:0 16:0) lane(0:1 0:2 0:4 0:8 4:0 8:0) wave(0:16)
  layout a_all = reg(0:1 0:2 16:0) lane(1:0 2:0 4:0 8:0 0:4 0:8) wave(0:0)
  a = @param:a -> f16, {{32,64}}
  b = @param:b -> f16, {{64,32}}
  c = @param:c -> f32, {{32,32}}
  lds = lds_allocate() -> f16, {{32,16}} @ offset(0:1 0:2 0:4 0:8 1:0 2:0 4:0 8:0 16:0) slots({slots})
  zero = fill[value=0.0]() -> f32, {{32,32}} @ c_tile
  total = for[k = 0 to 64 step 16](zero) (acc) {{
    a_k = tile_load[at={{c0, c1 + k}}](a) -> f16, {{32,16}} @ a_load
    b_k = tile_load[at={{c0 + k, c1}}](b) -> f16, {{16,32}} @ b_tile
{first}    lds_store[slot=(k floordiv 16) mod {slots}](a_k, lds)
{second}    barrier()
    a_t = lds_load[slot=(k floordiv 16) mod {slots}](lds) -> f16, {{32,16}} @ a_all
{third}    next = contract[by=v_mfma_f32_16x16x16_f16](a_t, b_k, acc) -> f32, {{32,32}} @ c_tile
{last}    yield(next)
  }} -> f32, {{32,32}} @ c_tile
  tile_store[at={{c0, c1}}](total, c)
}}
"""


def marks(first: str = "", second: str = "", third: str = "", last: str = "", slots: int = 2) -> dict[str, str | int]:
    return {"first": first, "second": second, "third": third, "last": last, "slots": slots}


STAGED = {
    "loads ahead": marks(MARK),
    "stores ahead": marks(MARK, MARK),
    "loads from LDS ahead": marks(MARK, MARK, MARK),
    "one slot": marks(MARK, last="    barrier()\n", slots=1),
}


@pytest.mark.parametrize("name", STAGED)
def test_waves_that_share_lds_in_stages(name: str) -> None:
    draw = np.random.default_rng(0)
    a, b = (draw.integers(-4, 5, shape).astype("f2") for shape in ((32, 64), (64, 32)))
    (c,) = asmgen.compile(PRODUCT.format_map(STAGED[name]))(a, b, device=chosen_device())
    np.testing.assert_array_equal(c, a.astype("f8") @ b.astype("f8"))


def test_the_double_buffered_product_of_the_page() -> None:
    """Its loop is in docs/tiles.md, before and after pipelining."""
    text = (ROOT / "tests/tiles/double_buffered.gen").read_text(encoding="utf-8")
    printed = print_program(written(text))
    page = (ROOT / "docs/tiles.md").read_text(encoding="utf-8")
    section = page.split("## Loops that read ahead")[1].split("\n## ")[0]
    blocks = [block for block in section.split("```")[1::2] if "a_lds" in block]
    shown = [[line.split("   #")[0].rstrip() for line in block.splitlines() if line.strip() not in ("", "...")] for block in blocks]
    for lines, whole in zip(shown, (text, printed), strict=True):
        assert not set(lines) - set(whole.splitlines())
    draw = np.random.default_rng(0)
    a, b = (draw.integers(-4, 5, (128, 160)).astype("f2") for _ in range(2))
    with counted(TARGETS["gfx942"]) as found:
        (c,) = asmgen.compile(text)(a, b, device="emulator")
    np.testing.assert_array_equal(c, a.astype("f8") @ b.astype("f8").T)
    assert found["accesses"] and not found["conflicts"]


@pytest.mark.parametrize("target", ["gfx90a", "gfx942", "gfx950"])
def test_the_loads_of_the_double_buffered_product_are_not_copied(target: str) -> None:
    """Each register goes to LDS before the load of the next trip overwrites it, so none is moved."""
    text = (ROOT / "tests/tiles/double_buffered.gen").read_text(encoding="utf-8").replace("gfx942", target)
    loop = longest_loop(asmgen.compile(text, target=target).kernels[0].assembly, target)
    assert [instr for instr in loop if is_global_load(instr)]
    assert not [instr for instr in loop if Trait.MOVE in instr.row.traits and instr.row.unit is Unit.VALU]


# A product of {64,k} and {k,64}, whose operands go straight to LDS.
COPIES = """stage blockwise gfx950
kernel @product {dims}grid(column: 1, row: 1) waves(4) lanes(64) {{
  layout a_tile = reg(0:1 0:2 0:16 16:0) lane(1:0 2:0 4:0 8:0 0:4 0:8) wave(0:0 32:0)
  layout b_tile = reg(1:0 2:0 16:0 0:16) lane(0:1 0:2 0:4 0:8 4:0 8:0) wave(0:32 0:0)
  layout c_tile = reg(1:0 2:0 0:16 16:0) lane(0:1 0:2 0:4 0:8 4:0 8:0) wave(0:32 32:0)
  layout a_in = reg(0:1 0:2 0:4) lane(0:8 0:16 1:0 2:0 4:0 8:0) wave(16:0 32:0)
  layout b_in = reg(1:0 2:0 4:0) lane(8:0 16:0 0:1 0:2 0:4 0:8) wave(0:16 0:32)
  a = @param:a -> f16, {{64,{k}}}
  b = @param:b -> f16, {{64,{k}}}
  c = @param:c -> f32, {{64,64}}
  a_lds = lds_allocate() -> f16, {{64,32}} @ offset(0:1 0:2 0:4 0:8 0:16 1:0 2:0 4:0 8:0 16:0 32:0) slots({slots})
  b_lds = lds_allocate() -> f16, {{32,64}} @ offset(1:0 2:0 4:0 8:0 16:0 0:1 0:2 0:4 0:8 0:16 0:32) slots({slots})
  zero = fill[value=0.0]() -> f32, {{64,64}} @ c_tile
  total = for[k = 0 to {k} step 32](zero) (acc) {{
    async_copy[at={{c0, c1 + k}}, layout=a_in, slot=(k floordiv 32) mod {slots}](a, a_lds)
    async_copy[at={{c1, c0 + k}}, layout=b_in, slot=(k floordiv 32) mod {slots}](b, b_lds)
{marks}    async_wait()
    barrier()
    a_t = lds_load[slot=(k floordiv 32) mod {slots}](a_lds) -> f16, {{64,32}} @ a_tile
    b_t = lds_load[slot=(k floordiv 32) mod {slots}](b_lds) -> f16, {{32,64}} @ b_tile
    next = contract[by=v_mfma_f32_16x16x16_f16](a_t, b_t, acc) -> f32, {{64,64}} @ c_tile
    yield(next)
  }} -> f32, {{64,64}} @ c_tile
  tile_store[at={{c0, c1}}](total, c)
}}
"""


@pytest.mark.parametrize(("ahead", "slots", "loop", "after"), [(1, 2, [0], [0]), (2, 3, [2], [2, 0]), (3, 4, [4], [4, 2, 0])])
def test_waits_leave_the_copies_of_later_trips_under_way(ahead: int, slots: int, loop: list[int], after: list[int]) -> None:
    """Two copies a trip. The original loop for few trips waits for all."""
    for k, dims in (("320", ""), ("32*n", "dims(n: 1 to 1048575) ")):
        text = COPIES.format(marks=MARK * ahead, slots=slots, k=k, dims=dims)
        waits = [one.op.pending for one in written(text).kernels[0].walk() if isinstance(one.op, AsyncWait)]
        assert waits == [*loop, *after, *([0] if dims and ahead > 1 else [])]


@pytest.mark.parametrize("k", [32, 64, 96, 128])
def test_copies_ahead_on_the_emulator(k: int) -> None:
    text = COPIES.format(marks=MARK * 2, slots=3, k=k, dims="")
    draw = np.random.default_rng(0)
    a, b = (draw.integers(-4, 5, (64, k)).astype("f2") for _ in range(2))
    (c,) = asmgen.compile(text, target="gfx950")(a, b, device="emulator")
    np.testing.assert_array_equal(c, a.astype("f8") @ b.astype("f8").T)


def in_loop(body: str, carried: str = "zero", yields: str = "t") -> str:
    """A kernel of one wave with a loop of this body."""
    lines = "\n".join([f"    {line}" for line in body.splitlines()])
    return f"""stage blockwise gfx942
kernel @loop grid(group: 1) waves(1) lanes(64) {{
  layout row = lane(0:1 0:2 0:4 0:8 0:16 0:32)
  x = @param:x -> f32, {{32,64}}
  z = @param:z -> f32, {{32,64}}
  places = @param:places -> i32, {{32,64}}
  lds = lds_allocate() -> f32, {{1,64}} @ offset(0:1 0:2 0:4 0:8 0:16 0:32) slots(4)
  zero = fill[value=0.0]() -> f32, {{1,64}} @ row
  last = for[k = 0 to 8 step 1]({carried}) (acc) {{
{lines}
    yield({yields})
  }} -> f32, {{1,64}} @ row
  tile_store[at={{31, c1}}](last, z)
}}
"""


TILE = "-> f32, {1,64} @ row"
PLACES = np.zeros(32 * 64, "i4")
LOAD = f"t = tile_load[at={{k, c1}}](x) {TILE}"
REFUSED = {
    "a carried value that a later stage makes": (
        f"u = add(acc, acc) {TILE}\nstage()\n{LOAD}",
        (
            "loop.gen:10:5: error[BLK003]: add: stage 0 reads acc, which stage 1 of the trip before makes by tile_load at loop.gen:12:5; "
            "put both into one stage"
        ),
    ),
    "a slot that a later stage of an earlier trip still reads": (
        f"{LOAD}\nlds_store[slot=k mod 2](t, lds)\nstage()\nstage()\nstage()\nu = lds_load[slot=k mod 2](lds) {TILE}",
        (
            "loop.gen:11:5: error[BLK003]: lds_store: stage 0 of k = 2 runs before stage 3 of k = 0, in which lds_load at "
            "loop.gen:15:5 accesses the same elements of lds; use other slots or fewer stages"
        ),
    ),
    "a buffer that a later trip may read": (
        f"t = tile_load[at={{k, c1}}](z) {TILE}\nstage()\ntile_store[at={{k + 1, c1}}](t, z)",
        (
            "loop.gen:10:5: error[BLK003]: tile_load: stage 0 of k = 1 runs before stage 1 of k = 0, in which tile_store at "
            "loop.gen:12:5 accesses the same elements of z; use other elements or fewer stages"
        ),
    ),
    "a buffer that waves write and read beside a barrier": (
        f"t = tile_load[at={{k, c1}}](z) {TILE}\ntile_store[at={{k + 8, c1}}](t, z)\nstage()\nbarrier()",
        (
            "loop.gen:10:5: error[BLK003]: tile_load: stage 0 accesses z, which the loop reads and writes, and barrier at loop.gen:13:5 is in "
            "stage 1; put both into one stage"
        ),
    ),
    "a buffer with places that are data": (
        (
            f"i = tile_load[at={{k, c1}}](places) -> i32, {{1,64}} @ row\n"
            f"t = tile_load[at={{v0, c1}}](z, i) {TILE}\nstage()\ntile_store[at={{k, c1}}](t, z)"
        ),
        (
            "loop.gen:11:5: error[BLK003]: tile_load: stage 0 of k = 1 runs before stage 1 of k = 0, in which tile_store at loop.gen:13:5 "
            "accesses the same elements of z; use other elements or fewer stages"
        ),
    ),
    "LDS of a trip": (
        f"own = lds_allocate() -> f32, {{1,64}} @ offset(0:1 0:2 0:4 0:8 0:16 0:32)\nstage()\n{LOAD}",
        "loop.gen:10:5: error[BLK003]: lds_allocate: a loop with stages allocates no LDS; allocate it before the loop",
    ),
    "too many stages": ("stage()\n" * 8 + LOAD, "loop.gen:9:3: error[BLK003]: for: the loop has 9 stages, wanted 8 at most"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_loop_that_cannot_be_pipelined_is_refused_with_the_pair(name: str) -> None:
    body, wanted = REFUSED[name]
    with pytest.raises(InputError) as caught:
        _ = read_program(in_loop(body), "loop.gen")
    assert str(caught.value) == wanted


@pytest.mark.parametrize(
    "body",
    [
        f"{LOAD}\nlds_store[slot=k mod 4](t, lds)\nstage()\nstage()\nstage()\nu = lds_load[slot=k mod 4](lds) {TILE}",
        f"t = tile_load[at={{k, c1}}](z) {TILE}\nstage()\ntile_store[at={{k, c1}}](t, z)",
        f"t = tile_load[at={{k, c1}}](z) {TILE}\nstage()\ntile_store[at={{k + 8, c1}}](t, z)",
    ],
)
def test_what_is_apart_in_every_trip_is_pipelined(body: str) -> None:
    x = np.random.default_rng(0).integers(-9, 9, (2, 32, 64)).astype("f4")
    found = [np.array(x[1]).reshape(-1) for _ in range(2)]
    before = read_program(in_loop(body), "loop.gen")
    for program, z in zip((before, pipelined(before)), found, strict=True):
        interpret(program.kernels[0], {"x": x[0].reshape(-1), "z": z, "places": PLACES})
    np.testing.assert_array_equal(found[0], found[1])


def test_a_mark_outside_of_a_loop_is_refused() -> None:
    text = in_loop(LOAD).replace("  last = for", "  stage()\n  last = for")
    with pytest.raises(InputError, match=r"loop.gen:9:3: error\[BLK003\]: stage: it stands outside of a loop"):
        _ = read_program(text, "loop.gen")


def test_a_mark_in_a_region_of_some_waves_is_refused() -> None:
    text = in_loop("waves[0 to 1]() {\n  stage()\n  yield()\n}\nt = tile_load[at={k, c1}](z) " + TILE)
    with pytest.raises(InputError, match=r"loop.gen:11:7: error\[BLK003\]: stage: it stands outside of a loop"):
        _ = read_program(text, "loop.gen")


def test_a_loop_that_may_stop_before_its_start_is_refused() -> None:
    text = running_sum("n", 2, dims=" dims(n: 0 to 1048575)").replace("k = 0 to n", "k = 128 to n")
    with pytest.raises(InputError, match="its stop may be less than its start: n - 128 may be -128"):
        _ = read_program(text, "loop.gen")


def test_a_race_of_the_pipelined_loop_names_both_statements() -> None:
    """A store for the next trip comes right after loads of other waves: the barrier before it is in stage 0."""
    text = PRODUCT.format_map({**STAGED["stores ahead"], "first": "    barrier()\n" + MARK, "slots": 1})
    assert read_program(text, "loop.gen")
    with pytest.raises(InputError, match=r"loop.gen:18:5: error\[BLK003\]: after pipelining, lds_store: a wave .* by\s+lds_load at\s+loop.gen:21:5"):
        _ = written(text)


def test_a_kernel_that_grows_too_much_is_refused() -> None:
    body = LOAD
    for number in range(6):
        inner = "\n".join([f"  {line}" for line in body.splitlines()])
        body = f"f{number} = for[j{number} = 0 to 100 step 1](acc) (q{number}) {{\n" + "  stage()\n" * 3 + inner + f"\n  yield(q{number})\n}} {TILE}"
    text = in_loop(body, yields="acc")
    with pytest.raises(InputError, match=r"would have up to \d+ statements, wanted 4096 at most; use fewer stages"):
        _ = written(text)


def test_a_tile_from_lds_keeps_its_elements() -> None:
    """In the interpreter too: a store to the same slot follows before the tile is read."""
    body = f"{LOAD}\nlds_store(t, lds)\nu = lds_load(lds) {TILE}\nlds_store(zero, lds)\ntile_store[at={{k, c1}}](u, z)"
    x, z = np.arange(32 * 64, dtype="f4"), np.zeros(32 * 64, "f4")
    interpret(read_program(in_loop(body), "loop.gen").kernels[0], {"x": x, "z": z, "places": PLACES})
    np.testing.assert_array_equal(z[: 8 * 64], x[: 8 * 64])
