"""Records the blocks that each test runs, by running the suite on a marked copy of the tree.

The record grows test by test: an interrupted run keeps its entries, and the next run continues.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Generator
from pathlib import Path

import msgspec
import pytest

from tests.cpu_time import cpu_seconds
from tools.plant_faults.marked import VARIABLE, marks


class Ran(msgspec.Struct, frozen=True, array_like=True):
    """The blocks that a test, or the collection of a file, ran: compressed `bits` with a bit for each
    block."""

    test: str
    seconds: float
    passed: bool
    bits: bytes


class Recorder:
    """A pytest plugin that writes an entry for each test, in a process that imports the marked copy."""

    def __init__(self, path: Path, count: int) -> None:
        self._file = path.open("ab")
        self._marks = marks(path.with_suffix(".marks"), count)
        self._count = count
        self._failed = False
        os.environ[VARIABLE] = str(path.with_suffix(".marks"))

    def _take(self) -> bytes:
        import numpy as np

        table = np.frombuffer(self._marks, np.uint8, self._count)
        bits = zlib.compress(np.packbits(table).tobytes())
        del table
        self._marks[:] = bytes(len(self._marks))
        return bits

    def _write(self, entry: Ran) -> None:
        data = msgspec.msgpack.encode(entry)
        _ = self._file.write(len(data).to_bytes(4, "little") + data)
        self._file.flush()

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(
        self, collector: pytest.Collector
    ) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
        if isinstance(collector, pytest.Module):
            _ = self._take()
        report = yield
        if isinstance(collector, pytest.Module):
            self._write(Ran(collector.nodeid, 0.0, report.passed, self._take()))
        return report

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        _ = self._take()
        self._failed = False
        began = cpu_seconds()
        result = yield
        self._write(Ran(item.nodeid, cpu_seconds() - began, not self._failed, self._take()))
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._failed |= report.outcome != "passed"


class Left:
    """A pytest plugin that skips the recorded tests."""

    def __init__(self, tests: frozenset[str]) -> None:
        self._tests = tests

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if item.nodeid not in self._tests]


def read(path: Path) -> list[Ran]:
    """The entries of a record, without a last entry that an interrupted run left incomplete."""
    if not path.exists():
        return []
    data, at, entries = path.read_bytes(), 0, list[Ran]()
    while at + 4 <= len(data):
        end = at + 4 + int.from_bytes(data[at : at + 4], "little")
        if end > len(data):
            break
        entries.append(msgspec.msgpack.decode(data[at + 4 : end], type=Ran))
        at = end
    return entries
