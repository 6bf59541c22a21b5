"""Reductions of sizes at which another schedule is chosen, over any axes, on targets of more and fewer compute units.

A choice depends on how many elements there are for each lane of the target. So that small programs come to the choices
of large ones, launches are cut for a target that has fewer compute units; their text then goes through the compiler.
"""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

import numpy as np
import pytest

import asmgen
from asmgen.blockwise.schedules.choosing.parts import Share
from asmgen.blockwise.schedules.kernel_graph import Graph
from asmgen.gentext.parser import parse
from asmgen.graph.reference import compare, evaluate
from asmgen.gridwise.choose import share_wanted
from asmgen.gridwise.cut import cut
from asmgen.gridwise.printer import print_file
from asmgen.ir.shapes import format_list
from asmgen.verification.settings import NEAREST, emulated
from asmgen.verification.verify import rules_of
from isa.target import Target
from isa.targets import TargetId, parse_target

PER_TEST = 5
IN_EVERY_RUN = 20
ON_DEMAND = 400
MOST_ELEMENTS = 140_000

Dims = tuple[int, ...]

_EDGES = (4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 16384, 32768, 65536)
_SHAPES: tuple[tuple[int, Dims], ...] = (  # how many dims, and which are reduced
    (2, (1,)), (2, (1,)), (2, (0,)), (2, (0,)), (3, (1,)), (3, (1,)), (3, (0, 2)), (3, (0,)), (3, (2,)), (3, (0, 1)), (4, (0, 2, 3)), (4, (1, 3)),
    (4, (1,)), (1, (0,)),
)  # fmt: skip
_DTYPES: dict[str, Any] = {"f32": np.float32, "f16": np.float16, "i32": np.int32}


class Drawn(NamedTuple):
    text: str
    x: Any
    target: str
    units: int
    nan: str
    parts: int  # in which every reduction is taken; 0 for the chosen number


def drawn(seed: int) -> Drawn:
    random = Random(seed)
    element = random.choice(("f32", "f32", "f16", "i32"))
    rank, axes = random.choice(_SHAPES)
    dims = _dims(random, rank)
    shown = format_list(axes)
    floats = ("softmax", "layernorm", "variance", "normalised") if element == "f32" else ("softmax", "rmsnorm")
    kind = random.choice(("sum", "mean", "max", "pair", *(floats if element != "i32" else ())))
    lines = [f"x = @param:x -> {element}, {format_list(dims)}"]
    match kind:
        case "softmax" | "layernorm" | "rmsnorm":
            lines += [f"y = {kind}[axis={axes[0]}](x)", "@return(y)"]
        case "variance" | "normalised":
            lines += [f"m = reduce_mean[axes={shown}](x)", "c = sub(x, m)", "q = mul(c, c)", f"v = reduce_mean[axes={shown}](q)"]
            lines += ["@return(m, v)"] if kind == "variance" else ["y = sub(c, v)", "@return(y, m)"]
        case "pair":
            lines += [f"m = reduce_max[axes={shown}](x)", f"s = reduce_sum[axes={shown}](x)", "y = max(x, m)", "@return(m, s, y)"]
        case _:
            lines += [f"y = reduce_{kind}[axes={shown}](x)", "@return(y)"]
    generator = np.random.default_rng(seed)
    x = generator.integers(-9, 10, dims) if random.random() < 0.5 else generator.standard_normal(dims) * 3 + random.choice((0, 0, 5))
    target, units = random.choice(("gfx942", "gfx1100")), random.choice((1, 1, 2, 4, 16, 304))
    nan, parts = random.choice(("ieee", "ieee", "propagate")), random.choice((0, 0, 2, 3, 5))
    return Drawn("\n".join([*lines, ""]), x.astype(_DTYPES[element]), target, units, nan, parts)


def _dims(random: Random, rank: int) -> Dims:
    """One dim or two at an edge, or next to it, or half as much again; the others as large as there is room
    for."""
    dims = [1] * rank
    for axis in random.sample(range(rank), rank):
        room = MOST_ELEMENTS // int(np.prod(dims))
        edge = random.choice([edge for edge in (1, 2, 3, *_EDGES) if edge <= room])
        size = edge + random.choice((0, 0, -1, 1, 3, edge // 2))
        dims[axis] = max(1, min(size, room))
    return tuple(dims)


def check(seed: int) -> None:
    case = drawn(seed)
    real = parse_target(case.target)
    graph = parse(case.text, "edges.gen")
    wanted = TargetId(real.target._replace(compute_units=case.units), real.features)

    def parts(body: Graph, target: Target) -> Share:
        return Share(case.parts) if case.parts else share_wanted(body, target)

    launches = print_file(cut(graph, wanted, case.nan == "propagate", parts).file)
    shown = f"seed {seed}, for {case.units} compute units, {case.parts} parts\n{case.text}{launches}"
    try:
        program = asmgen.compile(launches, target=case.target, nan=case.nan)
        results = emulated(program, [case.x], NEAREST)
    except Exception as error:
        error.add_note(shown)
        raise
    for expected, actual in zip(evaluate(graph, [case.x], rules_of(program)), results, strict=True):
        comparison = compare(expected, actual)
        assert not comparison.is_broken, f"{comparison}\n{shown}"


@pytest.mark.parametrize("first", range(0, IN_EVERY_RUN, PER_TEST))
def test_reductions_at_the_edges_of_choices(first: int) -> None:
    for seed in range(first, first + PER_TEST):
        check(seed)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(IN_EVERY_RUN, ON_DEMAND, PER_TEST))
def test_more_reductions_at_the_edges_of_choices(first: int) -> None:
    for seed in range(first, first + PER_TEST):
        check(seed)
