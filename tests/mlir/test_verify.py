"""`--verify` of kernels for which nothing chooses a launch."""

from __future__ import annotations

import pytest

import asmgen
from asmgen.frontends.mlir.verify import verify_kernel
from isa.emulator.faults import SanitizerError
from tests.mlir.judge import EXAMPLES


def test_workgroups_that_race_where_no_grid_is_asked_for_are_one() -> None:
    """Two tiles of 16 columns next to each other in a matrix of 16 columns: rows of one are those of the other."""
    program = asmgen.compile(EXAMPLES / "sgemm.mlir", target="gfx1100")
    found = verify_kernel(program, 0, None, None, "emulator")
    assert not found.is_broken
    assert found.lines[-2] == "sgemm: launched as 1x1x1 x 16x16x1"
    assert found.lines[-1].startswith("sgemm: not as 2x1x1 x 16x16x1, with which its workgroups race")
    with pytest.raises(SanitizerError, match="SAN003"):
        _ = verify_kernel(program, 0, (2, 1, 1), None, "emulator")
