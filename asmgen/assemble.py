"""Assembly text to a code object, by clang and lld."""

from __future__ import annotations

import re
import subprocess
import tempfile
from pathlib import Path

from asmgen.toolchain import Toolchain, find_toolchain
from isa.diagnostics import InputError, InternalError, Place
from isa.targets import TargetId

_SOURCE = "kernel.s"
_COMPLAINT = re.compile(r"(?:.*/)?kernel\.s:(\d+):(\d+): error: (.*)")


def assemble(text: str, target: TargetId, source: str = "", toolchain: Toolchain | None = None) -> bytes:
    """The code object (a shared ELF object) that `text` assembles and links to.

    `source` is the user's file that the text was read from; what clang rejects is then an `InputError` at its line.
    Without it the text is asmgen's own and a rejection is an `InternalError`. `InputError` where no clang is found.
    """
    tools = toolchain or find_toolchain(target.clang)
    with tempfile.TemporaryDirectory(prefix="asmgen-") as name:
        directory = Path(name)
        Path(directory, _SOURCE).write_text(text, encoding="utf-8")
        assembled = _run(tools.assemble_command(target.clang, _SOURCE, "kernel.o", target.clang_options), directory)
        if assembled.returncode:
            raise _rejection(assembled.stderr, text, source)
        linked = _run(tools.link_command("kernel.o", "kernel.hsaco"), directory)
        if linked.returncode:
            raise _link_error(linked.stderr, source)
        return Path(directory, "kernel.hsaco").read_bytes()


def _run(command: list[str], directory: Path) -> subprocess.CompletedProcess[str]:
    """Run in `directory` with names relative to it: no path of this machine gets into the object."""
    return subprocess.run(command, cwd=directory, capture_output=True, text=True, check=False)


def _rejection(complaint: str, text: str, source: str) -> InputError | InternalError:
    """clang's first error, at its line."""
    found = _COMPLAINT.search(complaint)
    if found is None:
        lines = complaint.strip().splitlines() or ["no message"]
        return InputError(source, "ASM001", f"clang: {lines[0]}") if source else InternalError("assemble", "clang", lines[0])
    line, column, message = int(found[1]), int(found[2]), found[3]
    quote = text.splitlines()[line - 1].strip() if line <= len(text.splitlines()) else ""
    if source:
        return InputError(Place(source, line, column), "ASM001", f"{message}: {quote}")
    return InternalError("assemble", f"line {line}", f"clang says {message!r} of {quote!r}")


def _link_error(complaint: str, source: str) -> InputError | InternalError:
    lines = [line.removeprefix("ld.lld: ").removeprefix("error: ") for line in complaint.strip().splitlines()] or ["no message"]
    return InputError(source, "ASM002", f"ld.lld: {lines[0]}") if source else InternalError("assemble", "ld.lld", lines[0])
