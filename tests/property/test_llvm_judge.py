"""LLVM judges the waits and wait states of whole programs: with ours taken out it never asks for more than we had put in.

The programs are those that have no golden file: other sizes and types of the catalogue, kernels of rows in each of their
shapes, graphs of several kernels, and random graphs. Golden files are judged in tests/unit/tools/test_judge.py.
"""

from __future__ import annotations

import re

import pytest

import asmgen
from asmgen.gentext.parser import parse
from asmgen.ir.program import Program
from asmgen.kernels import CATALOGUE, build_kernel
from tests.property.graphs import random_graph
from tests.property.reduction_graphs import random_reduction_graph
from tests.rows import spread
from tests.unit.blockwise.schedules.test_contract import RAGGED, Case, named
from tools.judge import judge, kernels, missing

pytestmark = pytest.mark.needs_llvm("llvm-mc-22", "llc-22")

UNUSED = "s101"
TARGETS = ("gfx942", "gfx942:xnack-")
SHAPES = ((3, 7, "f16"), (300, 20, "f32"), (100, 1021, "f16"), (7, 1024, "f32"), (2, 5000, "f32"), (1, 100000, "f16"))
OF_ROWS = tuple(name for name, kernel in CATALOGUE.items() if "rows" in kernel.parameters)
OF_N = tuple(name for name, kernel in CATALOGUE.items() if "n" in kernel.parameters)
GRAPHS, MORE_GRAPHS = range(500, 512), range(50000, 51000)


def assert_strong(program: str | Program, target: str = "gfx942") -> None:
    """Every kernel of a program, judged by itself; a wait longer than LLVM's is no fault."""
    for kernel in asmgen.compile(program, target).kernels:
        text = without_sdwa_constants(kernel.assembly)
        assert kernels(text)
        faults = [str(finding) for finding in missing(judge(text, target))]
        assert not faults, f"{faults}\n{kernel.assembly}"


def without_sdwa_constants(assembly: str) -> str:
    """LLVM's verifier refuses the inline constants of SDWA that its assembler takes: a register that nobody writes stands for them."""
    assert not re.search(rf"\b{UNUSED}\b", assembly)
    return re.sub(r"(_sdwa [^;\n]*), -?\d+ ", rf"\1, {UNUSED} ", assembly)


@pytest.mark.parametrize(("target", "name"), spread([(target, name) for target in TARGETS for name in CATALOGUE], 3))
def test_the_catalogue(target: str, name: str) -> None:
    assert_strong(build_kernel(name), target)


@pytest.mark.parametrize("name", OF_N)
def test_lengths_and_types(name: str) -> None:
    for n, dtype in (("1", "f32"), ("1021", "f16"), ("100000", "f16")):
        assert_strong(build_kernel(name, [("n", n), ("dtype", dtype)]))


@pytest.mark.parametrize("name", OF_ROWS)
def test_shapes_of_rows(name: str) -> None:
    for rows, cols, dtype in SHAPES:
        assert_strong(build_kernel(name, [("rows", str(rows)), ("cols", str(cols)), ("dtype", dtype)]))


@pytest.mark.parametrize("case", RAGGED[:3], ids=named)
def test_matrix_products(case: Case) -> None:
    assert_strong(case.text, case.target)


def judge_graphs(seeds: range) -> None:
    for seed in seeds:
        for graph in (random_graph(seed), random_reduction_graph(seed)):
            try:
                assert_strong(parse(graph.text, "graph.gen"))
            except AssertionError as error:
                raise AssertionError(f"{error}\n{graph}") from error


def test_random_graphs() -> None:
    judge_graphs(GRAPHS)


@pytest.mark.slow
@pytest.mark.parametrize("first", MORE_GRAPHS[::100])
def test_more_random_graphs(first: int) -> None:
    judge_graphs(range(first, first + 100))
