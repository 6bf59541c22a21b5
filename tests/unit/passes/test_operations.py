"""The stated operation of a row is the operation that it computes: folding a constant agrees with the
emulator's function."""

from __future__ import annotations

import numpy as np
import pytest

from asmgen.passes.combine.fold import EVALUATE
from isa.instruction import Row
from isa.operations import meaning_of
from isa.semantics import resolve
from isa.semantics.mode import Mode
from tests.rows import all_rows

CORNERS = (0, 1, 5, 31, 32, 33, 0xFFFF, 0xFFFFFF, 0x1000000, 0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFFFF)
FOLDED = [row for row in all_rows() if (meaning := meaning_of(row)) is not None and meaning.operation in EVALUATE and meaning.bits == 32]


def test_many_rows_are_folded() -> None:
    assert len(FOLDED) > 40


@pytest.mark.parametrize("row", FOLDED, ids=lambda row: row.mnemonic)
def test_folding_agrees_with_the_row(row: Row) -> None:
    meaning = meaning_of(row)
    assert meaning is not None
    generator = np.random.default_rng(len(row.mnemonic))
    words = np.array(CORNERS, np.uint32)
    count = len(meaning.sources)
    spelt = np.concatenate([generator.choice(words, (200, count)), generator.integers(0, 1 << 32, (100, count), np.uint32)])
    arrays = [spelt[:, place].view(np.int32 if row.operands[use].type.startswith("i") else np.uint32) for place, use in enumerate(row.uses)]
    result = resolve(row.semantics).call(Mode(), *arrays)
    computed = np.asarray(result[0] if isinstance(result, tuple) else result).view(np.uint32)
    for sources, found in zip(spelt, computed, strict=True):
        ordered = [int(sources[row.uses.index(index)]) for index in meaning.sources]
        assert EVALUATE[meaning.operation](ordered) & 0xFFFFFFFF == int(found), f"{row.mnemonic} of {sources}"
