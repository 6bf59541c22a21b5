"""docs/tiles.md: its table lists every statement with its attributes, and its example of LDS compiles."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from asmgen.blockwise.actions import fields_of, needed_fields
from asmgen.blockwise.op_table import ROWS, TileOpRow
from asmgen.blockwise.text.reader import read_program

PAGE = (Path(__file__).parents[3] / "docs/tiles.md").read_text(encoding="utf-8")
TABLE = PAGE.split("## Statements")[1].split("\n## ")[0]
OF_THEIR_OWN_FORM = {"@param", "@literal", "for", "waves"}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_the_table_has_each_statement(row: TileOpRow) -> None:
    assert f"`{row.name}" in TABLE or f" {row.name}" in TABLE
    if row.name in OF_THEIR_OWN_FORM:
        return
    shown = re.search(rf"\b{row.name}(?:\[([^\]]*)\])?\(", TABLE)
    assert shown is not None
    attributes = [part.partition("=") for part in (shown[1] or "").split(", ") if part]
    assert [name for name, _, _ in attributes] == [*fields_of(row.record)]
    given = {name for name, mark, _ in attributes if not mark}
    assert given == set(needed_fields(row.record))


def test_the_example_of_lds_compiles() -> None:
    example = PAGE.split("## LDS")[1].split("```\n")[1]
    head = """stage blockwise gfx942
kernel @turn grid(group: 1) waves(2) lanes(64) {
  x = @param:x -> f32, {16,8}
  z = @param:z -> f32, {16,8}
"""
    load = "  t = tile_load[at={c0, c1}](x) -> f32, {16,8} @ rows\n"
    layouts, rest = example[: example.index("  lds =")], example[example.index("  lds =") :]
    before, after = head.splitlines(keepends=True)[:2], head.splitlines(keepends=True)[2:]
    text = "".join([*before, layouts, *after, load, rest, "  tile_store[at={c0, c1}](u, z)\n}\n"])
    assert read_program(text, "turn.gen").kernels
