"""`with k.all_lanes():` in a `where`: every lane runs it, and the lanes of the `where` go on after it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from asmgen.assembly import Builder, f32, global_pointer, kernel, pseudo, u32
from isa.targets import parse_target
from tests.unit.assembly.test_examples import EVERYWHERE

Array = np.ndarray[Any, Any]
ITEMS = 256


@kernel(workgroup=(ITEMS, 1, 1), most_workgroups=(16, 1, 1))
def shares(k: Builder, x: global_pointer[f32], y: global_pointer[f32], n: u32) -> None:
    """The share of an element in the sum of its wave."""
    i = ITEMS * k.workgroup_id.x + k.thread_id.x
    with k.where(i < n):
        v = k.global_load_dword(x, 4 * i)
        with k.all_lanes():
            total = pseudo.reduce_wave(k, "v_add_f32", v)
        k.global_store_dword(y, 4 * i, k.v_mul_f32(v, k.v_rcp_f32(total)))


@pytest.mark.parametrize("target", EVERYWHERE)
def test_a_reduction_in_a_where_adds_nothing_for_the_other_lanes(target: str) -> None:
    program, lanes = shares.compile(target), parse_target(target).target.wave_size
    x = np.random.default_rng(1).uniform(0.5, 1, 2 * ITEMS).astype(np.float32)

    def reference(x: Array, y: Array, n: int) -> dict[str, Array]:
        waves = np.where(np.arange(len(x)) < n, x, 0).astype(np.float64).reshape(-1, lanes)
        totals = waves.sum(axis=1, keepdims=True)
        return {"y": np.where(np.arange(len(x)) < n, (waves / np.where(totals, totals, 1)).ravel(), y)}

    for n in (0, 3, 300, 512):
        assert program.verify(reference, grid=(2, 1, 1), x=x, y=np.full(2 * ITEMS, 7, np.float32), n=n) < 1e-5


@kernel(workgroup=(64, 1, 1), most_workgroups=(1, 1, 1))
def nested(k: Builder, y: global_pointer[u32], n: u32) -> None:
    """Counts lanes in a variable, in both sides of a `where` in another `where`."""
    t, count = k.thread_id.x, k.vgpr()
    k.assign(count, 100)
    with k.where(t < n):
        outer = k.v_mov_b32(5)
        side = k.where(t < 3)
        with side:
            inner = k.v_mov_b32(7)
            with k.all_lanes():
                k.v_add_u32(1, count, into=count)
            k.v_add_u32(inner, count, into=count)
        with side.otherwise():
            with k.all_lanes():
                k.v_add_u32(10, count, into=count)
                made = k.v_mov_b32(1000)
            k.v_add_u32(made, count, into=count)
        k.v_add_u32(outer, count, into=count)
    k.global_store_dword(y, 4 * t, count)


@pytest.mark.parametrize("target", ("gfx942", "gfx1201"))
def test_the_lanes_of_both_sides_come_back(target: str) -> None:
    program, lanes = nested.compile(target), parse_target(target).target.wave_size
    t = np.arange(64)

    def reference(y: Array, n: int) -> dict[str, Array]:
        then, other = (t < n) & (t < 3), (t < n) & (t >= 3)
        comes, comes_other = (side.reshape(-1, lanes).any(axis=1).repeat(lanes) for side in (then, other))
        return {"y": 100 + comes + 10 * comes_other + 7 * then + 1000 * other + 5 * (t < n)}

    for n in (0, 2, 3, 20, 64):
        assert program.verify(reference, grid=(1, 1, 1), y=np.zeros(64, np.uint32), n=n) == 0


@kernel(workgroup=(64, 1, 1), most_workgroups=(1, 1, 1))
def outside(k: Builder, y: global_pointer[u32]) -> None:
    with k.all_lanes():
        k.global_store_dword(y, 4 * k.thread_id.x, k.v_mov_b32(3))


def test_without_a_where_every_lane_is_on_already() -> None:
    program = outside.compile("gfx942")
    assert program.verify(lambda y: {"y": np.full(64, 3)}, y=np.zeros(64, np.uint32)) == 0
    assert "exec" not in str(program)
