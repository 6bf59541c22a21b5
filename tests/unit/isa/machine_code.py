"""LLVM as the judge of bytes: what its assembler makes of texts, and what its disassembler reads in words."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from isa.targets import Target, parse_target
from tests.unit.isa.assembler import features_of

_ENCODING = re.compile(r"encoding: \[([^\]]*)\]")
_LABEL = re.compile(r"\.Lq(\d+):")
_LISTED = re.compile(r"\s+(\S.*?)\s*// ([0-9A-F]+): ((?:[0-9A-F]{8} ?)+)", re.ASCII)
_DATA = (".long", ".short", ".byte")  # what llvm-objdump prints where it reads no instruction
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


def assembled_or_refused(texts: Sequence[str], machine: str) -> list[bytes | None]:
    """The bytes that llvm-mc-22 gives each of the texts, None where it refuses one."""
    source = "".join(f".Lq{i}:\n{text}\n" for i, text in enumerate(texts))
    command = ["llvm-mc-22", *_options(machine), "-triple=amdgcn-amd-amdhsa", "--show-encoding"]
    done = subprocess.run(command, input=source, capture_output=True, text=True, check=False)
    found: list[bytes | None] = [None] * len(texts)
    current = -1
    for line in done.stdout.splitlines():
        if label := _LABEL.match(line):
            current = int(label[1])
        elif encoding := _ENCODING.search(line):
            found[current] = bytes(int(byte, 16) for byte in encoding[1].split(","))
    return found


def disassembled(records: Sequence[bytes], machine: str) -> list[Listed | None]:
    """The first instruction that llvm-objdump-22 reads in each record of `LONGEST` bytes, None where it reads none.

    Some words bring it down; a record that does so by itself counts as one that it does not read.
    """
    found: list[Listed | None] = []
    for first in range(0, len(records), _TOGETHER):
        found += _surviving(records[first : first + _TOGETHER], machine)
    return found


def _surviving(records: Sequence[bytes], machine: str) -> list[Listed | None]:
    """As `disassembled`; where it crashes, each half of the records by itself."""
    found = _disassembled(records, machine)
    if found is not None:
        return found
    middle = len(records) // 2
    return _surviving(records[:middle], machine) + _surviving(records[middle:], machine) if middle else [None]


def _disassembled(records: Sequence[bytes], machine: str) -> list[Listed | None] | None:
    """As `disassembled`, and None where llvm-objdump crashed."""
    words = "".join(f"r{i}:\n.long {','.join(_words(record))}\n" for i, record in enumerate(records))
    with tempfile.TemporaryDirectory(prefix="asmgen-") as directory:
        path = str(Path(directory, "records.o"))
        command = [*_options(machine), "-triple=amdgcn-amd-amdhsa", "-filetype=obj", "-o", path]
        _ = _tool("llvm-mc-22", command, words)
        listed = _listed(path, machine)
    if listed is None:
        return None
    lines = {line.address: line for line in listed}
    return [lines.get(SLOT * i) for i in range(len(records))]


def listing(code_object: bytes, machine: str) -> list[Listed]:
    """Every instruction that llvm-objdump-22 reads in a code object."""
    with tempfile.TemporaryDirectory(prefix="asmgen-") as directory:
        path = Path(directory, "kernels.co")
        _ = path.write_bytes(code_object)
        listed = _listed(str(path), machine)
    assert listed is not None
    return listed


def _listed(path: str, machine: str) -> list[Listed] | None:
    """What llvm-objdump prints of a file; None where it crashes."""
    command = ["llvm-objdump-22", "-d", *_options(machine), path]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=_QUIET)
    if done.returncode < 0:
        return None
    assert done.returncode == 0, done.stderr[:2000]
    lines = map(_LISTED.match, done.stdout.splitlines())
    return [
        Listed(int(line[2], 16), line[1], 4 * len(line[3].split()))
        for line in lines
        if line is not None and not line[1].startswith(_DATA)
    ]


def _words(record: bytes) -> list[str]:
    """The record as numbers, and a word after it that ends its slot."""
    assert len(record) == LONGEST
    return [hex(int.from_bytes(record[at : at + 4], "little")) for at in range(0, LONGEST, 4)] + ["0"] * ((SLOT - LONGEST) // 4)


def _options(machine: str) -> list[str]:
    target: Target = parse_target(machine).target
    return [f"--mcpu={target.name}", f"--mattr={features_of(target)}"]


def _tool(name: str, options: Sequence[str], given: str = "") -> str:
    done = subprocess.run([name, *options], input=given, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:2000]
    return done.stdout
