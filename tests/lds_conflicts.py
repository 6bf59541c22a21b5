"""Bank conflicts of a run, counted from the LDS addresses that the emulator computes, by the target's phases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import pytest

import isa.emulator.steps.memory.access
from isa.emulator.state.register_layout import RegisterLayout
from isa.emulator.state.waves import Waves
from isa.instruction import Instr
from isa.target import Target
from tools.scoreboard.sample import conflicts


@contextmanager
def counted(target: Target) -> Generator[Counter[str]]:
    """What programs that are made and run inside do to LDS: `accesses` of a wave, and `conflicts`, both of them by
    mnemonic too.
    """
    found: Counter[str] = Counter()
    whole = isa.emulator.steps.memory.access.lds_locator

    def locator(instr: Instr, layout: RegisterLayout) -> Any:
        locate = whole(instr, layout)

        def noted(w: Waves, size: int, writes: bool, more: int) -> Any:
            place = locate(w, size, writes, more)
            for lost in conflicts(w, place, size, writes, target):
                for name in ("", f" of {instr.row.mnemonic}"):
                    found[f"accesses{name}"] += 1
                    found[f"conflicts{name}"] += lost
            return place

        return noted

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(isa.emulator.steps.memory.access, "lds_locator", locator)
        yield found
