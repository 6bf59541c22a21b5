"""Launches of the same kernel that take the same time are profiled and shown once, and count as often as they run."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import asmgen
from asmgen.ir.types import ELEMENT_TYPES
from asmgen.profile.compare import compare
from asmgen.profile.launches import Launch, LaunchOptions, filled
from asmgen.profile.result import Profile
from asmgen.profile.sources import launches_of_source, profiled
from isa.emulator import load
from isa.emulator.launching.arguments import KernelCall
from tests.unit.gridwise.test_shared_kernels import compiled
from tests.unit.profile.profiles import NO_OPTIONS, compile_catalogue


@pytest.fixture(scope="module")
def layers() -> Profile:
    return profiled(launches_of_source(compiled(), "layers", NO_OPTIONS))


def test_equal_layers_have_a_profile(layers: Profile) -> None:
    times = [times for _, times in layers.distinct]
    assert max(times) == 3 and sum(times) == len(layers.launches)
    for number, launch in enumerate(launches_of_source(compiled(), "layers", NO_OPTIONS)):
        (alone,) = profiled([launch]).profiles
        assert alone == layers.profiles[number]


def test_the_text_has_each_profile_once_and_then_all_by_time(layers: Profile) -> None:
    text = layers.to_text()
    assert len(re.findall(" for gfx942: ", text)) == len(layers.distinct) < len(layers.launches)
    head, _, *rows = text[text.index(f"{len(layers.launches)} launches: ") :].splitlines()
    spent = [float(row.split()[0]) for row in rows]
    assert spent == sorted(spent, reverse=True) and sum(int(row.split()[2]) for row in rows) == len(layers.launches)
    total = sum(each.microseconds for each in layers.profiles)
    assert sum(spent) == pytest.approx(total, abs=0.05 * len(rows)) and f"{total:.1f} us" in head


def test_the_page_has_each_profile_once(layers: Profile) -> None:
    assert layers.to_html().count(" times") >= 1
    assert len(layers.to_html()) < 2 * len(Profile(tuple([each for each, _ in layers.distinct])).to_html())


def test_builds_are_compared_once_for_equal_launches(layers: Profile) -> None:
    compared = compare(layers, layers)
    assert [each.times for each in compared] == [times for _, times in layers.distinct]


def test_arguments_that_the_caller_gives_are_profiled_each() -> None:
    arrays = tuple([np.zeros(shape, np.float32) for shape in [(21, 40), *[(40, 40), (40,)] * 3]])
    launches = launches_of_source(compiled(), "layers", LaunchOptions(arguments=arrays))
    assert len({id(launch) for launch in launches}) == len(launches)


def relu_launch(*arrays: Any) -> Launch:
    (kernel,) = compile_catalogue("relu", "gfx942", n="64").kernels
    return Launch(load(kernel.assembly, kernel.name, kernel.name), KernelCall((1, 1, 1), kernel.block, arrays), "relu")


def test_launches_are_alike_by_types_shapes_integers_and_shared_arrays() -> None:
    one, two = np.zeros(64, np.float32), np.ones(64, np.float32)
    numbers, others = np.zeros(64, np.int32), np.ones(64, np.int32)
    first = relu_launch(one, two, numbers)
    assert first.is_like(relu_launch(two, one, numbers.copy()))
    assert not first.is_like(relu_launch(one, one, numbers)), "the two buffers are one"
    assert not first.is_like(relu_launch(one, two, others)), "integers may be indices"
    assert not relu_launch(numbers > 0).is_like(relu_launch(others > 0)), "bools may choose a branch"
    assert not first.is_like(relu_launch(one, two[:32], numbers))
    assert not first.is_like(relu_launch(one, two.astype(np.float16), numbers))


def test_scalars_of_other_values_are_not_alike() -> None:
    one = np.zeros(64, np.float32)
    assert relu_launch(one, np.uint32(3)).is_like(relu_launch(one, np.uint32(3)))
    assert not relu_launch(one, np.uint32(3)).is_like(relu_launch(one, np.uint32(4)))


def test_a_launch_of_its_own_kernel_has_no_count() -> None:
    program = asmgen.compile("x = @param:x -> f32, {64}\ny = add(x, x)\n@return(y)\n")
    text = profiled(launches_of_source(program, "sum", NO_OPTIONS)).to_text()
    assert not re.search(r"; \d+ times", text) and "launches:" not in text


@pytest.mark.parametrize(("element", "largest", "end"), [("i32", 1000, 1000), ("i16", 1 << 20, 1 << 15), ("i8", 1000, 100), ("u8", 1000, 100)])
def test_generated_integers_may_be_indices(element: str, largest: int, end: int) -> None:
    numbers = filled(ELEMENT_TYPES[element], (20000,), largest, 0)
    assert numbers.min() >= 0
    assert 0.9 * end < numbers.max() < end
