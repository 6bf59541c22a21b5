"""Edits of the texts of gridwise and blockwise are honoured, or refused by a rule at the edited line."""

from __future__ import annotations

from pathlib import Path

import pytest

from asmgen.cli.main import main
from asmgen.cli.stages import stage_text
from tests.property.edited import blockwise, gridwise
from tests.property.edited.edits import TEXTS, Edit, broken_in, compiled, edited, edits, hold, text_of
from tests.property.edited.reference import REFERENCES

EVERY_EDIT = (*gridwise.EDITS, *blockwise.EDITS)
EVERY_TEXT = sorted(path.stem for path in TEXTS.glob("*.gen"))
RUNNING = [edit for edit in EVERY_EDIT if edit.runs]
IN_EVERY_RUN = 5  # one of so many
SETS = 2  # of inputs: ordinary numbers, and those that show a lost or doubled element


@pytest.mark.parametrize("name", EVERY_TEXT)
def test_a_text_is_as_printed_and_right(name: str) -> None:
    program = compiled(text_of(name))
    stage = "blockwise" if name.endswith("_tiles") else "gridwise"
    assert stage_text(program.compilation, stage) == text_of(name)
    assert not broken_in(name, program, SETS)


@pytest.mark.parametrize("edit", [edit for edit in EVERY_EDIT if not edit.runs], ids=str)
def test_an_edit_is_refused_at_its_line(edit: Edit) -> None:
    hold(edit)


@pytest.mark.parametrize("edit", RUNNING[::IN_EVERY_RUN], ids=str)
def test_an_edit_is_honoured(edit: Edit) -> None:
    hold(edit, SETS)


@pytest.mark.slow
@pytest.mark.parametrize("edit", RUNNING, ids=str)
def test_an_edit_is_honoured_on_all_inputs(edit: Edit) -> None:
    hold(edit)


@pytest.mark.parametrize(
    ("becomes", "status"),
    [("at={c0, c1 mod => at={-c0 + 63, c1 mod", 0), ("op=sum => op=max", 1)],
    ids=["right", "wrong"],
)
def test_the_command_line_holds_an_edit_against_a_graph(becomes: str, status: int, tmp_path: Path) -> None:
    (edit,) = [edit for edit in blockwise.COLUMN if edit.pairs == edits("column_tiles", (becomes, ""))[0].pairs]
    source, graph = tmp_path / "edited.gen", tmp_path / "graph.gen"
    _ = source.write_text(edited(edit), encoding="utf-8")
    _ = graph.write_text(REFERENCES["column"][0], encoding="utf-8")
    assert main(["kernel", str(source), "--verify", "--against", str(graph)]) == status
