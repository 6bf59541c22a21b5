"""The same source gives the same bytes at every stage: twice in a process, in processes of other hash seeds, in any order."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

import pytest

from asmgen.cli.stages import TEXT_STAGES, assembly_text, stage_text
from asmgen.compilation import Source
from asmgen.compiler import finish, start
from asmgen.gentext.parser import parse
from asmgen.kernels import CATALOGUE, build_kernel
from asmgen.options import Options
from isa.targets import parse_target
from tests.property.graphs import random_graph
from tests.property.reduction_graphs import random_reduction_graph

ROOT = Path(__file__).parents[2]
GRAPHS = range(50, 56)
NAMES = (*CATALOGUE, *(f"graph {seed}" for seed in GRAPHS), *(f"reductions {seed}" for seed in GRAPHS))
ORDERS = {"forwards": NAMES, "backwards": NAMES[::-1]}


def digest(name: str) -> str:
    """The name of a program and a digest of its text at every stage."""
    kind, _, seed = name.partition(" ")
    if kind in CATALOGUE:
        program = build_kernel(kind)
    else:
        program = parse((random_graph if kind == "graph" else random_reduction_graph)(int(seed)).text, "graph.gen")
    compilation = start(Source.of_program(name, program), parse_target("gfx942"), Options())
    compiled = finish(compilation)
    texts = [*(stage_text(compilation, stage) for stage in TEXT_STAGES), assembly_text(compiled), repr([k.resources for k in compiled.kernels])]
    return f"{name}: {' '.join(sha256(text.encode()).hexdigest()[:16] for text in texts)}"


def digests(names: Iterable[str]) -> list[str]:
    return sorted(map(digest, names))


@pytest.fixture(scope="module")
def wanted() -> list[str]:
    return digests(NAMES)


def test_compiles_in_one_process(wanted: list[str]) -> None:
    """Every third program again, in another order, after all of them."""
    assert set(digests(NAMES[::-3])) <= set(wanted)


@pytest.mark.parametrize(("seed", "order"), [("0", "backwards"), pytest.param("4294967295", "forwards", marks=pytest.mark.slow)])
def test_compiles_in_other_processes(seed: str, order: str, wanted: list[str]) -> None:
    command = [sys.executable, "-m", "tests.property.test_determinism", order]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True, env={**os.environ, "PYTHONHASHSEED": seed})
    assert done.stdout.splitlines() == wanted


if __name__ == "__main__":
    sys.stdout.write("\n".join(digests(ORDERS[sys.argv[1]])))
