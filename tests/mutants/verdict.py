"""What `--verify` says of a program, and of a file that is held against one."""

from __future__ import annotations

import contextlib
import io
from pathlib import Path

from asmgen.cli.main import main
from asmgen.compiled import CompiledProgram
from asmgen.verification import verify
from isa.diagnostics import InputError


def fault_named(program: CompiledProgram) -> str:
    """How `--verify` says that a program is wrong; empty where it finds it right."""
    try:
        report = verify(program)
    except InputError as error:
        return f"{error.code} {error.message}"
    return "; ".join(str(check) for check in report.checks if check.is_broken) or ("BROKEN" if report.is_broken else "")


def fault_named_against(file: Path, kernel: str, settings: tuple[tuple[str, str], ...]) -> str:
    """How `kernel FILE --verify --against KERNEL` says that a file is wrong; empty where it finds it
    right."""
    chosen = [word for name, value in settings for word in ("--set", f"{name}={value}")]
    said, complained = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(complained):
        status = main(["kernel", str(file), "--verify", "--against", kernel, *chosen])
    return f"{said.getvalue()}{complained.getvalue()}status {status}" if status else ""
