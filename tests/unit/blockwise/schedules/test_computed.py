"""A reduction of elements that are computed from short operands has parts for its work, not for what it reads."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen


@pytest.mark.parametrize("target", ["gfx90a", "gfx942", "gfx1201"])
def test_the_largest_of_a_million_differences_is_taken_in_parts(target: str) -> None:
    inputs = [asmgen.spec("f32", 1003), asmgen.spec("f32", 901)]
    program = asmgen.compile(lambda x, y: np.abs(x[:, None] - y[None]).max(), inputs=inputs, target=target)
    assert len(program.kernels) == 2
