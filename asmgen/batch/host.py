"""`python -m asmgen.batch.host`: does pieces in processes for another process, which sends their numbers.

Standard input has a frame with the work, then the numbers of pieces. Standard output gets a frame with each
outcome, and an empty frame about once a second while pieces are being done. The files of the work are written
into a new folder, the working directory, so that their names are the same as on the machine of the command.
The host ends with its input.
"""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Iterator
from contextlib import closing
from tempfile import TemporaryDirectory
from typing import BinaryIO

from msgspec import Struct, msgpack

from asmgen.batch.pool import outcomes
from asmgen.batch.work import function_of
from asmgen.batch.worker import Limits, Outcome

SIZE_BYTES = 8  # of a frame's size and of a number


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
    given = msgpack.decode(read_frame(sys.stdin.buffer) or b"", type=Given)
    answers = os.dup(sys.stdout.fileno())
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nothing else may print there
    with TemporaryDirectory(prefix="asmgen-") as folder:
        _write(folder, given.files)
        os.chdir(folder)
        fed = _Fed(os.dup(sys.stdin.fileno()))
        run = function_of(given.entry, given.data)
        with closing(outcomes(fed, run, jobs, given.limits)) as ended, os.fdopen(answers, "wb") as output:
            for item in ended:
                if item is None:
                    write_frame(output, b"")  # the host is alive
                else:
                    fed.busy -= 1
                    write_frame(output, msgpack.encode(Ended(*item)))
        os.chdir("/")


def read_frame(file: BinaryIO) -> bytes | None:
    """The next frame; None at the end of the input."""
    size = file.read(SIZE_BYTES)
    if len(size) < SIZE_BYTES:
        return None
    data = file.read(int.from_bytes(size))
    return data if len(data) == int.from_bytes(size) else None


def write_frame(file: BinaryIO, data: bytes) -> None:
    _ = file.write(len(data).to_bytes(SIZE_BYTES) + data)
    file.flush()


def _write(folder: str, files: dict[str, bytes]) -> None:
    for name, content in files.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            _ = file.write(content)


class _Fed(Iterator[int]):
    """The numbers that have come. It waits for one if no piece is being done; otherwise it has none for the
    moment, and may have more later."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._poll = select.poll()
        self._poll.register(descriptor, select.POLLIN)
        self.busy = 0  # pieces that are being done

    def __next__(self) -> int:
        if self.busy and not self._poll.poll(0):
            raise StopIteration
        number = b""
        while len(number) < SIZE_BYTES:
            part = os.read(self._descriptor, SIZE_BYTES - len(number))
            if not part:
                raise StopIteration
            number += part
        self.busy += 1
        return int.from_bytes(number)


if __name__ == "__main__":
    main()
