"""The clocks of rows: every unit has them, the page prints the records, and the scheduler's clocks are those
of the clock model."""

from __future__ import annotations

from pathlib import Path

import pytest

from asmgen.passes.schedule.timing import rates_of
from isa.instruction import Row, Unit
from isa.table import table_of
from isa.targets import TARGETS
from isa.timing.machine import MACHINES
from isa.timing.row_clocks import MATRIX_PIPE, NO_PIPE, TRANSCENDENTAL_PIPE, row_clocks
from tools.pages import latencies

PAGE = Path(__file__).parents[4] / "docs" / "latencies.md"


def test_the_page_is_what_the_tool_prints() -> None:
    assert PAGE.read_text() == latencies()


@pytest.mark.parametrize("name", TARGETS)
def test_every_row_has_a_latency_and_keeps_its_port(name: str) -> None:
    machine = MACHINES[name]
    for row in table_of(TARGETS[name]).rows:
        clocks = row_clocks(row, machine)
        assert clocks.latency > 0
        assert clocks.hold >= machine.issue.clocks
        assert clocks.pipe == _pipe(row)
        assert rates_of(name).of(row) == (clocks.hold, clocks.latency)


def _pipe(row: Row) -> int:
    if row.unit is Unit.MATRIX:
        return MATRIX_PIPE
    is_double = any(spec.type == "f64" for spec in row.operands)
    return TRANSCENDENTAL_PIPE if row.unit is Unit.TRANS and not is_double else NO_PIPE


def _hold_and_latency(name: str, mnemonic: str) -> tuple[int, int]:
    clocks = row_clocks(_row(name, mnemonic), MACHINES[name])
    return clocks.hold, clocks.latency


def _row(name: str, mnemonic: str) -> Row:
    return table_of(TARGETS[name]).row(mnemonic)


def test_numbers_are_those_of_the_sources() -> None:
    """SISchedule.td of LLVM 22: 80 steps of 4 for memory, and 320 clocks. On gfx950, AMD's tutorial kernels
    time a transcendental instruction at 8 clocks, and Meta's latency model has a load at 790. Its loop of
    v_fma takes 8.4 clocks for each, of which a counter and a branch take 3.5."""
    for name, memory, vector in (("gfx90a", 320, 4), ("gfx942", 320, 4), ("gfx950", 790, 4), ("gfx1100", 320, 5), ("gfx1201", 320, 5)):
        assert _hold_and_latency(name, "global_load_dword")[1] == memory
        assert _hold_and_latency(name, "v_add_f32_e32")[1] == vector
    assert _hold_and_latency("gfx942", "v_exp_f32_e32") == (16, 16)
    assert _hold_and_latency("gfx950", "v_exp_f32_e32") == (8, 8)
    assert _hold_and_latency("gfx950", "v_fma_f32") == (4, 4)
    assert _hold_and_latency("gfx942", "v_rcp_f64_e32") == (16, 16)
    assert _hold_and_latency("gfx942", "v_add_f64") == (4, 4)


def test_other_vector_instructions_issue_beside_the_transcendental_pipe_of_rdna() -> None:
    """README of the traces: a transcendental instruction takes 4 clocks, beside the vector ALU; f64 32."""
    for name in ("gfx1100", "gfx1201"):
        clocks = row_clocks(_row(name, "v_exp_f32_e32"), MACHINES[name])
        assert (clocks.hold, clocks.pipe_hold) == (1, 4)
        assert _hold_and_latency(name, "v_add_f64")[0] == 32


def test_a_chain_of_matrix_instructions_has_no_gap() -> None:
    """AMD's tutorial kernels on gfx942: four clocks for each of the passes."""
    row = _row("gfx942", "v_mfma_f32_32x32x8_f16")
    assert row_clocks(row, MACHINES["gfx942"]).latency == 4 * row.passes
