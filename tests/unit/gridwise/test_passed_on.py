"""Scans in a single pass: workgroups with a part of a row each pass on what precedes the next part."""

from __future__ import annotations

import math
import re
from itertools import cycle
from typing import Any

import numpy as np
import pytest

import asmgen
from asmgen.blockwise.schedules.choosing.parts import Share
from asmgen.blockwise.schedules.choosing.room import GROUP_LANES, widest_access
from asmgen.blockwise.schedules.kernel_graph import Graph
from asmgen.blockwise.schedules.pages.scan import passed_part
from asmgen.gentext.parser import parse
from asmgen.graph.reference import compare, evaluate
from asmgen.gridwise.cut import cut
from asmgen.gridwise.interpret import interpret
from asmgen.gridwise.printer import print_file
from asmgen.gridwise.program import GridFile
from asmgen.ir.shapes import format_list
from asmgen.ir.types import ELEMENT_TYPES
from asmgen.verification.verify import rules_of
from isa.diagnostics import InputError
from isa.emulator import load, run_image
from isa.emulator.launching.arguments import KernelCall
from isa.emulator.launching.launch import Settings
from isa.target import Target
from isa.targets import TARGETS, parse_target

WAYS = ("", ", reverse=true", ", exclusive=true", ", exclusive=true, reverse=true")
CASES = (
    ("cumsum", "f32", (1, 5001)), ("cummax", "f32", (2, 2, 2052)), ("cumprod", "f32", (3300,)), ("cumsum", "f16", (2, 5333)),
    ("cummin", "i8", (1, 9000)), ("cumsum", "f64", (2, 1300)), ("cumprod", "i64", (1, 1801)), ("cummax", "bf16", (1, 4100)),
)  # fmt: skip


def shared(graph: Graph, target: Target) -> Share:
    """An access a lane: parts as small as they may be."""
    if not graph.scans or graph.way.part:
        return Share(1)
    assert passed_part(graph, target)
    return Share(2, length=GROUP_LANES * widest_access(graph.work))


def launches_of(text: str, target: str, nan: str = "ieee") -> GridFile:
    return cut(parse(text, "scan.gen"), parse_target(target), nan == "propagate", shared).file


def check(text: str, x: Any, target: str, nan: str = "ieee", launches: int = 2) -> None:
    """Compiled from the text of the launches, with the sanitizer; and so does the interpreter of launches."""
    file = launches_of(text, target, nan)
    program = asmgen.compile(print_file(file), target=target, nan=nan, verify_passes=True)
    assert len(program.kernels) == launches
    rules = rules_of(program)
    (expected,) = evaluate(parse(text, "scan.gen"), [x], rules)
    for results in (program(x, device="emulator"), interpret(file.programs[0], [x], rules)):
        comparison = compare(expected, np.asarray(results[0]))
        assert not comparison.is_broken, f"{comparison}\n{text}"


def numbers(element: str, dims: tuple[int, ...]) -> Any:
    return np.random.default_rng(3).choice([-1, 1, 2, 3], dims, p=[0.1, 0.88, 0.01, 0.01]).astype(ELEMENT_TYPES[element].numpy)


@pytest.mark.parametrize(
    ("case", "way", "target"), [(case, WAYS[at % 4], target) for at, (case, target) in enumerate(zip(CASES, cycle(TARGETS), strict=False))]
)
def test_a_single_pass_gives_the_scan_of_the_row(case: tuple[str, str, tuple[int, ...]], way: str, target: str) -> None:
    op, element, dims = case
    check(f"x = @param:x -> {element}, {format_list(dims)}\ny = {op}[axis={len(dims) - 1}{way}](x)\n@return(y)\n", numbers(element, dims), target)


@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("case", CASES)
def test_every_way_of_every_target(case: tuple[str, str, tuple[int, ...]], way: str, target: str) -> None:
    test_a_single_pass_gives_the_scan_of_the_row(case, way, target)


@pytest.mark.parametrize(("element", "target"), [("f32", "gfx942"), ("i64", "gfx1201")])
def test_what_precedes_a_block_of_workgroups_is_passed_on(element: str, target: str) -> None:
    """More than 256 workgroups of a row: the last of each block writes what precedes the next."""
    dims = (530 * 1024 + 7,) if element == "f32" else (270 * 512 + 2,)
    text = f"x = @param:x -> {element}, {format_list(dims)}\ny = cumsum[axis=0](x)\n@return(y)\n"
    assert launches_of(text, target).programs[0].temporaries[0].shape.sizes[1].evaluate({}, 0) >= 2
    check(text, numbers(element, dims), target)


@pytest.mark.parametrize(("op", "nan", "way"), [("cummax", "ieee", 0), ("cummin", "ieee", 2), ("cummax", "propagate", 3), ("cumsum", "ieee", 1)])
def test_parts_of_nan_alone_precede_others(op: str, nan: str, way: int) -> None:
    """A number wins against all the NaN before it, and a row that begins with NaN alone is NaN up to a number."""
    x = np.full((3, 5000), np.nan, np.float32)
    x[0, 2900], x[0, 4150], x[1, 0] = -np.inf, 3, 1
    check(f"x = @param:x -> f32, {{3,5000}}\ny = {op}[axis=1{WAYS[way]}](x)\n@return(y)\n", x, "gfx942", nan)


def test_scans_of_scans_and_of_computed_values() -> None:
    text = "x = @param:x -> i32, {5003}\na = mul(x, x)\ns = cumsum[axis=0](a)\nm = cummax[axis=0](s)\ny = sub(m, x)\n@return(y)\n"
    check(text, np.random.default_rng(3).integers(-9, 10, 5003).astype(np.int32), "gfx1100", launches=2)


@pytest.mark.parametrize(("dims", "way"), [("{n}", ""), ("{2,n}", ", reverse=true"), ("{n,3000}", ", exclusive=true")])
def test_sizes_that_the_launch_knows(dims: str, way: str) -> None:
    axis = dims.count(",")
    text = f"x = @param:x -> i32, {dims}\ny = cumsum[axis={axis}{way}](x)\n@return(y)\n"
    program = asmgen.compile(print_file(launches_of(text, "gfx942")), target="gfx942")
    for n in (0, 1, 3, 1024, 2053) if axis == 0 or "3000" not in dims else (0, 1, 3):
        shape = [n if part == "n" else int(part) for part in dims.strip("{}").split(",")]
        x = np.random.default_rng(3).integers(-9, 10, shape).astype(np.int32)
        wanted = np.flip(np.flip(x, axis).cumsum(axis, dtype=np.int32), axis) if "reverse" in way else x.cumsum(axis, dtype=np.int32)
        assert np.array_equal(program(x, device="emulator")[0], wanted - x if "exclusive" in way else wanted), n


@pytest.mark.parametrize(
    ("dims", "target"), [((1, 16777216), "gfx942"), ((1, 16777217), "gfx90a"), ((16777216, 1), "gfx1100"), ((1, 4194304), "gfx1201")]
)
def test_a_long_row_is_read_once_by_every_compute_unit(dims: tuple[int, int], target: str) -> None:
    text = f"x = @param:x -> f32, {format_list(dims)}\ny = cumsum[axis={int(dims[0] == 1)}](x)\n@return(y)\n"
    wanted = parse_target(target)
    zeros, scan = cut(parse(text, "scan.gen"), wanted).file.programs[0].launches
    assert zeros.reads == () and scan.reads[0] == "x"
    units = wanted.target.compute_units
    assert np.prod([size.evaluate({}, 0) for size in scan.grid]) >= min(4 * units, dims[0] * dims[1] // 4096)


def test_the_result_has_the_same_bits_whatever_the_order_of_the_workgroups() -> None:
    """Workgroups that start in another order, and a few at a time or all together."""
    text = "x = @param:x -> f32, {2,40000}\ny = cumsum[axis=1](x)\n@return(y)\n"
    program = asmgen.compile(print_file(launches_of(text, "gfx942")), target="gfx942")
    kernel = program.kernels[1]
    image, groups = load(kernel.assembly, kernel.name, "scan.s"), math.prod(kernel.workgroups)
    x, words = np.random.default_rng(3).standard_normal((2, 40000)).astype(np.float32), np.zeros(2 * 264, np.uint64)
    found: list[Any] = []
    for seed, chunk in ((0, 4), (1, 16), (2, 512)):
        order = tuple(np.random.default_rng(seed).permutation(groups).tolist())
        settings = Settings(groups=order, chunk_waves=chunk)
        found.append(run_image(image, KernelCall(kernel.workgroups, kernel.block, (x, words, np.zeros_like(x))), sanitize=True, settings=settings)[2])
    (whole,) = program(x, device="emulator")
    assert all(np.array_equal(whole, each) for each in found)


@pytest.mark.parametrize(("target", "number"), [("gfx942", 1), ("gfx942", 255), ("gfx1201", 256), ("gfx90a", 300), ("gfx1100", 200)])
def test_a_workgroup_waits_for_every_word_before_it_in_its_block(target: str, number: int) -> None:
    """A workgroup alone, with a ticket that says that others started before it: it adds their words, and
    waits for ever if a word is missing."""
    text = "x = @param:x -> i32, {337920}\ny = cumsum[axis=0](x)\n@return(y)\n"
    kernel = asmgen.compile(print_file(launches_of(text, target)), target=target).kernels[1]
    image, (block, place) = load(kernel.assembly, kernel.name, "scan.s"), divmod(number, 256)
    words, x = np.zeros(2 * 264, np.uint64), np.ones(337920, np.int32)
    words[257] = number
    needed = [264 * block + at for at in range(place)] + [264 + 256] * block
    numbers = np.random.default_rng(number).integers(0, 1000, len(needed)).astype(np.uint64)
    words[needed] = numbers | 1 << 32
    part = slice(1024 * number, 1024 * (number + 1))
    y = run_image(image, KernelCall((1, 1, 1), kernel.block, (x, words, np.zeros_like(x))), sanitize=True)[2]
    assert np.array_equal(y[part], numbers.sum().astype(np.int32) + np.arange(1, 1025))
    for missing in (needed[0], needed[len(needed) // 2], needed[-1]):
        without = words.copy()
        without[missing] = 0
        with pytest.raises(InputError, match="EMU021"):
            _ = run_image(image, KernelCall((1, 1, 1), kernel.block, (x, without, np.zeros_like(x))), sanitize=False)


@pytest.mark.parametrize(
    ("statement", "what"),
    [
        ("y = cumsum[axis=0, passed_on=true](x, words)", "part is 0, wanted the elements of a workgroup"),
        ("y = cumsum[axis=0, part=512, passed_on=true](x)", "got no operand 2, wanted u64, {1,1,264} of zeros"),
        ("y = cumsum[axis=0, part=2, passed_on=true](x, words)", "got u64, {1,1,264}, wanted u64, {1,3,264} of zeros"),
    ],
)
def test_words_of_another_shape_are_refused(statement: str, what: str) -> None:
    with pytest.raises(InputError) as caught:
        _ = parse(f"x = @param:x -> f32, {{1024}}\nwords = @param:words -> u64, {{1,1,264}}\n{statement}\n@return(y)\n", "scan.gen")
    assert what in caught.value.message


@pytest.mark.parametrize(("choice", "what"), [("waves=2", "the 1024 elements of a part"), ("teams=2", "teams=1"), ("lanes=32", "lanes=64")])
def test_choices_that_do_not_keep_a_part_in_registers_are_refused(choice: str, what: str) -> None:
    text = print_file(launches_of("x = @param:x -> f32, {5000}\ny = cumsum[axis=0](x)\n@return(y)\n", "gfx942"))
    name = choice.split("=")[0]
    changed = re.sub(rf"(by scan.*){name}=\d+", rf"\g<1>{choice}", text)
    assert changed != text
    with pytest.raises(InputError, match=what):
        _ = asmgen.compile(changed, target="gfx942")
