"""Reductions of values that need a reduction of rows are in the launch that has the rows."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen
from asmgen.gentext.parser import parse
from asmgen.graph.rewritings.rows_first import with_rows_first


def quantized(x: np.ndarray) -> tuple[np.ndarray, ...]:
    scale = np.abs(x).max(1, keepdims=True) / x.dtype.type(127)
    codes = np.rint(x / scale)
    return codes.astype(np.int8), scale, np.abs(codes * scale - x).max(), (codes * codes).mean()


@pytest.mark.parametrize(("target", "dtype"), [("gfx942", "float32"), ("gfx1100", "float16"), ("gfx1201", "float64")])
def test_errors_of_scaled_rows_take_no_launch_that_reads_the_rows_again(target: str, dtype: str):
    inputs = [asmgen.spec(np.dtype(dtype), (70, 33))]
    program = asmgen.compile(quantized, target=target, inputs=inputs, assembler="builtin")
    x = np.random.default_rng(5).uniform(-4, 4, (70, 33)).astype(dtype)
    codes, scale, error, mean = program(x, device="emulator")
    wide = x.astype(np.float64)
    np.testing.assert_allclose(scale, np.abs(wide).max(1, keepdims=True) / 127, rtol=2e-3)
    of_codes = codes.astype(np.float64)
    assert np.abs(of_codes - wide / scale.astype(np.float64)).max() <= 0.5 + 127 * 2**-10
    np.testing.assert_allclose(mean, (of_codes**2).mean(), rtol=2e-3)
    expected = np.abs(of_codes * scale.astype(np.float64) - wide).max()
    np.testing.assert_allclose(error, expected, rtol=1e-5, atol=float(4 * np.finfo(dtype).eps))
    assert [[name for name in launch.buffers if name == "x"] for launch in program.launches] == [["x"], []]


@pytest.mark.parametrize(
    ("dims", "of", "axes", "expected"),
    [
        ("100,40", "f32", "0,1", [(1,), (0,)]),
        ("8,16,40", "f64", "0,1", [(0, 1)]),  # rows are along another axis
        ("100,40", "f32", "1", [(1,)]),
        ("16,65536", "f32", "0,1", [(1,), (0,)]),  # workgroups share rows
    ],
)
def test_whole_rows_come_first(dims: str, of: str, axes: str, expected: list[tuple[int, ...]]):
    last = dims.count(",")
    rows = dims.rsplit(",", 1)[0] + ",1"
    text = f"""
x = @param:x -> {of}, {{{dims}}}
m = reduce_max[axes={{{last}}}](x) -> {of}, {{{rows}}}
b = multibroadcast[out_lens={{{dims}}}](m)
d = sub(x, b)
s = reduce_sum[axes={{{axes}}}](d)
@return(s)
"""
    module = with_rows_first(parse(text, "graph.gen").modules[0])
    sums = [each for each in module.statements if each.op.name == "reduce_sum"]
    assert [each.attributes["axes"] for each in sums] == expected


def axes_of_sums(statements: str) -> list[object]:
    text = f"x = @param:x -> f32, {{100,4,40}}\n{statements}\n@return(s)\n"
    module = with_rows_first(parse(text, "graph.gen").modules[0])
    return [each.attributes["axes"] for each in module.statements if each.op.name == "reduce_sum"]


def test_reductions_of_the_same_rows_have_one_step() -> None:
    of_rows = "m = reduce_max[axes={1,2}](x)\nb = multibroadcast[out_lens={100,4,40}](m)\nd = sub(x, b)"
    assert axes_of_sums(f"{of_rows}\ns = reduce_sum[axes={{1,2}}](d)") == [(1, 2)]
    assert axes_of_sums(f"{of_rows}\ns = reduce_sum[axes={{0,1,2}}](d)") == [(1, 2), (0,)]


def test_rows_of_other_dims_are_not_in_the_launch() -> None:
    of_rows = "y = @param:y -> f32, {100,4,7}\nm = reduce_max[axes={2}](y)\nb = multibroadcast[out_lens={100,4,40}](m)"
    assert axes_of_sums(f"{of_rows}\nd = sub(x, b)\ns = reduce_sum[axes={{0,1,2}}](d)") == [(0, 1, 2)]


def test_each_value_is_looked_at_once() -> None:
    """Forty sums of a value and itself have 2^40 paths."""
    doubled = "\n".join([f"d{place + 1} = add(d{place}, d{place})" for place in range(40)])
    of_rows = "m = reduce_max[axes={1}](x)\nd0 = neg(x)"
    assert axes_of_sums(f"{of_rows}\n{doubled}\ns = reduce_sum[axes={{0,1,2}}](d40)") == [(0, 1, 2)]


@pytest.mark.parametrize(("of", "count"), [("f32", 2), ("i32", 1)])
def test_a_mean_of_integers_rounds_once(of: str, count: int):
    text = f"""
x = @param:x -> {of}, {{100,40}}
m = reduce_max[axes={{1}}](x)
b = multibroadcast[out_lens={{100,40}}](m)
d = sub(x, b)
s = reduce_mean[axes={{0,1}}](d)
@return(s)
"""
    module = with_rows_first(parse(text, "graph.gen").modules[0])
    assert [each.op.name for each in module.statements].count("reduce_mean") == count
