"""The places of a kernel's buffers in LDS. Buffers share memory if a barrier of all waves is between their
accesses:

    loop             accesses a and b        a at 0, b at 16384
    barrier
    lds_store        accesses c              c at 0
    barrier
    lds_load         accesses c

Only barriers outside of loops and branches count, and none between the `stagger` before a loop and that after
it: waves out of step pass them at different times. A copy to LDS is under way until an `async_wait` for all
copies.
"""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.ir.program import Statement, Value, walk
from asmgen.lanewise.lds_room import Use, places
from asmgen.lanewise.ops import ASYNC_WAIT, BARRIER, LDS_ALLOCATE, LOAD_TO_LDS, STAGGER
from asmgen.lanewise.records import pending_of
from asmgen.select.memory.pieces import allocated_bytes
from asmgen.select.selection import buffer_type


def places_of(statements: Sequence[Statement]) -> dict[Value, int]:
    """The first byte of each buffer that these statements of a kernel allocate."""
    used = _uses(statements)
    return dict(zip(used, places(list(used.values())), strict=True))


def _size(buffer: Value) -> int:
    return allocated_bytes(buffer_type(buffer))


def _uses(statements: Sequence[Statement]) -> dict[Value, Use]:
    used = {each.result: Use(_size(each.result)) for each in statements if each.op is LDS_ALLOCATE}
    copied: set[Value] = set()  # buffers to which copies may be under way
    phase, is_out_of_step = 0, False
    for statement in statements:
        if statement.op is ASYNC_WAIT and not pending_of(statement):
            copied.clear()
        for each in walk((statement,)):
            here = [buffer for buffer in each.operands if buffer in used]
            copied.update(here if each.op is LOAD_TO_LDS else ())
            is_out_of_step ^= each.op is STAGGER
            for buffer in here:
                used[buffer].extend(phase)
        if statement.op is BARRIER and not is_out_of_step:
            phase += 1
        for buffer in copied:
            used[buffer].extend(phase)
    return used
