"""Random modules of StableHLO, and of StableHLO with linalg, give numpy's results."""

from __future__ import annotations

import re

import pytest

from tests.property.shrinking import check_shrinking
from tests.rows import MACHINES
from tests.tensors.random_modules import random_module
from tests.tensors.running import check

ORDINARY, SEEDS = 12, 250
DONATED = (40, 46)  # ordinary seeds; two of them need the order of loads and stores
_ARGUMENT = re.compile(r"(%a\d+: tensor<[^>]*>)(?=[,)])")


def _seeds() -> list[object]:
    return [pytest.param(seed, marks=() if seed < ORDINARY else pytest.mark.slow) for seed in range(SEEDS)]


@pytest.mark.parametrize("linalg", [False, True], ids=["stablehlo", "linalg"])
@pytest.mark.parametrize("seed", _seeds())
def test_results(seed: int, linalg: bool) -> None:
    """A failure shows the seed and the smallest size that fails, with the module's text."""
    target = MACHINES[seed % len(MACHINES)]

    def run(size: int) -> None:
        case = random_module(seed, size, linalg)
        try:
            check(case, target)
        except Exception as error:
            error.add_note(f"{case.name} on {target}:\n{case.text}")
            raise

    check_shrinking(run, 3 + seed % 10)


@pytest.mark.parametrize("seed", [pytest.param(seed, marks=() if seed in range(*DONATED) else pytest.mark.slow) for seed in range(120)])
def test_donated_arguments(seed: int) -> None:
    """Results in the memory of the arguments are those of memory of their own."""
    case = random_module(seed, 3 + seed % 10, seed % 3 == 0)
    text, count = _ARGUMENT.subn(r"\1 {jax.buffer_donor = true}", case.text)
    assert count == len(case.inputs)
    inputs = tuple([array.copy() for array in case.inputs])
    check(case._replace(text=text, inputs=inputs), MACHINES[seed % len(MACHINES)])
