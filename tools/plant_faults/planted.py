"""Plants a fault, and runs the tests that may detect it, in a process that imports the copy of the tree.

The process is a fork of a process that has loaded the libraries, such as numpy, but no module of this
project. `equivalent.txt` lists faults that change nothing.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import resource
import signal
import sys
import time
from collections.abc import Generator, Sequence
from pathlib import Path

import msgspec
import pytest

from tools.plant_faults.chosen import Recorded, rounds
from tools.plant_faults.faults import Fault
from tools.plant_faults.record import Ran
from tools.plant_faults.tree import PACKAGES, TREE, drop_bytecode

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
    """A pytest plugin that runs the chosen tests in order, and reports the first failure."""

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
        """End the process if a test takes much longer than recorded."""
        signal.setitimer(signal.ITIMER_PROF, 8 + 10 * self._seconds[item.nodeid])
        result = yield
        signal.setitimer(signal.ITIMER_PROF, 0)
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            _ = os.write(self._output, report.nodeid.encode())

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            _ = os.write(self._output, f"{report.nodeid} (at import)".encode())


def first_failure(root: Path, tests: Sequence[Ran]) -> str | None:
    """The first test that fails in the current state of the copy; None if all pass."""
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
            os.killpg(child, signal.SIGKILL)  # the processes that tests started
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
    """The status of a child, or None if it takes longer and is killed."""
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
    gc.freeze()  # or the child spends its CPU time on collecting the garbage of a long test run
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
    """Import this project only from the copy, in this process and its children."""
    for name in list(sys.modules):
        if name.partition(".")[0] in _OURS:
            del sys.modules[name]
    sys.path[:] = [str(root), *[path for path in sys.path if Path(path or ".").resolve() != TREE]]
    sys.dont_write_bytecode = False
    os.environ["PYTHONPATH"] = str(root)
    os.chdir(root)


KILLED, ALIVE = "killed", "alive"
_EQUIVALENT = Path(__file__).with_name("equivalent.txt")


class Planted(msgspec.Struct, frozen=True):
    """The result for a fault. `by`: the test that failed. `seen`: tests that run the fault's block; `ran`:
    how many of them ran."""

    fault: str
    line: int
    outcome: str
    by: str = ""
    ran: int = 0
    seen: int = 0
    seconds: float = 0.0

    def __str__(self) -> str:
        how = f"by {self.by}" if self.by else f"{self.ran} of {self.seen} tests"
        file, _, change = self.fault.partition(" ")
        return f"{self.outcome} {file}:{self.line} {change} ({how}, {self.seconds:.0f} s)"


def results(folder: Path) -> dict[str, Planted]:
    """The last result of each fault, by its name."""
    path = folder / "results.jsonl"
    lines = path.read_bytes().splitlines() if path.exists() else []
    verdicts = [msgspec.json.decode(line, type=Planted) for line in lines]
    return {verdict.fault: verdict for verdict in verdicts}


def equivalents() -> dict[str, str]:
    """The names of the faults that change nothing, each with its reason, which is indented below the name."""
    reasons: dict[str, str] = {}
    name = ""
    for line in _EQUIVALENT.read_text(encoding="utf-8").splitlines():
        if line.startswith("    "):
            reasons[name] = line.strip()
        elif line and not line.startswith("#"):
            name = line
    return reasons


def plant(root: Path, fault: Fault, source: str, recorded: Recorded, limit: float) -> Planted:
    """Plant a fault in the copy, run the tests, and put the file back."""
    load_libraries()
    tests = recorded.that_run(fault.block)
    path = root / fault.block.file
    before = path.stat()
    began = os.times()
    ran, by = 0, None
    try:
        _ = path.write_text(fault.planted(source), encoding="utf-8")
        for part in rounds(tests, limit):
            drop_bytecode(path)
            by = first_failure(root, part)
            ran += len(part)
            if by is not None:
                break
    finally:
        _ = path.write_text(source, encoding="utf-8")
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
        drop_bytecode(path)
    ended = os.times()
    seconds = ended.children_user + ended.children_system - began.children_user - began.children_system
    return Planted(
        fault.name, fault.line, ALIVE if by is None else KILLED, by or "", ran, len(tests), seconds
    )
