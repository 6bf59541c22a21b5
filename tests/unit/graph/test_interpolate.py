"""interpolate as PyTorch defines it, and resample, against coordinates in float64."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import asmgen
from asmgen.compiled import CompiledProgram
from asmgen.ir.shapes import format_list
from isa.diagnostics import InputError

Numbers = NDArray[Any]
RANDOM = np.random.default_rng(1)


def program(dims: tuple[int | str, ...], attributes: str, element: str = "f32", target: str = "gfx942") -> CompiledProgram:
    text = f"x = @param:x -> {element}, {format_list(dims)}\ny = interpolate[{attributes}](x)\n@return(y)\n"
    return asmgen.compile(text, target=target)


def along(x: Numbers, axis: int, size: int, mode: str, is_aligned: bool) -> Numbers:
    """One axis, by coordinates: `torch.nn.functional.interpolate` with sizes."""
    count = x.shape[axis]
    d = np.arange(size, dtype=np.float64)
    if mode != "linear":
        exact = [(2 * int(i) + 1) * count // (2 * size) if mode == "nearest_exact" else int(i) * count // size for i in d]
        return np.take(x, exact, axis)
    if is_aligned:
        place = d * (count - 1) / (size - 1) if size > 1 else d * 0
    else:
        place = np.maximum((d + 0.5) * count / size - 0.5, 0)
    first = np.minimum(np.floor(place + 1e-12).astype(int), count - 1)
    t = np.clip(place - first, 0, 1).reshape([-1 if at == axis else 1 for at in range(x.ndim)])
    second = np.minimum(first + 1, count - 1)
    return np.take(x, first, axis) * (1 - t) + np.take(x, second, axis) * t


def expected(x: Numbers, sizes: dict[int, int], mode: str, is_aligned: bool = False) -> Numbers:
    y = x.astype(np.float64)
    for axis, size in sizes.items():
        y = along(y, axis, size, mode, is_aligned)
    return y


SIZES = [
    ((2, 3, 9), {2: 18}), ((2, 3, 9), {2: 13}), ((2, 3, 9), {2: 4}), ((2, 5, 7), {1: 10, 2: 14}), ((1, 2, 5, 7), {2: 3, 3: 20}),
    ((3, 5, 7, 4), {1: 15, 2: 7}), ((6, 4), {0: 1, 1: 9}), ((1, 1, 1), {1: 3, 2: 5}), ((2, 8, 8, 16), {1: 16, 2: 16}),
]  # fmt: skip


@pytest.mark.parametrize(("dims", "sizes"), SIZES)
@pytest.mark.parametrize(("mode", "is_aligned"), [("nearest", False), ("nearest_exact", False), ("linear", False), ("linear", True)])
def test_sizes(dims: tuple[int, ...], sizes: dict[int, int], mode: str, is_aligned: bool) -> None:
    attributes = f"mode={mode}, out_sizes={format_list(tuple(sizes.values()))}, axes={format_list(tuple(sizes))}"
    attributes += ", align_corners=true" if is_aligned else ""
    x = RANDOM.normal(size=dims).astype(np.float32)
    (y,) = program(dims, attributes)(x, device="emulator")
    np.testing.assert_allclose(y, expected(x, sizes, mode, is_aligned), rtol=0, atol=2e-6)


@pytest.mark.parametrize("element", ["f16", "f64"])
def test_scales_of_the_last_axes(element: str) -> None:
    x = RANDOM.normal(size=(2, 5, 7)).astype(np.float16 if element == "f16" else np.float64)
    (y,) = program((2, 5, 7), "mode=linear, scales={2,3}", element, "gfx1201")(x, device="emulator")
    wanted = expected(x, {1: 10, 2: 21}, "linear")
    np.testing.assert_allclose(y, wanted, rtol=0, atol=2e-3 if element == "f16" else 4e-15)


@pytest.mark.parametrize("mode", ["nearest", "nearest_exact", "linear"])
def test_scales_of_sizes_that_the_launch_knows(mode: str) -> None:
    made = program((3, "n", "m", 8), f"mode={mode}, scales={{2,3}}, axes={{1,2}}")
    for n, m in ((4, 5), (1, 1), (9, 2)):
        x = RANDOM.normal(size=(3, n, m, 8)).astype(np.float32)
        (y,) = made(x, device="emulator")
        np.testing.assert_allclose(y, expected(x, {1: 2 * n, 2: 3 * m}, mode), rtol=0, atol=2e-6)


@pytest.mark.parametrize("element", ["f32", "f16"])
def test_a_size_may_have_all_elements_of_a_buffer(element: str) -> None:
    x = RANDOM.normal(size=9).astype(np.float32 if element == "f32" else np.float16)
    (y,) = program(("n",), "mode=linear, scales={2}", element)(x, device="emulator")
    np.testing.assert_allclose(y, expected(x, {0: 18}, "linear"), rtol=0, atol=2e-3 if element == "f16" else 2e-6)
    with pytest.raises(InputError, match="beyond 32 bits"):
        _ = program(("n",), "mode=linear, scales={2}", "fp8e5m2")


def test_an_image_of_twice_the_size_is_stored_from_the_lane_that_loads_it() -> None:
    (kernel,) = program((16, 28, 28, 64), "mode=nearest, scales={2,2}, axes={1,2}", "f16").kernels
    assert kernel.assembly.count("\tglobal_load_dwordx4") == 1
    assert kernel.assembly.count("\tglobal_store_dwordx4") == 4


@pytest.mark.parametrize(
    ("attributes", "code"),
    [
        ("mode=linear, out_sizes={5}, axes={1}", "GEN903"),
        ("mode=linear, scales={2}, axes={1}, align_corners=true", "GEN903"),
        ("mode=nearest, scales={2}, align_corners=true", "GEN303"),
        ("mode=nearest, out_sizes={2147483647}", "GEN303"),
    ],
)
def test_what_is_refused(attributes: str, code: str) -> None:
    with pytest.raises(InputError) as error:
        _ = program((3, "n", 8), attributes)
    assert error.value.code == code


def test_resample_takes_the_nearest_edge() -> None:
    text = "x = @param:x -> i32, {3,10}\ny = resample[axis=1, size=12, by=3, plus=-7, over=2](x)\n@return(y)\n"
    x = RANDOM.integers(0, 99, (3, 10)).astype(np.int32)
    (y,) = asmgen.compile(text, target="gfx1100")(x, device="emulator")
    np.testing.assert_array_equal(y, x[:, np.clip((np.arange(12) * 3 - 7) // 2, 0, 9)])
