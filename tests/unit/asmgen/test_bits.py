"""Ops on the bits of integers, at the edges of every type and by every count, against numpy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import asmgen
from asmgen.frontends.traced import functions
from tests.rows import MACHINES, spread

TYPES = ("i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64")
COUNTS = (0, 1, 7, 8, 9, 15, 16, 31, 32, 33, 63, 64, 100, -1, -31)


def _numpy(name: str) -> np.dtype[Any]:
    return np.dtype({"i": "int", "u": "uint"}[name[0]] + name[1:])


def _edges(dtype: np.dtype[Any]) -> Any:
    limits = np.iinfo(dtype)
    powers = [1 << bit for bit in range(limits.bits - 1)]
    numbers = np.array([0, *powers, *[power - 1 for power in powers], limits.max, limits.min, limits.max // 3], object)
    return np.concatenate([numbers.astype(dtype), ~numbers.astype(dtype)])


@pytest.mark.parametrize(("machine", "name"), spread([(machine, name) for name in TYPES for machine in MACHINES], 1))
def test_every_count_and_edge(machine: str, name: str) -> None:
    dtype = _numpy(name)
    x = _edges(dtype)[:, None]
    count = np.array(COUNTS).astype(dtype)
    constants = sorted({int(each) for each in count})

    def bits(x: Any, count: Any) -> tuple[Any, ...]:
        shifts = [shift(x, known) for known in constants for shift in (np.left_shift, np.right_shift)]
        of_one = [functions.popcount(x), functions.leading_zeros(x), ~x, x | count, x ^ count]
        return (x << count, x >> count, *of_one, *shifts)

    program = asmgen.compile(bits, target=machine, inputs=[asmgen.spec(dtype, each.shape) for each in (x, count)])
    outputs = program(x, count, device="emulator")
    unsigned = x.view(f"u{dtype.itemsize}")
    leading = [8 * dtype.itemsize - int(each).bit_length() for each in unsigned.flat]
    wanted = [
        x << count, x >> count, np.bitwise_count(unsigned).astype(dtype), np.array(leading, dtype)[:, None],
        ~x, x | count, x ^ count,
        *[np.broadcast_to(shift(x, dtype.type(known)), x.shape) for known in constants for shift in (np.left_shift, np.right_shift)],
    ]  # fmt: skip
    for number, (got, want) in enumerate(zip(outputs, wanted, strict=True)):
        np.testing.assert_array_equal(got, want, err_msg=f"result {number} on {machine}")


def test_masks_spare_comparisons() -> None:
    """A shift by `n & 31` is the instruction's, and an index that a mask keeps in the table needs no
    clamp."""

    def chosen(x: Any, n: Any, table: Any) -> Any:
        return (x << (n & np.uint32(31))) ^ table[x & np.uint32(63)]

    rng = np.random.default_rng(0)
    arrays = [rng.integers(0, 1 << 32, size, np.uint32) for size in (100, 100, 64)]
    program = asmgen.compile(chosen, target="gfx942", inputs=[asmgen.spec(np.uint32, each.shape) for each in arrays])
    (got,) = program(*arrays, device="emulator")
    np.testing.assert_array_equal(got, chosen(*arrays))
    (kernel,) = program.kernels
    assert not any(name in kernel.assembly for name in ("v_cndmask", "v_min", "v_med3"))
