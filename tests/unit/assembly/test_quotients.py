"""Quotients and remainders by numbers that only the launch knows, at the ends of their ranges."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from asmgen.assembly import Builder, global_pointer, kernel, u32
from asmgen.assembly.quotients import put_quotient, put_remainder
from asmgen.assembly.values import registers
from isa.emulator.runner import run
from isa.registers import RegisterClass
from isa.semantics.mode import Approximation

Words = NDArray[np.uint32]
SHORT, MIDDLE, LONG = (1 << 20) - 1, (1 << 24) - 1, (1 << 32) - 1


def compiled(most: int, target: str) -> Any:
    @kernel(workgroup=(256, 1, 1))
    def divide(k: Builder, x: global_pointer[u32], d: global_pointer[u32], q: global_pointer[u32], r: global_pointer[u32]) -> None:
        at = 4 * (256 * k.workgroup_id.x + k.thread_id.x)
        width = "dword" if target == "gfx942" else "b32"
        value, by = (getattr(k, f"global_load_{width}")(pointer, at) for pointer in (x, d))
        for pointer, put in ((q, put_quotient), (r, put_remainder)):
            made = put(k.recorder, value.register, by.register, most)
            getattr(k, f"global_store_{width}")(pointer, at, registers(k.recorder, made, RegisterClass.VGPR))

    return divide.compile(target)


def numbers(most: int) -> tuple[Words, Words]:
    """Divisors of every size, with multiples of them, the numbers before and after these, and the largest."""
    random = np.random.default_rng(5)
    corners = [1, 2, 3, 5, 7, most // 2, most // 2 + 1, most - 1, most]
    divisors = np.unique(np.concatenate([corners, 2 ** (random.random(120) * np.log2(most))]).astype(np.uint64))
    quotients = np.unique((2 ** (random.random(40) * np.log2(most))).astype(np.uint64))
    pairs = [(most, by) for by in divisors]
    for by in divisors:
        for times in (*quotients, most // by):
            pairs += [(times * by + off, by) for off in (np.int64(-1), np.int64(0), np.int64(1))]
    within = np.array([(value, by) for value, by in pairs if 0 <= int(value) <= most], np.uint64)
    padded = np.concatenate([within, np.ones((-len(within) % 256, 2), np.uint64)])
    return padded[:, 0].astype(np.uint32), padded[:, 1].astype(np.uint32)


@pytest.mark.parametrize("approximation", Approximation)
@pytest.mark.parametrize("target", ["gfx942", "gfx1201"])
@pytest.mark.parametrize("most", [SHORT, MIDDLE, LONG])
def test_they_are_exact(most: int, target: str, approximation: Approximation) -> None:
    """Whichever value of its error interval the reciprocal is."""
    x, d = numbers(most)
    (made,) = compiled(most, target).kernels
    arrays = [x, d, np.zeros_like(x), np.zeros_like(x)]
    _, _, quotients, remainders = run(made.assembly, None, (len(x) // 256, 1, 1), (256, 1, 1), arrays, approximation=approximation)
    np.testing.assert_array_equal(quotients, x // d)
    np.testing.assert_array_equal(remainders, x % d)
