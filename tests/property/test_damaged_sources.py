"""Damaged text of every stage is refused with a place or compiled; it never ends in a traceback and leaves no file."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from asmgen.cli.main import main
from tests.property.damage import answering, damaged

_STAGES = (("graph", ".gen"), ("gridwise", ".gen"), ("lanewise", ".gen"), ("final", ".gen"), ("machine", ".mir"), ("allocated", ".mir"))
_PLACE = re.compile(r"[^\n]+: error\[[A-Z]+\d+\]: ")


def printed(stage: str, kernel: str, path: Path) -> str:
    assert main(["kernel", kernel, "--set", "n=1003", "--emit", stage, "-o", str(path)]) == 0
    return path.read_text(encoding="utf-8")


def check(stage: str, suffix: str, count: int, seed: int, directory: Path, capsys: pytest.CaptureFixture[str]) -> None:
    generator = random.Random(seed)
    whole = [printed(stage, kernel, directory / "whole") for kernel in ("gelu_erf", "muladd")]
    _ = capsys.readouterr()
    source, output = directory / f"damaged{suffix}", directory / "output.s"
    for _ in range(count):
        source.write_text(damaged(generator.choice(whole), generator), encoding="utf-8")
        with answering():
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
    check(stage, suffix, 2500 if suffix == ".mir" else 1250, 2, tmp_path, capsys)
