"""The verdict of `--verify` on a program, and on a file compared with a program."""

from __future__ import annotations

import contextlib
import io
from pathlib import Path

from asmgen.cli.main import main
from asmgen.compiled import CompiledProgram
from asmgen.verification import verify
from isa.diagnostics import InputError


def fault_named(program: CompiledProgram) -> str:
    """The message of `--verify` for a wrong program; empty if it finds no error."""
    try:
        report = verify(program)
    except InputError as error:
        return f"{error.code} {error.message}"
    return "; ".join(str(check) for check in report.checks if check.is_broken) or ("BROKEN" if report.is_broken else "")


def fault_named_against(file: Path, kernel: str, settings: tuple[tuple[str, str], ...]) -> str:
    """The message of `kernel FILE --verify --against KERNEL` for a wrong file; empty if it finds no error."""
    chosen = [word for name, value in settings for word in ("--set", f"{name}={value}")]
    said, complained = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(complained):
        status = main(["kernel", str(file), "--verify", "--against", kernel, *chosen])
    return f"{said.getvalue()}{complained.getvalue()}status {status}" if status else ""
