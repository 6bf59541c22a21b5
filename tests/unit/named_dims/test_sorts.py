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


def test_short_rows_share_workgroups() -> None:
    """A lane has 16 elements of a row, a workgroup 256 lanes."""
    program = asmgen.compile(text("x = @param:x -> i32, {m,n}", "o = sort[axis=1](x)", "@return(o)"), target="gfx942")
    groups = [launches_of_program(program, "sorts", (), {"m": 1000, "n": n})[0].call.grid[0] for n in (16, 17, 300, 4096)]
    assert groups == [4, 8, 125, 1000]
