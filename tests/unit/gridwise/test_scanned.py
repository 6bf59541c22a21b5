"""Scans with rows in parts: each part begins with the total before it."""

from __future__ import annotations

from itertools import cycle
from typing import Any

import numpy as np
import pytest

import asmgen
from asmgen.blockwise.schedules.choices import Column, Scan
from asmgen.blockwise.schedules.choosing.parts import Share
from asmgen.gentext.parser import parse
from asmgen.graph.reference import compare, evaluate
from asmgen.gridwise.cut import cut
from asmgen.gridwise.interpret import interpret
from asmgen.gridwise.printer import print_file
from asmgen.gridwise.program import GridFile
from asmgen.gridwise.scanned import part_length
from asmgen.ir.shapes import format_list
from asmgen.ir.types import ELEMENT_TYPES
from asmgen.verification.verify import rules_of
from isa.diagnostics import InputError
from isa.target import Target
from isa.targets import parse_target

TARGETS = ("gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1201")
WAYS = ("", ", reverse=true", ", exclusive=true", ", exclusive=true, reverse=true")
NUMPY = {"cumsum": np.add, "cumprod": np.multiply, "cummax": np.fmax, "cummin": np.fmin}

# The op, the type, dims, axis: elements along memory and across it, whole accesses and not.
CASES = (
    ("cumsum", "f32", (1, 1001), 1), ("cumsum", "f32", (3, 203, 5), 1), ("cummax", "f32", (2, 64), -1), ("cumprod", "f32", (260,), 0),
    ("cumsum", "f16", (2, 333), 1), ("cummin", "i8", (2, 333), 1), ("cumsum", "i32", (33, 2), 0), ("cummax", "u16", (41, 3), 0),
    ("cumsum", "f64", (2, 90), 1), ("cumprod", "i64", (2, 90), 1), ("cummax", "bf16", (1, 100), 1),
)  # fmt: skip


def in_five(_: object, _target: Target) -> Share:
    return Share(5)


def launches_of(text: str, target: str, nan: str = "ieee") -> GridFile:
    return cut(parse(text, "scan.gen"), parse_target(target), nan == "propagate", in_five).file


def check(text: str, x: Any, target: str, nan: str = "ieee") -> None:
    check_launches(text, [x], target, nan, 3)


def check_launches(text: str, given: list[Any], target: str, nan: str, count: int) -> None:
    """In five parts, compiled from the text of the launches; and so does the interpreter of launches."""
    file = launches_of(text, target, nan)
    program = asmgen.compile(print_file(file), target=target, nan=nan)
    assert len(program.kernels) == count
    rules = rules_of(program)
    (expected,) = evaluate(parse(text, "scan.gen"), given, rules)
    for results in (program(*given, device="emulator"), interpret(file.programs[0], given, rules)):
        comparison = compare(expected, np.asarray(results[0]))
        assert not comparison.is_broken, f"{comparison}\n{text}"


@pytest.mark.parametrize(
    ("case", "way", "target"), [(case, WAYS[at % 4], target) for at, (case, target) in enumerate(zip(CASES, cycle(TARGETS), strict=False))]
)
def test_parts_give_the_scan_of_the_row(case: tuple[str, str, tuple[int, ...], int], way: str, target: str) -> None:
    op, element, dims, axis = case
    x = np.random.default_rng(3).choice([-1, 1, 2, 3], dims, p=[0.1, 0.7, 0.1, 0.1]).astype(ELEMENT_TYPES[element].numpy)
    check(f"x = @param:x -> {element}, {format_list(dims)}\ny = {op}[axis={axis}{way}](x)\n@return(y)\n", x, target)


@pytest.mark.parametrize(("dims", "axis", "way", "element"), [
    ((2, 203), 1, WAYS[0], "f32"), ((103, 3), 0, WAYS[1], "f64"), ((2, 203), 1, WAYS[2], "f16"), ((41, 5), 0, WAYS[3], "i32"),
])  # fmt: skip
def test_parts_of_a_linear_recurrence(dims: tuple[int, ...], axis: int, way: str, element: str) -> None:
    """The factor of each part, its states, the states before the parts, and the states of all elements."""
    names = ("a", "b")
    lines = [f"{name} = @param:{name} -> {element}, {format_list(dims)}" for name in names]
    text = "\n".join([*lines, f"y = linear_recurrence[axis={axis}{way}](a, b)", "@return(y)", ""])
    draws = np.random.default_rng(5)
    given = [draws.choice([-1, 0, 1], dims, p=[0.2, 0.1, 0.7]).astype(ELEMENT_TYPES[element].numpy) for _ in names]
    check_launches(text, given, "gfx1201" if axis else "gfx942", "ieee", 4)


@pytest.mark.parametrize(("dims", "launches"), [((4096, 64), 4), ((1000, 32), 1), ((2, 100), 1)])
def test_only_long_columns_of_a_linear_recurrence_are_in_parts(dims: tuple[int, int], launches: int) -> None:
    text = "".join([f"{name} = @param:{name} -> f32, {format_list(dims)}\n" for name in "ab"]) + "y = linear_recurrence[axis=0](a, b)\n@return(y)\n"
    assert len(cut(parse(text, "scan.gen"), parse_target("gfx942")).file.programs[0].launches) == launches


@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("case", CASES)
def test_every_way_of_every_target(case: tuple[str, str, tuple[int, ...], int], way: str, target: str) -> None:
    test_parts_give_the_scan_of_the_row(case, way, target)


def test_the_rest_of_a_part_meets_no_loop_of_another_part() -> None:
    """A part is two trips of 8192 elements and a trip of 4096, of which no lane stores past the part."""
    text = "x = @param:x -> bf16, {81923}\ny = cummax[axis=0](x)\n@return(y)\n"
    assert "part=20480" in print_file(launches_of(text, "gfx90a"))


@pytest.mark.parametrize(("op", "nan", "way"), [("cummax", "ieee", 0), ("cummin", "ieee", 2), ("cummax", "propagate", 3), ("cumsum", "ieee", 1)])
def test_parts_of_nan_alone_precede_others(op: str, nan: str, way: int) -> None:
    """A number wins against all the NaN before it, and a row that begins with NaN alone is NaN up to a number."""
    x = np.full((3, 200), np.nan, np.float32)
    x[0, 90], x[0, 150], x[1, 0] = -np.inf, 3, 1
    check(f"x = @param:x -> f32, {{3,200}}\ny = {op}[axis=1{WAYS[way]}](x)\n@return(y)\n", x, "gfx942", nan)


def test_what_is_computed_before_and_after_is_in_the_launch_of_the_parts() -> None:
    text = "x = @param:x -> f16, {2,700}\na = mul(x, x)\ns = cumsum[axis=1](a)\ny = sub(s, x)\n@return(y)\n"
    assert [launch.writes for launch in launches_of(text, "gfx942").programs[0].launches] == [("s_f32_totals",), ("s_f32_before",), ("y",)]
    check(text, np.random.default_rng(3).standard_normal((2, 700)).astype(np.float16), "gfx942")


def test_a_scan_of_a_scan_in_parts() -> None:
    text = "x = @param:x -> i32, {1003}\ns = cumsum[axis=0](x)\ny = cummax[axis=0](s)\n@return(y)\n"
    program = asmgen.compile(print_file(launches_of(text, "gfx1100")), target="gfx1100")
    x = np.random.default_rng(3).integers(-9, 10, 1003).astype(np.int32)
    assert np.array_equal(program(x, device="emulator")[0], np.maximum.accumulate(np.cumsum(x, dtype=np.int32)))


@pytest.mark.parametrize(("dims", "target"), [((16777216, 2), "gfx942"), ((4194304, 3), "gfx1201")])
def test_a_long_row_across_memory_is_scanned_by_every_compute_unit(dims: tuple[int, int], target: str) -> None:
    text = f"x = @param:x -> f32, {format_list(dims)}\ny = cumsum[axis=0](x)\n@return(y)\n"
    wanted = parse_target(target)
    totals, _, scan = cut(parse(text, "scan.gen"), wanted).file.programs[0].launches
    for launch in (totals, scan):
        assert np.prod([size.evaluate({}, 0) for size in launch.grid]) >= min(4 * wanted.target.compute_units, dims[0] * dims[1] // 4096) - 1


@pytest.mark.parametrize("dims", [(4096, 1024), (1, 1024), (1, 8192), (304, 32768), (0, 1048576), (1, 1), (3, 0)])
def test_short_rows_and_many_rows_are_one_launch(dims: tuple[int, int]) -> None:
    text = f"x = @param:x -> f32, {format_list(dims)}\ny = cumsum[axis=1](x)\n@return(y)\n"
    assert len(cut(parse(text, "scan.gen"), parse_target("gfx942")).file.programs[0].launches) == 1


def test_the_parts_of_an_axis_are_of_a_round_length() -> None:
    assert part_length(16777216, 2048) == 8192
    assert part_length(16777217, 2049) == 8192
    assert part_length(10, 4) == 3
    for size in range(1, 200):
        for parts in range(1, size + 1):
            length = part_length(size, parts)
            assert -(-size // length) == -(-size // -(-size // parts)), (size, parts)


@pytest.mark.parametrize(
    ("sizes", "dims", "way"),
    [((0, 1, 769), "{n,2}", ", reverse=true"), ((3, 768), "{n,m}", ", exclusive=true")],
)
def test_sizes_that_the_launch_knows(sizes: tuple[int, ...], dims: str, way: str) -> None:
    axis = dims.strip("{}").split(",").index("n")
    text = f"x = @param:x -> i32, {dims}\ny = cumsum[axis={axis}{way}](x)\n@return(y)\n"
    program = asmgen.compile(text, target="gfx942")
    for n in sizes:
        shape = [{"n": n, "m": 3}[part] if part in "nm" else int(part) for part in dims.strip("{}").split(",")]
        x = np.random.default_rng(3).integers(-9, 10, shape).astype(np.int32)
        wanted = np.flip(np.flip(x, axis).cumsum(axis, dtype=np.int32), axis) if "reverse" in way else x.cumsum(axis, dtype=np.int32)
        assert np.array_equal(program(x, device="emulator")[0], wanted - x if "exclusive" in way else wanted), n


@pytest.mark.parametrize(("target", "most"), [("gfx942", 767), ("gfx1100", 3071)])
@pytest.mark.parametrize("columns", ["m", "64"])
def test_few_rows_across_memory_are_one_launch(target: str, most: int, columns: str) -> None:
    """The launch knows how many rows there are. More rows are three launches, of many parts at once: {4096,512} takes
    33 thousand clocks on gfx942, and 1,570 thousand in a single launch."""
    text = f"x = @param:x -> f32, {{n,{columns}}}\ny = cumsum[axis=0](x)\n@return(y)\n"
    launches = cut(parse(text, "scan.gen"), parse_target(target)).file.programs[0].launches
    for rows, number in ((1, 1), (most, 1), (most + 1, 3), (100000, 3)):
        conditions = [launch.when for launch in launches if launch.when is not None]
        taken = [when.evaluate(dict.fromkeys(when.symbols, rows), 0) for when in conditions]
        assert (len(conditions), sum(taken)) == (4, number), rows


@pytest.mark.parametrize(("most", "launches"), [(200, 1), (256, 1), (257, 3)])
@pytest.mark.parametrize("way", WAYS[:2])
def test_a_slice_that_is_never_longer_than_a_part_is_one_launch(most: int, launches: int, way: str) -> None:
    text = f"x = @param:x -> i32, {{n}}\ns = slice[axes=0, starts=2, ends={most + 2}](x)\ny = cumsum[axis=0{way}](s)\n@return(y)\n"
    assert len(cut(parse(text, "scan.gen"), parse_target("gfx942"), parts=in_five).file.programs[0].launches) == launches


@pytest.mark.parametrize(("target", "shape"), [("gfx942", "{1216,n}"), ("gfx1100", "{16,12,n}")])
def test_few_lanes_take_each_of_many_rows_of_a_named_dim(target: str, shape: str) -> None:
    text = f"x = @param:x -> f32, {shape}\ny = cumsum[axis={shape.count(',')}](x)\n@return(y)\n"
    choices = [launch.choice for launch in cut(parse(text, "scan.gen"), parse_target(target)).file.programs[0].launches]
    assert choices == [Scan(lanes=32, waves=1, teams=8 if target == "gfx1100" else 4, vector=4, repeat=1)]


@pytest.mark.parametrize("target", ["gfx942", "gfx1100"])
@pytest.mark.parametrize(("rows", "launches"), [(1792, 1), (1793, 3), (5000, 3)])
def test_rows_across_memory_are_in_parts_if_the_columns_may_be_few(rows: int, launches: int, target: str) -> None:
    text = f"x = @param:x -> f32, {{{rows},n}}\ny = cumsum[axis=0](x)\n@return(y)\n"
    made = cut(parse(text, "scan.gen"), parse_target(target)).file.programs[0].launches
    assert len(made) == launches
    assert launches == 1 or made[0].grid[-1].constant == -(-rows // 256) - 1


def test_a_scan_takes_what_precedes_each_part() -> None:
    """Of 23 elements in parts of 5, and of a whole axis."""
    text = "x = @param:x -> f32, {23}\nb = @param:b -> f32, {5}\nc = @param:c -> f32, {1}\n"
    text += "y = cumsum[axis=0, part=5](x, b)\nz = cummax[axis=0](x, c)\n@return(y, z)\n"
    x, before, least = np.arange(23, dtype=np.float32), np.arange(5, dtype=np.float32) * 100, np.full(1, 7, np.float32)
    program = asmgen.compile(text, target="gfx942")
    results = program(x, before, least, device="emulator")
    assert np.array_equal(
        results[0], np.concatenate([part.cumsum() + first for part, first in zip(np.split(x, range(5, 23, 5)), before, strict=True)])
    )
    assert np.array_equal(results[1], np.maximum(x, 7))
    for expected, actual in zip(evaluate(parse(text, "scan.gen"), [x, before, least], rules_of(program)), results, strict=True):
        assert not compare(expected, actual).is_broken


@pytest.mark.parametrize(("attributes", "before", "code"), [("part=-1", 5, "GEN303"), ("part=5", 4, "GEN302"), ("part=0", 2, "GEN302")])
def test_parts_that_do_not_fit_are_refused(attributes: str, before: int, code: str) -> None:
    text = f"x = @param:x -> f32, {{23}}\nb = @param:b -> f32, {{{before}}}\ny = cumsum[axis=0, {attributes}](x, b)\n@return(y)\n"
    with pytest.raises(InputError) as caught:
        _ = parse(text, "scan.gen")
    assert caught.value.code == code


def test_narrow_columns_have_no_more_loads_in_a_trip_than_a_wave_counts() -> None:
    text = "x = @param:x -> bf16, {n,3}\ny = cummax[axis=0](x)\n@return(y)\n"
    launch = cut(parse(text, "scan.gen"), parse_target("gfx942")).file.programs[0].launches[0]
    assert isinstance(launch.choice, Column) and launch.choice.pieces is not None
    assert launch.choice.pieces * launch.choice.repeat == 64
