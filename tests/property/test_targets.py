"""Every target: the catalogue, random graphs and every function of one operand, proven as tests/property/test_verify.py does it.

gfx942 has more of each there and in test_reductions.py.
"""

from __future__ import annotations

import numpy as np
import pytest

import asmgen
from asmgen.kernels import CATALOGUE, build_kernel
from asmgen.verification import hold
from isa.targets import TARGETS
from tests.any_size import OF_ANY_SIZE, settings_of
from tests.device import chosen_device
from tests.property.graphs import random_graph
from tests.property.reduction_graphs import random_reduction_graph
from tests.property.test_verify import FUNCTIONS, OPERATIONS, every_magnitude
from tests.rows import in_turn, spread

OTHER_TARGETS = (*(name for name in TARGETS if name != "gfx942"), "gfx1100:wave64", "gfx1201:wave64")
MACHINES = ("gfx90a", "gfx1100", "gfx1201")  # that differ in arithmetic from gfx942
SIZES = {"n": "1000", "rows": "5", "cols": "1021"}
SHORT_ROWS = {"rows": "9", "cols": "40"}
IN_EVERY_RUN = 1  # graph a target, of its own
ON_DEMAND = 1000


def prove(text: str, target: str, seed: int = 0, *inputs: np.ndarray) -> None:
    program = asmgen.compile(text, target=target, verify_passes=True)
    report = hold(program, chosen_device(), seed, list(inputs) or None)
    assert not report.is_broken, f"{text}\n" + "\n".join(str(check) for check in report.checks)


def prove_kernel(kernel: str, target: str, sizes: tuple[tuple[str, str], ...], dtype: str) -> None:
    program = asmgen.compile(build_kernel(kernel, [*sizes, ("dtype", dtype)]), target=target, verify_passes=True)
    report = hold(program, chosen_device())
    assert not report.is_broken, "\n".join(str(check) for check in report.checks)


@pytest.mark.parametrize(("target", "kernel"), spread([(target, kernel) for target in OTHER_TARGETS for kernel in OF_ANY_SIZE], 1))
def test_the_catalogue(target: str, kernel: str) -> None:
    prove_kernel(kernel, target, settings_of(kernel, SIZES), "f32")


@pytest.mark.parametrize(("kernel", "target"), in_turn(["muladd", "gelu", "row_max", "layernorm"], MACHINES, of=3))
def test_the_catalogue_on_halves(kernel: str, target: str) -> None:
    prove_kernel(kernel, target, settings_of(kernel, SHORT_ROWS | {"n": "1021"}), "f16")


@pytest.mark.slow
@pytest.mark.parametrize("target", OTHER_TARGETS)
@pytest.mark.parametrize("dtype", ["f32", "f16", "i32"])
@pytest.mark.parametrize("kernel", OF_ANY_SIZE)
def test_the_catalogue_on_every_type(kernel: str, dtype: str, target: str) -> None:
    if dtype in CATALOGUE[kernel].types:
        prove_kernel(kernel, target, settings_of(kernel, SIZES), dtype)
        prove_kernel(kernel, target, settings_of(kernel, SHORT_ROWS, {}), dtype)


def own_seeds(target: str) -> range:
    """Seeds that no other target has in the ordinary suite."""
    first = 100000 + IN_EVERY_RUN * OTHER_TARGETS.index(target)
    return range(first, first + IN_EVERY_RUN)


@pytest.mark.parametrize("target", OTHER_TARGETS)
def test_random_graphs(target: str) -> None:
    for seed in own_seeds(target):
        prove(random_graph(seed).text, target, seed)


@pytest.mark.parametrize("target", OTHER_TARGETS)
def test_random_graphs_with_reductions(target: str) -> None:
    for seed in own_seeds(target):
        graph = random_reduction_graph(seed)
        prove(graph.text, target, seed, *graph.inputs)


@pytest.mark.slow
@pytest.mark.parametrize("target", OTHER_TARGETS)
@pytest.mark.parametrize("first", range(0, ON_DEMAND, 16))
def test_more_random_graphs(first: int, target: str) -> None:
    for seed in range(first, first + 16):
        prove(random_graph(seed).text, target, seed)
        graph = random_reduction_graph(seed)
        prove(graph.text, target, seed, *graph.inputs)


@pytest.mark.parametrize(("op", "target"), in_turn(FUNCTIONS, MACHINES, of=3))
def test_a_function_over_its_whole_range(op: str, target: str) -> None:
    x = np.concatenate([every_magnitude(6, 1), np.linspace(-12.0, 12.0, 1024, dtype=np.float32)])
    prove(f"x = @param:x -> {{{x.size}}}\ny = {op}(x)\n@return(y)\n", target, 0, x)


@pytest.mark.parametrize("target", MACHINES)
def test_operations_on_pairs_of_exponents(target: str) -> None:
    few, some = every_magnitude(3, 2)[::9], every_magnitude(4, 3)[3::4][::21]
    a, b = (part.reshape(-1).copy() for part in np.meshgrid(few, some))
    results = "\n".join(f"y{number} = {op}(a, b)" for number, op in enumerate(OPERATIONS))
    returned = ", ".join(f"y{number}" for number in range(len(OPERATIONS)))
    prove(f"a = @param:a -> {{{a.size}}}\nb = @param:b -> {{{a.size}}}\n{results}\n@return({returned})\n", target, 0, a, b)
