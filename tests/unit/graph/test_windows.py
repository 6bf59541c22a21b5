"""Windows and pooling, beside loops in numpy."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import NamedTuple

import numpy as np
import pytest

import asmgen
from asmgen.gentext.parser import parse
from asmgen.ir.program import tensor_type
from asmgen.ir.shapes import format_list
from isa.diagnostics import InputError

Numbers = tuple[int, ...]
KINDS: dict[str, Callable[[np.ndarray], float]] = {"sum": np.sum, "max": np.max, "min": np.min, "prod": np.prod, "mean": np.mean}


class Windows(NamedTuple):
    """The attributes of a pool."""

    axes: Numbers
    sizes: Numbers
    strides: Numbers
    dilations: Numbers
    pads: Numbers

    @property
    def text(self) -> str:
        return ", ".join([f"{name}={format_list(given)}" for name, given in self._asdict().items()])

    def listed(self, k: int, size: int, at: int) -> list[int]:
        """The elements of a window along the axis number `k` that exist."""
        first = at * self.strides[k] - self.pads[k]
        inside = [first + number * self.dilations[k] for number in range(self.sizes[k])]
        return [index for index in inside if 0 <= index < size]

    def along(self, k: int, size: int) -> int:
        padded = size + self.pads[k] + self.pads[k + len(self.axes)]
        return (padded - (self.sizes[k] - 1) * self.dilations[k] - 1) // self.strides[k] + 1


def pooled(x: np.ndarray, windows: Windows, of: Callable[[np.ndarray], float]) -> np.ndarray:
    """Each window by itself, of the elements that exist."""
    number = {axis: k for k, axis in enumerate(windows.axes)}
    shape = [windows.along(number[axis], size) if axis in number else size for axis, size in enumerate(x.shape)]
    made = np.zeros(shape)
    for place in product(*map(range, shape)):
        listed = [windows.listed(number[axis], x.shape[axis], at) if axis in number else [at] for axis, at in enumerate(place)]
        made[place] = of(x[np.ix_(*listed)].astype(np.float64))
    return made


SHAPES: list[tuple[Numbers, Windows]] = [
    ((3, 7, 9), Windows((1, 2), (3, 2), (2, 1), (1, 1), (1, 1, 1, 0))),
    ((3, 7, 9), Windows((0, 2), (2, 3), (1, 2), (2, 3), (1, 0, 2, 1))),
    ((2, 5, 6, 17), Windows((1, 2), (2, 2), (2, 2), (1, 1), (0, 0, 0, 0))),
    ((2, 33, 31, 20), Windows((1, 2), (3, 3), (2, 2), (1, 1), (1, 1, 1, 1))),
    ((2, 9, 33, 31), Windows((2, 3), (3, 3), (2, 2), (1, 1), (1, 1, 1, 1))),
    ((1300, 13), Windows((1,), (5,), (1,), (1,), (2, 2))),
    ((70, 61), Windows((0,), (7,), (3,), (1,), (0, 3))),
    ((1, 1, 1), Windows((1, 2), (1, 1), (1, 1), (1, 1), (0, 0, 0, 0))),
    ((0, 4, 4), Windows((1, 2), (2, 2), (2, 2), (1, 1), (0, 0, 0, 0))),
]
TARGETS = ["gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"]


@pytest.mark.parametrize("number", range(len(SHAPES)))
def test_the_windows_are_those_of_loops(number: int) -> None:
    dims, windows = SHAPES[number]
    x = np.random.default_rng(number).integers(-4, 5, dims).astype(np.float32)
    kinds = ("sum", "max") if any(windows.pads) else ("sum", "max", "min")
    lines = [f"{kind} = reduce_window[combine={kind}, {windows.text}](x)" for kind in kinds]
    lines = [f"x = @param:x -> f32, {format_list(dims)}", *lines, f"a = avg_pool[{windows.text}](x)", f"@return({', '.join(kinds)}, a)"]
    *results, average = asmgen.compile("\n".join(lines) + "\n", target=TARGETS[number % len(TARGETS)])(x, device="emulator")
    for kind, result in zip(kinds, results, strict=True):
        np.testing.assert_array_equal(result, pooled(x, windows, KINDS[kind]))
    np.testing.assert_allclose(average, pooled(x, windows, np.mean), rtol=1e-6)


def test_a_window_of_padding_alone() -> None:
    text = (
        "x = @param:x -> f32, {3}\ni = @param:i -> i8, {3}\nm = max_pool[sizes={2}, pads={2,0}](x)\n"
        "s = reduce_window[combine=sum, sizes={2}, pads={2,0}](x)\na = avg_pool[sizes={2}, pads={2,0}](x)\n"
        "l = max_pool[sizes={2}, pads={2,0}](i)\n@return(m, s, a, l)\n"
    )
    x = np.array([1, 2, 3], np.float32)
    m, s, a, least = asmgen.compile(text, target="gfx942")(x, x.astype(np.int8), device="emulator")
    np.testing.assert_array_equal(m, [np.nan, 2])
    np.testing.assert_array_equal(s, [0, 3])
    np.testing.assert_array_equal(a, [np.nan, 1.5])
    np.testing.assert_array_equal(least, [-128, 2])


def test_a_border_of_nan_is_nan() -> None:
    """Padding does not win against a NaN: the only element of the first window is NaN."""
    text = "x = @param:x -> f32, {3}\nm = max_pool[sizes={2}, pads={1,0}](x)\n@return(m)\n"
    x = np.array([np.nan, 2, np.nan], np.float32)
    np.testing.assert_array_equal(asmgen.compile(text, target="gfx942")(x, device="emulator")[0], [np.nan, 2])
    np.testing.assert_array_equal(asmgen.compile(text, target="gfx942", nan="propagate")(x, device="emulator")[0], [np.nan, np.nan])


def test_a_pool_is_a_single_launch() -> None:
    text = "x = @param:x -> f32, {2,8,30,30}\ny = avg_pool[sizes={3,3}, strides={2,2}, pads={1,1,1,1}](x)\n@return(y)\n"
    assert len(asmgen.compile(text, target="gfx942").kernels) == 1


def test_windows_are_a_view() -> None:
    text = "x = @param:x -> f32, {4,10}\nw = windows[sizes={3}, strides={2}, dilations={2}](x)\n@return(w)\n"
    (module,) = parse(text, "w.gen").modules
    type_ = tensor_type(module.statements[1].result)
    assert type_.dims == (4, 3, 3)
    assert type_.strides == (10, 2, 2)


@pytest.mark.parametrize(
    ("call", "code", "words"),
    [
        ("max_pool[sizes={}]", "GEN303", "sizes is {}, wanted 1 to 3 numbers"),
        ("max_pool[sizes={1,1,1,1}]", "GEN303", "sizes is {1,1,1,1}, wanted 1 to 3 numbers"),
        ("max_pool[sizes={0}]", "GEN303", "sizes is {0}, wanted numbers >= 1"),
        ("max_pool[sizes={2}, strides={0}]", "GEN303", "strides is {0}, wanted numbers >= 1"),
        ("max_pool[sizes={2}, strides={1,1}]", "GEN303", "strides is {1,1}, wanted 1 numbers, as sizes has"),
        ("max_pool[sizes={2}, axes={0,1}]", "GEN303", "axes is {0,1}, wanted 1 numbers, as sizes has"),
        ("max_pool[sizes={2}, axes={3}]", "GEN303", "axes is 3"),
        ("max_pool[sizes={2,2}, axes={1,-2}]", "GEN303", "wanted each axis once"),
        ("max_pool[sizes={2}, pads={1}]", "GEN303", "pads is {1}, wanted 2 numbers >= 0"),
        ("max_pool[sizes={2}, pads={1,-1}]", "GEN303", "pads is {1,-1}, wanted 2 numbers >= 0"),
        ("max_pool[sizes={7}]", "GEN302", "axis 2 has size 6, wanted at least 7"),
        ("windows[sizes={3}, dilations={3}]", "GEN302", "axis 2 has size 6, wanted at least 7"),
        ("reduce_window[combine=median, sizes={2}]", "GEN", "median"),
        ("reduce_window[sizes={2}]", "GEN", "combine"),
    ],
)
def test_what_is_wrong_is_named(call: str, code: str, words: str) -> None:
    with pytest.raises(InputError) as caught:
        _ = parse(f"x = @param:x -> f32, {{4,5,6}}\ny = {call}(x)\n@return(y)\n", "w.gen")
    assert caught.value.code.startswith(code)
    assert words in str(caught.value)
    assert str(caught.value).startswith("w.gen:2:")


@pytest.mark.parametrize("dims", ["{n,3,13}", "{2,3,n}"])
def test_pooling_of_named_dims(dims: str) -> None:
    text = (
        f"x = @param:x -> f32, {dims}\ny = max_pool[sizes={{3}}, strides={{2}}, pads={{1,1}}](x)\n"
        "z = avg_pool[sizes={2}, strides={1}, pads={1,0}](x)\n@return(y, z)\n"
    )
    program = asmgen.compile(text, target="gfx1201")
    for size in (1, 2, 5, 64, 70):
        shape = (size, 3, 13) if dims.startswith("{n") else (2, 3, size)
        x = np.random.default_rng(size).standard_normal(shape).astype(np.float32)
        y, z = program(x, device="emulator")
        np.testing.assert_array_equal(y, pooled(x, Windows((2,), (3,), (2,), (1,), (1, 1)), np.max).astype(np.float32))
        np.testing.assert_allclose(z, pooled(x, Windows((2,), (2,), (1,), (1,), (1, 0)), np.mean), rtol=1e-5, atol=1e-6)
