"""`python -m asmgen.batch.host`: does pieces in processes for another process, which sends their numbers.

Standard input has a frame with the work, then the numbers of pieces, and after LAST the frame of the next
work. Standard output gets a frame with each outcome, and an empty frame about once a second while pieces are
being done. The files of the work are written into a new folder, the working directory, so that their names
are the same as on the machine of the command. The host ends with its input.
"""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Iterator
from contextlib import closing
from io import RawIOBase
from tempfile import TemporaryDirectory
from typing import BinaryIO

from msgspec import Struct, msgpack

from asmgen.batch.pool import outcomes
from asmgen.batch.work import function_of
from asmgen.batch.worker import Limits, Outcome

SIZE_BYTES = 8  # of a frame's size and of a number
LAST = (1 << 64) - 1  # instead of a number: the work has no more pieces


class Given(Struct, frozen=True):
    """The work of a host; see `Work`. `files` are contents by name."""

    entry: str
    data: bytes
    files: dict[str, bytes]
    limits: Limits


class Ended(Struct, frozen=True, array_like=True):
    """A piece that has ended."""

    number: int
    outcome: Outcome


def main() -> None:
    """Do pieces until the input ends. The words of the command line are the number of processes."""
    jobs = int(sys.argv[1])
    given = os.fdopen(os.dup(sys.stdin.fileno()), "rb", buffering=0)  # numbers follow a frame
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nothing else may print there
    with given, answers:
        while (work := read_frame(given)) is not None:
            with TemporaryDirectory(prefix="asmgen-") as folder:
                os.chdir(folder)
                _do(msgpack.decode(work, type=Given), jobs, given.fileno(), answers)
                os.chdir("/")


def _do(given: Given, jobs: int, numbers: int, answers: BinaryIO) -> None:
    """Do the pieces of a work in the working directory."""
    _write(given.files)
    fed = _Fed(numbers)
    run = function_of(given.entry, given.data)
    with closing(outcomes(fed, run, jobs, given.limits)) as ended:
        for item in ended:
            if item is None:
                write_frame(answers, b"")  # the host is alive
            else:
                fed.busy -= 1
                write_frame(answers, msgpack.encode(Ended(*item)))


def read_frame(file: RawIOBase | BinaryIO) -> bytes | None:
    """The next frame; None at the end of the input."""
    size = _read(file, SIZE_BYTES)
    return None if size is None else _read(file, int.from_bytes(size))


def _read(file: RawIOBase | BinaryIO, size: int) -> bytes | None:
    """The next bytes; None if the input ends before them. A read of a pipe may give a part of them."""
    data = bytearray()
    while len(data) < size:
        part = file.read(size - len(data))
        if not part:
            return None
        data += part
    return bytes(data)


def write_frame(file: BinaryIO, data: bytes) -> None:
    _ = file.write(len(data).to_bytes(SIZE_BYTES) + data)
    file.flush()


def _write(files: dict[str, bytes]) -> None:
    for name, content in files.items():
        os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
        with open(name, "wb") as file:
            _ = file.write(content)


class _Fed(Iterator[int]):
    """The numbers that have come, until LAST. It waits for a piece if no piece is being done; otherwise it
    has none for the moment, and may have more later."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._poll = select.poll()
        self._poll.register(descriptor, select.POLLIN)
        self.busy = 0  # pieces that are being done
        self._has_ended = False

    def __next__(self) -> int:
        if self._has_ended or (self.busy and not self._poll.poll(0)):
            raise StopIteration
        number = b""
        while len(number) < SIZE_BYTES:
            part = os.read(self._descriptor, SIZE_BYTES - len(number))
            if not part:
                raise StopIteration
            number += part
        if int.from_bytes(number) == LAST:
            self._has_ended = True
            raise StopIteration
        self.busy += 1
        return int.from_bytes(number)


if __name__ == "__main__":
    main()
