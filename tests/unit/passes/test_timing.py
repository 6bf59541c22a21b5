"""The clocks of an order: an instruction waits for its pipe."""

from __future__ import annotations

from asmgen.passes.schedule.pipes import Pipes
from asmgen.passes.schedule.timing import Clocks, Timing


def test_an_instruction_waits_until_its_pipe_is_free() -> None:
    """Two instructions keep the same pipe for 4 clocks each, so another issues between them for nothing. An
    instruction that keeps another pipe does not wait."""
    first, second, other, beside = range(4)
    timing = Timing(
        before=[[], [], [], []],
        issue=[1] * 4,
        arrival=[0] * 4,
        leaving=[1] * 4,
        loading=[0] * 4,
        gaps=[],
        pipes=Pipes({first: (0, 4), second: (0, 4), beside: (1, 4)}, None),
    )
    assert timing.clocks([first, second, other, beside]) == Clocks(7, 7)
    assert timing.clocks([first, other, beside, second]) == Clocks(5, 5)
    assert timing.least() == Clocks(4, 4)
