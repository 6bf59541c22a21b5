"""A module of JAX or torch takes as many kernels, and within 2 % as many instructions, as the same program in gen text."""

from __future__ import annotations

import pytest

import asmgen
from asmgen.options import PROPAGATE
from tests.rows import MACHINES, spread
from tests.tensors import jax_functions, torch_functions
from tests.tensors.case import Case
from tests.tensors.gen_texts import TEXTS

# functions that torch exports with the ops of their text here
OF_TORCH = ("softmax", "log_softmax", "rms_norm", "where", "swiglu", "cumsum", "einsum", "rope")
MODULES: dict[str, Case] = {case.name: case for case in (*jax_functions.CASES, *torch_functions.CASES)}
NAMES = (*[f"jax: {name}" for name in TEXTS], *[f"torch: {name}" for name in OF_TORCH])


def _counts(text: str, target: str) -> tuple[int, int]:
    """Kernels, and instructions of all of them."""
    finished = asmgen.compile(text, target=target, nan=PROPAGATE).compilation.stages.finished
    return len(finished), sum(1 for kernel in finished for _ in kernel.instructions())


@pytest.mark.parametrize("machine, name", spread([(machine, name) for name in NAMES for machine in MACHINES], each=1))
def test_kernels_and_instructions(machine: str, name: str) -> None:
    kernels, instructions = _counts(MODULES[name].text, machine)
    wanted_kernels, wanted = _counts(TEXTS[MODULES[name].about], machine)
    assert kernels == wanted_kernels
    assert instructions <= wanted * 1.02, f"{instructions} instructions, {wanted} by gen text"
