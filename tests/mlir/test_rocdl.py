"""A kernel as convert-gpu-to-rocdl prints it, with its descriptors field by field, launched next to numpy."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import asmgen
from tests.device import chosen_device
from tests.mlir.judge import ALL

FOREIGN = Path(__file__).parent / "foreign"


@pytest.mark.parametrize("target", ALL)
def test_a_lowered_kernel_runs(target: str) -> None:
    """The rows of the second memref are 100 apart, from element 7 on. The text is changed as MLIR003 says."""
    x = np.random.default_rng(1).uniform(0, 9, 256).astype(np.float32)
    y = np.zeros(7 + 400, np.float32)
    nothing = np.zeros(1, np.float32)
    text = (FOREIGN / "reverse_rocdl.mlir").read_text().replace(" : index) : i64", " : i64) : i64")
    program = asmgen.compile(text, target=target)
    args = [nothing, x, 0, 256, 1, nothing.copy(), y, 7, 4, 64, 100, 1, 4.0]
    after = program.kernel("reverse").launch(grid=(4, 1, 1), block=(64, 1, 1), args=args, device=chosen_device())
    wanted = x.reshape(4, 64)[:, ::-1].astype(np.float64)
    wanted = np.where(wanted > 4.0, np.sqrt(wanted), wanted)
    np.testing.assert_allclose(after[3][7:].reshape(4, 100)[:, :64], wanted, rtol=2.0**-20)
    assert not after[3][7:].reshape(4, 100)[:, 64:].any()
