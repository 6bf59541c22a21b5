"""Reductions over the lanes of a wave: DPP steps, each of which combines a value with that of another lane.

Source: CDNA3 ISA, "DPP". A lane whose source is outside keeps what it had (`old`, tied to the destination), so that the
steps need no identity: behind `row_bcast` only the later rows go on.
"""

from __future__ import annotations

from asmgen.gen.reduction_ops import COMBINES
from asmgen.select.selection import Selection, lane_type
from asmgen.tensor.ir import Statement
from asmgen.tensor.oprow import Op
from asmgen.tensor.ops import ADD, MAX, MIN, MUL
from isa.instruction import Immediate, Operand
from isa.registers import Register
from isa.targets import parse_target

# the instruction that combines with another lane in one step, by op and element type
_STEPS: dict[tuple[Op, str], str] = {
    (ADD, "f32"): "v_add_f32_dpp", (MUL, "f32"): "v_mul_f32_dpp", (MAX, "f32"): "v_max_f32_dpp", (MIN, "f32"): "v_min_f32_dpp",
    (ADD, "i32"): "v_add_u32_dpp", (MAX, "i32"): "v_max_i32_dpp", (MIN, "i32"): "v_min_i32_dpp",
}  # fmt: skip
_PRODUCT = "v_mul_lo_u32"  # has no DPP form: the other lane's value is moved first


def select_dpp_reduce(s: Selection, statement: Statement) -> None:
    (operand,), result = statement.operands, statement.result
    combine, lanes = COMBINES[str(statement.attributes["op"])], statement.attributes["lanes"]
    assert isinstance(lanes, int)
    controls = parse_target(s.emitter.kernel.target).target.steps_for(lanes)
    step = _STEPS.get((combine, lane_type(result).element.name))
    value: Register = s.emitter.to_vgpr(s.parts(operand)[0])
    for number, control in enumerate(controls, 1):
        combined = s.destination(result) if number == len(controls) else s.emitter.vgpr()
        if step is not None:
            s.emitter.put(step, combined, value, value, value, dpp_ctrl=control)
        else:
            other = s.emitter.vgpr()
            s.emitter.put("v_mov_b32_dpp", other, value, s.emitter.vector_constant(1), dpp_ctrl=control)
            s.emitter.put(_PRODUCT, combined, value, other)
        value = combined


def select_read_lane(s: Selection, statement: Statement) -> None:
    """The value of one lane, active or not."""
    (operand,), result = statement.operands, statement.result
    if s.is_uniform(operand):
        s.define(result, s.parts(operand))
        return
    lane = statement.attributes["lane"]
    assert isinstance(lane, int)
    register = s.scalar_destination(result)
    for unit, part in enumerate(s.parts(operand)):
        s.emitter.put("v_readlane_b32", register.part(unit), s.emitter.to_vgpr(part), Immediate(lane))


def select_is_lane(s: Selection, statement: Statement) -> None:
    """The mask with one bit."""
    lane = statement.attributes["lane"]
    assert isinstance(lane, int)
    mask = s.emitter.sgpr(2, statement.result.name)
    operands: tuple[Operand, ...] = (mask, Immediate(1), Immediate(lane))
    s.emitter.put("s_lshl_b64", *operands)
    s.define(statement.result, (mask,))
