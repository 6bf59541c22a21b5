"""Matrix products with half of the waves multiplying while the other half access memory and LDS."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from msgspec.structs import replace

import asmgen
from asmgen.blockwise.schedules.choices import Contract
from asmgen.blockwise.schedules.choosing.contract import tile_of
from asmgen.blockwise.schedules.choosing.product_tile import Shape
from asmgen.blockwise.schedules.misfit import misfit
from asmgen.ir.types import F16, F32
from isa.diagnostics import InputError
from isa.instruction import Immediate, Trait, Unit
from isa.table import table_named
from tests.machine_code import longest_loop
from tests.unit.blockwise.schedules.test_contract import BYTES, MFMA, WMMA, Case, graph_of, named, run

pytestmark = pytest.mark.broad

CHOICE = Contract(64, 64, 32, 4, 2, MFMA, 3, staggered=1)
HALVES = Contract(64, 128, 64, 4, 2, "v_mfma_f32_16x16x32_f16", 2, copies=16, staggered=1)
CASES = (
    Case("gfx942", CHOICE, (70, 72, 270)),
    Case("gfx90a", replace(CHOICE, m=32, waves=2, buffers=3), (32, 64, 256)),
    Case("gfx1100", replace(CHOICE, m=32, by=WMMA), (32, 64, 256)),
    Case("gfx950", HALVES, (70, 72, 512)),
    Case("gfx950", replace(HALVES, m=64, k=128, waves=2, by="v_mfma_i32_16x16x64_i8"), (64, 64, 1024), "i8"),
    Case("gfx1201:wave64", replace(CHOICE, m=32, by=BYTES), (32, 60, 300), "i8"),
)


@pytest.mark.parametrize("case", CASES, ids=named)
def test_products_of_waves_out_of_step(case: Case) -> None:
    assert not misfit(graph_of(case.graph), case.choice, case.machine)
    assert run(case, case.text)["conflicts"] == 0


@pytest.mark.parametrize("target", ["gfx942", "gfx950"])
def test_products_of_an_unknown_number_of_trips_have_no_waves_out_of_step(target: str) -> None:
    text = "x = @param:x -> f16, {m,k}\ny = @param:y -> f16, {k,n}\nz = dot(x, y)\n@return(z)\n"
    assert asmgen.compile(text, target=target, assembler="builtin").kernels


def test_a_trip_accesses_memory_either_side_of_its_products() -> None:
    """Between the barriers of a trip are products alone, which have priority over the other waves' accesses."""
    case = Case("gfx942", replace(CHOICE, m=128, n=128), (128, 128, 512))
    (kernel,) = asmgen.compile(case.text, target=case.target).kernels
    loop = longest_loop(kernel.assembly, case.target)
    barriers = [place for place, instr in enumerate(loop) if Trait.BARRIER in instr.row.traits]
    steps = [loop[first + 1 : last] for first, last in pairwise([-1, *barriers, len(loop)])]
    products = [sum(instr.row.unit is Unit.MATRIX for instr in step) for step in steps]
    accesses = [sum(not instr.row.traits.isdisjoint({Trait.LOAD, Trait.STORE}) for instr in step) for step in steps]
    assert products[1::2] == [32] * (len(steps) // 2) and not any(products[::2])
    assert not any(accesses[1::2]) and min(accesses[:-1:2]) >= 16
    raised = [[instr.operands[0] for instr in step if Trait.PRIORITY in instr.row.traits] for step in steps]
    assert raised == [[Immediate(1)], [], [Immediate(0)]]


def test_lanes_store_whole_accesses() -> None:
    """A lane has eight results of f16 next to each other, of two tiles of the instruction."""
    case = Case("gfx942", replace(CHOICE, m=128, n=128), (128, 128, 512))
    (kernel,) = asmgen.compile(case.text, target=case.target).kernels
    assert set(re.findall(r"global_store_\w+", kernel.assembly)) == {"global_store_dwordx4"}


def test_waves_may_read_only_what_was_stored_two_barriers_before() -> None:
    case = CASES[0]
    barrier = "    priority[level=1]()\n    barrier()\n"
    assert barrier in case.text
    with pytest.raises(InputError, match="the waves are out of step in a staggered loop"):
        _ = asmgen.compile(case.text.replace(barrier, "    priority[level=1]()\n"), target=case.target)


@pytest.mark.parametrize(
    ("target", "along", "k", "wanted"),
    [
        ("gfx942", False, 4096, (None, 1)),
        ("gfx942", True, 4096, (None, None)),
        ("gfx950", False, 4096, (16, 1)),
        ("gfx950", True, 4096, (16, 1)),
        ("gfx950", True, 4100, (16, None)),  # a trip in part
    ],
)
def test_large_products_take_it(target: str, along: bool, k: int, wanted: tuple[int | None, int | None]) -> None:
    """4,096 cubed of f16 on gfx942 takes 280 thousand clocks in place of 324; along k it took 288 before. On gfx950 it
    takes 148 and 156, in place of 153 and 161."""
    choice = tile_of(Shape(1, 4096, 4096, k, F16, (True, along), is_copied=target == "gfx950", stored=2), table_named(target).target)
    assert (choice.copies, choice.staggered) == wanted


def test_slow_products_have_short_trips() -> None:
    """4,096 cubed of f32 has half of the matrix instructions in its code, 384."""
    choice = tile_of(Shape(1, 4096, 4096, 4096, F32, (True, True), is_copied=True, stored=4), table_named("gfx950").target)
    assert (choice.k, choice.staggered) == (16, 1)


def test_keys_and_values_of_a_token_take_it() -> None:
    """Two products of 1,024 columns in a kernel: 256 workgroups of halves, one for each unit of gfx950."""
    shape = Shape(1, 4096, 2048, 4096, F16, (True, True), is_copied=True, stored=2, beside=(1, 2))
    choice = tile_of(shape, table_named("gfx950").target)
    assert (choice.m, choice.n, choice.copies, choice.staggered) == (256, 64, 16, 1)


def test_halves_of_the_largest_tile_keep_the_matrix_pipe_busy() -> None:
    """A trip has two steps of accesses, as many copies to LDS in each, and no copy of a register."""
    case = Case("gfx950", replace(HALVES, m=256, n=256, waves=8), (256, 256, 512))
    (kernel,) = asmgen.compile(case.text, target=case.target).kernels
    loop = longest_loop(kernel.assembly, case.target)
    names = [instr.row.mnemonic for instr in loop]
    barriers = [place for place, name in enumerate(names) if name == "s_barrier"]
    steps = [names[first + 1 : last] for first, last in pairwise([-1, *barriers, len(names)])]
    assert [step.count(HALVES.by) for step in steps] == [0, 32, 0, 32, 0]
    assert [sum(name.startswith("ds_read") for name in step) for step in steps] == [32, 0, 8, 0, 0]
    assert [step.count("buffer_load_dwordx4") for step in steps] == [4, 0, 4, 0, 0]
    assert not [name for name in names if name.startswith(("ds_write", "v_mov", "v_accvgpr", "scratch"))]
    assert kernel.resources.vgprs <= 256 and kernel.resources.spills == 0


@pytest.mark.parametrize(
    ("choice", "k", "rule"),
    [
        (replace(CHOICE, staggered=2), 256, "staggered is 2, wanted 1"),
        (replace(CHOICE, by=""), 256, "with a matrix instruction"),
        (replace(CHOICE, stages=2), 256, "3 stages"),
        (replace(CHOICE, waves=1), 256, "2 waves at least"),
        (replace(CHOICE, copies=4, buffers=4), 256, "at least and 2 stages"),
        (replace(CHOICE, copies=4, buffers=3, stages=2), 256, "and 2 buffers"),
        (replace(CHOICE, copies=4, stages=2), 257, "whole trips of 32"),
        (replace(CHOICE, m=128, copies=4, stages=2), 256, "can all be copied"),
        (replace(CHOICE, along=1, stages=2), 256, "all go through LDS"),
        (CHOICE, 255, "8 trips of 32 at least"),
    ],
)
def test_what_does_not_fit_is_refused(choice: Contract, k: int, rule: str) -> None:
    case = Case("gfx942", choice, (64, 64, k))
    assert rule in misfit(graph_of(case.graph), choice, case.machine)
