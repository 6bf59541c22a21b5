"""The bytes of a memory access."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from isa.named_tuple import NamedTuple

Indexes = NDArray[np.int64]


class Footprint(NamedTuple):
    """Byte indexes into `store`, for the lanes `lanes` of the group (None: all of them)."""

    store: NDArray[np.uint8]
    indexes: Indexes
    lanes: NDArray[np.intp] | None


class EmptyLoad(Exception):
    """A load read memory that was never written. The emulator repeats it and marks its result undefined."""
