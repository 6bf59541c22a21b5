"""The device of tests that run programs: `pytest --device emulator|hip|auto`."""

from __future__ import annotations

import os

DEVICE_VARIABLE = "ASMGEN_TEST_DEVICE"


def chosen_device() -> str:
    """The device of `--device`, which tests/conftest.py hands on by the environment so that helpers far from a fixture see it."""
    return os.environ.get(DEVICE_VARIABLE, "emulator")
