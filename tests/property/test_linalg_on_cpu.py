"""Random modules of linalg and tensor ops give what LLVM's own lowering computes for them on the CPU."""

from __future__ import annotations

from functools import cache

import pytest

from tests.property.shrinking import check_shrinking
from tests.rows import MACHINES
from tests.tensors.case import Array
from tests.tensors.cases import linalg
from tests.tensors.cpu_steps import cpu_module
from tests.tensors.on_cpu import TOOLS, bufferized
from tests.tensors.on_cpu import results as results_on_cpu
from tests.tensors.running import agree, results

ORDINARY, SEEDS = 20, 500
# LLVM has no loops for packing
CASES = {case.name: case for case in linalg.CASES if "pack" not in case.op}
pytestmark = pytest.mark.needs_llvm(*TOOLS)


@cache
def computed(seed: int, size: int) -> list[Array]:
    """LLVM's results, for the tensors and for the buffers of a seed."""
    module = cpu_module(seed, size)
    return results_on_cpu(module.text, module.inputs, module.results)


@pytest.mark.parametrize("of_buffers", [False, True], ids=["tensors", "buffers"])
@pytest.mark.parametrize("seed", [pytest.param(seed, marks=() if seed < ORDINARY else pytest.mark.slow) for seed in range(SEEDS)])
def test_results(seed: int, of_buffers: bool) -> None:
    """Of tensors, and as LLVM puts them into buffers. A failure shows the seed and the smallest size that fails, with the text."""
    target = MACHINES[seed % len(MACHINES)]

    def run(size: int) -> None:
        module = cpu_module(seed, size)
        try:
            text = bufferized(module.text) if of_buffers else module.text
            # arguments that LLVM overwrites are results too, after those that are returned
            given = results(text, module.inputs, target)[: len(module.results)]
            agree(given, computed(seed, size))
        except Exception as error:
            error.add_note(f"seed {seed}, size {size} on {target}:\n{module.text}")
            raise

    check_shrinking(run, 2 + seed % 7)


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_cases_expect_what_llvm_computes(name: str) -> None:
    """What tests/tensors/cases/linalg.py wants was computed by numpy."""
    case = CASES[name]
    computed = results_on_cpu(case.text, case.inputs, [(wanted.shape, wanted.dtype) for wanted in case.wanted])
    agree(computed, case.wanted, case.ulps, case.scale)
