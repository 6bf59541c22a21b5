"""More pointers than fit in SGPRs are fetched at their reads."""

from __future__ import annotations

import numpy as np
import pytest

import asmgen

pytestmark = pytest.mark.broad


def sums(count: int, dims: str, end: str) -> str:
    """The sum of so many arrays, each counted as often as its number says, so that no two can be exchanged."""
    lines = [f"p{i} = @param:p{i} -> i32, {{{dims}}}" for i in range(count)]
    lines += ["s0 = add(p0, p0)"]
    lines += [f"m{i} = @literal{{{i}}} -> i32, {{}}\nt{i} = mul(p{i}, m{i})\ns{i} = add(s{i - 1}, t{i})" for i in range(1, count)]
    return "\n".join([*lines, end.format(f"s{count - 1}")]) + "\n"


@pytest.mark.parametrize("target", ["gfx90a", "gfx942", "gfx1201"])
@pytest.mark.parametrize(("count", "dims", "end"), [(60, "70", "@return({})"), (60, "2, 700", "r = reduce_sum[axes={{1}}]({})\n@return(r)")])
def test_sixty_parameters(count: int, dims: str, end: str, target: str) -> None:
    program = asmgen.compile(sums(count, dims, end), target=target)
    shape = tuple(int(size) for size in dims.split(","))
    arrays = [np.random.default_rng(i).integers(-1000, 1000, shape, np.int32) for i in range(count)]
    (result,) = program(*arrays, device="emulator")
    expected = sum(array * (i or 2) for i, array in enumerate(arrays))
    if len(shape) == 2:
        expected = np.sum(expected, axis=1, keepdims=True)
    assert (result == expected).all()
    assert program.kernels[0].resources.sgprs <= 80


def test_two_hundred_parameters_compile() -> None:
    program = asmgen.compile(sums(200, "2", "@return({})"), target="gfx942")
    assert program.kernels[0].resources.sgprs <= 80
