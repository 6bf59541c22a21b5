"""Damaged text of every stage is refused with a place or compiled; it never ends in a traceback and leaves no file."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from asmgen.cli.main import main

_NUMBERS = (0, 1, 2, 3, 7, 63, 64, 255, 256, 1024, 4096, -1, 2**31, 2**32, 2**40)
_CHARACTERS = "()[]{}%@,=:->0123456789abcxv s"
_STAGES = (("graph", ".gen"), ("gridwise", ".gen"), ("lanewise", ".gen"), ("final", ".gen"), ("machine", ".mir"), ("allocated", ".mir"))
_PLACE = re.compile(r"[^\n]+: error\[[A-Z]+\d+\]: ")


def printed(stage: str, kernel: str, path: Path) -> str:
    assert main(["kernel", kernel, "--set", "n=1003", "--emit", stage, "-o", str(path)]) == 0
    return path.read_text(encoding="utf-8")


def damaged(text: str, generator: random.Random) -> str:
    lines = text.splitlines()
    for _ in range(generator.randint(1, 2)):
        generator.choice((delete, repeat, mistype, shuffle_words, exchange, change_number))(lines, generator)
    return "\n".join(lines) + "\n"


def delete(lines: list[str], generator: random.Random) -> None:
    if len(lines) > 1:
        del lines[generator.randrange(len(lines))]


def repeat(lines: list[str], generator: random.Random) -> None:
    lines.insert(generator.randrange(len(lines)), generator.choice(lines))


def mistype(lines: list[str], generator: random.Random) -> None:
    at = generator.randrange(len(lines))
    if lines[at]:
        column = generator.randrange(len(lines[at]))
        lines[at] = lines[at][:column] + generator.choice(_CHARACTERS) + lines[at][column + 1 :]


def shuffle_words(lines: list[str], generator: random.Random) -> None:
    at = generator.randrange(len(lines))
    words = lines[at].split(" ")
    generator.shuffle(words)
    lines[at] = " ".join(words)


def exchange(lines: list[str], generator: random.Random) -> None:
    one, other = generator.randrange(len(lines)), generator.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]


def change_number(lines: list[str], generator: random.Random) -> None:
    at = generator.randrange(len(lines))
    numbers = list(re.finditer(r"\d+", lines[at]))
    if numbers:
        found = generator.choice(numbers)
        lines[at] = lines[at][: found.start()] + str(generator.choice(_NUMBERS)) + lines[at][found.end() :]


def check(stage: str, suffix: str, count: int, seed: int, directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    generator = random.Random(seed)
    whole = [printed(stage, kernel, directory / "whole") for kernel in ("gelu_erf", "muladd")]
    _ = capsys.readouterr()
    source, output = directory / f"damaged{suffix}", directory / "output.s"
    for _ in range(count):
        source.write_text(damaged(generator.choice(whole), generator), encoding="utf-8")
        status = main(["kernel", str(source), "--emit", "asm", "-o", str(output)])
        message = capsys.readouterr().err
        assert status == 0 or _PLACE.match(message), message
        assert output.exists() == (status == 0)
        output.unlink(missing_ok=True)


@pytest.mark.parametrize(("stage", "suffix"), _STAGES)
def test_damaged_text_is_refused_or_compiled(stage: str, suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check(stage, suffix, 40, 1, tmp_path, capsys)


@pytest.mark.slow
@pytest.mark.parametrize(("stage", "suffix"), _STAGES)
def test_much_damaged_text_is_refused_or_compiled(stage: str, suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check(stage, suffix, 1000, 2, tmp_path, capsys)
