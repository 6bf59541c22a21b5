"""Changes of layout, lowered and run: each kind moves every element to its place, in waves of 32 and 64, and
moves through LDS have no bank conflict by the target's phases.
"""

from __future__ import annotations

import random

import numpy as np
import pytest

import asmgen
from asmgen.blockwise.builder import TileBuilder
from asmgen.blockwise.layout.banks import TileAccess, conflicts
from asmgen.blockwise.layout.layout import Layout, layout
from asmgen.blockwise.layout.relayout import MoveKind, relayout
from asmgen.blockwise.layout.swizzle import chosen
from asmgen.blockwise.lowering.ops.lds import access_bits
from asmgen.blockwise.program import TileProgram
from asmgen.blockwise.text.printer import print_program
from asmgen.blockwise.types import LdsType, TileType
from asmgen.ir.types import ELEMENT_TYPES, F32, tensor
from asmgen.runtime.run import launch
from isa.targets import parse_target
from tests.layouts import random_bases
from tests.rows import in_turn

TARGETS = ["gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1100:wave64", "gfx1201"]
WAVES = 1  # bits
SIZES, BITS = (16, 32), 9
PAIRS = 5  # of layouts in a kernel


def layouts_of(draw: random.Random, lanes: int, kind: MoveKind, zeros: int) -> tuple[Layout, Layout]:
    """Two layouts with a way of a kind, or of a simpler kind by chance; `zeros` bits of each copy."""
    bases = [*random_bases(draw, BITS), *[0] * zeros]
    draw.shuffle(bases)
    registers = len(bases) - lanes - WAVES
    end = {MoveKind.REGISTERS: registers, MoveKind.LANES: registers + lanes, MoveKind.LDS: len(bases)}[kind]
    return cut(bases, registers, lanes), cut([*mixed(draw, bases[:end]), *bases[end:]], registers, lanes)


def mixed(draw: random.Random, bases: list[int]) -> list[int]:
    """Other bases of the same space, as many of them zero."""
    independent = [basis for basis in bases if basis]
    made = [
        sum_of(independent, column) for column in random_bases(draw, len(independent))
    ] + [0] * (len(bases) - len(independent))  # fmt: skip
    draw.shuffle(made)
    return made


def sum_of(bases: list[int], chosen_bits: int) -> int:
    total = 0
    for bit, basis in enumerate(bases):
        total ^= basis if chosen_bits >> bit & 1 else 0
    return total


def cut(bases: list[int], registers: int, lanes: int) -> Layout:
    end = registers + lanes
    return layout(SIZES, tuple(bases[:registers]), tuple(bases[registers:end]), tuple(bases[end:]))


def check(target: str, dtype: str, pairs: list[tuple[Layout, Layout]]) -> None:
    """One kernel that takes a buffer's tile through each pair of layouts, to a buffer for each."""
    element, shape = ELEMENT_TYPES[dtype], pairs[0][0].shape
    first = pairs[0][0]
    builder = TileBuilder("relayouts", {"group": 1}, first.wave_count, first.lane_count)
    x = builder.parameter("x", tensor(element, shape))
    for number, (source, result) in enumerate(pairs):
        z = builder.parameter(f"z{number}", tensor(element, shape))
        tile = TileType(element, source)
        loaded = builder.load(x, tile.coordinates, tile)
        moved = builder.relayout(loaded, result)
        builder.store(moved, z, tile.coordinates)
    text = print_program(TileProgram(parse_target(target), (builder.kernel(),)))
    (kernel,) = asmgen.compile(text, target=target).kernels
    elements = int(np.prod(shape))
    given = (np.arange(elements) % (2 if dtype == "bool" else elements)).astype(element.numpy)
    arrays = [given, *[np.zeros(elements, element.numpy) for _ in pairs]]
    for array, pair in zip(launch(kernel, arrays, "emulator"), [None, *pairs], strict=True):
        assert np.array_equal(np.asarray(array).reshape(-1), given), pair


@pytest.mark.parametrize(("kind", "target"), in_turn([MoveKind.REGISTERS, MoveKind.LANES, MoveKind.LDS], TARGETS, of=2))
def test_every_element_moves_where_it_belongs(kind: MoveKind, target: str) -> None:
    draw = random.Random(f"{kind} {target}")
    lanes = parse_target(target).target.wave_size.bit_length() - 1
    pairs = [layouts_of(draw, lanes, kind, zeros) for zeros in [0, 1] * PAIRS][:PAIRS]
    assert any(relayout(*pair).kind is kind for pair in pairs)
    check(target, "f32", pairs)


@pytest.mark.parametrize("dtype", ["f16", "i32", "bool"])
@pytest.mark.parametrize("kind", [MoveKind.LANES, MoveKind.LDS])
def test_types(kind: MoveKind, dtype: str) -> None:
    draw = random.Random(dtype)
    check("gfx942", dtype, [layouts_of(draw, 6, kind, zeros) for zeros in (0, 1)])


def test_tiles_that_repeat_differently() -> None:
    once = layout((4, 64), (64, 128), (1, 2, 4, 8, 16, 32), (), (3, 1))
    other = layout((4, 64), (1, 2), (4, 8, 16, 32, 64, 128), (), (3, 1))
    flat = layout((1, 64), (), (1, 2, 4, 8, 16, 32), (), (12, 1))
    assert once.shape == flat.shape
    check("gfx942", "f32", [(once, flat), (flat, other), (once, other)])


@pytest.mark.parametrize("target", TARGETS)
def test_no_conflict_through_lds(target: str) -> None:
    machine = parse_target(target).target
    lanes = machine.wave_size.bit_length() - 1
    draw = random.Random(target)
    for _ in range(10):
        source, result = layouts_of(draw, lanes, MoveKind.LDS, 0)
        _, _, placement = chosen(source, result, F32.bytes, machine)
        placed = LdsType(F32, placement)
        for held, stores in ((source, True), (result, False)):
            access = TileAccess(held, access_bits(held, placed), F32.bytes, stores)
            assert conflicts(access, placement, machine) == 0
