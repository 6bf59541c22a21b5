"""argmax and argmin of rows in parts: the input is read once, and two launches find the place."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import asmgen
from asmgen.blockwise.schedules.choosing.parts import Share
from asmgen.gentext.parser import parse
from asmgen.graph.reference import compare, evaluate
from asmgen.gridwise.cut import cut
from asmgen.gridwise.printer import print_file
from asmgen.ir.shapes import format_list
from asmgen.ir.types import ELEMENT_TYPES
from asmgen.verification.verify import rules_of
from isa.target import Target
from isa.targets import parse_target

LAST = ", select_last_index=true"


def in_four(_: object, _target: Target) -> Share:
    return Share(4)


def rows(element: str, dims: tuple[int, ...], axis: int) -> NDArray[Any]:
    """Of few numbers, which many places have; of floats rows of NaN, of -infinity, and of both too."""
    x = np.random.default_rng(5).integers(-9, 9, dims).astype(ELEMENT_TYPES[element].numpy)
    if ELEMENT_TYPES[element].is_float:
        along = np.moveaxis(x, axis, -1)
        along[0], along[1] = np.nan, -np.inf
        along[2, ..., along.shape[-1] // 2 :] = np.nan
        along[3], along[3, ..., along.shape[-1] // 2] = np.nan, -np.inf
    return x


def check(op: str, more: str, element: str, dims: tuple[int, ...], axis: int, target: str, nan: str) -> None:
    text = f"x = @param:x -> {element}, {format_list(dims)}\ny = {op}[axis={axis}{more}](x)\n@return(y)\n"
    launches = cut(parse(text, "place.gen"), parse_target(target), nan == "propagate", in_four)
    program = asmgen.compile(print_file(launches.file), target=target, nan=nan)
    assert len(program.kernels) == 2
    x = rows(element, dims, axis)
    (expected,) = evaluate(parse(text, "place.gen"), [x], rules_of(program))
    comparison = compare(expected, program(x, device="emulator")[0])
    assert not comparison.is_broken, f"{comparison}\n{text}"


@pytest.mark.parametrize(
    ("op", "more", "element", "dims", "axis", "target", "nan"),
    [
        ("argmax", "", "f32", (6, 1001), 1, "gfx942", "ieee"),
        ("argmax", "", "f32", (6, 1001), 1, "gfx1100", "propagate"),
        ("argmin", LAST, "f32", (6, 1001), 1, "gfx90a", "propagate"),
        ("argmin", LAST, "f32", (6, 67, 5), 1, "gfx1201", "ieee"),
        ("argmax", LAST, "f16", (6, 1024), 1, "gfx950", "ieee"),
        ("argmax", LAST, "i8", (3, 333, 3), 1, "gfx942", "ieee"),
        ("argmin", "", "i64", (70,), 0, "gfx90a", "ieee"),
    ],
)
def test_parts_find_the_place_of_the_row(op: str, more: str, element: str, dims: tuple[int, ...], axis: int, target: str, nan: str) -> None:
    check(op, more, element, dims, axis, target, nan)


@pytest.mark.slow
@pytest.mark.parametrize("nan", ["ieee", "propagate"])
@pytest.mark.parametrize("target", ["gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201"])
@pytest.mark.parametrize("more", ["", LAST])
@pytest.mark.parametrize("op", ["argmax", "argmin"])
def test_every_type_and_target(op: str, more: str, target: str, nan: str) -> None:
    for element, dims, axis in (
        ("f32", (6, 1001), 1), ("f32", (6, 67, 5), 1), ("f16", (6, 1024), 1), ("bf16", (6, 100), 1), ("f64", (6, 334), 1),
        ("i32", (3, 1001), 1), ("i8", (3, 333, 3), 1), ("u16", (1001,), 0), ("i64", (70,), 0),
    ):  # fmt: skip
        check(op, more, element, dims, axis, target, nan)


def test_a_long_row_is_read_once_by_every_compute_unit() -> None:
    text = "x = @param:x -> f32, {1,16777216}\ny = argmax[axis=1](x)\n@return(y)\n"
    target = parse_target("gfx942")
    first, second = cut(parse(text, "place.gen"), target).file.programs[0].launches
    assert first.grid[0].evaluate({}, 0) >= 4 * target.target.compute_units
    assert "x" not in second.reads


def test_a_condition_that_is_no_extreme_takes_launches_of_its_own() -> None:
    """A part with a smaller maximum may have elements above half of the row's."""
    text = "x = @param:x -> f32, {2,1024}\nm = reduce_max[axes={1}](x)\nk = @literal{0.5} -> f32, {}\nh = mul(m, k)\n"
    text += "c = greater(x, h)\ni = iota[axis=1, out_lens={2,1024}]\nn = @literal{1024} -> i32, {}\n"
    text += "w = where(c, i, n)\ny = reduce_min[axes={1}](w)\n@return(y)\n"
    launches = cut(parse(text, "place.gen"), parse_target("gfx942"), False, in_four).file
    x = np.random.default_rng(5).standard_normal((2, 1024)).astype(np.float32)
    (result,) = asmgen.compile(print_file(launches), target="gfx942")(x, device="emulator")
    assert np.array_equal(result, np.argmax(x > x.max(1, keepdims=True) / 2, axis=1, keepdims=True))
