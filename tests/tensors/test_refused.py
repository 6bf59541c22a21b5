"""Types, ops and regions that the language does not have, and sizes beyond a buffer, are refused at their place."""

from __future__ import annotations

from pathlib import Path

import pytest

import asmgen
from isa.diagnostics import InputError
from tests.tensors.cases import refused, wrong

CASES = {case.about: case for case in (*refused.CASES, *wrong.BY_ASMGEN)}


@pytest.mark.parametrize("name", CASES)
def test_refused_at_its_place(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    path = tmp_path / "module.mlir"
    path.write_text(case.text)
    with pytest.raises(InputError) as caught:
        _ = asmgen.compile(path)
    message = str(caught.value)
    assert f"module.mlir:{case.line}:{case.column}: error[" in message
    assert case.word in message
