"""The clock loop on CDNA: what runs beside matrix instructions, and which wave issues first.

The numbers are those of AMD's tutorial kernels for gfx942 and gfx950, and of the matrix instruction calculator.
"""

from __future__ import annotations

import pytest

from isa.timing.unit import Placement, replay
from tools.validate_timing.loops.running import clocks_a_trip
from tools.validate_timing.loops.writing import Loop, lines, write

_LONG = "v_mfma_f32_32x32x16_f16 v[{0}:{1}], v[64:67], v[68:71], v[{0}:{1}]"
_SHORT = "v_mfma_f32_16x16x16_f16 v[0:3], v[64:65], v[66:67], v[0:3]"
_BRANCH = 24  # the branch of a trip, and the instruction after it


def trip(target: str, *texts: str, waves: int = 1) -> float:
    return clocks_a_trip(Loop(target, lines(*texts), waves)) - _BRANCH


def long_matrices(count: int) -> list[str]:
    return [_LONG.format(16 * (i % 4), 16 * (i % 4) + 15) for i in range(count)]


def spread(each: int, text: str) -> list[str]:
    """Ten matrix instructions of 32 clocks, with some instructions after each."""
    others = [text.format(80 + i) for i in range(each)]
    return [line for matrix in long_matrices(10) for line in [matrix, *others]]


@pytest.mark.parametrize(
    ("each", "text", "clocks"),
    [
        (6, "v_add_f32 v{0}, v100, v101", 32), (7, "v_add_f32 v{0}, v100, v101", 36),
        (3, "v_exp_f32 v{0}, v100", 32), (4, "v_exp_f32 v{0}, v100", 40),
    ],
)  # fmt: skip
def test_vector_instructions_fit_beside_a_matrix_instruction(each: int, text: str, clocks: int) -> None:
    # of 32 clocks the first 8 admit none, and the other 24 admit six, or three transcendental ones
    assert trip("gfx950", *spread(each, text)) == pytest.approx(10 * clocks, abs=16)


def test_packed_instructions_wait_for_the_matrix_pipe() -> None:
    packed = spread(1, "v_pk_add_f32 v[80:81], v[100:101], v[102:103]")
    assert trip("gfx950", *packed) == pytest.approx(10 * (32 + 12 + 4), abs=16)


def test_a_chain_of_sums_has_no_gap() -> None:
    assert trip("gfx942", *[_SHORT] * 20) == pytest.approx(20 * 16, abs=16)


def test_waves_of_higher_priority_issue_first() -> None:
    body = lines(*["v_add_u32 v0, v1, v2"] * 10)
    written = write(Loop("gfx942", body, waves=8, before=lines("s_setprio 0"), trips=1))
    trace = written.trace
    raised = write(Loop("gfx942", body, waves=8, before=lines("s_setprio 3"), trips=1)).trace
    last = trace.waves[7]
    for name, instructions in (("lower", trace.instructions), ("raised", raised.instructions)):
        # only the last wave executes the instruction that raises it
        waves = (*[wave._replace(steps=wave.steps[1:], idle=wave.idle[1:]) for wave in trace.waves[:7]], last)
        timeline = replay(trace._replace(instructions=instructions, waves=waves), placement=[Placement(0)] * 8)
        ends = [int(wave.issue[-1]) for wave in timeline.waves]
        assert (ends.index(min(ends)) == 7) == (name == "raised")
