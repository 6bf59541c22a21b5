"""Copies from memory to LDS without registers: buffer loads with `lds`, and the waits for them.

    buffer_load_dwordx4 %offset, %resource, %rest offen lds

Lane i writes its bytes to LDS at M0 + i * their number. The address in memory is the base of the resource
plus a VGPR plus an SGPR: the terms of an index that differ between lanes, and the others. A lane with a false
condition reads beyond the resource, which writes zeros to LDS. So the instruction always issues, and the
count of a wait never depends on the condition.

The resource reaches `REACH` bytes from the buffer's pointer on, whatever the buffer's size is: the accesses
of lanes that are on are known to be inside the buffer.

Source: CDNA3 ISA, the sections on loads to LDS and on range checking; llvm-mc has the wider forms for gfx950.
"""

from __future__ import annotations

from msgspec.structs import replace

from asmgen.index.size import at_most
from asmgen.ir.program import Statement, Value
from asmgen.lanewise.records import pending_of, size_of
from asmgen.select.lanes.masks import put_choice
from asmgen.select.memory.address import index_form, is_sum_of_positives, linear_form, put_form
from asmgen.select.memory.footprints import footprints_of_copy
from asmgen.select.memory.induction import put_address
from asmgen.select.operands import put_scalar
from asmgen.select.records import LinearForm
from asmgen.select.selection import Part, Selection, buffer_type, unsupported
from isa.instruction import Event, Immediate, Operand
from isa.registers import M0, Register
from isa.waits import waits_for

REACH = 1 << 31  # bytes
_LOADS = {16: "buffer_load_dwordx4", 12: "buffer_load_dwordx3", 4: "buffer_load_dword"}


def select_load_to_lds(s: Selection, statement: Statement) -> None:
    buffer, index, lds, place, *masked = statement.operands
    type_ = buffer_type(buffer)
    width = size_of(statement) * type_.element.bytes
    if width not in s.emitter.target.lds_copy_bytes:
        widths = " or ".join(map(str, s.emitter.target.lds_copy_bytes))
        copies = f"copies {widths}" if widths else "has no copies to LDS, wanted load and lds_store"
        raise unsupported(statement, f", {width} bytes a lane; {s.emitter.target.name} {copies}")
    if not s.is_uniform(place):
        raise unsupported(statement, f": {place.name} is not in an SGPR; wanted read_first_lane of it")
    if not at_most(type_.span * type_.element.bytes, REACH).is_shown:
        raise unsupported(statement, f": {buffer.name} may be larger than {REACH} bytes")
    offset, rest = _memory_offset(s, index_form(s, buffer, index))
    if masked:
        offset = _or_beyond(s, masked[0], offset)
    resource = _resource(s, buffer)
    _put_lds_base(s, linear_form(s, place, type_.element.bytes), s.lds_offsets[lds])
    row = s.emitter.table.row(_LOADS[width], "offen lds")
    instr = s.emitter.instr(row, s.emitter.to_vgpr(offset), resource, rest, offen=1, lds=1)
    touches = footprints_of_copy(s, statement, width)
    s.emitter.append(replace(instr, awaits=0, touches=touches))


def select_async_wait(s: Selection, statement: Statement) -> None:
    """A wait of the counter of loads. The count is safe as it is, as each copy is an instruction: others that
    are issued after it only make it longer, and the pass of waits counts them."""
    pending = pending_of(statement)
    counter = next(c for c in s.emitter.target.counters if Event.VMEM_LOAD in c.events)
    counts = {counter.name: min(pending, counter.maximum - 1)}
    for wait in waits_for(s.emitter.table, counts, s.emitter.origin):
        s.emitter.block.instructions.append(replace(wait.instr, awaits=pending))


def _memory_offset(s: Selection, form: LinearForm) -> tuple[Part, Operand]:
    """The offset of lanes, and the rest in an SGPR. Both are numbers of their own in the address and in its
    range check, so neither may be negative."""
    vector = tuple([term for term in form.terms if not s.is_uniform(term[0])])
    if not vector or not is_sum_of_positives(form):
        return put_address(s, form), Immediate(0)
    scalar = tuple([term for term in form.terms if s.is_uniform(term[0])])
    rest = put_form(s, LinearForm(scalar, form.constant))
    if isinstance(rest, Immediate) and rest.bits:
        rest = s.emitter.to_sgpr(rest)
    return put_form(s, LinearForm(vector, 0)), rest


def _or_beyond(s: Selection, condition: Value, offset: Part) -> Register:
    """The offset of lanes that are on; of others an offset out of the range of the resource."""
    result = s.emitter.vgpr()
    put_choice(s, result, (condition, 0), offset, Immediate(REACH))
    return result


def _resource(s: Selection, buffer: Value) -> Register:
    """The resource of a buffer, of bytes from its pointer on; made before the loops around."""

    def make() -> Register:
        pointer, resource = s.pointer(buffer), s.emitter.sgpr(4)
        s.emitter.move(resource.part(0), pointer.part(0))
        put_scalar(s.emitter, "s_and_b32", (resource.part(1),), (pointer.part(1), Immediate(0xFFFF)))
        s.emitter.move(resource.part(2), Immediate(REACH))
        s.emitter.move(resource.part(3), Immediate(s.emitter.target.raw_resource))
        return resource

    if not s.loops:
        return s.emitter.shared(("resource", buffer), make)
    with s.emitter.before_loop(s.loops[0].before):
        return s.emitter.shared(("resource", buffer), make)


def _put_lds_base(s: Selection, place: LinearForm, offset: int) -> None:
    """M0 := the place of lane 0 in LDS."""
    base = put_form(s, place._replace(constant=0))
    constant = place.constant + offset & 0xFFFFFFFF
    if isinstance(base, Immediate):
        s.emitter.put("s_mov_b32", M0, Immediate(base.bits + constant & 0xFFFFFFFF))
    elif constant:
        put_scalar(s.emitter, "s_add_u32", (M0,), (base, Immediate(constant)))
    else:
        s.emitter.put("s_mov_b32", M0, base)
