"""Reductions of windows that overlap become combinations of slices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace
from numpy.typing import NDArray

import asmgen
from asmgen.gentext.parser import parse
from asmgen.graph.ops import ADD, MAX, REDUCTIONS, SLICE
from asmgen.graph.reference import evaluate
from asmgen.graph.rewritings.window_slices import MOST_ELEMENTS, MOST_TERMS, with_window_slices
from asmgen.ir.program import Program

Array = NDArray[Any]
NUMPY: dict[str, np.dtype[Any]] = {"f16": np.dtype(np.float16), "f32": np.dtype(np.float32), "f64": np.dtype(np.float64), "i8": np.dtype(np.int8)}
WINDOW = "x = @param:x -> {}\nw = windows[{}](x)\ny = {}(w)\n@return(y)\n"


def _rewritten(text: str) -> Program:
    program = parse(text, "w.gen")
    return replace(program, modules=tuple(map(with_window_slices, program.modules)))


def _ops(text: str) -> list[object]:
    (module,) = _rewritten(text).modules
    return [statement.op for statement in module.statements]


CASES = {
    "two axes": WINDOW.format("f32, {12,15}", "sizes={3,4}, strides={1,1}", "reduce_sum[axes={1,3}]"),
    "an axis of three": WINDOW.format("f32, {3,14,5}", "sizes={4}, axes={1}, strides={1}", "reduce_max[axes={2}]"),
    "strides": WINDOW.format("f32, {20,31}", "sizes={3,4}, strides={2,3}, dilations={2,1}", "reduce_min[axes={1,3}]"),
    "dilated": WINDOW.format("f64, {40}", "sizes={4}, strides={3}, dilations={5}", "reduce_mean[axes={1}]"),
    "windows of an element": WINDOW.format("f32, {12,15}", "sizes={3,1}, strides={1,1}", "reduce_sum[axes={1}]"),
    "elements that stay": WINDOW.format("f32, {12,15}", "sizes={3,3}, strides={1,1}", "reduce_sum[axes={1}]"),
    "long": WINDOW.format("f32, {200}", "sizes={67}, strides={1}", "reduce_sum[axes={1}]"),
    "long maximum": WINDOW.format("f32, {500}", "sizes={101}, strides={2}, dilations={2}", "reduce_max[axes={1}]"),
    "integers": WINDOW.format("i8, {30,20}", "sizes={5,3}, strides={1,1}", "reduce_sum[axes={1,3}]"),
    "16 bits": WINDOW.format("f16, {30,20}", "sizes={3,3}, strides={1,2}", "reduce_mean[axes={1,3}]"),
    "turned": """x = @param:x -> f32, {12,15}
w = windows[sizes={5}, axes={0}, strides={1}](x)
t = transpose[permutation={2,1,0}](w)
u = windows[sizes={3}, axes={0}, strides={2}](t)
y = reduce_sum[axes={1,2}](u)
@return(y)
""",
    "windows of windows": """x = @param:x -> f32, {60,3}
w = windows[sizes={5}, axes={0}, strides={2}](x)
v = windows[sizes={3}, axes={0}, strides={2}](w)
y = reduce_max[axes={1,2}](v)
@return(y)
""",
    "weights": """x = @param:x -> f32, {12,15}
k = @literal{1, 2, 3, 4, 5, 6} -> f32, {1,2,1,3}
w = windows[sizes={2,3}, strides={1,1}](x)
p = mul(w, k)
y = reduce_sum[axes={1,3}](p)
@return(y)
""",
}


@pytest.mark.parametrize("text", CASES.values(), ids=CASES)
def test_slices_give_what_windows_give(text: str) -> None:
    """Small integers, so that sums are exact in any order."""
    program = parse(text, "w.gen")
    (parameter, *_) = program.modules[0].statements
    type_: Any = parameter.result.type
    dims: tuple[int, ...] = type_.dims
    name: str = type_.element.name
    x: Array = np.array(np.random.default_rng(1).integers(-4, 5, dims), NUMPY[name])
    after = _rewritten(text)
    assert REDUCTIONS.keys().isdisjoint(_ops(text))
    (wanted,), (got,) = evaluate(program, [x]), evaluate(after, [x])
    assert got.value.shape == wanted.value.shape
    np.testing.assert_allclose(got.value, wanted.value, rtol=1e-3 if name == "f16" else 1e-7)


def test_axes_are_combined_in_turn() -> None:
    ops = _ops(WINDOW.format("f32, {90,90}", "sizes={9,7}, strides={1,1}", "reduce_sum[axes={1,3}]"))
    assert (ops.count(SLICE), ops.count(ADD)) == (9 + 7, 8 + 6)


@pytest.mark.parametrize(("kind", "op", "slices"), [("sum", ADD, 25 + 10), ("max", MAX, 16 + 16)])
def test_a_long_window_is_a_window_of_windows(kind: str, op: object, slices: int) -> None:
    """250 elements are ten sums of 25, or 16 maxima of 16 that overlap."""
    ops = _ops(WINDOW.format("f32, {1000}", "sizes={250}, strides={1}", f"reduce_{kind}[axes={{1}}]"))
    assert (ops.count(SLICE), ops.count(op)) == (slices, slices - 2)


TERMS = WINDOW.replace("\ny", "\np = mul(w, w)\nq = exp(p)\ny").replace("(w)\n@", "(q)\n@")
STAY = {
    "windows do not overlap": WINDOW.format("f32, {90,90}", "sizes={3,3}, strides={3,3}", "reduce_sum[axes={1,3}]"),
    "another axis is reduced": WINDOW.format("f32, {90,90}", "sizes={3}, axes={0}, strides={1}", "reduce_sum[axes={1,2}]"),
    "a mean of integers wraps": WINDOW.format("i8, {90}", "sizes={3}, strides={1}", "reduce_mean[axes={1}]"),
    "more elements than windows": WINDOW.format("f32, {90}", "sizes={60}, strides={1}", "reduce_sum[axes={1}]"),
    "a product": WINDOW.format("f32, {90}", "sizes={3}, strides={1}", "reduce_prod[axes={1}]"),
    "too much code": TERMS.format("f32, {90,90}", "sizes={9,9}, strides={1,1}", "reduce_sum[axes={1,3}]"),
    "too many elements": WINDOW.format("f32, {100000}", f"sizes={{{MOST_ELEMENTS + 1}}}, strides={{1}}", "reduce_sum[axes={1}]"),
    "no elements": WINDOW.format("f32, {0,90}", "sizes={3}, axes={1}, strides={1}", "reduce_sum[axes={2}]"),
}


@pytest.mark.parametrize("text", STAY.values(), ids=STAY)
def test_other_reductions_stay(text: str) -> None:
    ops = _ops(text)
    assert SLICE not in ops
    assert not REDUCTIONS.keys().isdisjoint(ops)


def test_few_elements_of_much_work_become_terms() -> None:
    """exp has twelve instructions, so that nine elements are fewer than the most."""
    assert 9 * 14 < MOST_TERMS < 81 * 14
    ops = _ops(TERMS.format("f32, {90,90}", "sizes={3,3}, strides={1,1}", "reduce_sum[axes={1,3}]"))
    assert ops.count(SLICE) == 9


def _blur(x: Array) -> Array:
    return np.lib.stride_tricks.sliding_window_view(np.pad(x, 2, mode="edge"), (5, 5)).mean(axis=(2, 3))


def _deviation(x: Array) -> Array:
    return np.lib.stride_tricks.sliding_window_view(x, (3, 4)).std(axis=(2, 3))


def _rolling(x: Array) -> Array:
    return np.lib.stride_tricks.sliding_window_view(x, 40, axis=0).max(axis=-1)


@pytest.mark.parametrize("target", ["gfx942", "gfx1201"])
@pytest.mark.parametrize("function", [_blur, _deviation, _rolling])
def test_kernels_compute_them(function: Callable[[Array], Array], target: str) -> None:
    x = np.random.default_rng(0).standard_normal((83, 35)).astype(np.float32)
    program = asmgen.compile(function, target=target, inputs=[x])
    (got,) = program(x, device="emulator")
    np.testing.assert_allclose(got, function(x), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("target", ["gfx942", "gfx1100"])
def test_windows_of_named_dims(target: str) -> None:
    text = WINDOW.format("f32, {h,w}", "sizes={3,5}, strides={1,2}", "reduce_mean[axes={1,3}]")
    assert REDUCTIONS.keys().isdisjoint(_ops(text))
    program = asmgen.compile(text, target=target)
    for shape in ((3, 5), (4, 6), (6, 700), (30, 41)):
        x = np.random.default_rng(0).standard_normal(shape).astype(np.float32)
        wanted = np.lib.stride_tricks.sliding_window_view(x, (3, 5))[:, ::2].mean(axis=(2, 3))
        np.testing.assert_allclose(program(x, device="emulator")[0][:, 0, :, 0], wanted, rtol=1e-5, atol=1e-6)


def test_a_padded_window_of_named_dims() -> None:
    text = "x = @param:x -> i32, {2,h,w}\ny = max_pool[sizes={3,3}, strides={2,2}, pads={1,1,1,1}](x)\n@return(y)\n"
    program = asmgen.compile(text, target="gfx942")
    for shape in ((2, 1, 1), (2, 2, 3), (2, 9, 520)):
        x = np.random.default_rng(0).integers(-9, 10, shape).astype(np.int32)
        padded = np.pad(x, ((0, 0), (1, 1), (1, 1)), constant_values=np.iinfo(np.int32).min)
        wanted = np.lib.stride_tricks.sliding_window_view(padded, (1, 3, 3))[:, ::2, ::2].max(axis=(3, 4, 5))
        assert np.array_equal(program(x, device="emulator")[0], wanted)
