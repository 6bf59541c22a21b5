"""Errors in a user's input, and errors of asmgen itself.

Every rejection of input is an `InputError`: a place, a code, the input, the expected input, and a way out.
A broken invariant is an `InternalError`: it names the stage and the program point, and is never caught.
"""

from __future__ import annotations

from collections.abc import Iterable

from isa.named_tuple import NamedTuple

_MOST_NAMES = 4  # that a message lists of those that are known
_LONGEST, _HEAD = 480, 300  # characters of a message, and of the head that a longer message keeps


class Place(NamedTuple):
    """A position in a source file; `line` and `column` count from 1, and 0 means the file as a whole."""

    file: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        if not self.line:
            return self.file
        return f"{self.file}:{self.line}:{self.column or 1}"


class InputError(Exception):
    """Invalid input from a user.

    `place` is a `Place`, or the option or argument at fault; `code` is stable (`GEN003`, `RA001`, ...);
    `notes` and `help` are further lines of the report. `told` shortens a message that quotes long input.
    """

    def __init__(
        self, place: Place | str, code: str, message: str, notes: tuple[str, ...] = (), help: str = ""
    ) -> None:
        message = told(message)
        super().__init__(message)
        self.place = place
        self.code = code
        self.message = message
        self.notes = notes
        self.help = help

    def __str__(self) -> str:
        lines = [f"{told(str(self.place))}: error[{self.code}]: {self.message}"]
        lines += [f"  note: {note}" for note in self.notes]
        if self.help:
            lines.append(f"  help: {self.help}")
        return "\n".join(lines)


class InputWarning(UserWarning):
    """Input that is accepted, but that probably does not mean what its writer wants."""


def warn(place: Place, code: str, message: str, help: str) -> None:
    """Issue an `InputWarning` at a line of a file. Python prints it, unless the user filters it."""
    import warnings

    text = f"{place}: warning[{code}]: {told(message)}\n  help: {help}"
    warnings.warn_explicit(text, InputWarning, place.file, place.line)


class InternalError(Exception):
    """A broken invariant of asmgen itself, in stage `stage` at program point `point`."""

    def __init__(self, stage: str, point: str, message: str) -> None:
        super().__init__(f"internal error in {stage} at {point}: {message}")
        self.stage = stage
        self.point = point


def told(text: str) -> str:
    """A message as a single line of limited length, without the control characters of a terminal."""
    if len(text) > _LONGEST:
        text = f"{text[:_HEAD]} ... {text[_HEAD - _LONGEST :]}"
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)


def nearest_names(name: str, known: Iterable[str]) -> str:
    """`a, b, c, d or 17 others`: the known names that are most similar to an unknown name.

    All known names in their own order if there are at most four; `none` if there are no known names.
    """
    from difflib import SequenceMatcher

    names = list(known)
    matcher = SequenceMatcher(b=name[:_HEAD])

    def likeness(other: str) -> float:
        matcher.set_seq1(other)
        return matcher.ratio()

    shown = names if len(names) <= _MOST_NAMES else sorted(names, key=likeness, reverse=True)[:_MOST_NAMES]
    others = len(names) - len(shown)
    if others:
        return f"{', '.join(shown)} or {others} other{'s' if others > 1 else ''}"
    return ", ".join(shown) or "none"


def close_names(name: str, known: Iterable[str], ending: int = 0) -> str:
    """`did you mean ...` for the known names that are close, or nothing.

    All end in the same `ending` characters, such as the suffix of files, which do not make them close.
    """
    from difflib import get_close_matches

    last = name[len(name) - ending :]
    heads = [each[: len(each) - ending] for each in known]
    close = [
        head + last for head in get_close_matches(name[: len(name) - ending][:_HEAD].lower(), heads, 3, 0.5)
    ]
    return f"did you mean {' or '.join(close)}?" if close else ""
