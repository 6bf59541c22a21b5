"""docs/tiles.md: its table lists every statement with its attributes, and its examples of LDS compile."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import asmgen
from asmgen.blockwise.actions import fields_of, needed_fields
from asmgen.blockwise.op_table import ROWS, TileOpRow
from asmgen.blockwise.text.reader import read_program
from isa.table import table_named
from tests.lds_conflicts import counted

PAGE = (Path(__file__).parents[3] / "docs/tiles.md").read_text(encoding="utf-8")
TABLE = PAGE.split("## Statements")[1].split("\n## ")[0]
BODY = "body"  # the table shows a body after the operands, not among the attributes
OF_THEIR_OWN_FORM = {"@param", "@literal", "for", "waves"}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_the_table_has_each_statement(row: TileOpRow) -> None:
    assert f"`{row.name}" in TABLE or f" {row.name}" in TABLE
    if row.name in OF_THEIR_OWN_FORM:
        return
    shown = re.search(rf"\b{row.name}(?:\[([^\]]*)\])?\(", TABLE)
    assert shown is not None
    attributes = [part.partition("=") for part in (shown[1] or "").split(", ") if part]
    assert [name for name, _, _ in attributes] == [name for name in fields_of(row.record) if name != BODY]
    given = {name for name, mark, _ in attributes if not mark}
    assert given == set(needed_fields(row.record)) - {BODY}


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


def test_the_example_of_a_load_that_transposes_has_no_conflicts() -> None:
    """b goes to LDS, 16 bytes of a row at a time, and each two waves read half of its columns."""
    example = PAGE.split("### Loads that transpose")[1].split("```\n")[1]
    layouts, rest = example[: example.index("  b_lds =")], example[example.index("  b_lds =") :]
    text = f"""stage blockwise gfx950
kernel @turn grid(group: 1) waves(4) lanes(64) {{
{layouts}  b = @param:b -> f16, {{32,64}}
  z = @param:z -> f16, {{32,64}}
  b_k = tile_load[at={{c0, c1}}](b) -> f16, {{32,64}} @ b_load
{rest}  tile_store[at={{c0, c1}}](b_t, z)
}}
"""
    b = np.random.default_rng(0).permutation(2048).astype(np.float16).reshape(32, 64)
    with counted(table_named("gfx950").target) as found:
        (z,) = asmgen.compile(text, target="gfx950")(b, device="emulator")
    np.testing.assert_array_equal(z, b)
    assert found["accesses of ds_read_b64_tr_b16"] == 4 * 4
    assert found["conflicts"] == 0
