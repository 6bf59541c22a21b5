"""Integers divided by a number, rounded down, and their remainders."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import asmgen

DIVISORS = (1, 4, 7, 100, -3, -8)


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint32])
def test_quotients_and_remainders_are_those_of_numpy(dtype: Any) -> None:
    limits = np.iinfo(dtype)
    ends = np.array([limits.min, limits.min + 1, limits.max - 1, limits.max], dtype)
    x = np.r_[ends, np.arange(120).astype(dtype), (0 - np.arange(120)).astype(dtype)]

    def divided(x: Any) -> Any:
        return tuple(part for by in DIVISORS if by >= limits.min for part in (x // by, x % by))

    for got, wanted in zip(asmgen.compile(divided, inputs=[x])(x, device="emulator"), divided(x), strict=True):
        np.testing.assert_array_equal(got, wanted)


def test_each_element_has_a_divisor_of_its_own() -> None:
    x, by = np.arange(-30, 30, dtype=np.int32).reshape(-1, 3), np.array([4, 8, -7], np.int32)
    got = asmgen.compile(lambda x: (x % by, x // by), inputs=[x])(x, device="emulator")
    np.testing.assert_array_equal(got, (x % by, x // by))


@pytest.mark.parametrize(("by", "most"), [(4, 1), (7, 5)])
def test_a_quotient_by_a_number_takes_few_instructions(by: int, most: int) -> None:
    """A shift; or a product and a shift of the bits of a number without a sign."""
    (kernel,) = asmgen.compile(lambda x: x // by, inputs=[asmgen.spec("i32", 64)]).kernels
    ops = [line.split()[0] for line in kernel.assembly.splitlines() if line.startswith("\tv_")]
    addresses = [op for op in ops if op in ("v_lshlrev_b32_e32", "v_cmp_gt_u32_e32")]
    lanes = 4 if "global_load_dwordx4" in kernel.assembly else 1
    assert len(ops) - len(addresses) <= most * lanes
