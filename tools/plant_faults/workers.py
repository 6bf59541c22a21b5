"""Run tests in a process that imports the copy of the tree, and name the first that fails.

The process is a fork of one that has loaded the libraries, such as numpy, but no module of this project.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import resource
import signal
import sys
import time
from collections.abc import Generator, Sequence
from pathlib import Path

import pytest

from tools.plant_faults.record import Ran
from tools.plant_faults.tree import PACKAGES, TREE

_LOADED_FIRST = (
    "numpy",
    "ml_dtypes",
    "msgspec",
    "sympy",
    "hypothesis",
    "elftools.elf.elffile",
    "rich.console",
)
_OURS = (*PACKAGES, "tests", "tools")
_MEMORY = 6 << 30
_TOO_LONG = "takes too long"


def load_libraries() -> None:
    for name in _LOADED_FIRST:
        _ = importlib.import_module(name)


class _First:
    """A plugin that keeps the chosen tests, in their order, and writes down the first that fails."""

    def __init__(self, tests: Sequence[Ran], output: int) -> None:
        self._places = {entry.test: at for at, entry in enumerate(tests)}
        self._seconds = {entry.test: entry.seconds for entry in tests}
        self._output = output

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        chosen = [item for item in items if item.nodeid in self._places]
        items[:] = sorted(chosen, key=lambda item: self._places[item.nodeid])

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """A test that takes much longer than it did ends the process."""
        signal.setitimer(signal.ITIMER_PROF, 8 + 10 * self._seconds[item.nodeid])
        result = yield
        signal.setitimer(signal.ITIMER_PROF, 0)
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            _ = os.write(self._output, report.nodeid.encode())

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            _ = os.write(self._output, f"{report.nodeid} (as it is loaded)".encode())


def first_failure(root: Path, tests: Sequence[Ran]) -> str | None:
    """The test that fails first with the copy as it is now; None if all pass."""
    seconds = sum(entry.seconds for entry in tests) + len(_files(tests))
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        try:
            _run(root, tests, writer, seconds)
        finally:
            os._exit(3)
    os.close(writer)
    try:
        status = _ended(child, 60 + 20 * seconds)
        name = os.read(reader, 1000).decode()
    finally:
        os.close(reader)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)  # what the tests have started
    if name:
        return name
    if status is None or os.WIFSIGNALED(status):
        is_late = status is None or os.WTERMSIG(status) in (signal.SIGPROF, signal.SIGXCPU)
        return _TOO_LONG if is_late else "the process ends"
    return (
        None
        if os.WEXITSTATUS(status) in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)
        else "pytest itself"
    )


def _files(tests: Sequence[Ran]) -> list[str]:
    return list(dict.fromkeys(entry.test.partition("::")[0] for entry in tests))


def _ended(child: int, seconds: float) -> int | None:
    """The status of a child, or None if it takes longer and is ended."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return status
        time.sleep(0.02)
    os.kill(child, signal.SIGKILL)
    _ = os.waitpid(child, 0)
    return None


def _run(root: Path, tests: Sequence[Ran], output: int, seconds: float) -> None:
    os.setsid()
    limit = int(10 + 4 * seconds)
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        _ = os.dup2(nothing, stream)
    _see(root)
    arguments = [*_files(tests), "-x", "-q", "--tb=no", "-n", "0", "-p", "no:cacheprovider"]
    os._exit(pytest.main(arguments, plugins=[_First(tests, output)]))


def _see(root: Path) -> None:
    """Import this project from the copy alone, in this process and those it starts."""
    for name in list(sys.modules):
        if name.partition(".")[0] in _OURS:
            del sys.modules[name]
    sys.path[:] = [str(root), *[path for path in sys.path if Path(path or ".").resolve() != TREE]]
    sys.dont_write_bytecode = False
    os.environ["PYTHONPATH"] = str(root)
    os.chdir(root)
