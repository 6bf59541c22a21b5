"""The modules that JAX prints for functions of jax.numpy, jax.nn and jax.lax give numpy's results."""

from __future__ import annotations

import pytest

import asmgen
from isa.diagnostics import InputError
from tests.rows import MACHINES, in_turn, spread
from tests.tensors import jax_functions
from tests.tensors.not_read import NOT_READ_OF_JAX
from tests.tensors.running import check

CASES = {case.about: case for case in jax_functions.CASES}


@pytest.mark.parametrize("machine, name", spread([(machine, name) for name in CASES if name not in NOT_READ_OF_JAX for machine in MACHINES], each=1))
def test_results(machine: str, name: str) -> None:
    check(CASES[name], machine)


@pytest.mark.parametrize("name", in_turn(sorted(NOT_READ_OF_JAX), of=3))
def test_a_module_with_an_op_that_is_not_read_is_refused(name: str) -> None:
    with pytest.raises(InputError, match=r"<text>\.mlir:\d+:\d+: error\[TNS00\d\]"):
        _ = asmgen.compile(CASES[name].text)
