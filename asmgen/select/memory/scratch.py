"""Scratch: the memory that each lane has for itself.

An access has its byte in a VGPR, and an offset for the pieces of a wide one. What a kernel allocates comes
first; values that are spilled come after it. `asmgen.passes.scratch` has FLAT_SCRATCH filled where the
target leaves that to the kernel.

Source: CDNA3 ISA, section 9.4, and LLVM's AMDGPUUsage, "Flat Scratch".
"""

from __future__ import annotations

from asmgen.ir.program import Statement, Value
from asmgen.ir.types import BOOL
from asmgen.lanewise.records import Access
from asmgen.select.memory.address import linear_form, put_form
from asmgen.select.memory.bytes import bool_bytes, masks_of_bytes
from asmgen.select.memory.global_memory import pieces
from asmgen.select.operands import put_vector
from asmgen.select.selection import Selection, buffer_type, lane_type
from isa.instruction import OFF, Immediate
from isa.registers import Register

ALIGNMENT = 16
_LOADS = {
    16: "scratch_load_dwordx4", 12: "scratch_load_dwordx3", 8: "scratch_load_dwordx2",
    4: "scratch_load_dword", 2: "scratch_load_ushort", 1: "scratch_load_ubyte",
}  # fmt: skip
_STORES = {
    16: "scratch_store_dwordx4", 12: "scratch_store_dwordx3", 8: "scratch_store_dwordx2",
    4: "scratch_store_dword", 2: "scratch_store_short", 1: "scratch_store_byte",
}  # fmt: skip


def select_allocate(s: Selection, statement: Statement) -> None:
    """The next place for a buffer."""
    type_ = buffer_type(statement.result)
    s.scratch_offsets[statement.result] = s.scratch_bytes
    s.scratch_bytes += -(-type_.elements * type_.element.bytes // ALIGNMENT) * ALIGNMENT


def select_read(s: Selection, statement: Statement) -> None:
    buffer, index = statement.operands
    result = statement.result
    type_ = lane_type(result)
    address = _address(s, statement, buffer, index)
    size = type_.lanes * type_.element.bytes
    register = s.emitter.vgpr(-(-size // 4), result.name) if type_.element is BOOL else s.destination(result)
    for done, width in pieces(size):
        part = register.part(done // 4, -(-width // 4))
        if width != 3:
            s.emitter.put(_LOADS[width], part, address, OFF, offset=done)
            continue
        low, high = s.emitter.vgpr(), s.emitter.vgpr()
        s.emitter.put(_LOADS[2], low, address, OFF, offset=done)
        s.emitter.put(_LOADS[1], high, address, OFF, offset=done + 2)
        put_vector(s.emitter, "v_lshl_or_b32", (part,), (high, Immediate(16), low))
    if type_.element is BOOL:
        s.define(result, masks_of_bytes(s, register, type_.lanes, result.name))


def select_write(s: Selection, statement: Statement) -> None:
    buffer, index, value = statement.operands
    type_ = lane_type(value)
    data = bool_bytes(s, value) if type_.element is BOOL else s.as_tuple(s.parts(value), value.name)
    address = _address(s, statement, buffer, index)
    for done, width in pieces(type_.lanes * type_.element.bytes):
        part = data.part(done // 4, -(-width // 4))
        if width != 3:
            s.emitter.put(_STORES[width], address, part, OFF, offset=done)
        else:
            s.emitter.put(_STORES[2], address, part, OFF, offset=done)
            s.emitter.put("scratch_store_byte_d16_hi", address, part, OFF, offset=done + 2)


def _address(s: Selection, statement: Statement, buffer: Value, index: Value) -> Register:
    """The VGPR with the byte at which an access begins."""
    form = linear_form(s, index, buffer_type(buffer).element.bytes)
    place = s.scratch_offsets[buffer] + Access.of(statement).offset
    return s.emitter.to_vgpr(put_form(s, form._replace(constant=form.constant + place)))
