"""`lane_exchange`: the value of the lane with the same number except for the bits of a mask. `row_broadcast`:
the value of a lane of each row.

The cheapest instruction that brings it: a DPP move within a row of 16, the other row's lane by selectors, a
fixed pattern of the LDS crossbar within 32 lanes, or else the crossbar by the lane's number.

    v_mov_b32_dpp v1, v0 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf bound_ctrl:1       mask 1
    ds_swizzle_b32 v1, v0 offset:swizzle(SWAP,4)                                           mask 4 on CDNA
    v_permlanex16_b32 v1, v0, s0, s1 op_sel:[0,1]                                          mask 16 on RDNA
"""

from __future__ import annotations

from asmgen.ir.program import Statement
from asmgen.lanewise.records import lane_of, mask_of
from asmgen.select.emitter import Emitter
from asmgen.select.operands import put_vector
from asmgen.select.selection import WORD, Selection
from isa import dpp
from isa.instruction import Immediate
from isa.registers import Register

_ROW, _HALF = 16, 32  # lanes
_SELECTOR = 4  # bits of a lane's number in a row


def select_exchange(s: Selection, statement: Statement) -> None:
    (value,), mask = statement.operands, mask_of(statement)
    register = s.destination(statement.result)
    for unit, part in enumerate(s.parts(value)):
        put_exchange(s.emitter, register.part(unit), s.emitter.to_vgpr(part), mask)


def select_row_broadcast(s: Selection, statement: Statement) -> None:
    emitter, register = s.emitter, s.destination(statement.result)
    value = emitter.to_vgpr(s.parts(statement.operands[0])[0])
    control = dpp.row_broadcast(lane_of(statement))
    emitter.put(emitter.table.row("v_mov_b32_dpp", "bound"), register, value, dpp_ctrl=control, bound_ctrl=1)


def put_exchange(emitter: Emitter, to: Register, value: Register, mask: int) -> None:
    """The value of the lane with the same number except for the bits of `mask`, which is less than the lanes
    of a wave."""
    target = emitter.target
    control = target.row_exchanges[mask] if mask < _ROW else 0
    if control:
        emitter.put(emitter.table.row("v_mov_b32_dpp", "bound"), to, value, dpp_ctrl=control, bound_ctrl=1)
    elif target.rows_exchange and _ROW <= mask < _HALF:
        _put_row(emitter, to, value, mask % _ROW)
    elif mask < _HALF:
        emitter.put("ds_swizzle_b32", to, value, offset=dpp.swizzle_exchange(mask))
    elif target.reaches_whole_wave:
        address = emitter.shared(("exchange", mask), lambda: _address(emitter, mask))
        emitter.put("ds_bpermute_b32", to, address, value)
    elif mask == _HALF:
        emitter.put("v_permlane64_b32", to, value)
    else:
        other = emitter.vgpr()
        emitter.put("v_permlane64_b32", other, value)
        put_exchange(emitter, to, other, mask % _HALF)


def _put_row(emitter: Emitter, to: Register, value: Register, mask: int) -> None:
    """The lane of the other row: four bits of the selectors name it for each lane."""
    selectors = sum((lane ^ mask) << _SELECTOR * lane for lane in range(_ROW))
    low, high = (emitter.scalar_constant(word) for word in (selectors & WORD, selectors >> 32))
    emitter.put(emitter.table.row(emitter.target.rows_exchange, "bound"), to, value, low, high)


def _address(emitter: Emitter, mask: int) -> Register:
    """Four times the number of the other lane, as the crossbar counts lanes in bytes."""
    lower, own, address = (emitter.vgpr() for _ in range(3))
    put_vector(emitter, "v_mbcnt_lo_u32_b32", (lower,), (Immediate(WORD), Immediate(0)))
    if emitter.target.wave_size > _HALF:
        put_vector(emitter, "v_mbcnt_hi_u32_b32", (own,), (Immediate(WORD), lower))
    else:
        own = lower
    put_vector(emitter, "v_xor_b32", (address,), (Immediate(mask), own))
    scaled = emitter.vgpr()
    put_vector(emitter, "v_lshlrev_b32", (scaled,), (Immediate(2), address))
    return scaled
