"""Options, marks and fixtures of all tests: LLVM's tools by mark, golden files and their update, the device, CPU times."""

from __future__ import annotations

import gc
import os
import shutil
import signal
from collections import Counter
from collections.abc import Callable, Generator
from pathlib import Path
from zlib import crc32

import pytest
from hypothesis import HealthCheck, settings

from asmgen.cache.store import OFF, VARIABLE
from asmgen.emission.assemble import ASSEMBLER_VARIABLE
from asmgen.options import BUILTIN
from asmgen.testing import assert_golden
from tests.cpu_time import CpuTime
from tests.device import DEVICE_VARIABLE

pytest_plugins = ["asmgen.testing.plugin"]
HERE = Path(__file__).parent
GOLDEN = HERE / "golden"
# A shared machine may be slow for a moment, so tests have no deadline.
settings.register_profile("shared machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("shared machine")
BY_CLANG = 48  # one test of so many asks clang for its code objects
COLLECTED_AFTER = (50_000, 20, 20)  # new objects, and collections of younger objects
PROCESSES = "processes"  # the group of the tests that fork much, or look at the collector
BROAD = (HERE / "property", HERE / "mutants", HERE / "unit" / "verification")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--device", default="emulator", choices=("emulator", "hip", "auto"), help="where tests that run programs run them")
    parser.addoption("--cpu", type=int, default=0, metavar="N", help="show the CPU seconds of the N most expensive files and tests")


def pytest_configure(config: pytest.Config) -> None:
    os.environ[DEVICE_VARIABLE] = str(config.getoption("--device"))
    config.option.loadscopereorder = False  # the order below stays
    os.environ[VARIABLE] = OFF  # a cached result would hide a fault of the code that makes it
    # the tests start hundreds of processes; each would compile its imports, in 1 s of CPU
    _ = os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    # a job in the background of a shell ignores it, and the processes that tests interrupt would inherit that
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        _ = signal.signal(signal.SIGINT, signal.default_int_handler)
    if shown := int(str(config.getoption("--cpu"))):
        _ = config.pluginmanager.register(CpuTime(shown))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Python's collector took a seventh of the time of the tests: it runs less often, and the objects of the collection count as old."""
    gc.disable()
    result = yield
    gc.freeze()
    gc.unfreeze()
    gc.set_threshold(*COLLECTED_AFTER)
    gc.enable()
    return result


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makeitem(collector: pytest.Collector, obj: object) -> list[pytest.Item] | None:
    """A run without the slow tests makes no items for them: they are three quarters of all."""
    is_run = "not slow" not in str(collector.config.getoption("-m")).split(" and ")
    return None if is_run or all(mark.name != "slow" for mark in getattr(obj, "pytestmark", [])) else []


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> Generator[None]:
    """Mark the tests of some folders as broad, and give each test its group.

    The tests of a file run in one process, unless a mark names another group: shared objects are made once. Tests that fork
    many processes come first: they take twice the time in a process that has a gigabyte of objects of other tests. The
    other groups follow by size, as in xdist.
    """
    folders = tuple(f"{folder}{os.sep}" for folder in BROAD)
    for item in items:
        if str(item.path).startswith(folders):
            item.add_marker(pytest.mark.broad)
        if item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(str(item.path.relative_to(HERE))))
    yield
    sizes = Counter(map(_group, items))
    items.sort(key=lambda item: (_group(item) != PROCESSES, -sizes[_group(item)]))


def _group(item: pytest.Item) -> str:
    mark = item.get_closest_marker("xdist_group")
    assert mark is not None
    return str(mark.args[0])


def pytest_unconfigure() -> None:
    """The process ends with its objects: without this, pytest would collect them five times, a second each."""
    gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Assemble the programs of most tests in process, which takes a tenth of the time of clang and lld.

    tests/unit/isa/test_assembler_llvm.py compares the bytes. One test of 48, by its name, asks clang.
    A test marked `needs_llvm("llvm-mc-22", ...)` is skipped if a tool is missing, which the skip names.
    """
    if crc32(f"{item.path.relative_to(HERE.parent)}::{item.name}".encode()) % BY_CLANG:
        os.environ[ASSEMBLER_VARIABLE] = BUILTIN
    else:
        _ = os.environ.pop(ASSEMBLER_VARIABLE, None)
    for mark in item.iter_markers("needs_llvm"):
        for tool in mark.args:
            if shutil.which(str(tool)) is None:
                pytest.skip(f"{tool} is not installed")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A skip is a failure if ASMGEN_REQUIRE_LLVM=1: CI has every tool."""
    report = yield
    if report.skipped and os.environ.get("ASMGEN_REQUIRE_LLVM") == "1":
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        report.outcome = "failed"
        report.longrepr = f"{reason}, and ASMGEN_REQUIRE_LLVM=1 wants every test run"
    return report


@pytest.fixture(scope="session")
def golden() -> Callable[[str, str], None]:
    """`golden(path, text)` compares `text` with tests/golden/`path`, or writes it under --update-golden."""
    return lambda path, text: assert_golden(text, GOLDEN / path)


@pytest.fixture
def few_sizes(monkeypatch: pytest.MonkeyPatch) -> None:
    """`--verify` gives each size of a program a single other value: tests/unit/verification tries them all."""
    monkeypatch.setattr("asmgen.verification.sizes.LADDER", (65,))


@pytest.fixture
def takes_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reductions of named dims are in parts for few elements too, so that small arrays test the parts."""
    from asmgen.blockwise.schedules.choosing import parts

    monkeypatch.setattr(parts, "WHOLE_OF_NAMED_COLUMNS", ((0, 0), (0, 0)))
    monkeypatch.setattr(parts, "WHOLE_OF_KNOWN_COLUMNS", ((0, 0), (0, 0)))
    monkeypatch.setattr(parts, "WHOLE_OF_ROW", (0, 0))
