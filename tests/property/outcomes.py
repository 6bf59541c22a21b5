"""What random machine programs compute on the emulator, before and after allocation."""

from __future__ import annotations

import numpy as np

from isa.emulator.runner import run_kernel
from isa.program import Kernel

INPUT = np.random.default_rng(7).integers(0, 1 << 32, 64, dtype=np.uint32)


def outcome(kernel: Kernel) -> list[int]:
    """The stores of a program."""
    return run_kernel(kernel, (1, 1, 1), [INPUT.copy(), np.zeros(64, np.uint32)])[1].tolist()
