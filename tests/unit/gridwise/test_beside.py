"""Results that launches of parts store beside the results of their parts."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen
from isa.targets import parse_target
from tests.unit.gridwise.programs import launches_of

ALL, COLUMNS = "axes={0,1}", "axes={0}"


def text(dims: str, axes: str, result: str = "mul(x, x)", more: str = "") -> str:
    return f"x = @param:x -> f32, {dims}\n{more}s = reduce_sum[{axes}](x)\ny = {result}\n@return(y, s)\n"


def writes(*program: str) -> list[tuple[str, ...]]:
    return [launch.writes for launch in launches_of(parse_target("gfx942"), text(*program))]


@pytest.mark.parametrize("axes", [ALL, COLUMNS])
def test_a_result_of_all_elements_is_stored_by_the_launch_of_the_parts(axes: str) -> None:
    assert writes("{8192,2048}", axes) == [("y", "s_partial"), ("s",)]


def test_other_results_have_launches_of_their_own() -> None:
    of_sum = writes("{8192,2048}", ALL, "mul(x, s)")
    assert of_sum == [("s_partial",), ("s",), ("y",)]  # the result needs the sum
    of_others = writes("{8192,2048}", ALL, "neg(z)", "z = @param:z -> f32, {8192,2048}\n")
    assert of_others == [("s_partial",), ("s",), ("y",)]
    has_rest = writes("{358403}", COLUMNS)  # the parts lack the last three elements
    assert has_rest == [("s_partial",), ("s",), ("y",)]


@pytest.mark.parametrize("target", ["gfx942", "gfx1100"])
@pytest.mark.parametrize("axes", [None, 0])
@pytest.mark.parametrize("columns", [512, 509])  # in parts of as many elements, and of padding too
def test_results_are_right(target: str, axes: int | None, columns: int) -> None:
    x = np.random.default_rng(1).integers(-8, 8, (700, columns)).astype(np.float32)
    both = text(f"{{700,{columns}}}", COLUMNS if axes == 0 else ALL)
    y, s = asmgen.compile(both, target=target)(x, device="emulator")
    np.testing.assert_array_equal(y, x * x)
    np.testing.assert_array_equal(s, x.sum(axes, keepdims=True))
