"""The modules that JAX and torch print for functions of their own, and modules that mlir-opt prints, give numpy's results."""

from __future__ import annotations

import pytest

from tests.rows import MACHINES, spread
from tests.tensors import jax_functions, mlir_opt_functions, torch_functions
from tests.tensors.running import check

CASES = {case.name: case for case in (*jax_functions.CASES, *torch_functions.CASES, *mlir_opt_functions.CASES)}


@pytest.mark.parametrize("machine, name", spread([(machine, name) for name in CASES for machine in MACHINES], each=1))
def test_results(machine: str, name: str) -> None:
    check(CASES[name], machine)
