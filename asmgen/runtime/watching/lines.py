"""The source lines of a kernel's instructions, and the lines that options such as `--break` name."""

from __future__ import annotations

import os
import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from isa.diagnostics import InputError, Place, nearest_names
from isa.emulator.program.image import Image
from isa.instruction import Instr
from isa.named_tuple import NamedTuple

_FILE = r"(?:(?P<file>(?!0x[0-9a-fA-F]+:).*?[^\d:].*?):)?"
_LINE = re.compile(_FILE + r"(?P<line>0x[0-9a-fA-F]{1,15}|\d{1,9})(?::(?P<count>\d{1,9}))?\Z")
_OFFSETS = re.compile(r"(0x[0-9a-fA-F]{1,15})(?:-(0x[0-9a-fA-F]{1,15}))?\Z")
_RANGE = re.compile(r"(?:(?P<file>.*?[^\d:-].*?):)?(?P<first>\d{1,9})(?:-(?P<last>\d{1,9}))?\Z")


class Line(NamedTuple):
    """A line as an option names it: the file, or "" for the file that runs and its only source; a line of it;
    or the offset of an instruction in a code object, with line 0."""

    option: str
    file: str
    line: int
    offset: int = 0

    def __str__(self) -> str:
        if not self.line:
            return f"{self.offset:#x}"
        return f"{self.file}:{self.line}" if self.file else f"line {self.line}"


class Stop(NamedTuple):
    """`LINE[:N]`: the N-th time that a wave comes to a line."""

    line: Line
    time: int


class Span(NamedTuple):
    """`[FILE:]A-B`: lines A to B of a file, or offsets of a code object."""

    option: str
    file: str
    first: int
    last: int
    are_offsets: bool = False


def parse_stop(option: str, text: str) -> Stop:
    """Raises InputError WAT001 at the option."""
    match = _LINE.match(text)
    count = int(match["count"] or 1) if match else 0
    if match is None or not count or match["line"] == "0":
        message = f"got {text!r}, wanted LINE, FILE:LINE or an offset such as 0x1a0, and :N for the N-th time"
        raise InputError(f"{option} {text}", "WAT001", message)
    number = match["line"]
    is_offset = number.startswith("0x")
    if is_offset and match["file"]:
        raise InputError(f"{option} {text}", "WAT001", "an offset has no file, wanted FILE:LINE or 0xOFFSET")
    line = Line(f"{option} {text}", match["file"] or "", 0, int(number, 16))
    return Stop(line if is_offset else line._replace(line=int(number), offset=0), count)


def parse_span(option: str, text: str) -> Span:
    """Raises InputError WAT002 at the option."""
    if (match := _OFFSETS.match(text)) is not None:
        span = Span(
            f"{option} {text}", "", int(match[1], 16), int(match[2] or match[1], 16), are_offsets=True
        )
    elif (match := _RANGE.match(text)) is not None:
        first = int(match["first"])
        span = Span(f"{option} {text}", match["file"] or "", first, int(match["last"] or first))
    else:
        span = Span(option, "", 0, 0)
    if span.first > span.last or not (span.first or span.are_offsets):
        message = f"got {text!r}, wanted lines A-B, FILE:A-B or offsets 0xA-0xB, with A not after B"
        raise InputError(f"{option} {text}", "WAT002", message)
    return span


class InstructionLines:
    """The lines of a kernel's instructions.

    `own` is an instruction's line in the assembly that runs; `source` its line in the source that was
    compiled to it, if the assembly or the code object names it; `offsets` is its byte offset in a code
    object, or -1."""

    def __init__(self, image: Image) -> None:
        operations = image.code.operations
        self._name = image.place.file
        is_object = bool(image.code.addresses)
        self.offsets = image.code.object_addresses if is_object else [-1] * len(operations)
        self.own: list[Place | None] = []
        self.source: list[Place | None] = []
        for operation in operations:
            origin = operation.origin if isinstance(operation, Instr) else None
            own = None if origin is None or is_object else origin.line or origin.place
            place = origin.place if origin is not None and (is_object or origin.line) else None
            self.own.append(own)
            self.source.append(place if place is not None and place.line else None)

    def name(self, index: int) -> str:
        """An instruction's line in the assembly, or its source line or its file with its offset; names of
        files without their folders."""
        own, source, offset = self.own[index], self.source[index], self.offsets[index]
        if own is not None:
            return f"{os.path.basename(own.file)}:{own.line}"
        name = os.path.basename(self._name)
        if source is not None:
            name = f"{os.path.basename(source.file)}:{source.line}"
        return f"{name}+{offset:#x}" if offset >= 0 else f"{name}:{index}"

    def at(self, line: Line) -> tuple[int, ...]:
        """The instructions at which a wave comes to a line: the first of each run of its instructions.

        Raises InputError WAT003 if no instruction of the kernel has the line.
        """
        if not line.line:
            found = [index for index, offset in enumerate(self.offsets) if offset == line.offset]
            if not found:
                known = [f"{offset:#x}" for offset in self.offsets if offset >= 0]
                near = nearest_names(f"{line.offset:#x}", known)
                wanted = near if known else "a line: assembly has no offsets"
                message = f"no instruction begins at {line}, wanted {wanted}"
                raise InputError(line.option, "WAT003", message)
            return tuple(found)
        places = self._places_of(line.file)
        of_line = {index for index, place in enumerate(places) if place is not None and self._is(place, line)}
        if not of_line:
            raise self._unknown(line.option, str(line), line.file, places, line.line, line.line)
        return tuple(sorted(index for index in of_line if index - 1 not in of_line))

    def within(self, span: Span) -> frozenset[int]:
        """The instructions of a span of lines or of offsets. Raises InputError WAT003 if there is none."""
        if span.are_offsets:
            found = {i for i, offset in enumerate(self.offsets) if span.first <= offset <= span.last}
            return self._some(found, span, f"offsets {span.first:#x}-{span.last:#x}", [])
        places = self._places_of(span.file)
        found = {
            index
            for index, place in enumerate(places)
            if place is not None and span.first <= place.line <= span.last and _is_file(place, span.file)
        }
        return self._some(found, span, f"lines {span.first}-{span.last}", places)

    def _some(self, found: set[int], span: Span, what: str, places: Sequence[Place | None]) -> frozenset[int]:
        if not found:
            raise self._unknown(span.option, what, span.file, places, span.first, span.last)
        return frozenset(found)

    def _places_of(self, file: str) -> list[Place | None]:
        """The places that a name of a file refers to: lines of the assembly, or of sources."""
        if any(place is not None for place in self.own) and (not file or self._has(self.own, file)):
            return self.own
        return self.source

    @staticmethod
    def _has(places: list[Place | None], file: str) -> bool:
        return any(place is not None and _is_file(place, file) for place in places)

    @staticmethod
    def _is(place: Place, line: Line) -> bool:
        return place.line == line.line and _is_file(place, line.file)

    def _unknown(
        self, option: str, what: str, file: str, places: Sequence[Place | None], first: int, last: int
    ) -> InputError:
        known = [place for place in places if place is not None and _is_file(place, file)]
        if not known:
            files = sorted({place.file for place in (*self.own, *self.source) if place is not None})
            named = ", ".join(files) or "no file"
            message = f"no instruction of {self._name} has {what}; it names lines of {named}"
            offsets = [offset for offset in self.offsets if offset >= 0]
            help = f"{offsets[0]:#x} to {offsets[-1]:#x} are its offsets" if offsets else ""
            return InputError(option, "WAT003", message, help=help)
        numbers = sorted({place.line for place in known})
        message = f"no instruction of the kernel has {what}, its lines are {_spans(numbers)}"
        return InputError(option, "WAT003", message, help=_nearest(numbers, first, last))


def _is_file(place: Place, file: str) -> bool:
    """Whether a name means the place's file: the path, or its last parts."""
    if not file:
        return True
    return place.file == file or place.file.endswith(f"/{file}") or os.path.basename(file) == place.file


def _nearest(numbers: Sequence[int], first: int, last: int) -> str:
    """The last of the sorted lines before `first`, and the first line after `last`."""
    before, after = bisect_left(numbers, first), bisect_right(numbers, last)
    near = [*numbers[max(0, before - 1) : before], *numbers[after : after + 1]]
    lines = "lines with instructions are" if len(near) > 1 else "line with instructions is"
    return f"the nearest {lines} {' and '.join(map(str, near))}"


_MOST_SPANS = 6


def _spans(numbers: list[int]) -> str:
    """`3-7, 9`: runs of numbers, the first few."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    shown = ", ".join(f"{a}-{b}" if b > a else str(a) for a, b in runs[:_MOST_SPANS])
    return shown + (
        f" and {len(runs) - _MOST_SPANS} more runs to {numbers[-1]}" if len(runs) > _MOST_SPANS else ""
    )
