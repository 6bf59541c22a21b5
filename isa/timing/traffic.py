"""The bytes that a trace moves between the chip and its memory."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from isa.instruction import Unit
from isa.timing.trace import Trace

LINE = 64  # bytes: the smallest transfer of memory
_VECTOR_MEMORY = frozenset({Unit.VMEM, Unit.FLAT})


def touched_bytes(trace: Trace) -> int:
    """The bytes of the lines that vector accesses of a trace touch, each line once."""
    touched: list[NDArray[np.int64]] = []
    for wave in trace.waves:
        for step, access in wave.accesses.items():
            if trace.instructions[int(wave.steps[step])].row.unit not in _VECTOR_MEMORY:
                continue
            addresses = access.addresses.reshape(-1)
            touched.append(addresses // LINE)
            if access.size > 4:
                touched.append((addresses + access.size - 1) // LINE)
    return len(np.unique(np.concatenate(touched))) * LINE if touched else 0
