"""`pytest --cpu N`: the CPU seconds of the run by folder, and the N tests that took most, their processes included.

The CPU time of a test is its cost on any machine, however busy; `--durations` gives the time on the wall.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Generator

import pytest

CPU = "cpu seconds"
BEGAN = pytest.StashKey[float]()


def cpu_seconds() -> float:
    """The CPU time of this process and of the processes that it has waited for."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


class CpuTime:
    """The plugin behind `--cpu`: workers note the time of each test, the process that reports adds it up."""

    def __init__(self, shown: int) -> None:
        self.shown = shown
        self.seconds: dict[str, float] = defaultdict(float)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        item.stash[BEGAN] = cpu_seconds()
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """The teardown's report has the time since the test began, fixtures made for it included."""
        report = yield
        if report.when == "teardown":
            report.user_properties.append((CPU, cpu_seconds() - item.stash[BEGAN]))
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "teardown":
            self.seconds[report.nodeid] += sum(float(str(value)) for name, value in report.user_properties if name == CPU)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        folders: dict[str, float] = defaultdict(float)
        for test, seconds in self.seconds.items():
            folders[test.partition("::")[0]] += seconds
        terminalreporter.section(f"CPU time: {sum(folders.values()):.0f} s")
        for names in (folders, self.seconds):
            for name, seconds in sorted(names.items(), key=lambda entry: -entry[1])[: self.shown]:
                terminalreporter.write_line(f"{seconds:8.2f} s  {name}")
