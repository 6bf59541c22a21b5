"""Which llvm-objdump is taken, and what is said where none knows the target."""

from __future__ import annotations

from pathlib import Path

import pytest

from isa.diagnostics import InputError, Place
from isa.emulator.disassembly import disassemble, find_objdump
from isa.targets import TARGETS

TARGET = TARGETS["gfx942"]


def on_the_path(directory: Path, name: str, script: str) -> str:
    path = directory / name
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


@pytest.mark.usefixtures("path")
def test_without_objdump() -> None:
    with pytest.raises(InputError) as caught:
        _ = disassemble(b"", ["k"], TARGET, Place("file.co"))
    assert caught.value.code == "LOAD030"
    assert caught.value.message.startswith("llvm-objdump is not installed")
    assert "llvm-22" in caught.value.help


def test_one_that_does_not_know_the_target_is_passed_over(path: Path) -> None:
    deaf = on_the_path(path, "llvm-objdump", "exit 1")
    assert find_objdump(TARGET).problem == f"{deaf} cannot read gfx942"
    knows = on_the_path(path, "llvm-objdump-19", "echo '\ts_nop 0   // 000000000000: BF800000'")
    find_objdump.__globals__["_find_objdump"].cache_clear()
    assert find_objdump(TARGET).path == knows


def test_one_that_crashes_is_passed_over(path: Path) -> None:
    deaf = on_the_path(path, "llvm-objdump", "kill -ABRT $$")
    assert find_objdump(TARGETS["gfx1100"]).problem == f"{deaf} cannot read gfx1100"


@pytest.mark.needs_llvm("llvm-objdump-22")
@pytest.mark.parametrize("name", TARGETS)
def test_llvm_22_knows_every_target(name: str) -> None:
    assert find_objdump(TARGETS[name]).path.endswith("llvm-objdump-22")


@pytest.mark.needs_llvm("llvm-objdump-14")
def test_llvm_14_does_not_know_gfx942(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/usr/bin")
    import shutil

    old = shutil.which("llvm-objdump-14")
    assert old is not None
    (path / "llvm-objdump").symlink_to(old)
    monkeypatch.setenv("PATH", str(path))
    assert find_objdump(TARGET).problem == f"{path / 'llvm-objdump'} cannot read gfx942"
