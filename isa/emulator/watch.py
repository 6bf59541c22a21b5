"""What the sanitizer is told of memory accesses."""

from __future__ import annotations

from typing import Protocol

from isa.emulator.access import Indexes, Place
from isa.emulator.waves import Waves


class EmptyLoad(Exception):
    """A load met memory that nobody wrote. It is to be run again, as a suspect."""


class Watch(Protocol):
    """What the sanitizer wants to see of memory accesses; it raises where one is wrong."""

    def loaded(self, w: Waves, place: Place, size: int) -> None: ...
    def stored(self, w: Waves, place: Place, size: int) -> None: ...
    def updated(self, w: Waves, place: Place, size: int) -> None: ...
    def read_scalar(self, w: Waves, indexes: Indexes, size: int) -> None: ...


class NoWatch:
    """Looks at nothing."""

    def loaded(self, w: Waves, place: Place, size: int) -> None:
        pass

    stored = updated = loaded

    def read_scalar(self, w: Waves, indexes: Indexes, size: int) -> None:
        pass
