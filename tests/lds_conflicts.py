"""Bank conflicts of a run, counted from the LDS addresses that the emulator computes, by the target's phases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

import isa.emulator.access
from isa.emulator.layout import RegisterLayout
from isa.emulator.waves import Waves
from isa.instruction import Instr
from isa.target import Target


@contextmanager
def counted(target: Target) -> Generator[Counter[str]]:
    """What programs that are made and run inside do to LDS: `accesses` of a wave, and `conflicts`, both of them by
    mnemonic too.
    """
    found: Counter[str] = Counter()
    whole = isa.emulator.access.lds_locator

    def locator(instr: Instr, layout: RegisterLayout) -> Any:
        locate = whole(instr, layout)

        def noted(w: Waves, size: int, writes: bool, more: int) -> Any:
            place = locate(w, size, writes, more)
            shape = (w.width, w.lanes)
            lanes = np.arange(w.width * w.lanes) if place.lanes is None else place.lanes
            active, addresses = np.zeros(shape, bool), np.zeros(shape, np.int64)
            active.reshape(-1)[lanes] = True
            addresses.reshape(-1)[lanes] = place.indexes - w.lds_starts.take(lanes)
            for on, own in zip(active, addresses, strict=True):
                if on.any():
                    served = np.where(on, own, own[on][0])  # lanes that are off want nothing of their own
                    lost = target.lds_access(size, writes).conflicts(served.tolist())
                    for name in ("", f" of {instr.row.mnemonic}"):
                        found[f"accesses{name}"] += 1
                        found[f"conflicts{name}"] += lost
            return place

        return noted

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(isa.emulator.access, "lds_locator", locator)
        yield found
