"""LLVM judges the waits and wait states of whole programs: with ours taken out it never asks for more than we had put in.

The programs are those that have no golden file: other sizes and types of the catalogue, kernels of rows in each of their
shapes, graphs of several kernels, and random graphs. Golden files are judged in tests/unit/tools/test_judge.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import pytest

import asmgen
from asmgen.gentext.parser import parse
from asmgen.ir.program import Program
from asmgen.kernels import CATALOGUE, build_kernel
from isa.targets import parse_target
from tests.any_size import OF_ANY_SIZE
from tests.property.graphs import random_graph
from tests.property.reduction_graphs import random_reduction_graph
from tests.unit.blockwise.schedules.test_contract import RAGGED, Case, named
from tools.judge import Judge, Line, functions_of, missing

pytestmark = pytest.mark.needs_llvm("llvm-mc-22", "llc-22")

UNUSED = "s101"
TARGETS = ("gfx942", "gfx942:xnack-")
SHAPES = ((3, 7, "f16"), (300, 20, "f32"), (100, 1021, "f16"), (7, 1024, "f32"), (2, 5000, "f32"), (1, 100000, "f16"))
LENGTHS = (("1", "f32"), ("1021", "f16"), ("100000", "f16"))
OF_ROWS = tuple(name for name, kernel in CATALOGUE.items() if "rows" in kernel.parameters)
OF_N = tuple(name for name in OF_ANY_SIZE if "n" in CATALOGUE[name].parameters)
GRAPHS, MORE_GRAPHS = range(500, 508), range(50000, 51000)


def assert_strong(programs: Iterable[str | Program], target: str = "gfx942") -> None:
    """Every kernel of the programs, all judged in one run of LLVM; a wait longer than LLVM's is no fault."""
    functions: list[list[Line]] = []
    texts: list[str] = []
    for program in programs:
        for kernel in asmgen.compile(program, target).kernels:
            found = functions_of(without_sdwa_constants(kernel.assembly))
            assert found
            functions += found
            texts += [kernel.assembly] * len(found)
    for judgement, text in zip(Judge(parse_target(target)).judge_weaker(functions), texts, strict=True):
        faults = [str(finding) for finding in missing(judgement.findings)]
        assert not faults, f"{faults}\n{text}"


def without_sdwa_constants(assembly: str) -> str:
    """LLVM's assembler takes inline constants of SDWA, and its verifier refuses them, so the test has
    unwritten registers in their place."""
    assert not re.search(rf"\b{UNUSED}\b", assembly)
    return re.sub(r"(_sdwa [^;\n]*), -?\d+ ", rf"\1, {UNUSED} ", assembly)


@pytest.mark.parametrize("target", TARGETS)
def test_the_catalogue(target: str) -> None:
    assert_strong(map(build_kernel, CATALOGUE), target)


@pytest.mark.parametrize("turn", [0, *[pytest.param(turn, marks=pytest.mark.slow) for turn in (1, 2)]])
def test_lengths_and_types(turn: int) -> None:
    """Each kernel in a third of the lengths; successive kernels take different thirds."""
    lengths = [(name, LENGTHS[(number + turn) % len(LENGTHS)]) for number, name in enumerate(OF_N)]
    assert_strong(build_kernel(name, [("n", n), ("dtype", dtype)]) for name, (n, dtype) in lengths)


@pytest.mark.parametrize("turn", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_shapes_of_rows(turn: int) -> None:
    """Each kernel in every second shape; successive kernels take different halves."""
    shapes = [(name, shape) for number, name in enumerate(OF_ROWS) for shape in SHAPES[(number + turn) % 2 :: 2]]
    assert_strong(build_kernel(name, [("rows", str(rows)), ("cols", str(cols)), ("dtype", dtype)]) for name, (rows, cols, dtype) in shapes)


@pytest.mark.parametrize("case", RAGGED[:3], ids=named)
def test_matrix_products(case: Case) -> None:
    assert_strong([case.text], case.target)


def judge_graphs(seeds: range) -> None:
    """A graph that fails is in the comments of its assembly."""
    graphs = [graph for seed in seeds for graph in (random_graph(seed), random_reduction_graph(seed))]
    assert_strong(parse(graph.text, f"graph{graph.seed}.gen") for graph in graphs)


def test_random_graphs() -> None:
    judge_graphs(GRAPHS)


@pytest.mark.slow
@pytest.mark.parametrize("first", MORE_GRAPHS[::100])
def test_more_random_graphs(first: int) -> None:
    judge_graphs(range(first, first + 100))
