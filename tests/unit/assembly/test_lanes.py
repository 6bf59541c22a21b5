"""Pseudo-instructions that bring values of other lanes."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from asmgen.assembly import Builder, global_pointer, kernel, pseudo, u32
from isa.diagnostics import InputError
from isa.targets import parse_target

Array = np.ndarray[Any, Any]
MACHINES = ("gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201", "gfx1100:wave64", "gfx1201:wave64")


@kernel(workgroup=(64, 1, 1), most_workgroups=(1, 1, 1))
def exchanges(k: Builder, x: global_pointer[u32], y: global_pointer[u32]) -> None:
    """A pair from the lane of each distance, and from the lane that another register names."""
    t = k.thread_id.x
    pair = k.global_load_dwordx2(x, 8 * t)
    for mask in range(1, k.wave_size):
        k.global_store_dwordx2(y, 512 * mask + 8 * t, pseudo.exchange_lanes(k, pair, mask))
    k.global_store_dwordx2(y, 8 * t, pseudo.read_lane(k, pair, (5 * t + 3) % k.wave_size))


@pytest.mark.parametrize("target", MACHINES)
def test_every_distance_and_any_lane(target: str) -> None:
    program, lanes = exchanges.compile(target), parse_target(target).target.wave_size
    x, t = np.random.default_rng(1).integers(0, 1 << 32, (64, 2), dtype=np.uint32), np.arange(64)

    def reference(x: Array, y: Array) -> dict[str, Array]:
        first = t // lanes * lanes
        return {"y": np.stack([x[first + (5 * t + 3) % lanes], *[x[t ^ mask] for mask in range(1, lanes)]])}

    assert program.verify(reference, grid=(1, 1, 1), x=x, y=np.zeros((lanes, 64, 2), np.uint32)) == 0


@kernel(workgroup=(448, 1, 1), most_workgroups=(1, 1, 1))
def total(k: Builder, x: global_pointer[u32], y: global_pointer[u32]) -> None:
    i = 4 * k.thread_id.x
    k.global_store_dword(y, i, pseudo.reduce_workgroup(k, "v_add_u32", k.global_load_dword(x, i)))


@pytest.mark.parametrize("target", MACHINES)
def test_the_sum_of_a_workgroup_is_read_from_lds_by_long_reads(target: str) -> None:
    program, x = total.compile(target), np.random.default_rng(2).integers(0, 1 << 20, 448, dtype=np.uint32)
    program.verify(lambda x, y: {"y": np.full(448, x.sum(), np.uint32)}, grid=(1, 1, 1), x=x, y=np.zeros_like(x))
    reads = re.findall(r"\tds_(?:read|load)_(b\d+)", str(program))
    assert sorted(reads) == (["b128", "b32", "b64"] if "wave64" in target or "gfx9" in target else ["b128"] * 3 + ["b64"])
    assert "v_readlane" not in str(program)


def test_a_distance_beyond_the_wave_is_refused() -> None:
    def far(k: Builder, x: global_pointer[u32]) -> None:
        pseudo.exchange_lanes(k, k.global_load_dword(x, 0), k.wave_size)

    with pytest.raises(InputError, match="wanted 1 to 31"):
        kernel()(far).compile("gfx1201")
