"""What control instructions do: branches, barriers, waits, mode registers, and those without an effect on values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from isa.registers import EXEC, SCC, VCC, Register


@dataclass(frozen=True, slots=True)
class Branch:
    """Taken where `register` is not zero (or is zero); always where there is none."""

    register: Register | None = None
    nonzero: bool = True


class Control(Enum):
    NOTHING = "nothing"  # waits, hints and caches: time is not modelled, the sanitizer looks at waits by itself
    BARRIER = "barrier"
    END = "end"
    GET_REGISTER = "get register"
    SET_REGISTER = "set register"
    GET_PC = "get pc"
    SET_PC = "set pc"
    SWAP_PC = "swap pc"
    CALL = "call"
    TRAP = "trap"


CONTROLS: dict[str, Branch | Control] = {
    "s_branch": Branch(),
    "s_cbranch_scc0": Branch(SCC, False),
    "s_cbranch_scc1": Branch(SCC),
    "s_cbranch_vccz": Branch(VCC, False),
    "s_cbranch_vccnz": Branch(VCC),
    "s_cbranch_execz": Branch(EXEC, False),
    "s_cbranch_execnz": Branch(EXEC),
    "s_nop": Control.NOTHING,
    "s_waitcnt": Control.NOTHING,
    "s_sleep": Control.NOTHING,
    "s_setprio": Control.NOTHING,
    "s_icache_inv": Control.NOTHING,
    "s_dcache_inv": Control.NOTHING,
    "s_dcache_wb": Control.NOTHING,
    "buffer_wbl2": Control.NOTHING,
    "buffer_inv": Control.NOTHING,
    "s_sethalt": Control.TRAP,
    "s_trap": Control.TRAP,
    "s_barrier": Control.BARRIER,
    "s_endpgm": Control.END,
    "s_getreg_b32": Control.GET_REGISTER,
    "s_setreg_b32": Control.SET_REGISTER,
    "s_setreg_imm32_b32": Control.SET_REGISTER,
    "s_getpc_b64": Control.GET_PC,
    "s_setpc_b64": Control.SET_PC,
    "s_swappc_b64": Control.SWAP_PC,
    "s_call_b64": Control.CALL,
}
