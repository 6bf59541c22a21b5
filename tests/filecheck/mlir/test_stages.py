"""Stages of the programs of examples/*.mlir. The first lines of a file here name its program, stage and
target; its CHECK lines are the required text of the stage.

Of lanewise these are memory, exchanges and control flow: the ops, without the names of their values. Of
assembly they are the mnemonics in order, with labels, but for delays.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from asmgen.cli.main import main
from asmgen.testing import assert_filecheck
from tests.mlir.judge import EXAMPLES

FILES = sorted(Path(__file__).parent.glob("*.check"))
_OP = re.compile(r"(?:[\w, ]+ = )?(@?\w+)(\[[^]]*\])?\(?")
_KEPT = ("launch", "load", "store", "lds_allocate", "lds_load", "lds_store", "barrier", "if", "for", "while", "yield", "@return")


def lanewise_lines(text: str) -> Iterator[str]:
    """The ops that are kept, and the beginnings and ends of regions."""
    for line in text.splitlines():
        found = _OP.match(line.strip())
        opens = " {" if line.endswith("{") else ""
        if found is not None and found[1] in _KEPT:
            yield f"{found[1]}{found[2] or ''}{opens}"
        elif line.strip().startswith("}"):
            yield "}" + opens


def assembly_lines(text: str, name: str) -> Iterator[str]:
    body = text[text.index(f"\n{name}:") : text.index("s_endpgm") + len("s_endpgm")]
    for line in body.splitlines():
        found = re.match(r"(\.L\S+:)|\s+(?!s_delay_alu)([a-z]\S+)( :: )?", re.sub(r"\s*;.*", "", line))
        if found is not None:
            yield found[1] or found[2]


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_stage(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    about = dict(re.findall(r"^# (program|stage|target): (\S+)$", path.read_text(encoding="utf-8"), re.MULTILINE))
    name, stage = about["program"], about["stage"]
    assert main(["kernel", str(EXAMPLES / f"{name}.mlir"), "--target", about["target"], "--emit", stage]) == 0
    text = capsys.readouterr().out
    lines = lanewise_lines(text) if stage == "lanewise" else assembly_lines(text, name)
    assert_filecheck("\n".join(lines) + "\n", path, full_lines=True)


def test_each_program_has_its_stages() -> None:
    programs = {"basic", "vecadd", "dotproduct", "sgemm", "relu", "fence", "diverge"}
    assert {path.stem for path in FILES} == {f"{name}.{stage}" for name in programs for stage in ("lanewise", "asm")}
