"""Maxima and minima of f32 in which a NaN stays, on targets without an instruction for them."""

from __future__ import annotations

import re

import numpy as np
import pytest

import asmgen
from asmgen.gentext.parser import parse
from asmgen.ir.program import Value
from asmgen.ir.types import F32
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.math import MathOptions, expand_module
from asmgen.lanewise.reduction_ops import LANE_REDUCE
from isa.diagnostics import InputError
from tests.unit.lanewise.test_math_rewrite import ops_of
from tools.measure_functions import lane_module, run


@pytest.mark.parametrize("lanes", [1, 2, 3, 4, 5, 8])
@pytest.mark.parametrize(("kind", "reduce"), [("max", np.maximum), ("min", np.minimum)])
def test_an_extreme_of_a_lane_keeps_its_nan(kind: str, reduce: np.ufunc, lanes: int) -> None:
    """Two elements are tested at once, and there is a single choice at the end."""
    count = 1024
    special = np.array([1, -1, np.inf, -np.inf, 0, 2.5, -3e38], np.float32)
    inputs = [np.roll(np.resize(special, count), 3 * lane) for lane in range(lanes)]
    for lane, numbers in enumerate(inputs):
        numbers[lane::16] = np.nan

    def body(b: LaneBuilder, *vectors: Value) -> Value:
        rows = [b.pack(*[b.extract(each, number) for each in vectors]) if lanes > 1 else b.extract(vectors[0], number) for number in range(4)]
        return b.pack(*[b.apply(LANE_REDUCE, (row,), {"op": kind})[0] for row in rows])

    final = expand_module(lane_module([F32] * lanes, F32, count, body), MathOptions(nan="propagate"))
    names = ops_of(final)
    assert names.count("where") == (4 if lanes > 1 else 0)
    assert names.count("unordered") == 4 * (lanes // 2)
    np.testing.assert_array_equal(run(final, inputs), reduce.reduce(inputs))


@pytest.mark.parametrize("number", [0.0, 1.5, -2.0])
@pytest.mark.parametrize(("name", "wanted"), [("max", np.maximum), ("min", np.minimum)])
def test_an_extreme_with_a_number_is_a_comparison_and_a_choice(name: str, wanted: np.ufunc, number: float) -> None:
    x = np.resize(np.array([np.nan, -np.nan, np.inf, -np.inf, 0.0, -0.0, 1.5, 1.0, 2.0, -2.0, 1e-45, -1e-45, 3e38], np.float32), 1024)

    def body(b: LaneBuilder, v: Value) -> Value:
        return b.max(b.like(number, v), v) if name == "max" else b.min(v, b.like(number, v))

    final = expand_module(lane_module([F32], F32, x.size, body), MathOptions(nan="propagate"))
    assert {"max", "min", "unordered", "not_equal"}.isdisjoint(ops_of(final))
    np.testing.assert_array_equal(run(final, [x]), wanted(x, np.float32(number)))


@pytest.mark.parametrize("target", ["gfx942", "gfx950", "gfx1100", "gfx1201", "gfx1201:wave64"])
def test_a_nan_stays_in_its_row(target: str) -> None:
    """Rows of a part of a wave, beside others."""
    x = np.random.default_rng(2).integers(-9, 9, (48, 60)).astype(np.float32)
    x[5, 17] = x[30, 59] = np.nan
    x[7] = -np.inf
    largest, least = asmgen.compile(lambda x: (x.max(1), x.min(1)), target=target, inputs=[x])(x, device="emulator")
    np.testing.assert_array_equal(largest, x.max(1))
    np.testing.assert_array_equal(least, x.min(1))


@pytest.mark.parametrize(("target", "name"), [("gfx950", "v_maximum3_f32"), ("gfx1201", "v_maximum_f32_e64_dpp")])
def test_lanes_are_combined_by_the_instruction_that_keeps_a_nan(target: str, name: str) -> None:
    """Without keys, which are integers in the order of the numbers."""
    program = asmgen.compile(lambda x: x.max(1), target=target, inputs=[asmgen.spec(np.float32, (48, 60))])
    (kernel,) = program.kernels
    assert kernel.assembly.count(name) >= 4
    assert "v_max_i32" not in kernel.assembly


@pytest.mark.parametrize("settings", ["op=sum", "op=max"])
def test_only_an_extreme_of_f32_may_keep_a_nan(settings: str) -> None:
    element = "f32" if settings == "op=sum" else "i32"
    text = f"""stage lanewise gfx1201
module @m {{
  launch[grid={{1,1,1}}, block={{32,1,1}}]
  x = @param:x -> {element}, {{32}}
  z = @param:z -> {element}, {{32}}
  lane = local_id -> u32
  a = load(x, lane) -> {element}
  b = dpp_reduce[{settings}, lanes=16, keeps_nan=true](a) -> {element}
  store(z, lane, b)
  @return(z)
}}
"""
    with pytest.raises(InputError, match=r"GEN102.*keeps_nan is for max and min of f32"):
        _ = parse(text, "m.gen")


@pytest.mark.parametrize(("count", "steps"), [(2, 1), (4, 2), (8, 4), (9, 4), (16, 8)])
def test_an_instruction_chooses_among_three_neighbours(count: int, steps: int) -> None:
    """Of 16 elements there are seven extremes of three and one of two."""
    text = f"""stage lanewise gfx942
module @m {{
  launch[grid={{1,1,1}}, block={{64,1,1}}]
  x = @param:x -> f32, {{1024}}
  z = @param:z -> f32, {{64}}
  lane = local_id -> u32
  by = @literal{{{count}}} -> u32
  first = mul(lane, by) -> u32
  a = vector_load[size={count}](x, first) -> f32x{count}
  b = lane_reduce[op=max](a) -> f32
  store(z, lane, b)
  @return(z)
}}
"""
    (kernel,) = asmgen.compile(text, target="gfx942").kernels
    assert len(re.findall(r"^\tv_max3?_f32", kernel.assembly, re.MULTILINE)) == steps
