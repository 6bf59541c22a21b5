"""What a wave knows of a lane mask: whether any lane is in it, and whether one of a given number is.

Both are the same in all lanes: SCC where what asks for it comes right after, else 0 or 1 in an SGPR. A branch
by whether any lane is in a mask goes by VCC itself.
"""

from __future__ import annotations

from asmgen.ir.program import Statement, Value
from asmgen.lanewise import ops
from asmgen.select.operands import put_mask, put_scalar
from asmgen.select.rules import COMPARISONS
from asmgen.select.selection import Selection
from isa.instruction import Immediate
from isa.lane_masks import MaskOperation
from isa.registers import Register

_ANY_BIT = {1: "s_cmp_lg_u32", 2: "s_cmp_lg_u64"}  # by the SGPRs of a mask
_BIT = {1: "s_bitcmp1_b32", 2: "s_bitcmp1_b64"}


def active_mask(s: Selection, condition: Value) -> Register:
    """A condition of lanes as a mask that has no lanes which are off; a comparison leaves none in."""
    (mask,) = s.mask_registers(condition)
    if _is_comparison(s, condition):
        return mask
    active = s.emitter.mask()
    s.emitter.put_mask(MaskOperation.AND, active, mask, s.emitter.masks.exec)
    return active


def put_any_in_vcc(s: Selection, condition: Value) -> None:
    """The active lanes of a condition in VCC, where a branch asks whether there are any."""
    vcc = s.emitter.masks.vcc
    (mask,) = s.mask_registers(condition)
    if _is_comparison(s, condition):
        put_mask(s.emitter, MaskOperation.MOVE, vcc, mask)
    else:
        s.emitter.put_mask(MaskOperation.AND, vcc, mask, s.emitter.masks.exec)


def _is_comparison(s: Selection, condition: Value) -> bool:
    made = s.uses.defined.get(condition)
    return made is not None and made.op in COMPARISONS


def put_truth(s: Selection, statement: Statement) -> None:
    """An `any_lane`, or a `lane_shuffle` of a bool from a lane that is the same for all, in SCC."""
    units = s.emitter.masks.units
    if statement.op is ops.ANY_LANE:
        put_scalar(s.emitter, _ANY_BIT[units], (), (active_mask(s, statement.operands[0]), Immediate(0)))
        return
    condition, lane = statement.operands
    (mask,) = s.mask_registers(condition)
    put_scalar(s.emitter, _BIT[units], (), (mask, s.scalar_part(lane)))


def select_truth(s: Selection, statement: Statement) -> None:
    """As 0 or 1, unless what asks for it makes it where it is needed."""
    if statement.result in s.uses.deferred:
        return
    register = s.scalar_destination(statement.result)
    put_truth(s, statement)
    s.emitter.put("s_cselect_b32", register, 1, 0)
