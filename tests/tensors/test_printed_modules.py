"""The modules that JAX prints for functions of jax.numpy, jax.nn and jax.lax, and modules that mlir-opt prints, give numpy's results."""

from __future__ import annotations

import pytest

import asmgen
from isa.diagnostics import InputError
from tests.rows import MACHINES, spread
from tests.tensors import jax_functions, mlir_opt_functions
from tests.tensors.running import check

CASES = {case.about: case for case in (*jax_functions.CASES, *mlir_opt_functions.CASES)}
# a generic op with two results that are reduced together, and `tensor.extract` by two indices
REFUSED = {"tosa_argmax": r"<text>\.mlir:11:12: error\[TNS004\]: linalg\.generic", "tosa_reverse_tile": r"<text>\.mlir:13:20: error"}


@pytest.mark.parametrize("machine, name", spread([(machine, name) for name in CASES if name not in REFUSED for machine in MACHINES], each=1))
def test_results(machine: str, name: str) -> None:
    check(CASES[name], machine)


@pytest.mark.parametrize("name", REFUSED)
def test_a_form_that_is_not_read_is_refused_at_its_place(name: str) -> None:
    with pytest.raises(InputError, match=REFUSED[name]):
        _ = asmgen.compile(CASES[name].text)
