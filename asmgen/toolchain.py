"""Finding an assembler and a linker for AMDGPU.

A clang is looked for in `ASMGEN_CLANG`, then on the PATH, then in the PyPI package ziglang. One counts as found when
it assembles a kernel that preloads its arguments: clang knows the directive since LLVM 18.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from isa.diagnostics import InputError
from isa.targets import parse_target

CLANG_VARIABLE = "ASMGEN_CLANG"
HOW_TO_GET_CLANG = "`pip install 'asmgen[clang]'` brings one (ziglang), so does `apt-get install clang-22 lld-22`; ASMGEN_CLANG names another"
_VERSIONS = range(30, 17, -1)

_PROBE = """\t.amdhsa_code_object_version 5
\t.text
probe:
\ts_endpgm
\t.section .rodata,"a",@progbits
\t.amdhsa_kernel probe
\t\t.amdhsa_next_free_vgpr 4
\t\t.amdhsa_next_free_sgpr 4
\t\t.amdhsa_user_sgpr_kernarg_segment_ptr 1
{preload}\t.end_amdhsa_kernel
"""
_PRELOAD = "\t\t.amdhsa_accum_offset 4\n\t\t.amdhsa_user_sgpr_kernarg_preload_length 2\n"


@dataclass(frozen=True, slots=True)
class Toolchain:
    """The commands, up to their options, of a clang and of the lld that goes with it; `found` says where."""

    clang: tuple[str, ...]
    linker: tuple[str, ...]
    found: str

    def assemble_command(self, target: str, source: str, output: str, more: tuple[str, ...] = ()) -> list[str]:
        """Text to object; the compilation directory is fixed so that the same text gives the same bytes everywhere."""
        options = ("-target", "amdgcn-amd-amdhsa", f"-mcpu={target}", "-fdebug-compilation-dir=.", "-x", "assembler", "-c", source, "-o", output)
        return [*self.clang, *more, *options]

    def link_command(self, objects: str, output: str) -> list[str]:
        """Object to code object, which is a shared ELF object."""
        return [*self.linker, "-shared", objects, "-o", output]


def find_toolchain(target: str) -> Toolchain:
    """The first toolchain that assembles for `target` (a whole target id).

    Raises `InputError` where `ASMGEN_CLANG` names a clang that does not, and where nothing does.
    """
    named = os.environ.get(CLANG_VARIABLE, "")
    return _find_toolchain(target, named, os.environ.get("PATH", ""))


@cache
def _find_toolchain(target: str, named: str, path: str) -> Toolchain:
    """`find_toolchain` by what its answer depends on, so that a process probes once."""
    if named:
        return _named_toolchain(target, named)
    tried: list[str] = []
    for candidate in candidates(path):
        reason = problem(candidate, target)
        if not reason:
            return candidate
        tried.append(f"{candidate.found}: {reason}")
    raise InputError("assembler", "TOOL001", f"no clang that assembles for {target} was found", tuple(tried), HOW_TO_GET_CLANG)


def _named_toolchain(target: str, named: str) -> Toolchain:
    clang = shutil.which(named)
    if clang is None:
        raise InputError(CLANG_VARIABLE, "TOOL002", f"{named!r} is no program, wanted the path of a clang", help=HOW_TO_GET_CLANG)
    linker = _lld_beside(clang, os.environ.get("PATH", ""))
    if linker is None:
        raise InputError(CLANG_VARIABLE, "TOOL003", f"there is no ld.lld beside {named!r} or on the PATH", help="`apt-get install lld-22` brings one")
    toolchain = Toolchain((clang,), (linker,), CLANG_VARIABLE)
    reason = problem(toolchain, target)
    if reason:
        raise InputError(CLANG_VARIABLE, "TOOL004", f"{named!r} does not assemble for {target}: {reason}", help=HOW_TO_GET_CLANG)
    return toolchain


def candidates(path: str) -> Iterator[Toolchain]:
    """Every clang on `path` that has an lld, then ziglang's."""
    for name in ("clang", *(f"clang-{version}" for version in _VERSIONS)):
        clang = shutil.which(name, path=path)
        linker = _lld_beside(clang, path) if clang else None
        if clang and linker:
            yield Toolchain((clang,), (linker,), f"{name} on the PATH")
    zig = ziglang_command()
    if zig:
        yield Toolchain((*zig, "clang"), (*zig, "ld.lld"), "ziglang")


def ziglang_command() -> tuple[str, ...]:
    """`python -m ziglang`, where the package is installed; empty elsewhere."""
    return (sys.executable, "-m", "ziglang") if find_spec("ziglang") is not None else ()


def _lld_beside(clang: str, path: str) -> str | None:
    """The lld of this clang's own installation, else of its version, else any."""
    real = Path(clang).resolve()
    beside = real.with_name("ld.lld")
    if beside.exists():
        return str(beside)
    version = real.name.rpartition("-")[2]
    return shutil.which(f"ld.lld-{version}", path=path) or shutil.which("ld.lld", path=path)


def problem(toolchain: Toolchain, target: str) -> str:
    """Why a toolchain does not serve `target`: its own first line of complaint; empty where it does."""
    text = _PROBE.format(preload=_PRELOAD if parse_target(target).target.preload else "")
    with tempfile.TemporaryDirectory(prefix="asmgen-") as directory:
        source = Path(directory, "probe.s")
        source.write_text(text, encoding="utf-8")
        command = toolchain.assemble_command(target, str(source), str(Path(directory, "probe.o")))
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return ""
    lines = [line for line in done.stderr.splitlines() if "error" in line]
    return (lines or [f"exit status {done.returncode}"])[0].strip()
