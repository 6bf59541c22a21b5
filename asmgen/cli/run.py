"""`run`: run a kernel of an assembly file or a code object on arrays from files, or the launches of a run
file."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import numpy as np

from asmgen.cli.arrays import compare, expectation
from asmgen.cli.outputs import write_file
from asmgen.cli.parser import refuse_given
from asmgen.cli.progress import progress
from asmgen.cli.reading import refuse_catalogue
from asmgen.cli.run_file import SUFFIX, check_kernel, read_run_file, run_steps
from asmgen.cli.shown import findings_of, run_watched
from asmgen.cli.terminal import collect_from_here
from asmgen.cli.values import pointer_or_value
from asmgen.runtime.emulation import Limits
from asmgen.runtime.run import run
from asmgen.runtime.session import Session
from asmgen.runtime.watching.watching import Findings, Watching
from isa.diagnostics import InputError

Array = np.ndarray[Any, Any]


def execute(arguments: argparse.Namespace) -> int:
    if Path(arguments.file).suffix == SUFFIX:
        return _execute_file(arguments)
    refuse_catalogue(arguments.file)
    missing = [option for option, value in _needed(arguments) if value is None]
    if missing:
        arguments.refuse(f"the following arguments are required: {', '.join(missing)}")
    given = [pointer_or_value(text) for text in arguments.args]
    expected = [expectation(text) for text in arguments.expect]
    if arguments.rtol is not None and not expected:
        raise InputError("--rtol", "EXP007", "got --rtol without --expect, wanted both")
    launch = (arguments.kernel, arguments.grid, arguments.block, given, arguments.device)
    findings = findings_of(arguments)
    collect_from_here()
    with progress("running workgroups") as tell:
        results = run_watched(
            arguments, None,
            lambda watching: run(
                Path(arguments.file), *launch, tell, arguments.allow_include, arguments.max_steps,
                arguments.sanitize,
                arguments.max_seconds, arguments.lds_bytes, arguments.target, watching, findings,
            ),
        )  # fmt: skip
    if results is None:
        return 0
    before = {position: value for position, value in enumerate(given) if isinstance(value, np.ndarray)}
    after = dict(zip(before, results, strict=True))
    for position, array in after.items():
        _show(f"arg{position}", array, arguments.out_dir)
    if expected:
        compare(expected, before, after, arguments.rtol or 0.0)
    return _status(findings)


def _needed(arguments: argparse.Namespace) -> tuple[tuple[str, object], ...]:
    return ("--kernel", arguments.kernel), ("--grid", arguments.grid), ("--block", arguments.block)


_OF_LAUNCHES = ("--grid", "--block", "--arg", "--lds", "--target", "--rtol")


def _execute_file(arguments: argparse.Namespace) -> int:
    """Run the launches of a run file."""
    refuse_given(arguments, _OF_LAUNCHES, "the run file says it for each launch")
    for option, values in (("--arg", arguments.args), ("--expect", arguments.expect)):
        if values:
            raise InputError(option, "CLI005", f"the run file has its own, so {option} would change nothing")
    if arguments.device != "emulator":
        message = f"got {arguments.device}, wanted emulator: memory stays on the emulator only"
        raise InputError("--device", "RUN030", message)
    file = read_run_file(arguments.file)
    check_kernel(file, arguments.kernel)
    findings = findings_of(arguments)
    collect_from_here()

    def launches(watching: Watching | None) -> Session:
        limits = Limits(arguments.max_steps, arguments.max_seconds, arguments.sanitize, tell)
        session = Session(list(file.buffers.values()), limits, watching, findings)
        run_steps(file, session, arguments.allow_include)
        return session

    with progress("running workgroups") as tell:
        session = run_watched(arguments, arguments.kernel, launches)
    if session is None:
        return 0
    for name, buffer in session.buffers.items():
        _show(name, buffer.content, arguments.out_dir)
    return _status(findings)


def _status(findings: Findings | None) -> int:
    """The exit status of a run that has ended, with the number of its findings."""
    if findings is None or not findings.count:
        return 0
    print(f"{findings.count} finding{'s' * (findings.count != 1)}", file=sys.stderr)
    return 1


def _show(name: str, array: Array, folder: str | None) -> None:
    if folder is not None:
        _save(Path(folder), f"{name}.npy", array)
        return
    values = np.array2string(array, threshold=8, separator=", ")
    print(f"{name}: {array.dtype}{list(array.shape)} {values}")


def _save(directory: Path, name: str, array: Array) -> None:
    from io import BytesIO

    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            "--out-dir", "ARG004", f"{directory} cannot be created: {(error.strerror or str(error)).lower()}"
        ) from error
    data = BytesIO()
    np.save(data, array)
    write_file(directory / name, data.getvalue())
