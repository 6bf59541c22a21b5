"""Waves that differ: their numbers in indices, regions of some waves, loops in which half of the waves are a
barrier behind, and priorities."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import asmgen
from asmgen.blockwise.interpret import Tiles, interpret
from asmgen.blockwise.program import Kernel
from asmgen.blockwise.rules.races.judge import Race
from asmgen.blockwise.text.printer import print_program
from asmgen.blockwise.text.reader import read_program
from isa.diagnostics import InputError
from isa.targets import TARGETS
from tests.device import chosen_device

# Each trip turns a tile around through LDS. Two barriers part the stores of a half from the loads of the other half.


def turn(target: str) -> str:
    """A kernel of four waves, which have a row of eight elements for each eight lanes."""
    lanes = TARGETS[target].wave_size
    size = lanes // 2
    bits = [f"{1 << bit}:0" for bit in range(size.bit_length() - 1)]
    elements = "0:1 0:2 0:4"
    return f"""stage blockwise {target}
kernel @turn grid(group: 2) waves(4) lanes({lanes}) {{
  layout rows = lane({elements} {" ".join(bits[:-2])}) wave({" ".join(bits[-2:])})
  layout columns = lane({" ".join(bits[2:])} {elements}) wave({" ".join(bits[:2])})
  x = @param:x -> f32, {{8,{size},8}}
  z = @param:z -> f32, {{8,{size},8}}
  lds = lds_allocate() -> f32, {{{size},8}} @ offset({elements} {" ".join(bits)}) slots(2)
  for[k = 0 to 4 step 1, staggered=true]() {{
    t = tile_load[at={{4*group + k, c0, c1}}](x) -> f32, {{{size},8}} @ rows
    lds_store[slot=k mod 2](t, lds)
    barrier()
    priority[level=1]()
    barrier()
    u = lds_load[slot=k mod 2](lds) -> f32, {{{size},8}} @ columns
    tile_store[at={{4*group + k, c0, c1}}](u, z)
    priority[level=0]()
    barrier()
    yield()
  }}
}}
"""


@pytest.mark.parametrize("target", ["gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"])
def test_a_staggered_loop_runs(target: str) -> None:
    program = asmgen.compile(turn(target), target=target)
    x = np.random.default_rng(3).standard_normal((8, TARGETS[target].wave_size // 2, 8)).astype("f4")
    (z,) = program(x, device=chosen_device())
    assert np.array_equal(z, x)
    (kernel,) = program.kernels
    lines = [line.split()[0] for line in kernel.assembly.splitlines() if line.strip()]
    barrier = "s_barrier_wait" if target == "gfx1201" else "s_barrier"
    assert lines.count(barrier) >= 5  # three in the loop, and around it a barrier for each half
    assert lines.count("s_setprio") >= 2
    (again,) = asmgen.run(
        kernel.assembly, kernel=kernel.name, grid=kernel.workgroups, block=kernel.block, args=[x, np.zeros_like(x)], device="emulator"
    )[1:]
    assert np.array_equal(again, x)  # the sanitizer finds nothing


def test_its_text_is_the_same_again() -> None:
    program = read_program(turn("gfx942"), "turn.gen")
    assert print_program(program) == print_program(read_program(print_program(program), "turn.gen"))
    assert "for[k = 0 to 4 step 1, staggered=true]" in print_program(program)


TWO, ONE = "    barrier()\n    priority[level=1]()\n    barrier()\n", "    barrier()\n    priority[level=1]()\n"


def test_one_barrier_is_too_few_for_waves_out_of_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """As the sanitizer sees on the machine."""
    text = turn("gfx942").replace(TWO, ONE)
    assert text.replace("staggered=true", "staggered=false") != text
    assert read_program(text.replace("staggered=true", "staggered=false"), "turn.gen").kernels
    with pytest.raises(InputError, match=r"the waves are out of step in a staggered loop: .* by wave 2 .* wave 0 ") as caught:
        _ = read_program(text, "turn.gen")
    assert "put one more barrier() there" in caught.value.message

    def none(kernel: Kernel) -> tuple[Race, ...]:
        del kernel
        return ()

    monkeypatch.setattr("asmgen.blockwise.rules.verify.races", none)
    (kernel,) = asmgen.compile(text, target="gfx942").kernels
    buffers = [np.zeros(8 * 32 * 8, "f4") for _ in kernel.arguments]
    with pytest.raises(InputError, match="SAN003"):
        _ = asmgen.run(kernel.assembly, kernel=kernel.name, grid=kernel.workgroups, block=kernel.block, args=buffers, device="emulator")


def shared(target: str) -> str:
    """The first half of the waves loads x, and the second half y; all waves add them. A wave stores the first row again."""
    lanes = TARGETS[target].wave_size
    size = lanes // 2  # rows of eight
    bits = [f"{1 << bit}:0" for bit in range(size.bit_length() - 1)]
    elements = "0:1 0:2 0:4"
    halves = "".join(
        [
            f"""  waves[{first} to {first + 2}]() {{
    t_{name} = tile_load[at={{c0 + {size}*group, c1}}]({name}) -> f32, {{{size},8}} @ half
    lds_store[slot={slot}](t_{name}, lds)
    yield()
  }}
"""
            for first, name, slot in ((0, "x", 0), (2, "y", 1))
        ]
    )
    return f"""stage blockwise {target}
kernel @shared grid(group: 3) waves(4) lanes({lanes}) {{
  layout all = lane({elements} {" ".join(bits[:-2])}) wave({" ".join(bits[-2:])})
  layout half = reg({bits[0]}) lane({elements} {" ".join(bits[1:-1])}) wave({bits[-1]})
  layout line = lane({elements}{" 0:0" * (lanes.bit_length() - 4)})
  x = @param:x -> f32, {{{3 * size},8}}
  y = @param:y -> f32, {{{3 * size},8}}
  z = @param:z -> f32, {{{3 * size},8}}
  first = @param:first -> f32, {{3,8}}
  lds = lds_allocate() -> f32, {{{size},8}} @ offset({elements} {" ".join(bits)}) slots(2)
{halves}  barrier()
  a = lds_load[slot=0](lds) -> f32, {{{size},8}} @ all
  b = lds_load[slot=1](lds) -> f32, {{{size},8}} @ all
  c = add(a, b)
  tile_store[at={{c0 + {size}*group, c1}}](c, z)
  waves[3 to 4]() {{
    row = tile_load[at={{{size}*group, c1}}](y) -> f32, {{1,8}} @ line
    tile_store[at={{group, c1}}](row, first)
    yield()
  }}
}}
"""


@pytest.mark.parametrize("target", ["gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"])
def test_waves_load_different_buffers(target: str) -> None:
    program = asmgen.compile(shared(target), target=target)
    size = TARGETS[target].wave_size // 2
    x, y = np.random.default_rng(4).standard_normal((2, 3 * size, 8)).astype("f4")
    z, first = program(x, y, device=chosen_device())
    assert np.array_equal(z, x + y)
    assert np.array_equal(first, y[::size])
    (kernel,) = program.kernels
    args = [x, y, np.zeros_like(z), np.zeros_like(first)]
    *_, again, _ = asmgen.run(kernel.assembly, kernel=kernel.name, grid=kernel.workgroups, block=kernel.block, args=args, device="emulator")
    assert np.array_equal(again, z)  # the sanitizer finds nothing
    text = print_program(read_program(shared(target), "shared.gen"))
    assert text == print_program(read_program(text, "shared.gen"))
    assert "waves[2 to 4]() {" in text


def test_a_wave_outside_of_the_region_needs_a_barrier() -> None:
    text = shared("gfx942").replace("  barrier()\n", "")
    assert "by wave 0 and then wave 1; put barrier() there" in refused(text)
    same = shared("gfx942").replace("slot=1](t_y", "slot=0](t_y")
    assert "by wave 0 and then wave 2" in refused(same)


def refused(text: str, target: str = "gfx942") -> str:
    with pytest.raises(InputError) as caught:
        _ = asmgen.compile(text, target=target)
    return str(caught.value)


def test_what_is_refused() -> None:
    text = turn("gfx942")
    assert "the level is 4, wanted 0 to 3" in refused(text.replace("level=1", "level=4"))
    inner = "    for[j = 0 to 2 step 1, staggered=true]() {\n    yield()\n  }\n    barrier()\n"
    assert "a staggered loop is in a staggered loop" in refused(text.replace("    barrier()\n", inner, 1))
    summed = "    s = reduce[op=sum, axes={0,1}](t)\n    barrier()\n"
    message = refused(text.replace("    barrier()\n", summed, 1))
    assert "BLK013" in message
    assert "out of step in a staggered loop" in message
    text = shared("gfx942")
    assert "barrier is in it, which all waves have to reach" in refused(text.replace("    yield()\n", "    barrier()\n    yield()\n", 1))
    assert "wanted some of the 4" in refused(text.replace("waves[2 to 4]", "waves[1 to 3]"))
    assert "1 wave bits, wanted 6 and 0" in refused(text.replace("waves[2 to 4]", "waves[2 to 3]"))
    assert "c is a tile of all waves, wanted a region of these waves around its reader" in refused(text.replace("(row, first)", "(c, first)"))
    exchange = "    s = relayout(t_y) -> f32, {32,8} @ reg(1:0) lane(0:1 0:2 0:4 2:0 4:0 16:0) wave(8:0)\n    lds_store[slot=1](s"
    assert "are not all in a region of some waves" in refused(text.replace("    lds_store[slot=1](t_y", exchange))


def product(barriers: int, marks: bool) -> str:
    """The product of `tests/tiles`, with waves out of step and the halves' priorities."""
    text = (Path(__file__).parents[2] / "tiles/double_buffered.gen").read_text(encoding="utf-8")
    contract = next(line for line in text.splitlines(keepends=True) if "contract" in line)
    text = text.replace(contract, f"    priority[level=1]()\n{contract}    priority[level=0]()\n")
    text = text.replace("    barrier()\n", "    barrier()\n" * barriers).replace("step 32]", "step 32, staggered=true]")
    return text if marks else text.replace("    stage()\n", "")


@pytest.mark.parametrize("marks", [False, True])
def test_a_product_of_waves_out_of_step(marks: bool) -> None:
    draw = np.random.default_rng(6)
    a, b = (draw.integers(-4, 5, (128, 160)).astype("f2") for _ in range(2))
    (kernel,) = asmgen.compile(product(2, marks), target="gfx942").kernels
    args = [a, b, np.zeros((128, 128), "f4")]
    *_, c = asmgen.run(kernel.assembly, kernel=kernel.name, grid=kernel.workgroups, block=kernel.block, args=args, device="emulator")
    assert np.array_equal(c, a.astype("f8") @ b.astype("f8").T)
    assert "the waves are out of step in a staggered loop" in refused(product(1, marks))


NUMBERED = """stage blockwise gfx942
kernel @numbered grid(group: 2) waves(4) lanes(64) {
  layout rows = lane(0:1 0:2 0:4 1:0 2:0 4:0) wave(16:0 8:0)
  layout half = lane(0:1 0:2 0:4 1:0 2:0 4:0) wave(8:0)
  x = @param:x -> f32, {2,4,8,8}
  z = @param:z -> f32, {2,4,8,8}
  n = @param:n -> i32, {2,4,8,8}
  t = tile_load[at={group, wave, c0 mod 8, c1}, where={wave < 3}, otherwise=-1.0](x) -> f32, {32,8} @ rows
  tile_store[at={group, 3 - wave, c0 mod 8, c1}](t, z)
  waves[2 to 4]() {
    p = positions[at={10*wave + c0}]() -> i32, {16,8} @ half
    tile_store[at={group, wave + 2, c0 mod 8, c1}](p, n)
    yield()
  }
}
"""


def test_an_index_names_the_wave_of_an_element() -> None:
    x = np.random.default_rng(5).standard_normal((2, 4, 8, 8)).astype("f4")
    z, n = asmgen.compile(NUMBERED, target="gfx942")(x, device=chosen_device())
    assert np.array_equal(z[:, 1:], x[:, 2::-1])
    assert (z[:, 0] == -1).all()
    assert np.array_equal(n[0, 2:, :, 0], [[*range(8)], [*range(18, 26)]])
    (kernel,) = read_program(NUMBERED, "numbered.gen").kernels
    for tiles in Tiles:
        memory = {"x": x.reshape(-1), "z": np.zeros(512, "f4"), "n": np.zeros(512, "i4")}
        interpret(kernel, memory, tiles)
        assert np.array_equal(memory["z"], z.reshape(-1))
        assert np.array_equal(memory["n"].reshape(n.shape)[:, 2:], n[:, 2:])
    text = print_program(read_program(NUMBERED, "numbered.gen"))
    assert text == print_program(read_program(text, "numbered.gen"))


def test_the_wave_is_refused_elsewhere() -> None:
    assert "wave bit 0 has a zero basis, so that two waves have it" in refused(
        NUMBERED.replace("rows = lane", "rows = reg(8:0) lane").replace("wave(16:0 8:0)", "wave(0:0 16:0)")
    )
    assert "GEN005]: wave is the wave of an element in every index" in refused(NUMBERED.replace("group", "wave"))
    text = turn("gfx942")
    assert "the slot or the origin names wave, wanted ids" in refused(text.replace("slot=k mod 2](t", "slot=wave mod 2](t"))
    assert "the slot or the origin names c0, wanted ids" in refused(text.replace("slot=k mod 2](t", "slot=c0 mod 2](t"))
    assert "GEN005]: c1 is a coordinate" in refused(text.replace("for[k =", "for[c1 ="))
    assert "wave is not an index here" in refused(text.replace("k = 0 to 4", "k = 0 to wave"))


PRODUCERS = (Path(__file__).parents[2] / "tiles/producers.gen").read_text(encoding="utf-8")


def test_waves_that_load_and_waves_that_multiply() -> None:
    """A loop of all waves carries the tiles of some, and no register is copied for the others."""
    draw = np.random.default_rng(6)
    a, b = (draw.integers(-4, 5, (128, 160)).astype("f2") for _ in range(2))
    wanted = a.astype("f8") @ b.astype("f8").T
    (kernel,) = asmgen.compile(PRODUCERS, target="gfx942", verify_passes=True).kernels
    args = [a, b, np.zeros((128, 128), "f4")]
    *_, c = asmgen.run(kernel.assembly, kernel=kernel.name, grid=kernel.workgroups, block=kernel.block, args=args, device="emulator")
    assert np.array_equal(c, wanted)
    loop = kernel.assembly[kernel.assembly.index("loop:") : kernel.assembly.index("s_cbranch_scc1")]
    assert "v_mfma" in loop
    assert "v_mov" not in loop
    assert "accvgpr" not in loop
    (read,) = read_program(PRODUCERS, "p.gen").kernels
    for tiles in Tiles:
        memory = {"a": a.reshape(-1), "b": b.reshape(-1), "c": np.zeros(128 * 128, "f4")}
        interpret(read, memory, tiles)
        assert np.array_equal(memory["c"].reshape(c.shape), wanted)
    text = print_program(read_program(PRODUCERS, "p.gen"))
    assert text == print_program(read_program(text, "p.gen"))


def test_a_tile_of_some_waves_stays_with_them() -> None:
    last = PRODUCERS.rindex("  waves[2 to 4]() {\n")
    outside = PRODUCERS[:last] + "  tile_store[at={c0 + 64*row, c1 + 64*column}](total, c)\n}\n"
    assert "tile_store: total is a tile of waves[2 to 4], wanted a region of these waves around its reader" in refused(outside)
    others = PRODUCERS[:last] + PRODUCERS[last:].replace("waves[2 to 4]", "waves[0 to 2]")
    assert "total is a tile of waves[2 to 4]" in refused(others)
    assert "acc is a tile of waves[2 to 4]" in refused(PRODUCERS.replace("next = waves[2 to 4]", "next = waves[0 to 2]"))
    assert "for: the layout does not follow from the operands" in refused(
        PRODUCERS.replace("    yield(next)\n  } -> f32, {64,64} @ c_tile", "    yield(next)\n  } -> f32, {64,64} @ a_store").replace(
            "  a = @param", "  layout a_store = reg(0:1 0:2 0:4 0:8 0:16) lane(0:32 1:0 2:0 4:0 8:0 16:0) wave(32:0)\n  a = @param"
        )
    )
    assert "waves: 0 values, wanted 1" in refused(PRODUCERS.replace("      yield(sum)", "      yield()"))
    assert "wanted 6 and 1 for 2 waves of 64" in refused(
        PRODUCERS.replace("16:0) wave(32:0)\n  layout b_load", "16:0) wave(32:0 0:0)\n  layout b_load")
    )
    assert "by wave 0 in trip k = 0 and then wave 2 in trip k = 0; put barrier() there" in refused(PRODUCERS.replace("    barrier()\n", ""))


def test_a_carried_tile_has_the_same_waves_in_each_trip() -> None:
    """Of the loop's yield, not only its type."""
    other = "other = waves[0 to 2]() {\n o = fill[value=1.0]() -> f32, {64,64} @ c_tile\n yield(o)\n } -> f32, {64,64} @ c_tile\n"
    swapped = PRODUCERS.replace("    yield(next)\n", f"    {other}    yield(other)\n")
    assert "other is a tile of waves[0 to 2], and the loop carries a tile of waves[2 to 4]" in refused(swapped)
