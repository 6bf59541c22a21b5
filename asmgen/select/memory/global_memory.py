"""Global memory: the widest accesses that the layout allows, with an SGPR base, and a 32-bit offset if the
buffer's span permits.

Accesses wider than their element need no alignment: AMDHSA runs with SH_MEM_CONFIG.alignment_mode unaligned
(AMDGPUUsage). The rows say how far an immediate offset reaches.

Source: CDNA3 ISA, section 9 (global; saddr form: SGPR base plus zero-extended 32-bit VGPR offset) and section
7 (scalar loads: dword aligned, SGPR or immediate offset).
"""

from __future__ import annotations

from asmgen.index.size import at_most
from asmgen.ir.program import Statement, Value, lane_type
from asmgen.lanewise.records import Access
from asmgen.select.memory.address import index_form, linear_form, put_form
from asmgen.select.memory.footprints import footprint, piece
from asmgen.select.memory.induction import far_pointer, put_address
from asmgen.select.memory.pieces import (
    UPPER_BYTE,
    UPPER_HALF,
    bytes_of,
    load_value,
    put_stores,
    stored_registers,
)
from asmgen.select.operands import offset_range, put_scalar, put_vector
from asmgen.select.selection import Part, Selection, buffer_type
from isa.constants import immediate_bits
from isa.footprint import Space
from isa.instruction import OFF, Immediate, Operand
from isa.named_tuple import NamedTuple
from isa.registers import Register

SMALL_SPAN = 1 << 32  # bytes that a 32-bit offset reaches
WIDEST = 64  # bytes that most values have at most

# by bytes
LOADS = {
    16: "global_load_dwordx4", 12: "global_load_dwordx3", 8: "global_load_dwordx2", 4: "global_load_dword",
    2: "global_load_ushort", 1: "global_load_ubyte",
}  # fmt: skip
STORES = {
    16: "global_store_dwordx4", 12: "global_store_dwordx3", 8: "global_store_dwordx2",
    4: "global_store_dword", UPPER_BYTE: "global_store_byte_d16_hi",
    UPPER_HALF: "global_store_short_d16_hi", 2: "global_store_short",
    1: "global_store_byte",
}  # fmt: skip
SCALAR_LOADS = (
    (64, "s_load_dwordx16"),
    (32, "s_load_dwordx8"),
    (16, "s_load_dwordx4"),
    (8, "s_load_dwordx2"),
    (4, "s_load_dword"),
)


class Address(NamedTuple):
    """`vaddr` and `saddr` as the rows of `form` have them, and the offset in bytes that is left for the
    immediate."""

    form: str
    vaddr: Register
    saddr: Operand
    offset: int


def select_load(s: Selection, statement: Statement) -> None:
    """`load` and `vector_load`."""
    buffer, index = statement.operands
    result = statement.result
    if s.is_uniform(result):
        _scalar_load(s, statement)
        return
    type_ = lane_type(result)
    address = global_address(s, buffer, index, Access.of(statement).offset, bytes_of(type_))
    whole = footprint(s, statement, Space.GLOBAL)

    def put(width: int, register: Register, done: int) -> None:
        row, touches = s.emitter.table.row(LOADS[width], address.form), piece(whole, width, done)
        s.emitter.put_access(
            touches, row, register, address.vaddr, address.saddr, offset=address.offset + done
        )

    load_value(s, result, put, defines_late=True)


def _scalar_load(s: Selection, statement: Statement) -> None:
    buffer, index = statement.operands
    base = put_form(s, index_form(s, buffer, index))
    offset = Access.of(statement).offset
    offsets = offset_range(s.emitter.table.row(SCALAR_LOADS[-1][1], "sgpr"))
    if not isinstance(base, Immediate) and (offset not in offsets or offset + WIDEST not in offsets):
        base, offset = _with_offset(s, base, offset), 0
    register = s.scalar_destination(statement.result)
    pointer, touched, done = s.pointer(buffer), footprint(s, statement, Space.GLOBAL), 0
    while done < register.count:
        width, name = next((w // 4, n) for w, n in SCALAR_LOADS if w // 4 <= register.count - done)
        part, touches = register.part(done, width), piece(touched, 4 * width, 4 * done)
        whole, form = s.emitter.table.row(name), s.emitter.table.row(name, "sgpr")
        if not isinstance(base, Immediate):
            s.emitter.put_access(touches, form, part, pointer, base, offset=offset + 4 * done)
        elif immediate_bits(base.bits + offset + 4 * done, whole.operands[-1].type) is not None:
            s.emitter.put_access(touches, whole, part, pointer, base.bits + offset + 4 * done)
        else:
            place = s.emitter.to_sgpr(Immediate(base.bits + offset + 4 * done & 0xFFFFFFFF))
            s.emitter.put_access(touches, form, part, pointer, place)
        done += width


def select_store(s: Selection, statement: Statement) -> None:
    """`store` and `vector_store`."""
    buffer, index, value = statement.operands
    stored = stored_registers(s, value)
    address = global_address(s, buffer, index, Access.of(statement).offset, stored.size)
    # the modifiers that say how long caches keep the data
    kept = dict(s.emitter.target.stream_stores) if statement.attributes["streams"] else {}
    whole = footprint(s, statement, Space.GLOBAL)

    def put(width: int, part: Register, done: int) -> None:
        row, touches = s.emitter.table.row(STORES[width], address.form), piece(whole, width, done)
        offset = address.offset + done
        s.emitter.put_access(touches, row, address.vaddr, part, address.saddr, offset=offset, **kept)

    put_stores(stored, put)


def global_address(s: Selection, buffer: Value, index: Value, offset: int, size: int) -> Address:
    """The address of an access of `size` bytes, such that the immediates of its pieces are in range."""
    type_ = buffer_type(buffer)
    kept = _immediate(offset, size, offset_range(s.emitter.table.row(LOADS[4], "saddr")))
    added, span = offset - kept, type_.span * type_.element.bytes
    is_near = at_most(span, SMALL_SPAN)
    if not is_near.is_possible:  # a launch with a larger buffer is refused
        return _far_address(s, buffer, index, added, kept)
    is_beyond = kept < 0 and not is_near.is_shown  # the sum without the immediate may be
    if added < 0 or is_beyond or (added and not at_most(span - kept, SMALL_SPAN).is_shown):
        added, kept = offset, 0  # the sum without the immediate may be below 0 or 2^32, and that with it not
    total = put_address(s, linear_form(s, index, type_.element.bytes))
    pointer = far_pointer(s, buffer, added) if added else None
    if added and pointer is None:
        total = _with_offset(s, total, added)
    return Address("saddr", s.emitter.to_vgpr(total), pointer or s.pointer(buffer), kept)


def _immediate(offset: int, size: int, offsets: range) -> int:
    """The part of an offset that becomes the immediate. The rest is the same for all offsets within the reach
    of an immediate: of rows of 4,096 bytes, two rows share the rest with immediates from -4096 to 4095."""
    room = max(WIDEST, size)
    if offset in offsets and offset + room in offsets:
        return offset
    reach = 1 << len(offsets).bit_length() - 1
    rest = offset - (offset - offsets.start) // reach * reach
    return rest if rest + room in offsets else 0


def _with_offset(s: Selection, total: Part, offset: int) -> Part:
    """The byte offset plus a constant that does not fit the immediate."""
    if isinstance(total, Immediate):
        return Immediate(total.bits + offset & 0xFFFFFFFF)
    scalar = s.emitter.is_scalar(total)

    def make() -> Register:
        register = s.emitter.sgpr() if scalar else s.emitter.vgpr()
        sources = (Immediate(offset & 0xFFFFFFFF), total)
        if scalar:
            put_scalar(s.emitter, "s_add_u32", (register,), sources)
        else:
            put_vector(s.emitter, "v_add_u32", (register,), sources)
        return register

    return s.emitter.shared(("offset", total, offset), make)


def _far_address(s: Selection, buffer: Value, index: Value, added: int, kept: int) -> Address:
    """A 64-bit address: base plus index times size in a single multiply-add, then the added constant."""
    size = buffer_type(buffer).element.bytes
    position = put_form(s, linear_form(s, index, 1))

    def make() -> Register:
        address, carry = s.emitter.vgpr(2), s.emitter.mask()
        put_vector(
            s.emitter,
            "v_mad_u64_u32",
            (address, carry),
            (s.emitter.to_vgpr(position), Immediate(size), s.pointer(buffer)),
        )
        return address

    address = s.emitter.shared(("address", buffer, position), make)
    if added:
        address = _far_offset(s, address, added)
    return Address("", address, OFF, kept)


def _far_offset(s: Selection, address: Register, offset: int) -> Register:
    def make() -> Register:
        moved = s.emitter.vgpr(2)
        whole = s.emitter.table.find("v_lshl_add_u64")
        if whole is None:
            _add_far(s, moved, offset, address)
        else:
            s.emitter.put(
                whole,
                moved,
                s.emitter.scalar_pair(offset & 0xFFFFFFFF, 0 if offset >= 0 else 0xFFFFFFFF),
                0,
                address,
            )
        return moved

    return s.emitter.shared(("offset", address, offset), make)


def _add_far(s: Selection, moved: Register, offset: int, address: Register) -> None:
    """A 64-bit sum in two halves, the carry in a lane mask."""
    carry, last = s.emitter.mask(), s.emitter.mask()
    low, high = Immediate(offset & 0xFFFFFFFF), Immediate(0 if offset >= 0 else 0xFFFFFFFF)
    put_vector(s.emitter, "v_add_co_u32", (moved.part(0), carry), (low, address.part(0)))
    put_vector(s.emitter, "v_addc_co_u32", (moved.part(1), last), (high, address.part(1), carry))
