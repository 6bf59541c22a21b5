"""Errors that a user reads, and errors that are ours.

Every rejection of input is an `InputError`: a place, a code, what was got, what was wanted, and a way out.
A broken invariant is an `InternalError`: it names the stage and the program point, and is never caught.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Place:
    """A position in a source file; `line` and `column` count from 1, and 0 means the file as a whole."""

    file: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        if not self.line:
            return self.file
        return f"{self.file}:{self.line}:{self.column or 1}"


class InputError(Exception):
    """What a user gave cannot be accepted.

    `place` is a `Place`, or the option or argument at fault; `code` is stable (`GEN003`, `RA001`, ...);
    `notes` and `help` are further lines of the report.
    """

    def __init__(self, place: Place | str, code: str, message: str, notes: tuple[str, ...] = (), help: str = "") -> None:
        super().__init__(message)
        self.place = place
        self.code = code
        self.message = message
        self.notes = notes
        self.help = help

    def __str__(self) -> str:
        lines = [f"{self.place}: error[{self.code}]: {self.message}"]
        lines += [f"  note: {note}" for note in self.notes]
        if self.help:
            lines.append(f"  help: {self.help}")
        return "\n".join(lines)


class InternalError(Exception):
    """An invariant of asmgen itself does not hold; `stage` and `point` say where."""

    def __init__(self, stage: str, point: str, message: str) -> None:
        super().__init__(f"internal error in {stage} at {point}: {message}")
        self.stage = stage
        self.point = point
