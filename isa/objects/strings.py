"""String tables of ELF files."""

from __future__ import annotations


class StringTable:
    """Names, each once, in the order in which they came; the empty name is at 0."""

    def __init__(self) -> None:
        self.data = bytearray(b"\0")
        self._places: dict[str, int] = {"": 0}

    def add(self, name: str) -> int:
        """The offset of a name, added if it is new."""
        place = self._places.get(name)
        if place is None:
            place = self._places[name] = len(self.data)
            self.data += name.encode() + b"\0"
        return place
