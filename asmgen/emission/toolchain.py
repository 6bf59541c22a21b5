"""Finding an assembler and a linker for AMDGPU.

A clang is looked for in `ASMGEN_CLANG`, then on the PATH, then in the PyPI package ziglang. It must assemble
a kernel that preloads its arguments: clang knows the directive since LLVM 18.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from isa.bounded_process import Finished, Limits, run_bounded
from isa.diagnostics import InputError
from isa.targets import parse_target

CLANG_VARIABLE = "ASMGEN_CLANG"
NO_CLANG = "TOOL001"  # the code of the error if none is found
HOW_TO_GET_CLANG = (
    "`python -m pip install '.[clang]'` in asmgen's checkout installs clang (ziglang), and so does "
    "`apt-get install clang-22 lld-22`; ASMGEN_CLANG names the clang to use"
)
_VERSIONS = range(30, 17, -1)

# Three standard streams and the output, which is opened after the text is read: no include file can be opened
# siblings.
CONFINED_DESCRIPTORS = 4
_PROBE_LIMITS = Limits(cpu_seconds=10, memory=1 << 30)
_NO_INCBIN = "Could not find incbin file"
_INCBIN = '\t.incbin "probe.s"\n'
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


class Toolchain(Struct, frozen=True):
    """The commands, up to their options, of a clang and of its lld; `found` is its path.

    `confined` says that this clang assembles with so few open files that it can read none but its source.
    """

    clang: tuple[str, ...]
    linker: tuple[str, ...]
    found: str
    confined: bool = False

    def assemble_command(
        self, target: str, source: str, output: str, more: tuple[str, ...] = ()
    ) -> list[str]:
        """Text to object; the compilation directory is fixed so that the same text gives the same bytes
        everywhere."""
        options = (
            "-target",
            "amdgcn-amd-amdhsa",
            f"-mcpu={target}",
            "-fdebug-compilation-dir=.",
            "-x",
            "assembler",
            "-c",
            source,
            "-o",
            output,
        )
        return [*self.clang, *more, *options]

    def link_command(self, objects: str, output: str) -> list[str]:
        """Object to code object, which is a shared ELF object. A section of the object could name libraries
        to read: none is read."""
        return [*self.linker, "-shared", "--no-dependent-libraries", "--threads=1", objects, "-o", output]


def find_toolchain(target: str) -> Toolchain:
    """The first toolchain that assembles for `target` (a whole target id).

    Raises `InputError` if `ASMGEN_CLANG` names a clang that does not, and if no clang does.
    """
    named = os.environ.get(CLANG_VARIABLE, "")
    return _find_toolchain(target, named, os.environ.get("PATH", ""))


@cache
def _find_toolchain(target: str, named: str, path: str) -> Toolchain:
    """`find_toolchain`, cached by everything that its answer depends on, so that a process looks only
    once.
    """
    if named:
        return _named_toolchain(target, named)
    tried: list[str] = []
    for candidate in candidates(path):
        toolchain = proven(candidate, target)
        if isinstance(toolchain, Toolchain):
            return toolchain
        tried.append(f"{candidate.found}: {toolchain}")
    raise InputError(
        "assembler",
        NO_CLANG,
        f"no clang that assembles for {target} was found",
        tuple(tried),
        HOW_TO_GET_CLANG,
    )


def _named_toolchain(target: str, named: str) -> Toolchain:
    clang = shutil.which(named)
    if clang is None:
        raise InputError(
            CLANG_VARIABLE,
            "TOOL002",
            f"{named!r} is not a program, wanted the path of a clang",
            help=HOW_TO_GET_CLANG,
        )
    linker = _lld_sibling(clang, os.environ.get("PATH", ""))
    if linker is None:
        raise InputError(
            CLANG_VARIABLE,
            "TOOL003",
            f"there is no ld.lld next to {named!r} or on the PATH, wanted the path of a clang with its lld",
            help="`apt-get install lld-22` installs it",
        )
    toolchain = proven(Toolchain((clang,), (linker,), CLANG_VARIABLE), target)
    if isinstance(toolchain, str):
        raise InputError(
            CLANG_VARIABLE,
            "TOOL004",
            f"{named!r} does not assemble for {target}: {toolchain}",
            help=HOW_TO_GET_CLANG,
        )
    return toolchain


def candidates(path: str) -> Iterator[Toolchain]:
    """Every clang on `path` that has an lld, then ziglang's."""
    for name in ("clang", *(f"clang-{version}" for version in _VERSIONS)):
        clang = shutil.which(name, path=path)
        linker = _lld_sibling(clang, path) if clang else None
        if clang and linker:
            yield Toolchain((clang,), (linker,), f"{name} on the PATH")
    zig = ziglang_program()
    if zig:
        yield Toolchain((zig, "clang"), (zig, "ld.lld"), "ziglang")


def ziglang_program() -> str:
    """The program of the PyPI package ziglang; empty if it is not installed."""
    package = find_spec("ziglang")
    places = (package.submodule_search_locations or ()) if package is not None else ()
    return next((path for place in places if (path := shutil.which("zig", path=place))), "")


def _lld_sibling(clang: str, path: str) -> str | None:
    """The lld of this clang's own installation, else of its version, else any."""
    real = Path(clang).resolve()
    sibling = real.with_name("ld.lld")
    if sibling.exists():
        return str(sibling)
    version = real.name.rpartition("-")[2]
    return shutil.which(f"ld.lld-{version}", path=path) or shutil.which("ld.lld", path=path)


def proven(toolchain: Toolchain, target: str) -> Toolchain | str:
    """The toolchain, and whether it can be confined, if it assembles for `target`; else the first line of its
    own error message.
    """
    text = _PROBE.format(preload=_PRELOAD if parse_target(target).target.preload else "")
    confined = _probed(
        toolchain, target, text + _INCBIN, replace(_PROBE_LIMITS, descriptors=CONFINED_DESCRIPTORS)
    )
    errors = _errors(confined)
    if len(errors) == 1 and _NO_INCBIN in errors[0]:
        return replace(toolchain, confined=True)
    done = _probed(toolchain, target, text, _PROBE_LIMITS)
    if done.status == 0:
        return toolchain
    return (_errors(done) or [f"exit status {done.status}"])[0].strip()


def _probed(toolchain: Toolchain, target: str, text: str, limits: Limits) -> Finished:
    with tempfile.TemporaryDirectory(prefix="asmgen-") as directory:
        Path(directory, "probe.s").write_text(text, encoding="utf-8")
        try:
            return run_bounded(
                toolchain.assemble_command(target, "probe.s", "probe.o"), Path(directory), limits
            )
        except OSError as error:
            return Finished(1, "", f"error: {error.strerror or error}")


def _errors(done: Finished) -> list[str]:
    return [line for line in done.complaint.splitlines() if "error" in line]
