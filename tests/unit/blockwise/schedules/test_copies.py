"""Pointwise kernels with elements that are copies of each other: a lane loads an element once."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen
from asmgen.blockwise.schedules.elements import copies
from asmgen.index import symbol
from tests.unit.blockwise.schedules.graphs import graph_of

UPSAMPLED = """x = @param:x -> f16, {n,28,28,64}
apart = reshape[dims={n,28,1,28,1,64}](x)
many = multibroadcast[out_lens={n,28,2,28,2,64}](apart)
o = reshape[dims={n,56,56,64}](many)
@return(o)
"""


def factors(text: str) -> tuple[int, ...]:
    (section,) = graph_of(text).sections
    return section.copies.factors


def test_an_image_of_twice_the_size_has_four_copies() -> None:
    assert factors(UPSAMPLED.replace("{n", "{16")) == (1, 2, 2, 1)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x = @param:x -> f32, {64,1,1024}\no = multibroadcast[out_lens={64,96,1024}](x)", (1, 16, 1)),
        ("x = @param:x -> f32, {1024}\no = multibroadcast[out_lens={640,1024}](x)", (10, 1)),  # lanes would idle
        ("x = @param:x -> f32, {64,1}\no = multibroadcast[out_lens={64,96}](x)", (1, 1)),
        ("x = @param:x -> f32, {640,1023}\no = multibroadcast[out_lens={9,640,1023}](x)", (9, 1, 1)),
        ("x = @param:x -> f32, {1023}\no = multibroadcast[out_lens={640,1023}](x)", (1, 1)),  # odd accesses
        ("x = @param:x -> f32, {64,1024}\ny = @param:y -> f32, {1024}\no = add(x, y)", (1, 1)),  # x has its own
    ],
)  # fmt: skip
def test_the_copies(text: str, expected: tuple[int, ...]) -> None:
    assert factors(f"{text}\n@return(o)\n") == expected


@pytest.mark.parametrize(
    ("plus", "others", "expected"),
    [(0, (), 2), (1, (), 1), (0, (3,), 1)],  # pairs of elements, pairs after the first, and threes as well
)
def test_the_copies_of_quotients(plus: int, others: tuple[int, ...], expected: int) -> None:
    row, element = symbol("row", 0, 5), symbol("element", 0, 65535)
    used = [(row + plus) // 2, *[row // by for by in others], element]
    assert copies.copies((6, 65536), (row, element), used, 8).factors == (expected, 1)


def test_each_element_is_loaded_once() -> None:
    (kernel,) = asmgen.compile(UPSAMPLED.replace("{n", "{16"), target="gfx942").kernels
    assert kernel.assembly.count("\tglobal_load_dwordx4") == 1
    assert kernel.assembly.count("\tglobal_store_dwordx4") == 4


@pytest.mark.parametrize("batch", ["3", "n"])
@pytest.mark.parametrize("target", ["gfx90a", "gfx1201"])
def test_copies_are_right(batch: str, target: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copies, "FEWEST_APART", 1)
    text = UPSAMPLED.replace("28", "5").replace("56", "10").replace("{n", "{" + batch)
    x = np.random.default_rng(1).normal(size=(3, 5, 5, 64)).astype(np.float16)
    (o,) = asmgen.compile(text, target=target)(x, device="emulator")
    np.testing.assert_array_equal(o, x.repeat(2, 1).repeat(2, 2))


def test_rows_that_data_choose_are_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copies, "FEWEST_APART", 1)
    text = """t = @param:t -> f32, {7,516}
ids = @param:ids -> i32, {5}
g = gather[axis=0](t, ids)
apart = unsqueeze[axes={1}](g)
o = multibroadcast[out_lens={5,3,516}](apart)
@return(o)
"""
    assert factors(text) == (1, 3, 1)
    random = np.random.default_rng(1)
    t, ids = random.normal(size=(7, 516)).astype(np.float32), random.integers(-7, 7, 5).astype(np.int32)
    (o,) = asmgen.compile(text, target="gfx942")(t, ids, device="emulator")
    np.testing.assert_array_equal(o, t[ids][:, None].repeat(3, 1))
