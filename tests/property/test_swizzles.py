"""Placements in LDS without bank conflicts, as counted lane by lane by the phase tables of the targets."""

from __future__ import annotations

import random

import pytest

from asmgen.blockwise.layout import f2
from asmgen.blockwise.layout.algebra import holders
from asmgen.blockwise.layout.banks import TileAccess, conflicts
from asmgen.blockwise.layout.layout import Layout, layout
from asmgen.blockwise.layout.placement import Placement, offset_columns, row_major
from asmgen.blockwise.layout.swizzle import accesses, chosen, swizzle
from isa.target import Target
from isa.targets import TARGETS, with_wave_size
from tests.layouts import random_bases, read

MACHINES = [with_wave_size(target, lanes) for target in TARGETS.values() for lanes in target.wave_sizes]
ROWS = "reg(0:1 0:2) lane(0:4 0:8 0:16 1:0 2:0 4:0) wave(8:0 16:0)"  # {32,32}, four columns a lane
COLUMNS = "reg(1:0 2:0) lane(4:0 8:0 16:0 0:1 0:2 0:4) wave(0:8 0:16)"


@pytest.mark.parametrize("target", MACHINES, ids=lambda target: f"{target.name}-{target.wave_size}")
def test_phases_are_cosets_of_one_space(target: Target) -> None:
    """What `swizzle` relies on; and every lane is in one phase."""
    for access in target.lds_accesses:
        phases = access.of_lanes(target.wave_size)
        assert sorted(lane for phase in phases for lane in phase) == list(range(target.wave_size))
        spaces = {frozenset(lane ^ phase[0] for lane in phase) for phase in phases}
        assert len(spaces) == 1
        (space,) = spaces
        assert {one ^ other for one in space for other in space} == space
        assert len(space) * access.bytes <= access.banks * 4, "a phase is no more than a row of banks"


def test_conflicts_are_counted() -> None:
    """On gfx942 32 lanes a phase share 32 banks: a stride of two words wants each bank twice, of 32 words one
    bank 32 times.
    """
    access = TARGETS["gfx942"].lds_access(4, False)
    assert [access.conflicts([4 * stride * lane for lane in range(64)]) for stride in (0, 1, 2, 32, 33)] == [
        0,
        0,
        2,
        62,
        0,
    ]
    wide = TARGETS["gfx942"].lds_access(16, False)
    assert [wide.cycles([16 * stride * lane for lane in range(64)]) for stride in (1, 8)] == [8, 64]


@pytest.mark.parametrize("target", MACHINES, ids=lambda target: f"{target.name}-{target.wave_size}")
@pytest.mark.parametrize("count", [8, pytest.param(1500, marks=pytest.mark.slow)])
def test_random_layouts_have_no_conflict(target: Target, count: int) -> None:
    draw = random.Random(f"{target.name} {target.wave_size}")
    swizzled = found = 0
    for number in range(count):
        element = (1, 2, 4, 8)[number % 4]
        written, wanted = _pair(draw, target.wave_size)
        pairs = accesses(written, wanted, element)
        for write, reading in (draw.choice(pairs), pairs[-1]):
            placed = swizzle(write, reading, target)
            if placed is not None:
                _check(write, reading, placed, target)
                found += len(write.bits) + len(reading.bits) > 0
        write, reading, placed = chosen(written, wanted, element, target)
        _check(write, reading, placed, target)
        swizzled += any(basis & basis - 1 for basis in placed.offsets)
    assert swizzled > 0
    assert found > 0


def _pair(draw: random.Random, lanes: int) -> tuple[Layout, Layout]:
    bits = draw.randint(6, 11)
    rows = draw.randint(0, bits)
    sizes = (1 << rows, 1 << bits - rows)
    return _layout(draw, sizes, bits, lanes), _layout(draw, sizes, bits, lanes)


def _layout(draw: random.Random, sizes: tuple[int, int], bits: int, lanes: int) -> Layout:
    """Lanes and two wave bits, some of which copy; registers have the rest, in order."""
    bases = random_bases(draw, bits) if draw.random() < 0.5 else [1 << bit for bit in draw.sample(range(bits), bits)]
    held = lanes.bit_length() - 1 + draw.randint(0, 2)
    copies = max(0, held - bits) + draw.randint(0, 1)
    others = [*bases[: held - copies], *[0] * copies]
    draw.shuffle(others)
    split = lanes.bit_length() - 1
    return layout(sizes, tuple(sorted(bases[held - copies :])), tuple(others[:split]), tuple(others[split:]))


def _check(write: TileAccess, reading: TileAccess, placed: Placement, target: Target) -> None:
    assert placed.fault == ""
    assert sorted({placed.offset(placed.element(offset)) for offset in range(placed.elements)}) == list(range(placed.elements))
    assert conflicts(write, placed, target) == 0, (write, placed)
    assert conflicts(reading, placed, target) == 0, (reading, placed)


@pytest.mark.parametrize("target", [target for target in MACHINES if target.wave_size == 64], ids=lambda target: target.name)
@pytest.mark.parametrize("element", [2, 4])
def test_a_transpose_has_none_where_rows_have(target: Target, element: int) -> None:
    write, reading, placed = chosen(read(ROWS), read(COLUMNS), element, target)
    _check(write, reading, placed, target)
    plain = row_major((32, 32))
    assert conflicts(write._replace(bits=()), plain, target) + conflicts(reading._replace(bits=()), plain, target) > 0
    assert any(basis & basis - 1 for basis in placed.offsets), "rows and columns without conflict want a swizzle"


def test_offsets_of_holders_are_linear() -> None:
    of, (_, _, placed) = read(ROWS), chosen(read(ROWS), read(COLUMNS), 4, TARGETS["gfx942"])
    columns = offset_columns(placed, of)
    for holder in holders(of):
        assert placed.offset(of.element(holder)) == f2.apply(columns, of.number(holder))
