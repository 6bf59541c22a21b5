"""The answer of a command: the text that it printed, the file that it wrote, and its exit status, as data.

A recorder keeps the text that a command prints, and passes it on. The parts of an answer are printed again
in their order.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from itertools import groupby
from types import TracebackType
from typing import IO, Any, TextIO, cast

from msgspec import Struct

OUT, ERROR, FILE = "out", "error", "file"
SECONDS = "seconds"  # measured times: they are not printed, and answers that differ in them are the same
_ANY_CHARACTER = "surrogatepass"  # file names may have bytes that are not characters


class Part(Struct, frozen=True, array_like=True):
    """Data that a command wrote to standard output (`OUT`), standard error (`ERROR`) or the file of -o
    (`FILE`).

    Text is in UTF-8; the stream that prints it chooses its own encoding. Other data are bytes for any stream.
    """

    channel: str
    data: bytes
    is_text: bool = False

    def write(self) -> None:
        """Write to the standard stream of the channel."""
        stream = sys.stdout if self.channel == OUT else sys.stderr
        if self.is_text:
            _ = stream.write(self.data.decode(errors=_ANY_CHARACTER))
        else:
            stream.flush()
            _ = stream.buffer.write(self.data)


class Answer(Struct, frozen=True, array_like=True):
    """The exit status of a command, and the texts that it wrote."""

    status: int
    parts: tuple[Part, ...]

    def give(self, write_file: Callable[[bytes], None]) -> int:
        """Print and write the answer; the exit status. `write_file` takes the content of the file of -o."""
        for part in self.parts:
            if part.channel == FILE:
                write_file(part.data)
            else:
                part.write()
        return self.status


class Recorder:
    """Keeps the text of standard output and standard error inside of `with`, and passes it on. The command
    writes the file of -o, unless the recorder `takes_files`."""

    def __init__(self, takes_files: bool = False) -> None:
        self._takes_files = takes_files
        self._parts: list[Part] = []
        self._is_paused = False

    def __enter__(self) -> Recorder:
        self._streams = sys.stdout, sys.stderr
        sys.stdout = cast("TextIO", _Recorded(sys.stdout, OUT, self))
        sys.stderr = cast("TextIO", _Recorded(sys.stderr, ERROR, self))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        sys.stdout, sys.stderr = self._streams

    def answer(self, status: int) -> Answer:
        """The answer so far, with the exit status of the command."""
        runs = groupby(self._parts, key=lambda part: (part.channel, part.is_text))
        return Answer(
            status,
            tuple(
                Part(channel, b"".join(part.data for part in run), is_text)
                for (channel, is_text), run in runs
            ),
        )

    def add(self, channel: str, data: bytes, is_text: bool = False) -> None:
        """Keep data that the command wrote to a channel, unless the recorder is paused."""
        if not self._is_paused:
            self._parts.append(Part(channel, data, is_text))

    @contextmanager
    def of_file(self, data: bytes) -> Generator[bool]:
        """Keep the content of the file of -o, and nothing that is printed inside: the writer of the file
        prints it again. The value is whether the command writes the file."""
        self.add(FILE, data)
        self._is_paused = True
        try:
            yield not self._takes_files
        finally:
            self._is_paused = False


@contextmanager
def file_written(data: bytes) -> Generator[bool]:
    """Tell the recorder, if one listens, that the code inside writes this content to the file of -o. The code
    does so if the value is true."""
    stream = cast("object", sys.stdout)
    if isinstance(stream, _Recorded):
        with stream.recorder.of_file(data) as is_ours:
            yield is_ours
    else:
        yield True


def unrecorded(stream: TextIO) -> TextIO:
    """The stream without its recorder, for a progress bar, which is removed again."""
    recorded = cast("object", stream)
    return recorded.stream if isinstance(recorded, _Recorded) else stream


class _Recorded:
    """A standard stream with a recorder, which keeps the text of each write."""

    def __init__(self, stream: TextIO, channel: str, recorder: Recorder) -> None:
        self.stream = stream
        self.recorder = recorder
        self._channel = channel

    def write(self, text: str) -> int:
        count = self.stream.write(text)
        self.recorder.add(self._channel, text.encode(errors=_ANY_CHARACTER), is_text=True)
        return count

    @property
    def buffer(self) -> _RecordedBytes:
        return _RecordedBytes(self.stream.buffer, self._channel, self.recorder)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


class _RecordedBytes:
    """The bytes of a recorded stream."""

    def __init__(self, stream: IO[bytes], channel: str, recorder: Recorder) -> None:
        self._stream = stream
        self._channel = channel
        self._recorder = recorder

    def write(self, data: bytes) -> int:
        count = self._stream.write(data)
        self._recorder.add(self._channel, bytes(data))
        return count

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
