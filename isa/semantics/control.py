"""The effects of control instructions: branches, barriers, waits and mode registers, and of instructions that
change no value."""

from __future__ import annotations

from enum import Enum

from msgspec import Struct

from isa.registers import EXEC, SCC, VCC, Register


class Branch(Struct, frozen=True):
    """A branch, taken if `register` is not zero (or is zero); always taken without a register."""

    register: Register | None = None
    nonzero: bool = True


class ModeField(Struct, frozen=True):
    """Four bits of MODE, from bit `shift` on, := the immediate."""

    shift: int


class RelativeMove(Struct, frozen=True):
    """A move with M0 added to the number of its source register, destination register or both."""

    source: bool
    destination: bool


class IndexMode(Struct, frozen=True):
    """VGPR indexing by M0 goes on, with an index and a choice of operands; or it goes off."""

    on: bool


class Control(Enum):
    # waits, hints and caches: time is not modelled, the sanitizer looks at waits by itself
    NOTHING = "nothing"
    GIVE_WAY = "give way"  # no effect but that other waves may go first
    BARRIER = "barrier"
    SIGNAL = "signal"  # the first half of a split barrier: this wave has arrived
    SIGNAL_IS_FIRST = "signal, and SCC tells whether no other wave has"
    AWAIT = "await"  # the other half: until every wave has arrived
    BARRIER_STATE = "barrier state"
    NAMED_BARRIER = "named barrier"  # which no target of the table has
    END = "end"
    GET_REGISTER = "get register"
    SET_REGISTER = "set register"
    GET_PC = "get pc"
    SET_PC = "set pc"
    SWAP_PC = "swap pc"
    CALL = "call"
    TRAP = "trap"  # the program stops, of its own will
    HALT = "halt"  # as a trap, if the lowest bit of the immediate is set
    SET_INDEX = "set index"  # of VGPR indexing, whether it is on or off
    SET_INDEX_CHOICE = "set index choice"  # of the operands that are indexed
    REFUSED = "refused"  # not modelled


CONTROLS: dict[str, Branch | Control | ModeField | RelativeMove | IndexMode] = {
    "s_branch": Branch(),
    "s_cbranch_scc0": Branch(SCC, False),
    "s_cbranch_scc1": Branch(SCC),
    "s_cbranch_vccz": Branch(VCC, False),
    "s_cbranch_vccnz": Branch(VCC),
    "s_cbranch_execz": Branch(EXEC, False),
    "s_cbranch_execnz": Branch(EXEC),
    "s_nop": Control.NOTHING,
    "s_waitcnt": Control.NOTHING,
    "s_sleep": Control.GIVE_WAY,
    "s_setprio": Control.NOTHING,
    "s_icache_inv": Control.NOTHING,
    "s_dcache_inv": Control.NOTHING,
    "s_dcache_wb": Control.NOTHING,
    "buffer_wbl2": Control.NOTHING,
    "buffer_invl2": Control.NOTHING,
    "buffer_wbinvl1": Control.NOTHING,
    "buffer_wbinvl1_vol": Control.NOTHING,
    "buffer_inv": Control.NOTHING,
    "s_sendmsg": Control.NOTHING,
    "s_sendmsghalt": Control.TRAP,
    "s_sendmsg_rtn_b32": Control.REFUSED,
    "s_round_mode": ModeField(0),
    "s_denorm_mode": ModeField(4),
    "s_barrier_signal": Control.SIGNAL,
    "s_barrier_signal_isfirst": Control.SIGNAL_IS_FIRST,
    "s_barrier_wait": Control.AWAIT,
    "s_barrier_init": Control.NAMED_BARRIER,
    "s_barrier_join": Control.NAMED_BARRIER,
    "s_barrier_leave": Control.NAMED_BARRIER,
    "s_get_barrier_state": Control.BARRIER_STATE,
    "s_sethalt": Control.HALT,
    "s_trap": Control.TRAP,
    "s_barrier": Control.BARRIER,
    "s_endpgm": Control.END,
    "s_getreg_b32": Control.GET_REGISTER,
    "s_setreg_b32": Control.SET_REGISTER,
    "s_setreg_imm32_b32": Control.SET_REGISTER,
    **dict.fromkeys(
        ("s_movrels_b32", "s_movrels_b64", "v_movrels_b32"), RelativeMove(source=True, destination=False)
    ),
    **dict.fromkeys(
        ("s_movreld_b32", "s_movreld_b64", "v_movreld_b32"), RelativeMove(source=False, destination=True)
    ),
    "v_movrelsd_b32": RelativeMove(source=True, destination=True),
    "s_set_gpr_idx_on": IndexMode(on=True),
    "s_set_gpr_idx_off": IndexMode(on=False),
    "s_set_gpr_idx_idx": Control.SET_INDEX,
    "s_set_gpr_idx_mode": Control.SET_INDEX_CHOICE,
    "s_getpc_b64": Control.GET_PC,
    "s_setpc_b64": Control.SET_PC,
    "s_swappc_b64": Control.SWAP_PC,
    "s_call_b64": Control.CALL,
}
