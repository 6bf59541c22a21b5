"""A code object runs as its text does; any other instruction, register, number, goal or setup may run differently."""

from __future__ import annotations

import re

import pytest
from msgspec.structs import replace

import asmgen
from asmgen.kernels import build_kernel
from isa.emulator import load
from isa.emulator.program.image import Image
from isa.emulator.program.same_code import run_alike
from tests.rows import MACHINES

SMALL = [("rows", "3"), ("cols", "70")]


def text_of(target: str) -> str:
    (kernel,) = asmgen.compile(build_kernel("row_sum", SMALL), target=target).kernels
    return kernel.assembly


def image(text: str) -> Image:
    return load(text, "row_sum")


@pytest.mark.parametrize("target", MACHINES)
def test_a_code_object_runs_as_its_text(target: str) -> None:
    (kernel,) = asmgen.compile(build_kernel("row_sum", SMALL), target=target).kernels
    assert run_alike(image(kernel.assembly), load(kernel.code_object, "row_sum"))


@pytest.mark.parametrize("target", ["gfx942", "gfx1201"])
def test_every_line_matters(target: str) -> None:
    text = text_of(target)
    whole = image(text)
    lines = text.split("\n")
    stated = [instr.origin.line or instr.origin.place for instr in whole.code.instructions if instr.origin]
    places = [place.line - 1 for place in stated if place]
    assert len(places) == len(whole.code.operations) > 20
    for place in places:
        other = "s_nop 3" if "s_nop" not in lines[place] else "s_nop 9"
        changed = [*lines[:place], f"\t{other}", *lines[place + 1 :]]
        assert not run_alike(whole, image("\n".join(changed))), lines[place]


@pytest.mark.parametrize(
    ("pattern", "other"),
    [
        (r"(v_add_f32\S* v\d+, )v\d+", r"\1v99"),
        (r"(s_load\S* .*, )0x0\b", r"\g<1>0x4"),
        (r"row_half_mirror", "row_mirror"),
        (r"(s_cbranch_\w+) \.Lrow_sum\.\S+", r"\1 .Lrow_sum.other"),
    ],
)
def test_registers_numbers_modifiers_and_goals_matter(pattern: str, other: str) -> None:
    text = text_of("gfx90a").replace("\ts_endpgm", "\ts_nop 0\n.Lrow_sum.other:\n\ts_endpgm", 1)
    changed, count = re.subn(pattern, other, text, count=1)
    assert count and changed != text
    assert run_alike(image(text), image(text))
    assert not run_alike(image(text), image(changed))


def test_the_setup_matters() -> None:
    whole = image(text_of("gfx942"))
    assert not run_alike(whole, replace(whole, largest_workgroup=whole.largest_workgroup + 1))
    assert not run_alike(whole, replace(whole, descriptor=replace(whole.descriptor, lds_bytes=whole.descriptor.lds_bytes + 4)))
    assert not run_alike(whole, replace(whole, arguments=whole.arguments[::-1]))


def test_code_that_reads_its_own_place_may_run_differently() -> None:
    text = text_of("gfx942").replace("\ts_endpgm", "\ts_getpc_b64 s[0:1]\n\ts_endpgm", 1)
    assert not run_alike(image(text), image(text))
