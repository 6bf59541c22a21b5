"""Requests and lines of vector accesses: by brute force from the definition, and against measured clocks."""

from __future__ import annotations

import random

import numpy as np
import pytest

from isa.target import Target
from isa.targets import TARGETS, with_wave_size
from isa.timing.address_units import ADDRESS_UNITS
from isa.timing.coalescing import Coalescing
from isa.timing.trace import Access

MACHINES = [with_wave_size(target, lanes) for target in TARGETS.values() for lanes in target.wave_sizes]


def _access(addresses: list[int], size: int) -> Access:
    return Access(np.arange(len(addresses)), np.array([addresses], np.int64), size)


def _clocks(target: str, addresses: list[int], size: int) -> int:
    coalescing = Coalescing(TARGETS[target], 128)
    return coalescing.table[int(coalescing.costs((_access(addresses, size),))[0])].clocks


def _brute(target: Target, access: Access) -> tuple[int, list[int]]:
    """The requests and the lines of an access, byte by byte."""
    size = access.size
    narrow = size >= ADDRESS_UNITS[target.name].narrow_from.value
    together = 4 if narrow or size > 8 else 64 // max(size, 4)
    requests: set[tuple[int, int, int]] = set()
    lines: set[int] = set()
    for number, each in enumerate(access.addresses.tolist()):
        for lane, address in zip(access.lanes.tolist(), each, strict=True):
            for byte in range(address, address + size):
                requests.add((number, lane // together, byte // 64))
                lines.add(byte // 128)
    return len(requests), sorted(lines)


@pytest.mark.parametrize("target", MACHINES, ids=lambda target: f"{target.name}-{target.wave_size}")
def test_requests_are_those_of_the_definition(target: Target) -> None:
    coalescing = Coalescing(target, 128)
    for seed in range(30):
        draw = random.Random(f"{target.name} {target.wave_size} {seed}")
        size = draw.choice((1, 2, 4, 8, 12, 16))
        lanes = sorted(draw.sample(range(target.wave_size), draw.choice((1, 7, target.wave_size))))
        spread, rows = draw.choice((64, 1024, 1 << 20)), draw.choice((1, 3))
        start = draw.randrange(1 << 40)
        at = [[start + draw.randrange(0, spread, draw.choice((1, size))) for _ in lanes] for _ in range(rows)]
        access = Access(np.array(lanes), np.array(at), size)
        requests, lines = _brute(target, access)
        assert coalescing.table[int(coalescing.costs((access,))[0])].requests == requests, f"seed {seed}"
        assert sorted(coalescing.lines(access)) == lines, f"seed {seed}"


@pytest.mark.parametrize(("size", "clocks"), [(4, 4), (8, 16), (16, 16)])
def test_consecutive_loads_take_the_clocks_of_the_tutorial(size: int, clocks: int) -> None:
    """AMD's tutorial kernels for gfx950, gemm v8: dword 4, dwordx2 and dwordx4 16."""
    assert _clocks("gfx950", [size * lane for lane in range(64)], size) == clocks


def test_rows_of_few_lanes_take_the_clocks_of_the_traces() -> None:
    """tinygrad's matrix product r_2_8_16: a wave loads 16 bytes from 8 rows of 256 bytes, a row for each eighth lane. On
    gfx950 results come 60 to 64 clocks apart, on gfx1100, gfx1151 and gfx1200 16."""
    assert 60 <= _clocks("gfx950", [1024 * (lane % 8) for lane in range(64)], 16) <= 64
    for target in ("gfx1100", "gfx1201"):
        assert _clocks(target, [1024 * (lane % 8) for lane in range(32)], 16) == 16


def test_more_distance_takes_no_fewer_clocks() -> None:
    for target in TARGETS.values():
        for size in (4, 8, 16):
            clocks = [_clocks(target.name, [size * step * lane for lane in range(target.wave_size)], size) for step in (1, 2, 4, 8, 16, 32, 64)]
            assert clocks == sorted(clocks)


@pytest.mark.parametrize("target", TARGETS)
def test_fewer_lanes_ask_for_no_more(target: str) -> None:
    coalescing, lanes = Coalescing(TARGETS[target], 128), TARGETS[target].wave_size
    for seed in range(20):
        draw = random.Random(f"{target} {seed}")
        addresses = np.array([[4 * draw.randrange(1 << draw.choice((4, 8, 12))) for _ in range(lanes)]])
        some = np.array(sorted(draw.sample(range(lanes), draw.randint(1, lanes))))
        accesses = Access(np.arange(lanes), addresses, 8), Access(some, addresses[:, some], 8)
        every, fewer = (coalescing.table[int(place)] for place in coalescing.costs(accesses))
        assert fewer.clocks <= every.clocks and fewer.requests <= every.requests, f"seed {seed}"
        assert len(fewer.lines) <= len(every.lines), f"seed {seed}"
