"""The bytes of memory that workgroups touch, and the part of its lines that an access uses."""

from __future__ import annotations

import numpy as np
import pytest

from isa.emulator.launching.arguments import KernelCall
from isa.emulator.recording.record import record
from isa.timing.trace import Trace
from isa.timing.traffic import bytes_a_group, together, used_parts
from tests.unit.isa.programs import image_of

COPY = """
s_load_dwordx4 s[4:7], s[0:1], 0x0
v_lshlrev_b32_e32 v10, {shift}, v0
s_lshl_b32 s3, s2, {group}
v_add_u32_e32 v10, s3, v10
s_waitcnt lgkmcnt(0)
global_load_dword v1, v10, s[4:5]
s_waitcnt vmcnt(0)
s_endpgm
"""


def trace_of(shift: int, group: int) -> Trace:
    data = np.zeros(1 << 16, np.uint32)
    image = image_of(COPY.format(shift=shift, group=group))
    return record(image, KernelCall((4, 1, 1), (128, 1, 1), (data, data)), (0, 1)).trace


@pytest.mark.parametrize(("shift", "group", "bytes_", "part"), ((2, 9, 512, 1.0), (4, 11, 2048, 0.25), (7, 14, 128 * 64, 1 / 16), (2, 0, 512, 1.0)))
def test_lines_are_those_that_lanes_touch(shift: int, group: int, bytes_: int, part: float) -> None:
    trace = trace_of(shift, group)
    assert bytes_a_group(trace) == bytes_
    assert used_parts(trace) == {5: pytest.approx(part)}


def test_workgroups_that_use_the_same_lines_are_together() -> None:
    assert together(512, 4, 512) == 4
    assert together(512, 4, 2048) == 1
    assert together(512, 4, 0) == 1
