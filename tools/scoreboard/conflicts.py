"""Bank conflicts of LDS accesses, by the target's phases."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from isa.emulator.addressing import Footprint
from isa.emulator.waves import Waves
from isa.target import Target


def conflicts(w: Waves, place: Footprint, size: int, stores: bool, target: Target) -> Iterator[int]:
    """Of each wave of the current group that takes part in an LDS access: the turns that it loses."""
    shape = (w.width, w.lanes)
    lanes = np.arange(w.width * w.lanes) if place.lanes is None else place.lanes
    active, addresses = np.zeros(shape, bool), np.zeros(shape, np.int64)
    active.reshape(-1)[lanes] = True
    addresses.reshape(-1)[lanes] = place.indexes - w.lds_starts.take(lanes)
    access = target.lds_access(size, stores)
    for on, own in zip(active, addresses, strict=True):
        if on.any():
            served = np.where(on, own, own[on][0])  # lanes that are off want nothing of their own
            yield access.conflicts(served.tolist())
