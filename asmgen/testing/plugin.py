"""The pytest plugin that has `--update-golden`; turned on by `pytest_plugins = ["asmgen.testing.plugin"]` in
a conftest.py."""

from __future__ import annotations

import os

import pytest

from asmgen.testing.assertions import REFUSED_IN_CI, UPDATE_VARIABLE


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden", action="store_true", help="write golden files afresh; refused when CI is set"
    )


def pytest_configure(config: pytest.Config) -> None:
    if not config.getoption("--update-golden"):
        return
    if os.environ.get("CI"):
        raise pytest.UsageError(f"--update-golden is refused: {REFUSED_IN_CI}")
    os.environ[UPDATE_VARIABLE] = "1"  # the assertions read it, in the workers of pytest-xdist too


def pytest_unconfigure(config: pytest.Config) -> None:
    if config.getoption("--update-golden"):
        _ = os.environ.pop(UPDATE_VARIABLE, None)
