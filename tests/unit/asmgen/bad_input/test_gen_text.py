"""Gen text that is refused, statement by statement and as a whole, by the command line and by Python
alike."""

from __future__ import annotations

from pathlib import Path

import pytest

import asmgen
from isa.diagnostics import InputError, Place
from tests.unit.asmgen.bad_input.doors import refused
from tests.unit.asmgen.bad_input.statements import HEAD, STATEMENTS, TEXTS


@pytest.mark.parametrize("statement", STATEMENTS, ids=range(len(STATEMENTS)))
def test_a_statement_is_refused_at_its_line(statement: str) -> None:
    with pytest.raises(InputError) as caught:
        _ = asmgen.compile(f"{HEAD}{statement}\n@return(y)\n")
    place = caught.value.place
    assert isinstance(place, Place)
    assert place.line in (4, 5), str(caught.value)
    assert place.file == "<text>.gen"


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_a_file_is_refused(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bad.gen"
    path.write_text(text, encoding="utf-8")
    assert refused(["kernel", str(path), "-o", str(tmp_path / "k.hsaco")], tmp_path, capsys).startswith(str(path))
