"""What every test may use: LLVM's tools by mark, golden files with their update option, and the device option."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Generator
from pathlib import Path

import pytest

from tests.device import DEVICE_VARIABLE

GOLDEN = Path(__file__).parent / "golden"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write tests/golden afresh; refused when CI is set")
    parser.addoption("--device", default="emulator", choices=("emulator", "hip", "auto"), help="where tests that run programs run them")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--update-golden") and os.environ.get("CI"):
        raise pytest.UsageError("--update-golden is refused where CI is set: golden files are reviewed, then committed")
    os.environ[DEVICE_VARIABLE] = str(config.getoption("--device"))


def pytest_runtest_setup(item: pytest.Item) -> None:
    """A test marked `needs_llvm("llvm-mc-22", ...)` is skipped by the tool's name where one is missing."""
    for mark in item.iter_markers("needs_llvm"):
        for tool in mark.args:
            if shutil.which(str(tool)) is None:
                pytest.skip(f"{tool} is not installed")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Under ASMGEN_REQUIRE_LLVM=1 whatever was skipped has failed: CI has every tool that a skip may name."""
    report = yield
    if report.skipped and os.environ.get("ASMGEN_REQUIRE_LLVM") == "1":
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        report.outcome = "failed"
        report.longrepr = f"{reason}, and ASMGEN_REQUIRE_LLVM=1 wants every test run"
    return report


@pytest.fixture(scope="session")
def golden(pytestconfig: pytest.Config) -> Callable[[str, str], None]:
    """`golden(path, text)` compares `text` with tests/golden/`path`, or writes it under --update-golden."""
    update = bool(pytestconfig.getoption("--update-golden"))

    def compare(path: str, text: str) -> None:
        file = GOLDEN / path
        if update:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
            return
        assert file.exists(), f"tests/golden/{path} does not exist; `pytest --update-golden` writes it"
        assert text == file.read_text(encoding="utf-8"), f"differs from tests/golden/{path}; `pytest --update-golden` writes it afresh"

    return compare
