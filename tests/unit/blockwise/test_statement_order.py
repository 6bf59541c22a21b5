"""`order()`: accesses of memory and matrix instructions before it in the text come before those after it, down to the assembly."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import asmgen
from asmgen.blockwise.text.printer import print_program
from asmgen.blockwise.text.reader import read_program
from asmgen.cli.stages import stage_text
from isa.diagnostics import InputError

PRODUCT = (Path(__file__).parents[2] / "tiles/double_buffered.gen").read_text(encoding="utf-8")
CONTRACT = "    next = contract"
KINDS = {"global_load": "G", "buffer_load": "G", "ds_read": "R", "ds_load": "R", "ds_write": "W", "ds_store": "W", "v_mfma": "M"}


def loop_of(text: str) -> str:
    """The accesses and matrix instructions of the loop in their order, a letter each."""
    (kernel,) = asmgen.compile(text, target="gfx942", verify_passes=True).kernels
    body = re.search(r"\.Lproduct\.loop:(.*?)s_cbranch", kernel.assembly, re.DOTALL)
    assert body is not None
    words = [line.split()[0] for line in body[1].splitlines() if line.strip()]
    return "".join([kind for word in words for start, kind in KINDS.items() if word.startswith(start)])


def test_instructions_stay_behind_it() -> None:
    """Without it, the scheduler puts the stores and the loads of later trips first."""
    assert loop_of(PRODUCT) == "WWWWGGRRRRRRRRMMMMMMMM"
    ordered = loop_of(PRODUCT.replace(CONTRACT, f"    order()\n{CONTRACT}"))
    assert ordered.startswith("RRRRRRRR")
    assert sorted(ordered) == sorted("WWWWGGRRRRRRRRMMMMMMMM")


@pytest.mark.parametrize("places", [(1,), (2,), (1, 2)])
def test_each_place_parts_the_loop(places: tuple[int, ...]) -> None:
    """In a loop of a single stage: loads, stores, barrier, reads, products."""
    lines = PRODUCT.replace("    stage()\n", "").splitlines(keepends=True)
    before = {1: "    lds_store[slot=(k floordiv 32) mod 2](b_k", 2: "    b_t = lds_load"}
    text = "".join([("    order()\n" if any(line.startswith(before[at]) for at in places) else "") + line for line in lines])
    first, last = r"[GW]{4}(?<=GGWW|GWGW)WW", "R{4}R[RM]*"
    patterns: dict[tuple[int, ...], str] = {(1,): first + "R{8}M{8}", (2,): "GGW{4}" + last, (1, 2): first + last}
    assert re.fullmatch(patterns[places], loop_of(text)), loop_of(text)


def test_it_computes_the_same_and_prints() -> None:
    text = PRODUCT.replace(CONTRACT, f"    order()\n{CONTRACT}")
    program = asmgen.compile(text, target="gfx942")
    draw = np.random.default_rng(6)
    a, b = (draw.integers(-4, 5, (128, 160)).astype("f2") for _ in range(2))
    (c,) = program(a, b, device="emulator")
    assert np.array_equal(c, a.astype("f8") @ b.astype("f8").T)
    read = read_program(text, "p.gen")
    assert print_program(read) == print_program(read_program(print_program(read), "p.gen"))
    for stage in ("blockwise", "lanewise", "final"):
        assert re.search(r"^ +order\b", stage_text(program.compilation, stage), re.MULTILINE)


def test_the_machine_program_says_it_and_is_held_to_it(tmp_path: Path) -> None:
    def compiled(text: str) -> str:
        path = tmp_path / "product.mir"
        _ = path.write_text(text, encoding="utf-8")
        return asmgen.compile(path, target="gfx942").kernels[0].assembly

    program = asmgen.compile(PRODUCT.replace(CONTRACT, f"    order()\n{CONTRACT}"), target="gfx942")
    text = stage_text(program.compilation, "machine")
    assert compiled(text) == program.kernels[0].assembly
    lines = text.splitlines()
    loop = next(number for number, line in enumerate(lines) if line.startswith("block loop"))
    read = next(number for number, line in enumerate(lines) if number > loop and "ds_read" in line)
    lines[read] = lines[read].replace("!phase(1)", "!phase(3)")
    with pytest.raises(InputError) as caught:
        _ = compiled("\n".join(lines))
    assert "of phase 1 comes after one of phase 3" in caught.value.message
    with pytest.raises(InputError, match="!phase marks s_barrier, wanted an access of memory or a matrix instruction"):
        _ = compiled(text.replace("  s_barrier ", "  s_barrier !phase(1) ", 1))
    with pytest.raises(InputError, match="!phase wants a positive number"):
        _ = compiled(text.replace("!phase(1)", "!phase(0)", 1))
