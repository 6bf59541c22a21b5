"""Schedules that users state or write: the program takes them, and refuses those that do not fit."""

from __future__ import annotations

from math import prod
from typing import ClassVar

import numpy as np
import pytest
from msgspec import Struct

import asmgen
from asmgen.compiled import CompiledProgram
from asmgen.index import constant
from asmgen.kernels import build_kernel
from asmgen.schedules import Body, Buffers, Graph, Target, Tiles, output_buffers, register
from asmgen.tiles import Builder, Deal, Kernel, Part, coordinates, dealt
from isa.diagnostics import InputError
from tests.commands import run

SOFTMAX = ("softmax", [("rows", "64"), ("cols", "1024")])
ONE_WAVE = "row[rows=1, lanes=64, waves=1, teams=4, vector=4, repeat=4]"


class Blocks(Struct, frozen=True):
    """A workgroup of `waves` waves has `each` neighbours a lane."""

    body: ClassVar[Body] = Body.POINTWISE

    waves: int
    each: int = 4


def write(graph: Graph, choice: Blocks, target: Target) -> Kernel:
    """A tile program for whole blocks of outputs of one shape."""
    (section,) = graph.sections
    tile = choice.waves * choice.each * target.wave_size
    builder = Builder(graph.module.name, {"block": prod(graph.work.dims) // tile}, choice.waves, target.wave_size, graph.place)
    deals = (Deal(Part.REGISTERS, 0, choice.each), Deal(Part.LANES, 0, target.wave_size), Deal(Part.WAVES, 0, choice.waves))
    layout = dealt(1, deals, target.wave_size, choice.waves)
    (place,) = coordinates(layout.shape)
    at = section.at(builder.ids[0] * tile + place, builder.ids[1:], constant(0))
    tiles = Tiles(builder, Buffers(builder, graph.defined), layout, ())
    outputs = output_buffers(builder, graph)
    for stored in section.stored:
        tiles.store(stored.value, at, outputs[stored.position], (), stored.at(at, stored.whole))
    return builder.kernel()


register("blocks", Blocks, write)


def compiled(schedules: tuple[str, ...]) -> CompiledProgram:
    name, settings = SOFTMAX
    return asmgen.compile(build_kernel(name, settings), "gfx942", schedules=schedules)


def test_a_stated_schedule_is_what_runs() -> None:
    program = compiled((ONE_WAVE,))
    (kernel,) = program.kernels
    assert kernel.grid == (16, 1, 1)
    assert kernel.block == (256, 1, 1)
    x = np.random.default_rng(1).standard_normal((64, 1024)).astype(np.float32)
    (got,) = program(x, device="emulator")
    powers = np.exp(x.astype(np.float64) - x.max(axis=1, keepdims=True))
    assert np.allclose(got, powers / powers.sum(axis=1, keepdims=True), rtol=1e-5, atol=0)


@pytest.mark.parametrize(
    ("schedules", "code"),
    [
        (("pointwise[vector=4, waves=4]",), "SCH002"),
        (("column[rows=1, columns=1, lanes=64, waves=1, teams=1, vector=1, repeat=1]",), "SCH002"),
        ((ONE_WAVE.replace("rows=1", "rows=3"),), "SCH002"),
        ((ONE_WAVE, ONE_WAVE), "SCH001"),
        ((f"sofmax={ONE_WAVE}",), "SCH001"),
        (("rows[rows=1]",), "GEN004"),
        (("row[lane=1]",), "GEN004"),
        (("row[rows=1]",), "BLK004"),
        (("row[rows=0]",), "GEN008"),
        ((f"{ONE_WAVE} now",), "GEN002"),
        (("",), "GEN002"),
    ],
)
def test_a_schedule_that_does_not_fit(schedules: tuple[str, ...], code: str) -> None:
    with pytest.raises(InputError) as caught:
        _ = compiled(schedules)
    assert caught.value.code == code


def test_launches_are_named_if_there_are_several() -> None:
    graph = build_kernel("full_sum", [("n", "1000000")])
    names = [kernel.name for kernel in asmgen.compile(graph, "gfx942").kernels]
    assert len(names) == 2
    with pytest.raises(InputError) as caught:
        _ = asmgen.compile(graph, "gfx942", schedules=("row[rows=1, lanes=64, waves=1, teams=1, vector=1, repeat=1]",))
    assert caught.value.code in ("SCH001", "SCH002")
    first = asmgen.compile(graph, "gfx942", schedules=(f"{names[1]}=row[rows=1, lanes=64, waves=1, teams=1, vector=1, repeat=8]",))
    (got,) = first(np.ones(1000000, np.float32), device="emulator")
    assert got == 1000000


def test_a_registered_schedule_is_verified_like_others() -> None:
    text = "x = @param:x -> f32, {64,128}\ny = @param:y -> f32, {64,128}\nz = add(x, y)\n@return(z)\n"
    program = asmgen.compile(text, "gfx942", schedules=("blocks[waves=2]",))
    (kernel,) = program.kernels
    assert kernel.grid == (64 * 128 // (2 * 4 * 64), 1, 1)
    assert "global_load_dwordx4" in kernel.assembly
    x, y = np.random.default_rng(2).standard_normal((2, 64, 128)).astype(np.float32)
    (got,) = program(x, y, device="emulator")
    assert np.array_equal(got, x + y)


def test_names_that_are_taken_or_records_that_are_none() -> None:
    class Bare(Struct, frozen=True):
        waves: int

    for name, record in (("row", Blocks), ("a b", Blocks), ("bare", Bare)):
        with pytest.raises(InputError) as caught:
            register(name, record, write)
        assert caught.value.code == "SCH004"


def test_the_command_line() -> None:
    status, printed = run(f'python -m asmgen kernel softmax --set rows=64 --set cols=1024 --schedule "{ONE_WAVE}"')
    assert status == 0
    assert "16x1x1 workgroups" in printed
    status, printed = run(f'python -m asmgen kernel examples/relu.mlir --schedule "{ONE_WAVE}"')
    assert status == 1
    assert "SCH003" in printed
