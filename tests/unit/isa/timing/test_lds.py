"""Clocks of LDS accesses: by brute force from the definition of a phase, and against measured times and counters."""

from __future__ import annotations

import random

import numpy as np
import pytest

from isa.instruction import Row
from isa.table import table_of
from isa.target import Target
from isa.targets import TARGETS, with_wave_size
from isa.timing.lds import LdsClocks, LdsCost
from isa.timing.trace import Access
from tests.unit.isa.timing.lds_measured import COUNTED, MEASURED
from tools.validate_timing.lds_neighbours import READS, block_clocks

MACHINES = [with_wave_size(target, lanes) for target in TARGETS.values() for lanes in target.wave_sizes]
OPERATIONS = {4: "ds_read_b32", 8: "ds_read_b64", 12: "ds_read_b96", 16: "ds_read_b128"}
QUADS = [list(range(4 * quad, 4 * quad + 4)) for quad in range(16)]
# the lanes that are served together, as the sources print them; AMD's notes and the HipKittens paper
PUBLISHED: dict[tuple[str, int, bool], tuple[int, list[list[int]]]] = {
    ("gfx942", 16, False): (32, [QUADS[a] + QUADS[b] for a, b in (
        (0, 5), (8, 13), (1, 4), (9, 12), (2, 7), (10, 15), (3, 6), (11, 14),
    )]),
    ("gfx950", 4, False): (64, [list(range(64))]),
    ("gfx950", 8, False): (64, [list(range(32)), list(range(32, 64))]),
    ("gfx950", 16, False): (64, [[lane for quad in quads for lane in QUADS[quad]] for quads in (
        (0, 3, 5, 6), (8, 11, 13, 14), (1, 2, 4, 7), (9, 10, 12, 15),
    )]),
    ("gfx950", 12, False): (32, [QUADS[a] + QUADS[b] for a, b in (
        (0, 5), (1, 4), (2, 7), (3, 6), (8, 13), (9, 12), (10, 15), (11, 14),
    )]),
    ("gfx950", 8, True): (32, [list(range(first, first + 16)) for first in range(0, 64, 16)]),
    ("gfx942", 16, True): (32, [list(range(first, first + 8)) for first in range(0, 64, 8)]),
    ("gfx1100", 16, False): (32, [QUADS[a] + QUADS[b] for a, b in ((0, 5), (1, 4), (2, 7), (3, 6))]),
    ("gfx1201", 16, False): (32, [list(range(first, first + 8)) for first in range(0, 32, 8)]),
}  # fmt: skip


def _row(target: Target, operation: str) -> Row:
    return next(row for row in table_of(target).rows if row.operation == operation)


def _access(addresses: list[int], size: int) -> Access:
    return Access(np.arange(len(addresses)), np.array([addresses], np.int64), size)


def _brute(target: Target, access: Access, stores: bool, updates: bool) -> int:
    """The clocks by definition: a phase has as many turns as a bank has words for it, and at least 1."""
    size, clocks = access.size, 0
    served = target.lds_access(size, stores)
    for each in access.addresses.tolist():
        at = dict(zip(access.lanes.tolist(), each, strict=True))
        for phase in served.of_lanes(target.wave_size):
            bytes_of = [range(at[lane], at[lane] + size) for lane in phase if lane in at]
            words = [word for own in bytes_of for word in {byte // 4 for byte in own}]
            by_bank = [[word for word in words if word % served.banks == bank] for bank in range(served.banks)]
            clocks += max(1, *(len(bank if updates else set(bank)) for bank in by_bank))
    return clocks


@pytest.mark.parametrize("target", MACHINES, ids=lambda target: f"{target.name}-{target.wave_size}")
@pytest.mark.parametrize("count", [12, pytest.param(400, marks=pytest.mark.slow)])
def test_clocks_are_those_of_the_definition(target: Target, count: int) -> None:
    """Random lanes, alignments, strides and two accesses a lane; loads, stores and updates."""
    clocks = LdsClocks(target)
    rows = [_row(target, name) for name in ("ds_read_b32", "ds_write_b32", "ds_add_u32")]
    for seed in range(count):
        draw = random.Random(f"{target.name} {target.wave_size} {seed}")
        size = draw.choice((1, 2, 4, 8, 12, 16))
        lanes = sorted(draw.sample(range(target.wave_size), draw.choice((1, 5, target.wave_size))))
        aligned = draw.choice((1, size, 4, 128))
        some = [
            Access(
                np.array(lanes),
                np.array([[draw.randrange(0, 4096, aligned) for _ in lanes] for _ in range(draw.choice((1, 2)))]),
                size,
            )
            for _ in range(3)
        ]  # fmt: skip
        for row, stores, updates in zip(rows, (False, True, True), (False, False, True), strict=True):
            got = [clocks.table[int(place)].clocks for place in clocks.costs(row, some)]
            wanted = [_brute(target, access, stores, updates) for access in some]
            assert got == wanted, f"seed {seed}: {row}, {size} bytes, lanes {lanes}"


@pytest.mark.parametrize("target", MACHINES, ids=lambda target: f"{target.name}-{target.wave_size}")
def test_the_compiler_counts_the_same_conflicts(target: Target) -> None:
    draw = random.Random(1)
    for size, operation in OPERATIONS.items():
        for stride in (1, 2, 3, 8, 9):
            addresses = [size * (stride * lane + draw.randrange(2)) for lane in range(target.wave_size)]
            cost = LdsClocks(target).cost(_row(target, operation), _access(addresses, size))
            served = target.lds_access(size, False)
            assert cost == LdsCost(served.cycles(addresses), served.conflicts(addresses))
    served, row = target.lds_access(1, False), _row(target, "ds_read_u8")
    for stride in (1, 2, 3, 5, 129):
        addresses = [stride * lane for lane in range(target.wave_size)]
        cost = LdsClocks(target).cost(row, _access(addresses, 1))
        assert cost == LdsCost(served.cycles(addresses), served.conflicts(addresses)), "bytes take their word"


@pytest.mark.parametrize(("target", "size", "stores"), PUBLISHED)
def test_phases_are_the_published(target: str, size: int, stores: bool) -> None:
    banks, phases = PUBLISHED[target, size, stores]
    served = TARGETS[target].lds_access(size, stores)
    assert served.banks == banks
    assert sorted(map(sorted, served.of_lanes(TARGETS[target].wave_size))) == sorted(map(sorted, phases))


def _strides(target: str, width: int) -> list[LdsCost]:
    machine = TARGETS[target]
    strides = [width << step for step in range(10) if width << step <= 512]
    row, clocks = _row(machine, OPERATIONS[width]), LdsClocks(machine)
    accesses = [_access([stride * lane for lane in range(machine.wave_size)], width) for stride in strides]
    return [clocks.cost(row, access) for access in accesses]


@pytest.mark.parametrize(("target", "width"), COUNTED)
def test_conflicts_are_the_counted(target: str, width: int) -> None:
    """SQ_LDS_BANK_CONFLICT of MI300X is exact."""
    counted = COUNTED[target, width]
    assert tuple(READS * cost.conflicts for cost in _strides(target, width))[: len(counted)] == counted


@pytest.mark.parametrize(("target", "width"), MEASURED)
def test_blocks_of_reads_take_the_measured_time(target: str, width: int) -> None:
    """70 times within 10 %, and the ten ratios of the slowest to the fastest."""
    measured = MEASURED[target, width]
    modelled = [block_clocks(target, width, cost.clocks) for cost in _strides(target, width)]
    assert modelled == pytest.approx(measured, rel=0.1)
    assert modelled[-1] / modelled[0] == pytest.approx(measured[-1] / measured[0], rel=0.1)


def _swizzled(lane: int, first: int, rows_a_step: int) -> int:
    """The address at which a lane of 16 rows reads 16 bytes of a tile with rows of 64 halves: columns are exchanged
    by the row, in steps of `rows_a_step` rows."""
    row, column = lane % 16, first + lane // 16 * 8
    return 2 * (64 * row + ((column // 8) ^ (row // rows_a_step % 8)) * 8 + column % 8)


@pytest.mark.parametrize(("reads", "writes", "measured"), [(32, 16, 13.3), (24, 8, 14.0)])
def test_a_swizzle_in_steps_of_two_rows_conflicts(reads: int, writes: int, measured: float) -> None:
    """ROCm's Gluon tutorials, gemm of gfx942: 13.3 clocks an LDS instruction in the loop of four waves, 14 in that of
    eight, against 8.00 with a step for each row. The loops write too, without conflicts."""
    target = TARGETS["gfx942"]
    clocks = LdsClocks(target)
    read, write = _row(target, "ds_read_b128"), _row(target, "ds_write_b128")
    for rows_a_step, wanted in ((1, 8.0), (2, measured)):
        reading = [clocks.cost(read, _access([_swizzled(lane, first, rows_a_step) for lane in range(64)], 16)).clocks for first in (0, 32)]
        places = [(lane // 8, lane % 8) for lane in range(64)]
        written = [128 * row + 16 * (column ^ row // rows_a_step % 8) for row, column in places]
        writing = clocks.cost(write, _access(written, 16)).clocks
        assert reading[0] == reading[1]
        assert (reads * reading[0] + writes * writing) / (reads + writes) == pytest.approx(wanted, abs=0.05)


def test_instructions_are_served_by_their_rows() -> None:
    target = TARGETS["gfx942"]
    clocks = LdsClocks(target)
    lanes = list(range(64))

    def cost(operation: str, addresses: list[list[int]], size: int) -> LdsCost:
        return clocks.cost(_row(target, operation), Access(np.arange(64), np.array(addresses), size))

    assert cost("ds_read_b32", [[64] * 64], 4) == LdsCost(2, 0), "a broadcast"
    assert cost("ds_add_u32", [[64] * 64], 4) == LdsCost(64, 62), "lanes that update a word take turns"
    assert cost("ds_add_u32", [[4 * lane for lane in lanes]], 4) == LdsCost(2, 0)
    apart = [[4 * lane for lane in lanes], [4 * lane + 256 for lane in lanes]]
    assert cost("ds_read2_b32", apart, 4) == LdsCost(4, 0), "one address after the other"
    assert clocks.cost(_row(target, "ds_bpermute_b32"), None) == LdsCost(2, 0)
    assert cost("ds_read_b96", [[16 * lane for lane in lanes]], 12) == LdsCost(8, 0)
    assert cost("ds_read_b96", [[12 * lane for lane in lanes]], 12) == LdsCost(16, 8), "lanes 0-3 and 20-23 overlap"
    assert clocks.cost(_row(target, "ds_read_b128"), None) == LdsCost(8, 0)
    assert cost("ds_read_u8", [lanes], 1) == LdsCost(2, 0), "lanes that share a word"


def test_transposing_loads_read_as_others() -> None:
    """gfx950, 16 rows of 64 halves: a lane reads 8 bytes of a row. Every other row of 128 bytes has the same banks, and
    rows of 144 bytes have others."""
    target = TARGETS["gfx950"]
    clocks, row = LdsClocks(target), _row(target, "ds_read_b64_tr_b16")
    for bytes_a_row, wanted in ((128, 16), (144, 2)):
        addresses = [bytes_a_row * (lane % 16) + 8 * (lane // 16) for lane in range(64)]
        assert clocks.cost(row, _access(addresses, 8)).clocks == wanted


def test_costs_do_not_depend_on_the_first_word() -> None:
    target = TARGETS["gfx950"]
    clocks, row = LdsClocks(target), _row(target, "ds_read_b64")
    draw = random.Random(3)
    addresses = [8 * draw.randrange(512) for _ in range(64)]
    some = [_access([4 * first + address for address in addresses], 8) for first in range(70)]
    assert len(set(clocks.costs(row, some).tolist())) == 1


@pytest.mark.parametrize("target", MACHINES, ids=lambda target: f"{target.name}-{target.wave_size}")
def test_fewer_lanes_take_no_longer(target: Target) -> None:
    clocks = LdsClocks(target)
    rows = [_row(target, name) for name in ("ds_read_b64", "ds_write_b64", "ds_add_u64")]
    for seed in range(20):
        draw = random.Random(f"{target.name} {target.wave_size} {seed}")
        addresses = np.array([[8 * draw.randrange(256) for _ in range(target.wave_size)]])
        lanes = np.array(sorted(draw.sample(range(target.wave_size), draw.randint(1, target.wave_size))))
        for row in rows:
            every = clocks.cost(row, Access(np.arange(target.wave_size), addresses, 8))
            assert clocks.cost(row, Access(lanes, addresses[:, lanes], 8)).clocks <= every.clocks, f"seed {seed}"
