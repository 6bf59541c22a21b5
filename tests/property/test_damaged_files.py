"""Damaged assembly, code objects and arrays are refused with a place, or read; nothing ends in a
traceback."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest

from asmgen.cli.main import main
from tests.property.damage import answering, damaged, damaged_bytes, one_byte_changed

_PLACE = re.compile(r"[^\n]+: error\[[A-Z]+\d+\]: ")
# an error in the file has an offset; arguments that do not suit, a run that goes wrong, and what is read as text since it no
# longer begins as an ELF file does are told otherwise, and so is a kernel whose name is damaged
_OFFSET = re.compile(r"0x[0-9a-f]+|byte \d+ is|error\[(?:RUN|EMU|SAN|CHK021|LOAD003)")
_TARGETS = ("gfx942", "gfx1100")
_FEW, _MANY = 120, 5000


def check(
    damage: Callable[[random.Random], None],
    commands: Sequence[Sequence[str]],
    count: int,
    seed: int,
    capsys: pytest.CaptureFixture[str],
    said_too: re.Pattern[str] = _PLACE,
) -> None:
    """Every command answers with 0, or with 1, a place and what else has to be said; `damage` writes the file
    that it reads, which was whole before."""
    generator = random.Random(seed)
    assert [main(command) for command in commands] == [0] * len(commands), capsys.readouterr().err
    for number in range(count):
        damage(generator)
        command = commands[number % len(commands)]
        with answering():
            status = main(command)
        said = capsys.readouterr()
        is_told = _PLACE.search(said.err) and said_too.search(said.err)
        assert status == 0 or (status == 1 and is_told), (number, command, said.err)


def launch(path: Path, array: Path) -> tuple[str, ...]:
    arguments = [word for _ in range(3) for word in ("--arg", str(array))]
    return ("run", str(path), "--kernel", "vecadd", "--grid", "1", "--block", "64", *arguments)


def whole(directory: Path, suffix: str, target: str) -> Path:
    """A whole file, and the array that its kernel takes."""
    path = directory / f"whole{suffix}"
    stage = ["--emit", "asm"] if suffix == ".s" else []
    assert main(["kernel", "vecadd", "--set", "n=256", "--target", target, *stage, "-o", str(path)]) == 0
    np.save(directory / "x.npy", np.ones(256, np.float32))
    return path


def check_assembly(count: int, seed: int, target: str, directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = whole(directory, ".s", target).read_text(encoding="utf-8")
    path = directory / "damaged.s"
    _write(path, text)
    commands = (
        ("kernel", str(path), "--target", target),
        launch(path, directory / "x.npy"),
        ("check", str(path)),
        ("report", str(path)),
    )
    check(lambda generator: _write(path, damaged(text, generator)), commands, count, seed, capsys)


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")


def check_objects(count: int, seed: int, target: str, directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = whole(directory, ".hsaco", target).read_bytes()
    path = directory / "damaged.hsaco"
    _write_bytes(path, data)
    commands = (
        ("kernel", str(path), "--target", target),
        launch(path, directory / "x.npy"),
        ("check", str(path)),
        ("report", str(path)),
    )

    def damage(generator: random.Random) -> None:
        change = generator.choice((damaged_bytes, one_byte_changed))
        _write_bytes(path, change(data, generator))

    check(damage, commands, count, seed, capsys, _OFFSET)


def _write_bytes(path: Path, data: bytes) -> None:
    path.write_bytes(data)


def check_arrays(count: int, seed: int, directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = whole(directory, ".s", "gfx942")
    data = (directory / "x.npy").read_bytes()
    path = directory / "damaged.npy"
    _write_bytes(path, data)
    head = data[:140]  # the places of everything but the numbers

    def damage(generator: random.Random) -> None:
        path.write_bytes(damaged_bytes(head, generator) + data[len(head) :])

    check(damage, [launch(program, path)], count, seed, capsys)


@pytest.mark.needs_llvm("clang-22")
@pytest.mark.parametrize("target", _TARGETS)
def test_damaged_assembly(target: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check_assembly(_FEW // 2, 3, target, tmp_path, capsys)


@pytest.mark.parametrize("target", _TARGETS)
def test_damaged_code_objects(target: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check_objects(_FEW // 2, 4, target, tmp_path, capsys)


def test_damaged_arrays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check_arrays(_FEW, 5, tmp_path, capsys)


@pytest.mark.slow
@pytest.mark.needs_llvm("clang-22")
@pytest.mark.parametrize("target", _TARGETS)
def test_much_damaged_assembly(target: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check_assembly(_MANY // 2, 6, target, tmp_path, capsys)


@pytest.mark.slow
@pytest.mark.parametrize("target", _TARGETS)
def test_many_damaged_code_objects(target: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check_objects(_MANY // 2, 7, target, tmp_path, capsys)


@pytest.mark.slow
def test_many_damaged_arrays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check_arrays(_MANY, 8, tmp_path, capsys)
