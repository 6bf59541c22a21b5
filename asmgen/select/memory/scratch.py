"""Scratch: private memory of each lane.

An access has its byte offset in a VGPR, and an immediate for the pieces of a wide access. The kernel's own
allocations come first, spilled values after them. `asmgen.passes.scratch` fills FLAT_SCRATCH if the target
leaves that to the kernel.

Source: CDNA3 ISA, section 9.4, and LLVM's AMDGPUUsage, "Flat Scratch".
"""

from __future__ import annotations

from asmgen.ir.program import Statement
from asmgen.lanewise.records import Access
from asmgen.select.memory.address import index_form, put_form
from asmgen.select.memory.footprints import footprint, piece
from asmgen.select.memory.pieces import (
    UPPER_BYTE,
    UPPER_HALF,
    allocated_bytes,
    load_value,
    put_stores,
    stored_registers,
)
from asmgen.select.selection import Selection, buffer_type
from isa.footprint import Space
from isa.instruction import OFF
from isa.registers import Register

_LOADS = {
    16: "scratch_load_dwordx4", 12: "scratch_load_dwordx3", 8: "scratch_load_dwordx2",
    4: "scratch_load_dword", 2: "scratch_load_ushort", 1: "scratch_load_ubyte",
}  # fmt: skip
_STORES = {
    16: "scratch_store_dwordx4", 12: "scratch_store_dwordx3", 8: "scratch_store_dwordx2",
    4: "scratch_store_dword", UPPER_BYTE: "scratch_store_byte_d16_hi",
    UPPER_HALF: "scratch_store_short_d16_hi", 2: "scratch_store_short",
    1: "scratch_store_byte",
}  # fmt: skip


def select_allocate(s: Selection, statement: Statement) -> None:
    """The next place for a buffer."""
    s.scratch_offsets[statement.result] = s.scratch_bytes
    s.scratch_bytes += allocated_bytes(buffer_type(statement.result))


def select_read(s: Selection, statement: Statement) -> None:
    """`scratch_load`."""
    address, whole = _address(s, statement), footprint(s, statement, Space.SCRATCH)

    def put(width: int, part: Register, done: int) -> None:
        touches = piece(whole, width, done)
        s.emitter.put_access(touches, _LOADS[width], part, address, OFF, offset=done)

    load_value(s, statement.result, put)


def select_write(s: Selection, statement: Statement) -> None:
    """`scratch_store`."""
    value = statement.operands[2]
    stored, address = stored_registers(s, value), _address(s, statement)
    whole = footprint(s, statement, Space.SCRATCH)

    def put(width: int, part: Register, done: int) -> None:
        touches = piece(whole, width, done)
        s.emitter.put_access(touches, _STORES[width], address, part, OFF, offset=done)

    put_stores(stored, put)


def _address(s: Selection, statement: Statement) -> Register:
    """The VGPR with the first byte of an access."""
    buffer, index = statement.operands[:2]
    form = index_form(s, buffer, index)
    place = s.scratch_offsets[buffer] + Access.of(statement).offset
    return s.emitter.to_vgpr(put_form(s, form._replace(constant=form.constant + place)))
