"""Sorts of rows that share workgroups: one code object at the lengths around which a row takes more lanes."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen
from asmgen.profile.programs import launches_of_program
from tests.rows import in_turn
from tests.unit.named_dims.sizes_of_programs import Arrays, Sized, hold
from tests.unit.named_dims.test_launches import text

_FEW = "f32, {m,n}"


def in_order(x: Arrays) -> Arrays:
    return np.sort(x, -1)


def places(x: Arrays) -> Arrays:
    return np.argsort(x, -1, kind="stable")


def largest(count: int, x: Arrays) -> Arrays:
    return -np.sort(-x.astype(np.float64), -1)[..., :count]


CASES = {
    "in order": Sized((_FEW,), ("o = sort[axis=1](x)",), in_order, (1, 16, 17, 33, 1025)),
    "places": Sized(("i32, {m,n}",), ("o = argsort[axis=1](x)",), places, (3, 32, 70)),
    "the largest 3": Sized((_FEW,), ("o = top_k[axis=1, k=3](x)",), lambda x: largest(3, x), (3, 17, 64, 2049)),
    "the largest 40": Sized(("f16, {m,n}",), ("o = top_k[axis=1, k=40](x)",), lambda x: largest(40, x), (40, 65, 257)),
    "columns": Sized(("f32, {n,m}",), ("o = sort[axis=0](x)",), lambda x: np.sort(x, 0), (1, 32, 33, 200)),
    "of a middle axis": Sized(("f16, {2,n,m}",), ("o = top_k[axis=1, k=2](x)",), lambda x: -np.sort(-x, 1)[:, :2], (3, 65)),
    "of a vector": Sized(("u8, {n}",), ("o = sort[axis=0](x)",), in_order, (1, 31, 513)),
    "of several axes": Sized(("i32, {m,2,n}",), ("o = sort[axis=2](x)",), in_order, (5, 65)),
    "of a sort": Sized(
        ("i32, {m,n}",), ("s = sort[axis=1](x)", "t = mul(s, x)", "o = sort[axis=1](t)"), lambda x: in_order(in_order(x) * x), (7, 100)
    ),
}  # fmt: skip


@pytest.mark.broad
@pytest.mark.parametrize(("name", "target"), in_turn(CASES, ["gfx942", "gfx1100", "gfx1201:wave64"], of=3))
def test_one_code_object_at_every_length(name: str, target: str) -> None:
    case = CASES[name]
    hold(case, target, [{"m": max(1, 600 // n), "n": n} for n in case.sizes])


@pytest.mark.parametrize(
    ("axis", "wanted"),
    [
        (1, {16: 4, 17: 8, 300: 125, 4096: 1000}),  # a lane has 16 elements, a workgroup 256 lanes
        (0, {32: 2, 33: 4, 500: 32, 4096: 250}),  # 32 elements and 512 lanes, four for rows next to each other
    ],
)
def test_short_rows_share_workgroups(axis: int, wanted: dict[int, int]) -> None:
    dims = "{m,n}" if axis else "{n,m}"
    source = text(f"x = @param:x -> i32, {dims}", f"o = sort[axis={axis}](x)", "@return(o)")
    program = asmgen.compile(source, target="gfx942")
    launches = {n: launches_of_program(program, "sorts", (), {"m": 1000, "n": n}) for n in wanted}
    assert {n: launch.call.grid[0] for n, (launch,) in launches.items()} == wanted
