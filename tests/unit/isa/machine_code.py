"""LLVM as the judge of bytes: what its assembler makes of texts, and what its disassembler reads in words."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from isa.target import Target
from isa.targets import parse_target
from tests.unit.isa.assembler import features_of

_ENCODING = re.compile(r"encoding: \[([^\]]*)\]")
_LABEL = re.compile(r"\.Lq(\d+):")
_LISTED = re.compile(r"\s+(\S.*?)\s*// ([0-9A-F]+): ((?:[0-9A-F]{8} ?)+)", re.ASCII)
_RECORD = re.compile(r"<r(\d+)>:")
_DATA = (".long", ".short", ".byte")  # llvm-objdump's text for bytes that are no instruction
LONGEST = 16  # bytes of an instruction
SLOT = LONGEST + 4  # of one record in a section of them
_TOGETHER = 2000  # records of one run
_QUIET = os.environ | {"LLVM_DISABLE_SYMBOLIZATION": "1"}  # a crash ends in a moment


class Listed(NamedTuple):
    """One line of llvm-objdump: an instruction's address, its text and how many bytes it takes."""

    address: int
    text: str
    size: int


def assembled(texts: Sequence[str], machine: str) -> list[bytes]:
    """The bytes that llvm-mc-22 gives each of the texts for the machine of a target id; none may be refused."""
    found = assembled_or_refused(texts, machine)
    refused = [text for text, code in zip(texts, found, strict=True) if code is None]
    assert refused == []
    return [code for code in found if code is not None]


def assembled_or_refused(texts: Sequence[str], machine: str, features: tuple[str, ...] = ()) -> list[bytes | None]:
    """The bytes that llvm-mc-22 gives each of the texts, with further features of the machine, None if it
    refuses a text."""
    source = "".join(f".Lq{i}:\n{text}\n" for i, text in enumerate(texts))
    command = ["llvm-mc-22", *_options(machine, features), "-triple=amdgcn-amd-amdhsa", "--show-encoding"]
    done = subprocess.run(command, input=source, capture_output=True, text=True, check=False)
    found: list[bytes | None] = [None] * len(texts)
    current = -1
    for line in done.stdout.splitlines():
        if label := _LABEL.match(line):
            current = int(label[1])
        elif encoding := _ENCODING.search(line):
            found[current] = bytes(int(byte, 16) for byte in encoding[1].split(","))
    return found


def disassembled(records: Sequence[bytes], machine: str, features: tuple[str, ...] = ()) -> list[Listed | None]:
    """The first instruction that llvm-objdump-22 reads in each record of `LONGEST` bytes, None if it reads
    none.

    Some words bring it down; such a record counts as a record that it does not read.
    """
    found: list[Listed | None] = []
    while len(found) < len(records):
        found += _until_a_crash(records[len(found) : len(found) + _TOGETHER], machine, features)
    return found


def _until_a_crash(records: Sequence[bytes], machine: str, features: tuple[str, ...]) -> list[Listed | None]:
    """As `disassembled`, up to a record that brings llvm-objdump down: its first instruction may have been printed before that."""
    words = "".join(f"r{i}:\n.long {','.join(_words(record))}\n" for i, record in enumerate(records))
    with tempfile.TemporaryDirectory(prefix="asmgen-") as directory:
        path = str(Path(directory, "records.o"))
        command = [*_options(machine, features), "-triple=amdgcn-amd-amdhsa", "-filetype=obj", "-o", path]
        _ = _tool("llvm-mc-22", command, words)
        text, crashed = _on_a_terminal(["llvm-objdump-22", "-d", *_options(machine, features), path])
    lines = {line.address: line for line in _listed(text)}
    count = len(records) if not crashed else 1 + int(_RECORD.findall(text)[-1])
    return [lines.get(SLOT * i) for i in range(count)]


def _on_a_terminal(command: Sequence[str]) -> tuple[str, bool]:
    """The output of a tool, and whether it crashed. A terminal has all that was printed before, since nothing
    is kept back for it."""
    ours, its = pty.openpty()
    with subprocess.Popen(command, stdout=its, stderr=subprocess.DEVNULL, env=_QUIET) as process:
        os.close(its)
        text = b"".join(_chunks(ours))
        os.close(ours)
    assert process.returncode <= 0, command
    return text.decode(), process.returncode < 0


def _chunks(terminal: int) -> Iterator[bytes]:
    """What comes through a terminal until the other end is closed, which is an error there."""
    try:
        while chunk := os.read(terminal, 1 << 16):
            yield chunk
    except OSError:
        return


def listing(code_object: bytes, machine: str, features: tuple[str, ...] = ()) -> list[Listed]:
    """Every instruction that llvm-objdump-22 reads in a code object."""
    with tempfile.TemporaryDirectory(prefix="asmgen-") as directory:
        path = Path(directory, "kernels.co")
        _ = path.write_bytes(code_object)
        return _listed(_tool("llvm-objdump-22", ["-d", *_options(machine, features), str(path)]))


def _listed(text: str) -> list[Listed]:
    """The instructions in the output of llvm-objdump."""
    lines = map(_LISTED.match, text.splitlines())
    return [Listed(int(line[2], 16), line[1], 4 * len(line[3].split())) for line in lines if line is not None and not line[1].startswith(_DATA)]


def _words(record: bytes) -> list[str]:
    """The record as numbers, and a word after it that ends its slot."""
    assert len(record) == LONGEST
    return [hex(int.from_bytes(record[at : at + 4], "little")) for at in range(0, LONGEST, 4)] + ["0"] * ((SLOT - LONGEST) // 4)


def _options(machine: str, features: tuple[str, ...] = ()) -> list[str]:
    target: Target = parse_target(machine).target
    return [f"--mcpu={target.name}", f"--mattr={','.join((features_of(target), *features))}"]


def _tool(name: str, options: Sequence[str], given: str = "") -> str:
    done = subprocess.run([name, *options], input=given, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:2000]
    return done.stdout
