"""What the sanitizer is told of memory accesses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from isa.emulator.addressing import Footprint, Indexes
    from isa.emulator.waves import Waves


class EmptyLoad(Exception):
    """A load met memory that nobody wrote. It is to be run again, as a suspect."""


class Watch(Protocol):
    """What the sanitizer wants to see of memory accesses; it raises where one is wrong. `values` are what
    lanes store, [lane, word]; `cached` is a cache operation, `arrived` the first half of a split barrier."""

    def loaded(self, w: Waves, place: Footprint, size: int) -> None: ...
    def stored(
        self, w: Waves, place: Footprint, size: int, values: NDArray[np.uint32] | None = None
    ) -> None: ...
    def updated(self, w: Waves, place: Footprint, size: int) -> None: ...
    def read_scalar(self, w: Waves, indexes: Indexes, size: int) -> None: ...
    def cached(self, w: Waves) -> None: ...
    def arrived(self, w: Waves) -> None: ...


class NoWatch:
    """Looks at nothing."""

    def loaded(self, w: Waves, place: Footprint, size: int) -> None:
        pass

    updated = loaded

    def stored(self, w: Waves, place: Footprint, size: int, values: NDArray[np.uint32] | None = None) -> None:
        pass

    def cached(self, w: Waves) -> None:
        pass

    arrived = cached

    def read_scalar(self, w: Waves, indexes: Indexes, size: int) -> None:
        pass
