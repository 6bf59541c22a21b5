"""What scalar instructions do to each bit of a lane mask."""

from __future__ import annotations

import pytest

from asmgen.report.masks import truth_table
from isa.table import table_named


@pytest.mark.parametrize(
    ("mnemonic", "units", "wanted"),
    [
        ("s_and_b64", 2, (2, ((0, 0, 0, 1),))),
        ("s_mov_b64", 2, (1, ((0, 1),))),
        ("s_and_b32", 1, (2, ((0, 0, 0, 1),))),
        ("s_and_b32", 2, None),  # half a mask
        ("s_and_b64", 1, None),
        ("s_add_u32", 1, None),  # carries from bit to bit
        ("s_cselect_b64", 2, None),  # its effect follows from SCC
        ("v_and_b32_e32", 1, None),  # acts on lanes' words
    ],
)
def test_the_table_of_a_row(mnemonic: str, units: int, wanted: object) -> None:
    assert truth_table(table_named("gfx942").row(mnemonic), units) == wanted
