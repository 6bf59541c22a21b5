"""`run` without a kept answer: a kernel of an assembly file or a code object on arrays from files, or the
launches of a run file."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from asmgen.cli.grammar.parser import refuse_given
from asmgen.cli.outputs import write_file
from asmgen.cli.progress import progress
from asmgen.cli.reading import refuse_catalogue
from asmgen.cli.runs.arrays import compare, expectation
from asmgen.cli.runs.values import pointer_or_value
from asmgen.cli.terminal import collect_from_here, print_error
from asmgen.files import RUN_SUFFIX
from asmgen.runtime.run import run
from isa.diagnostics import InputError

if TYPE_CHECKING:
    from asmgen.runtime.session import Session
    from asmgen.runtime.watching.findings import Findings
    from asmgen.runtime.watching.watching import Watching

Array = np.ndarray[Any, Any]
T = TypeVar("T")


def execute(arguments: argparse.Namespace) -> int:
    """Run a source; 1 if the sanitizer found something."""
    if Path(arguments.source).suffix == RUN_SUFFIX:
        return _execute_file(arguments)
    refuse_catalogue(arguments.source)
    sizes = ("--grid", arguments.grid), ("--block", arguments.block)
    missing = [option for option, value in sizes if value is None]
    if missing:
        arguments.refuse(f"the following arguments are required: {', '.join(missing)}")
    given = [pointer_or_value(text) for text in arguments.args]
    expected = [expectation(text) for text in arguments.expect]
    if arguments.rtol is not None and not expected:
        raise InputError("--rtol", "EXP007", "got --rtol without --expect, wanted both")
    launch = (arguments.kernel, arguments.grid, arguments.block, given, arguments.device)
    findings = _findings(arguments)
    collect_from_here()
    with progress("running workgroups") as tell:
        results = _watched(
            arguments, None,
            lambda watching: run(
                Path(arguments.source), *launch, tell, arguments.allow_include, arguments.max_steps,
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


_OF_LAUNCHES = ("--grid", "--block", "--arg", "--lds", "--target", "--rtol")


def _execute_file(arguments: argparse.Namespace) -> int:
    """Run the launches of a run file."""
    from asmgen.cli.runs.run_file import check_kernel, read_run_file, run_steps
    from asmgen.runtime.emulation import Limits
    from asmgen.runtime.session import Session

    refuse_given(arguments, _OF_LAUNCHES, "the run file says it for each launch")
    for option, values in (("--arg", arguments.args), ("--expect", arguments.expect)):
        if values:
            help = f"leave {option} out, or write it into the run file"
            message = f"the run file has its own, so {option} would change nothing"
            raise InputError(option, "CLI005", message, help=help)
    if arguments.device != "emulator":
        message = f"got {arguments.device}, wanted emulator: memory stays on the emulator only"
        raise InputError("--device", "RUN030", message)
    file = read_run_file(arguments.source)
    check_kernel(file, arguments.kernel)
    findings = _findings(arguments)
    collect_from_here()

    def launches(watching: Watching | None) -> Session:
        limits = Limits(arguments.max_steps, arguments.max_seconds, arguments.sanitize, tell)
        session = Session(list(file.buffers.values()), limits, watching, findings)
        run_steps(file, session, arguments.allow_include)
        return session

    with progress("running workgroups") as tell:
        session = _watched(arguments, arguments.kernel, launches)
    if session is None:
        return 0
    for name, buffer in session.buffers.items():
        _show(name, buffer.content, arguments.out_dir)
    return _status(findings)


def _watched(
    arguments: argparse.Namespace, kernel: str | None, run: Callable[[Watching | None], T]
) -> T | None:
    """The result of `run`, with the parts that the options show; None if it stopped at a breakpoint. Raises
    InputError CLI005 for an option without effect."""
    given: set[str] = arguments.given
    stops = bool(arguments.breaks or arguments.at)
    if "--trace" not in given:
        refuse_given(arguments, ("--lines", "--trace-limit"), "there is no --trace")
    if not stops:
        refuse_given(arguments, ("--dump",), "there is no --break and no --at")
    if not stops and "--trace" not in given:
        refuse_given(arguments, ("--wave",), "there is no --trace, --break and --at")
    if not stops and given.isdisjoint(("--trace", "--coverage", "--counters")):
        return run(None)
    from asmgen.cli.runs.shown import run_watched

    return run_watched(arguments, kernel, run)


def _findings(arguments: argparse.Namespace) -> Findings | None:
    """The receiver of the findings of --findings; None without it."""
    if arguments.findings is None:
        return None
    if not arguments.sanitize:
        refuse_given(arguments, ("--findings",), "--no-sanitize finds nothing")
    if arguments.findings < 1:
        message = f"got {arguments.findings}, wanted a number of findings from 1 on"
        raise InputError("--findings", "WAT009", message)
    from asmgen.runtime.watching.findings import Findings

    return Findings(arguments.findings, print_error)


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
            "--out-dir",
            "ARG004",
            f"{directory} cannot be created: {(error.strerror or str(error)).lower()}",
            help="name a folder in which you may write",
        ) from error
    data = BytesIO()
    np.save(data, array)
    write_file(directory / name, data.getvalue())
