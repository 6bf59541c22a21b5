"""The LDS of a workgroup, and its barrier.

The buffers are consecutive, each at a multiple of the widest access. A workgroup barrier orders the
LDS accesses of the workgroup, which needs waits before it; the wait pass inserts them. LDS has no cache. If
waves also exchange global memory (`asmgen.select.sharing`), the target's record names the accesses that
must finish before the barrier, and the caches that are invalidated after it (`MemoryOrder`).

Source: CDNA3 ISA, section 11.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from asmgen.ir.program import Statement
from asmgen.ir.shapes import format_type
from asmgen.lanewise.ops import BARRIER, LDS_ALLOCATE, LDS_LOAD, LDS_STORE, LDS_TRANSPOSE_LOAD
from asmgen.lanewise.records import Access, instruction_of, level_of
from asmgen.select.emitter import Emitter
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
from asmgen.select.operands import offset_range, put_vector
from asmgen.select.records import JoinedAccess
from asmgen.select.selection import Selection, buffer_type, unsupported
from asmgen.select.sharing import Order
from asmgen.select.uses import ACCESSES
from isa.footprint import Space
from isa.instruction import Event, Immediate, Origin
from isa.registers import DWORD, Register
from isa.waits import waits_for

WIDEST = 128  # bytes of the largest value
FAR = 1 << 15  # a multiple of it leaves the bits below as they are
WORKGROUP_BARRIER = 0xFFFFFFFF  # number -1
_ACCESSES = frozenset({LDS_LOAD, LDS_TRANSPOSE_LOAD, LDS_STORE})

_READS = {
    16: "ds_read_b128",
    12: "ds_read_b96",
    8: "ds_read_b64",
    4: "ds_read_b32",
    2: "ds_read_u16",
    1: "ds_read_u8",
}
_WRITES = {
    16: "ds_write_b128",
    12: "ds_write_b96",
    8: "ds_write_b64",
    4: "ds_write_b32",
    UPPER_BYTE: "ds_write_b8_d16_hi",
    UPPER_HALF: "ds_write_b16_d16_hi",
    2: "ds_write_b16",
    1: "ds_write_b8",
}


def select_read(s: Selection, statement: Statement) -> None:
    joined = s.joined.get(statement)
    if joined is not None:
        _select_joined(s, statement, joined)
        return
    address, offset = lds_address(s, statement)
    whole = footprint(s, statement, Space.LDS)

    def put(width: int, part: Register, done: int) -> None:
        touches = piece(whole, width, done)
        s.emitter.put_access(touches, _READS[width], part, address, offset=offset + done)

    load_value(s, statement.result, put)


def select_transpose(s: Selection, statement: Statement) -> None:
    from asmgen.lanewise.transposes import misfit, transpose_row

    table = s.emitter.table
    row, fault = transpose_row(table, instruction_of(statement)), misfit(statement, table)
    if row is None or fault is not None:
        raise unsupported(statement, f": {fault.rule}" if fault else "")
    address, offset = lds_address(s, statement)
    touches = piece(footprint(s, statement, Space.LDS), row.memory_bytes, 0)
    s.emitter.put_access(touches, row, s.destination(statement.result), address, offset=offset)


def _select_joined(s: Selection, statement: Statement, joined: JoinedAccess) -> None:
    """Several accesses by a single instruction."""
    if statement is not joined.at:
        return
    address = s.emitter.to_vgpr(put_form(s, joined.form))
    touches = tuple([footprint(s, one, Space.LDS).piece(0, DWORD) for one in joined.statements])
    if statement.op is LDS_STORE:
        values = (store.operands[2] for store in joined.statements)
        data = (s.as_tuple(s.parts(value), value.name) for value in values)
        s.emitter.put_access(touches, joined.operation, address, *data, **_offsets(joined))
        return
    register = s.emitter.vgpr(len(joined.statements), statement.result.name)
    s.emitter.put_access(touches, joined.operation, register, address, **_offsets(joined))
    for place, load in enumerate(joined.statements):
        s.define(load.result, (register.part(place),))


def _offsets(joined: JoinedAccess) -> dict[str, int]:
    names = ("offset0", "offset1") if len(joined.offsets) == 2 else ("offset",)
    return dict(zip(names, joined.offsets, strict=True))


def select_write(s: Selection, statement: Statement) -> None:
    joined = s.joined.get(statement)
    if joined is not None:
        _select_joined(s, statement, joined)
        return
    value = statement.operands[2]
    stored = stored_registers(s, value)
    address, offset = lds_address(s, statement)
    whole = footprint(s, statement, Space.LDS)

    def put(width: int, part: Register, done: int) -> None:
        touches = piece(whole, width, done)
        s.emitter.put_access(touches, _WRITES[width], address, part, offset=offset + done)

    put_stores(stored, put)


def select_barrier(s: Selection, statement: Statement) -> None:
    """A single instruction, or two on targets that have a signal and a wait."""
    assert not statement.operands
    emitter = s.emitter
    kind, order = s.order_of(statement), emitter.target.workgroup_order
    if kind is not None and order is not None:
        _release(emitter, order.released if kind is Order.ALL else order.released & _STORED)
    put_barrier(emitter)
    if kind is Order.ALL and order is not None:
        emitter.put(order.acquire, **dict(order.modifiers))


def put_barrier(emitter: Emitter) -> None:
    """Append the instruction of a barrier, or the two of targets that have a signal and a wait."""
    if emitter.table.find("s_barrier") is not None:
        emitter.put("s_barrier")
    else:
        emitter.put("s_barrier_signal", Immediate(WORKGROUP_BARRIER))
        emitter.put("s_barrier_wait", Immediate(WORKGROUP_BARRIER & 0xFFFF))


def select_priority(s: Selection, statement: Statement) -> None:
    s.emitter.put("s_setprio", Immediate(level_of(statement)))


def select_order(s: Selection, statement: Statement) -> None:
    """Accesses and matrix instructions from here on are of the next phase (`Instr.phase`)."""
    assert not statement.operands
    s.emitter.next_phase()


def make_awaited_addresses(s: Selection, barrier: Statement, following: Sequence[Statement]) -> None:
    """Compute, before a barrier that waits for global memory, the known addresses of the accesses after it:
    they cost nothing while the wave waits, and the first access directly follows the barrier."""
    if s.loops or s.order_of(barrier) is None:
        return
    for statement in following:
        if statement.regions or statement.op is BARRIER:
            return
        if statement.op in ACCESSES:
            buffer, index = statement.operands[:2]
            form = index_form(s, buffer, index)
            if all(s.has_parts(value) for value, _ in form.terms):
                s.emitter.origin = Origin(statement.op.name, statement.place)
                _ = s.emitter.to_vgpr(put_form(s, form))


_STORED = frozenset({Event.VMEM_STORE})


def _release(emitter: Emitter, released: frozenset[Event]) -> None:
    """Wait for this wave's accesses of global memory; `drop_idle_waits` takes out the waits that nothing
    needs."""
    counters = (counter for counter in emitter.target.counters if not counter.events.isdisjoint(released))
    counts = {counter.name: 0 for counter in counters}
    for wait in waits_for(emitter.table, counts, emitter.origin):
        emitter.block.instructions.append(replace(wait.instr, comment="global memory for other waves"))


def make_lds_addresses(s: Selection, statements: tuple[Statement, ...]) -> None:
    """Compute the addresses of a region's accesses before it: a later region that has them too then need
    not."""
    inside = {result for statement in statements for result in statement.results}
    for statement in statements:
        if statement.op in _ACCESSES and statement.operands[1] not in inside:
            buffer, index = statement.operands[:2]
            form = index_form(s, buffer, index)
            _ = put_form(s, form._replace(constant=0))


def lds_address(s: Selection, statement: Statement) -> tuple[Register, int]:
    """The VGPR with the byte address, and the immediate. The immediate is the buffer's offset plus the
    constant part of the index; if that is out of range, a multiple of `FAR` goes into the VGPR, so that other
    accesses share it. The sum has 32 bits, as that of the index."""
    buffer, index = statement.operands[:2]
    form = index_form(s, buffer, index)
    place = s.lds_offsets[buffer] + Access.of(statement).offset
    offsets = offset_range(s.emitter.table.row(_READS[4]))
    whole = form.constant + place
    if 0 <= whole < s.emitter.target.lds_bytes:
        reach = len(offsets) - WIDEST
        rest = 0 if whole < reach else whole // FAR * FAR
        return s.emitter.to_vgpr(put_form(s, form._replace(constant=rest))), whole - rest
    total = put_form(s, form)
    if place in offsets and place + WIDEST in offsets:
        return s.emitter.to_vgpr(total), place
    register = s.emitter.vgpr()
    put_vector(s.emitter, "v_add_u32", (register,), (Immediate(place & 0xFFFFFFFF), total))
    return register, 0


def place_buffers(s: Selection, statements: Sequence[Statement]) -> None:
    """Place the buffers that a region allocates, unless they are placed already."""
    for statement in statements:
        if statement.op is LDS_ALLOCATE:
            select_allocate(s, statement)


def place_shared(s: Selection, statements: Sequence[Statement]) -> None:
    """Place the buffers of a kernel, if it has several that might share memory."""
    if sum(statement.op is LDS_ALLOCATE for statement in statements) < 2:
        return
    from asmgen.select.memory.lds_places import places_of

    s.lds_offsets = places_of(statements)
    s.lds_bytes = max(
        [at + allocated_bytes(buffer_type(buffer)) for buffer, at in s.lds_offsets.items()], default=0
    )


def select_allocate(s: Selection, statement: Statement) -> None:
    """The next place for a buffer that has none."""
    if statement.result in s.lds_offsets:
        return
    s.lds_offsets[statement.result] = s.lds_bytes
    s.lds_bytes += allocated_bytes(buffer_type(statement.result))


def lds_offsets(selection: Selection) -> Iterator[str]:
    """Lines of `--trace`: the offset of each buffer, and the total."""
    name = selection.emitter.kernel.name
    for buffer, offset in selection.lds_offsets.items():
        type_ = buffer_type(buffer)
        size = type_.elements * type_.element.bytes
        yield f"{name}: {buffer.name} -> {format_type(type_)}, {size} bytes at {offset}"
    if selection.lds_bytes:
        yield f"{name}: in all {selection.lds_bytes} bytes"
