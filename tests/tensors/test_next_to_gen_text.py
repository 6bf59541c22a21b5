"""A module of JAX takes as many kernels, and within 2 % as many instructions, as the same program in gen text."""

from __future__ import annotations

import pytest

import asmgen
from asmgen.options import PROPAGATE
from tests.rows import MACHINES, spread
from tests.tensors.gen_texts import TEXTS
from tests.tensors.jax_functions import CASES

MODULES = {case.about: case.text for case in CASES}


def _counts(text: str, target: str) -> tuple[int, int]:
    """Kernels, and instructions of all of them."""
    finished = asmgen.compile(text, target=target, nan=PROPAGATE).compilation.stages.finished
    return len(finished), sum(1 for kernel in finished for _ in kernel.instructions())


@pytest.mark.parametrize("machine, name", spread([(machine, name) for name in TEXTS for machine in MACHINES], each=1))
def test_kernels_and_instructions(machine: str, name: str) -> None:
    kernels, instructions = _counts(MODULES[name], machine)
    wanted_kernels, wanted = _counts(TEXTS[name], machine)
    assert kernels == wanted_kernels
    assert instructions <= wanted * 1.02, f"{instructions} instructions, {wanted} by gen text"
