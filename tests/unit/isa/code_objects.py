"""Code objects of clang and lld, and the differences of ours."""

from __future__ import annotations

import subprocess
import tempfile
from io import BytesIO
from pathlib import Path
from typing import Any

from elftools.elf.elffile import ELFFile

from isa.targets import TargetId

LLVM = ("clang-22", "ld.lld-22")
# lld writes its name there
OWN = ".comment"
# the linker orders merged strings by a hash that we do not compute, and lines name them by their place
STRINGS = frozenset({".debug_line", ".debug_line_str"})
_OF_FILES = frozenset({"sh_offset", "sh_size"})


def of_llvm(text: str, target: TargetId) -> bytes:
    """The code object that clang and lld make of assembly text. It is linked as the project links."""
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        (directory / "kernel.s").write_text(text, encoding="utf-8")
        options = [f"-mcpu={target.clang}", *target.clang_options, "-fdebug-compilation-dir=."]
        clang = ["clang-22", "-target", "amdgcn-amd-amdhsa", *options, "-x", "assembler", "-c", "kernel.s", "-o", "kernel.o"]
        subprocess.run(clang, cwd=directory, check=True, timeout=60)
        subprocess.run(["ld.lld-22", "-shared", "--threads=1", "kernel.o", "-o", "kernel.co"], cwd=directory, check=True, timeout=60)
        return (directory / "kernel.co").read_bytes()


def differences(ours: bytes, theirs: bytes, ignored: frozenset[str] = STRINGS) -> list[str]:
    """The differences: the header's flags, segments, sections with their headers, symbols and contents."""
    one, other = (ELFFile(BytesIO(data)) for data in (ours, theirs))
    found = [] if ours[:16] == theirs[:16] and one["e_flags"] == other["e_flags"] else ["header"]
    names = [[str(section.name) for section in file.iter_sections()] for file in (one, other)]
    if names[0] != names[1]:
        return [f"sections {names[0]} and {names[1]}"]
    if [_fields(segment) for segment in one.iter_segments()] != [_fields(segment) for segment in other.iter_segments()]:
        found.append("segments")
    for mine, wanted in zip(one.iter_sections(), other.iter_sections(), strict=True):
        loaded = bool(wanted["sh_addr"])
        skipped = frozenset[str]() if loaded else _OF_FILES
        if any(value != _fields(wanted)[key] for key, value in _fields(mine).items() if key not in skipped):
            found.append(f"header of {wanted.name}")
        if wanted["sh_type"] != "SHT_NOBITS" and wanted.name not in {OWN, *ignored} and mine.data() != wanted.data():
            found.append(str(wanted.name))
    return found


def _fields(part: Any) -> dict[str, Any]:
    return dict(part.header)
