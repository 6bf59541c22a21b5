"""The findings of a run that goes on after a finding."""

from __future__ import annotations

from collections.abc import Callable

from isa.emulator.sanitizer.faults import SanitizerError


class Findings:
    """Takes the sanitizer's findings: the last of `most` ends the run."""

    def __init__(self, most: int, tell: Callable[[SanitizerError], None]) -> None:
        self._most = most
        self._tell = tell
        self.count = 0

    def report(self, error: SanitizerError) -> None:
        self.count += 1
        if self.count >= self._most:
            raise error
        self._tell(error)
