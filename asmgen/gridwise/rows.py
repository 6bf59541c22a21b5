"""The table of what a program can declare: the word for it, its record, and what launches may do with it."""

from __future__ import annotations

from typing import NamedTuple

from asmgen.gridwise.program import Buffer, Parameter, Result, Scalar, Temporary


class Row(NamedTuple):
    """`word` is how text declares it. `written`: one launch writes it, before others read it. `is_kept`: it
    has a lifetime, and some launch reads it. `by_value`: it has an element type and no sizes.
    """

    word: str
    record: type[Buffer]
    written: bool = False
    is_kept: bool = False
    by_value: bool = False


ROWS = (
    Row("parameter", Parameter),
    Row("scalar", Scalar, by_value=True),
    Row("result", Result, written=True),
    Row("temporary", Temporary, written=True, is_kept=True),
)
BY_WORD = {row.word: row for row in ROWS}
_BY_RECORD = {row.record: row for row in ROWS}


def row_of(buffer: Buffer) -> Row:
    return _BY_RECORD[type(buffer)]
