"""The records of latencies: every target has one, every unit an answer, and the page says what they say."""

from __future__ import annotations

from pathlib import Path

import pytest

from isa.latencies import issue_clocks, result_latency
from isa.table import table_of
from isa.targets import TARGETS
from isa.timing.machine import MACHINES
from tools.pages import latencies

PAGE = Path(__file__).parents[3] / "docs" / "latencies.md"


def test_the_page_is_what_the_tool_prints() -> None:
    assert PAGE.read_text() == latencies()


@pytest.mark.parametrize("name", TARGETS)
def test_every_row_has_a_latency_no_shorter_than_its_issue(name: str) -> None:
    latencies = MACHINES[name]
    for row in table_of(TARGETS[name]).rows:
        assert result_latency(row, latencies) > 0
        assert issue_clocks(row, latencies) >= latencies.issue.clocks


def test_numbers_are_those_of_the_sources() -> None:
    """SISchedule.td of LLVM 22, SIDPModel's and GFX11SpeedModel's HWWriteRes: 80 steps of 4, and 320 clocks."""
    for name, memory, vector in (("gfx90a", 320, 4), ("gfx942", 320, 4), ("gfx950", 790, 4), ("gfx1100", 320, 5), ("gfx1201", 320, 5)):
        table, latencies = table_of(TARGETS[name]), MACHINES[name]
        load = table.row("global_load_dword")
        assert result_latency(load, latencies) == memory
        assert result_latency(table.row("v_add_f32_e32"), latencies) == vector
