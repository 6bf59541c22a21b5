"""Waves that differ: loops in which one half of the waves is a barrier behind, and priorities."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen
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
    assert lines.count(barrier) >= 5  # three in the loop, one for each half around it
    assert lines.count("s_setprio") >= 2
    (again,) = asmgen.run(
        kernel.assembly, kernel=kernel.name, grid=kernel.workgroups, block=kernel.block, args=[x, np.zeros_like(x)], device="emulator"
    )[1:]
    assert np.array_equal(again, x)


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
