"""Bool in memory is a byte, 0 or 1; in registers it is a lane mask."""

from __future__ import annotations

from asmgen.ir.program import Value
from asmgen.select.operands import put_vector
from asmgen.select.selection import Selection
from isa.instruction import Immediate
from isa.registers import Register

BYTES = 4  # in a register
_BYTE_SELECTS = (0, 1, 2, 3)
_DWORD = 6


def masks_of_bytes(s: Selection, raw: Register, lanes: int, name: str) -> tuple[Register, ...]:
    """One mask per byte: byte i of the registers is not zero."""
    masks: list[Register] = []
    for lane in range(lanes):
        mask = s.emitter.mask(name if lanes == 1 else f"{name}.{lane}")
        if lanes == 1:
            put_vector(s.emitter, "v_cmp_ne_u32", (mask,), (Immediate(0), raw))
        else:
            _put_byte_test(s, mask, raw.part(lane // BYTES), lane % BYTES)
        masks.append(mask)
    return tuple(masks)


def _put_byte_test(s: Selection, mask: Register, unit: Register, byte: int) -> None:
    """A byte is not zero: SDWA reads it alone; without that the others are cleared first."""
    by_byte = s.emitter.table.find("v_cmp_ne_u32_sdwa")
    if by_byte is not None:
        s.emitter.put(
            by_byte, mask, unit, s.emitter.vector_constant(0), src0_sel=_BYTE_SELECTS[byte], src1_sel=_DWORD
        )
        return
    alone = s.emitter.vgpr()
    put_vector(s.emitter, "v_and_b32", (alone,), (Immediate(0xFF << 8 * byte), unit))
    put_vector(s.emitter, "v_cmp_ne_u32", (mask,), (Immediate(0), alone))


def bool_bytes(s: Selection, value: Value) -> Register:
    """The lanes of a bool as bytes, four to a register."""
    masks = s.mask_registers(value)
    result = s.emitter.vgpr(-(-len(masks) // BYTES))
    for unit in range(result.count):
        held = masks[unit * BYTES : (unit + 1) * BYTES]
        _join_bytes(s, result.part(unit), held)
    return result


def _join_bytes(s: Selection, unit: Register, masks: tuple[Register, ...]) -> None:
    """Each byte is chosen in its place, then they are joined."""
    placed: list[Register] = []
    for lane, mask in enumerate(masks):
        register = unit if len(masks) == 1 else s.emitter.vgpr()
        put_vector(s.emitter, "v_cndmask_b32", (register,), (Immediate(0), Immediate(1 << 8 * lane), mask))
        placed.append(register)
    while len(placed) > 1:
        taken = placed[:3]
        joined = unit if len(placed) <= len(taken) else s.emitter.vgpr()
        put_vector(s.emitter, "v_or3_b32" if len(taken) == 3 else "v_or_b32", (joined,), tuple(taken))
        placed = [joined, *placed[3:]]
