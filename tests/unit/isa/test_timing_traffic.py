"""The bytes that the units of a launch ask for, and the part of its lines that an access uses."""

from __future__ import annotations

import numpy as np
import pytest

from isa.emulator.launching.arguments import KernelCall
from isa.emulator.recording.record import record
from isa.timing.trace import Trace
from isa.timing.traffic import asked_bytes, together, used_parts
from tests.unit.isa.programs import image_of

COPY = """
s_load_dwordx4 s[4:7], s[0:1], 0x0
v_lshlrev_b32_e32 v10, {shift}, v0
s_mul_i32 s3, s2, {apart}
v_add_u32_e32 v10, s3, v10
s_waitcnt lgkmcnt(0)
global_load_dword v1, v10, s[4:5]
s_waitcnt vmcnt(0)
s_endpgm
"""


def trace_of(shift: int, apart: int, groups: tuple[int, ...] = (0, 1)) -> Trace:
    data = np.zeros(1 << 16, np.uint32)
    image = image_of(COPY.format(shift=shift, apart=apart))
    return record(image, KernelCall((4, 1, 1), (128, 1, 1), (data, data)), groups).trace


@pytest.mark.parametrize(("shift", "apart", "bytes_", "part"), (
    (2, 512, 512, 1.0), (4, 2048, 2048, 0.25), (7, 1 << 14, 128 * 64, 1 / 16), (2, 64, 64 * 9 / 2, 1.0),
))  # fmt: skip
def test_lines_are_those_that_lanes_touch(shift: int, apart: int, bytes_: float, part: float) -> None:
    """Four workgroups, two of each unit. In the last case, they begin a line apart, and touch 8 lines each."""
    trace = trace_of(shift, apart)
    assert asked_bytes(trace) == 4 * bytes_
    assert used_parts(trace) == {5: pytest.approx(part)}


def test_workgroups_of_a_unit_ask_for_a_line_once() -> None:
    """All workgroups load the first 512 bytes."""
    for groups in ((0,), (0, 1), (0, 1, 2, 3)):
        assert asked_bytes(trace_of(2, 0, groups)) == 512 * 4 / len(groups)


def test_units_that_use_the_same_lines_are_together() -> None:
    assert together(2048, 512) == 4
    assert together(2048, 4096) == 1
    assert together(2048, 0) == 1
