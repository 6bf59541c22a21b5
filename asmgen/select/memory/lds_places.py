"""Where the buffers of a workgroup lie in LDS: one after the other, each at a multiple of the widest
access."""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.ir.program import Statement
from asmgen.lanewise.ops import LDS_ALLOCATE
from asmgen.select.selection import Selection, buffer_type

ALIGNMENT = 16


def place_buffers(s: Selection, statements: Sequence[Statement]) -> None:
    """Give the buffers that a region allocates their places, those that have none yet."""
    for statement in statements:
        if statement.op is LDS_ALLOCATE:
            select_allocate(s, statement)


def select_allocate(s: Selection, statement: Statement) -> None:
    """The next place for a buffer that has none."""
    if statement.result in s.lds_offsets:
        return
    type_ = buffer_type(statement.result)
    s.lds_offsets[statement.result] = s.lds_bytes
    s.lds_bytes += -(-type_.elements * type_.element.bytes // ALIGNMENT) * ALIGNMENT
