"""llvm-objdump, which reads the instructions of code objects: finding one that knows the target, and
asking it."""

from __future__ import annotations

import os
import re
import shutil
import struct
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from isa.bounded_process import Finished, Limits, run_bounded
from isa.diagnostics import InputError, Place
from isa.targets import Target

HOW_TO_GET_OBJDUMP = "`apt-get install llvm-22` brings one"
_NAMES = ("llvm-objdump-22", "llvm-objdump", *(f"llvm-objdump-{version}" for version in range(30, 17, -1)))
_LINE = re.compile(r"\s+(\S.*?)\s*// ([0-9A-F]+):")
_LIMITS = Limits(cpu_seconds=60, memory=1 << 30)
_LONGEST = 200  # characters of a complaint that are told
_S_NOP = b"\x00\x00\x80\xbf"  # s_nop 0, encoded alike on every target


@dataclass(frozen=True, slots=True)
class Objdump:
    """An llvm-objdump that knows a target; `path` is empty where there is none, and `problem` then says
    why."""

    path: str
    problem: str = ""


def find_objdump(target: Target) -> Objdump:
    """The first llvm-objdump on the PATH that knows the target: each is asked, once a process."""
    return _find_objdump(target.name, target.elf_machine_flag, os.environ.get("PATH", ""))


@cache
def _find_objdump(target: str, machine: int, path: str) -> Objdump:
    deaf: list[str] = []
    for name in _NAMES:
        found = shutil.which(name, path=path)
        if found and _knows(found, target, machine):
            return Objdump(found)
        deaf += [found] if found else []
    return Objdump(
        "", f"{' and '.join(deaf)} cannot read {target}" if deaf else "llvm-objdump is not installed"
    )


def _knows(tool: str, target: str, machine: int) -> bool:
    """Whether the tool reads an object of the target that holds one instruction."""
    with tempfile.TemporaryDirectory(prefix="asmgen-") as directory:
        Path(directory, "probe.o").write_bytes(_probe(machine))
        try:
            done = run_bounded([tool, "-d", f"--mcpu={target}", "probe.o"], Path(directory), _LIMITS)
        except OSError:
            return False
    return done.status == 0 and "s_nop 0" in done.output


def _probe(machine: int) -> bytes:
    """A relocatable ELF file (AMDGPU HSA, version 5) of one section of code and the section of names."""
    names = b"\0.text\0.shstrtab\0"
    code_at, names_at = 64, 64 + len(_S_NOP)
    sections_at = 64 + len(_S_NOP) + len(names) + -(len(_S_NOP) + len(names)) % 8
    ident = b"\x7fELF\x02\x01\x01\x40\x03".ljust(16, b"\0")
    header = ident + struct.pack("<HHIQQQIHHHHHH", 1, 224, 1, 0, 0, sections_at, machine, 64, 0, 0, 64, 3, 2)
    text = struct.pack("<IIQQQQIIQQ", 1, 1, 6, 0, code_at, len(_S_NOP), 0, 0, 4, 0)
    strings = struct.pack("<IIQQQQIIQQ", 7, 3, 0, 0, names_at, len(names), 0, 0, 1, 0)
    return (header + _S_NOP + names).ljust(sections_at, b"\0") + bytes(64) + text + strings


def disassemble(data: bytes, names: list[str], target: Target, place: Place) -> list[tuple[int, str]]:
    """(address, text) of every instruction of these functions, by llvm-objdump.

    InputError LOAD030 where no llvm-objdump knows the target, LOAD031 where it refuses the file.
    """
    tool = find_objdump(target)
    if not tool.path:
        raise InputError(
            place, "LOAD030", f"{tool.problem}: llvm-objdump reads the instructions of a code object",
            help=f"{HOW_TO_GET_OBJDUMP}; assembly text runs without it",
        )  # fmt: skip
    if odd := [name for name in names if "\0" in name or "," in name]:
        raise InputError(
            place, "LOAD031", f"a function is named {odd[0]!r}, which llvm-objdump cannot be asked for"
        )
    with tempfile.TemporaryDirectory(prefix="asmgen-") as directory:
        Path(directory, "object.co").write_bytes(data)
        done = run_objdump(
            tool,
            [*wave_options(target), f"--disassemble-symbols={','.join(names)}", "object.co"],
            Path(directory),
            target,
        )
    if done.stopped or done.status:
        raise InputError(place, "LOAD031", objdump_complaint(done))
    return [
        (int(found.group(2), 16), found.group(1))
        for line in done.output.splitlines()
        if (found := _LINE.match(line))
    ]


def run_objdump(tool: Objdump, options: list[str], directory: Path, target: Target) -> Finished:
    """llvm-objdump's disassembly of a file in a directory."""
    return run_bounded([tool.path, "-d", f"--mcpu={target.name}", *options], directory, _LIMITS)


def wave_options(target: Target) -> list[str]:
    """What llvm-objdump is told about the wave size, on targets that have two."""
    return [f"--mattr=+wavefrontsize{target.wave_size}"] if len(target.wave_sizes) > 1 else []


def objdump_complaint(done: Finished) -> str:
    """Why llvm-objdump gave no disassembly, in a line."""
    first = (done.complaint.strip().splitlines() or [f"exit status {done.status}"])[0]
    return f"llvm-objdump {done.stopped}" if done.stopped else f"llvm-objdump failed: {first[:_LONGEST]}"
