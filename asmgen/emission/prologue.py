"""The code that older firmware runs because it does not preload kernel arguments.

Firmware that preloads enters 256 bytes after the kernel's symbol; older firmware ignores the descriptor's
request and enters at the symbol, where these instructions load the same SGPRs (AMDGPUUsage, "Preloaded Kernel
Arguments").
"""

from __future__ import annotations

from functools import cache

from isa.build import build
from isa.instruction import Instr, Origin
from isa.program import Kernel
from isa.registers import Register
from isa.table import Table

PROLOGUE_BYTES = 256
_ORIGIN = Origin("preload")
_LOADS = {1: "s_load_dword", 2: "s_load_dwordx2", 4: "s_load_dwordx4", 8: "s_load_dwordx8"}


def preload_prologue(kernel: Kernel) -> tuple[Instr, ...]:
    """The loads of a kernel's preloaded SGPRs and the wait for them; nothing where it preloads none.

    The branch to the body is the emitter's, which knows the body's label.
    """
    if not kernel.abi.preload_dwords:
        return ()
    base = kernel.abi.register("kernarg_segment_ptr")
    return _loads(kernel.table, base, kernel.abi.register("preload"))


@cache
def _loads(table: Table, base: Register, preloaded: Register) -> tuple[Instr, ...]:
    loads: list[Instr] = []
    done = 0
    while done < preloaded.count:
        count = _widest(preloaded.first + done, preloaded.count - done)
        loads.append(
            build(
                table.row(_LOADS[count]),
                Register(preloaded.first + done, count),
                base,
                4 * done,
                origin=_ORIGIN,
            )
        )
        done += count
    return (*loads, build(table.row("s_waitcnt"), lgkmcnt=0, origin=_ORIGIN))


def _widest(first: int, left: int) -> int:
    """How many SGPRs from `first` one load can fill: a pair starts at an even SGPR, more at a multiple of
    4."""
    return next(count for count in (8, 4, 2, 1) if count <= left and first % min(count, 4) == 0)
