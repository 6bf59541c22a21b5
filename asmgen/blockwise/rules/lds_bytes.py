"""The LDS of a tile program: tiles share memory if a barrier of all waves is between their accesses
(`asmgen.select.memory.lds_places`)."""

from __future__ import annotations

from asmgen.blockwise.actions import AsyncCopy, AsyncWait, Barrier
from asmgen.blockwise.program import Kernel, TileValue
from asmgen.blockwise.types import LdsType
from asmgen.ir.program import walk
from asmgen.lanewise.lds_room import Use, room_of


def lds_bytes_of(kernel: Kernel) -> int:
    """The bytes of the tiles of a kernel in LDS. Copies to a tile are under way until a wait for all."""
    used = {
        value: Use(value.type.bytes)
        for statement in kernel.walk()
        for value in statement.results
        if isinstance(value.type, LdsType)
    }
    copied: set[TileValue] = set()
    phase = 0
    for statement in kernel.statements:
        if isinstance(statement.op, AsyncWait) and not statement.op.pending:
            copied.clear()
        for each in walk((statement,)):
            here = [operand for operand in each.operands if operand in used]
            copied.update(here if isinstance(each.op, AsyncCopy) else ())
            for value in here:
                used[value].extend(phase)
        phase += isinstance(statement.op, Barrier)
        for value in copied:
            used[value].extend(phase)
    return room_of(list(used.values()))
