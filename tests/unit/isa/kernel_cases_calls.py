"""Functions that are called."""

from __future__ import annotations

import numpy as np

from isa.targets import TargetId
from tests.unit.isa.kernel_cases import Case, Kernel, lanes


def mixed(x: int, y: int) -> int:
    for _ in range(x & 3):
        y = y * 31 + x
    return (y ^ x << 7) & 0xFFFFFFFF


def calls(target: TargetId) -> Case:
    a = np.random.default_rng(1).integers(0, 2**32, 128, dtype=np.uint64).astype(np.uint32)
    out = np.zeros_like(a)
    for i, x in enumerate(a.tolist()):
        total = mixed(x, x >> 8)
        if x & 1:
            total += mixed(total, x) * 3
        out[i] = total & 0xFFFFFFFF
    return lanes([a], [out])


# gfx90a adds the wave's scratch offset to FLAT_SCRATCH, which a launch without scratch does not set.
KERNELS = {"calls": Kernel("calls", calls)}
