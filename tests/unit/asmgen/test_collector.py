"""The collector of a command's process: off for a start and a compile, on if a command runs long."""

from __future__ import annotations

import gc
import sys
from collections.abc import Generator

import pytest

from asmgen.__main__ import main
from asmgen.cli.terminal import collect_from_here

pytestmark = pytest.mark.xdist_group("processes")


@pytest.fixture
def collector() -> Generator[None]:
    """The collector as it was."""
    yield
    gc.unfreeze()
    gc.enable()


@pytest.mark.usefixtures("collector")
@pytest.mark.parametrize("verify", [False, True])
def test_only_a_long_command_collects(verify: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["asmgen", "kernel", "vecadd", "--set", "n=64", *["--verify"] * verify])
    finders = list(sys.meta_path)
    assert main() == 0
    assert gc.isenabled() == verify
    assert sys.meta_path == finders


def test_a_process_that_collects_is_left_alone() -> None:
    frozen = gc.get_freeze_count()
    collect_from_here()
    assert (gc.isenabled(), gc.get_freeze_count()) == (True, frozen)
