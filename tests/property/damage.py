"""Damage of files at random: lines of text, and bytes."""

from __future__ import annotations

import random
import re
import resource
import signal
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

SECONDS, MEMORY = 10, 2 << 30  # the limits of an answer
_NUMBERS = (0, 1, 2, 3, 7, 63, 64, 255, 256, 1024, 4096, -1, 2**31, 2**32, 2**40)
_CHARACTERS = "()[]{}%@,=:->0123456789abcxv s"


@contextmanager
def answering() -> Generator[None]:
    """The body answers in time and within the memory, or the test fails: a damaged file must not make its
    reader wait."""
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    before = signal.signal(signal.SIGALRM, _too_late)
    resource.setrlimit(resource.RLIMIT_DATA, (_data_bytes() + MEMORY, hard))
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))
        signal.signal(signal.SIGALRM, before)


def _data_bytes() -> int:
    """The bytes of data that the process has: earlier tests of a long run keep gigabytes."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(re.findall(r"VmData:\s+(\d+) kB", status)[0]) << 10


def _too_late(_signal: int, _frame: FrameType | None) -> None:
    raise AssertionError(f"no answer in {SECONDS} seconds")


def damaged(text: str, generator: random.Random) -> str:
    lines = text.splitlines()
    for _ in range(generator.randint(1, 2)):
        generator.choice((delete, repeat, mistype, shuffle_words, exchange, change_number))(lines, generator)
    return "\n".join(lines) + "\n"


def delete(lines: list[str], generator: random.Random) -> None:
    if len(lines) > 1:
        del lines[generator.randrange(len(lines))]


def repeat(lines: list[str], generator: random.Random) -> None:
    lines.insert(generator.randrange(len(lines)), generator.choice(lines))


def mistype(lines: list[str], generator: random.Random) -> None:
    at = generator.randrange(len(lines))
    if lines[at]:
        column = generator.randrange(len(lines[at]))
        lines[at] = lines[at][:column] + generator.choice(_CHARACTERS) + lines[at][column + 1 :]


def shuffle_words(lines: list[str], generator: random.Random) -> None:
    at = generator.randrange(len(lines))
    words = lines[at].split(" ")
    generator.shuffle(words)
    lines[at] = " ".join(words)


def exchange(lines: list[str], generator: random.Random) -> None:
    one, other = generator.randrange(len(lines)), generator.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]


def change_number(lines: list[str], generator: random.Random) -> None:
    at = generator.randrange(len(lines))
    numbers = list(re.finditer(r"\d+", lines[at]))
    if numbers:
        found = generator.choice(numbers)
        lines[at] = lines[at][: found.start()] + str(generator.choice(_NUMBERS)) + lines[at][found.end() :]


def damaged_bytes(data: bytes, generator: random.Random) -> bytes:
    """A few bytes changed, cut out, repeated, or numbers of four and eight bytes that are large, small or
    negative."""
    changed = bytearray(data)
    for _ in range(generator.randint(1, 4)):
        at, count = generator.randrange(len(changed)), generator.choice((1, 2, 4, 8, 16, 64))
        match generator.randrange(6):
            case 0:
                changed[at] ^= 1 << generator.randrange(8)
            case 1:
                changed[at : at + count] = generator.randbytes(count)
            case 2:
                at, size = at & -8, generator.choice((4, 8))
                number = generator.choice((*_NUMBERS, 2**63, 2**64 - 1)) & (1 << 8 * size) - 1
                changed[at : at + size] = number.to_bytes(size, "little")
            case 3:
                del changed[at : at + count]
            case 4:
                changed[at:at] = changed[at : at + count]
            case _:
                changed[at : at + count] = bytes(count)
        if not changed:
            return b""
    return bytes(changed[: generator.randrange(len(changed))] if generator.random() < 0.1 else changed)


def one_byte_changed(data: bytes, generator: random.Random) -> bytes:
    """A file with little damage is read further than a file with much."""
    changed = bytearray(data)
    changed[generator.randrange(len(changed))] ^= generator.randrange(1, 256)
    return bytes(changed)
