"""Scans in a single pass: workgroups with a part of a row each pass on what precedes the next part."""

from __future__ import annotations

from itertools import cycle
from typing import Any

import numpy as np
import pytest

import asmgen
from asmgen.blockwise.schedules.choosing.parts import Share
from asmgen.blockwise.schedules.pages.scan import passed_part
from asmgen.blockwise.schedules.work import Graph
from asmgen.gentext.parser import parse
from asmgen.graph.reference import compare, evaluate
from asmgen.gridwise.cut import cut
from asmgen.gridwise.interpret import interpret
from asmgen.gridwise.printer import print_file
from asmgen.gridwise.program import GridFile
from asmgen.ir.types import ELEMENT_TYPES
from asmgen.verification.verify import rules_of
from isa.target import Target
from isa.targets import TARGETS, parse_target
from tests.unit.blockwise.schedules.graphs import braces

WAYS = ("", ", reverse=true", ", exclusive=true", ", exclusive=true, reverse=true")
CASES = (
    ("cumsum", "f32", (1, 5001)), ("cummax", "f32", (2, 2, 2052)), ("cumprod", "f32", (3300,)), ("cumsum", "f16", (2, 5333)),
    ("cummin", "i8", (1, 9000)), ("cumsum", "f64", (2, 1300)), ("cumprod", "i64", (1, 1801)), ("cummax", "bf16", (1, 4100)),
)  # fmt: skip


def shared(graph: Graph, target: Target) -> Share:
    """Parts as small as a workgroup of rows may have."""
    return Share(2, passed=passed_part(graph, target)) if graph.scans and not graph.way.part else Share(1)


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
    check(f"x = @param:x -> {element}, {braces(dims)}\ny = {op}[axis={len(dims) - 1}{way}](x)\n@return(y)\n", numbers(element, dims), target)


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
    check(f"x = @param:x -> {element}, {braces(dims)}\ny = cumsum[axis=0](x)\n@return(y)\n", numbers(element, dims), target)


@pytest.mark.parametrize(("op", "nan", "way"), [("cummax", "ieee", 0), ("cummin", "ieee", 2), ("cummax", "propagate", 3), ("cumsum", "ieee", 1)])
def test_parts_of_nan_alone_precede_others(op: str, nan: str, way: int) -> None:
    """A number wins against all the NaN before it, and a row that begins with NaN alone is NaN up to a number."""
    x = np.full((3, 5000), np.nan, np.float32)
    x[0, 2900], x[0, 4150], x[1, 0] = -np.inf, 3, 1
    check(f"x = @param:x -> f32, {{3,5000}}\ny = {op}[axis=1{WAYS[way]}](x)\n@return(y)\n", x, "gfx942", nan)


def test_scans_of_scans_and_of_computed_values() -> None:
    text = "x = @param:x -> i32, {5003}\na = mul(x, x)\ns = cumsum[axis=0](a)\nm = cummax[axis=0](s)\ny = sub(m, x)\n@return(y)\n"
    check(text, np.random.default_rng(3).integers(-9, 10, 5003).astype(np.int32), "gfx1100", launches=3)


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
