"""The footprint of a lanewise access, which its instructions take (`isa.footprint`).

Arguments keep their names, and allocations those of their values. An access that states no bytes and has a
constant index touches the bytes there.
"""

from __future__ import annotations

from functools import cache

from asmgen.index import Index
from asmgen.ir.program import Statement
from asmgen.lanewise.records import Access, Touched
from asmgen.select.memory.pieces import UPPER_BYTE, UPPER_HALF
from asmgen.select.selection import Selection, buffer_type
from asmgen.select.uses import constant_of
from isa.footprint import Bytes, Footprint, Space

_UPPER_BYTES = {UPPER_BYTE: 1, UPPER_HALF: 2}


def footprint(s: Selection, statement: Statement, space: Space) -> Footprint:
    """The memory that a load, a store or an atomic operation may touch; its bytes are those of an
    instruction of no width (`piece`)."""
    buffer, index = statement.operands[:2]
    name = s.signature.argument(buffer).name if space is Space.GLOBAL else buffer.name
    touched = Touched.of(statement) if "bytes" in statement.attributes else Touched()
    if touched.bytes:
        return Footprint(space, name, _text(touched.slot), Bytes(_text(touched.at), *touched.bytes), s.trip)
    place = constant_of(index, s.uses)
    if place is None or touched.slot.terms:
        return Footprint(space, name, _text(touched.slot), None, s.trip)
    first = place * buffer_type(buffer).element.bytes + Access.of(statement).offset
    return Footprint(space, name, bytes=Bytes("0", first, first, 1, 0), loop=s.trip)


def footprints_of_copy(s: Selection, copy: Statement, width: int) -> tuple[Footprint, ...]:
    """The memory that a `load_to_lds` of `width` bytes a lane reads, and the LDS that it writes."""
    buffer, lds, touched = copy.operands[0], copy.operands[2], Touched.of(copy)
    source = Footprint(Space.GLOBAL, s.signature.argument(buffer).name, loop=s.trip)
    bytes_ = Bytes(_text(touched.at), *touched.bytes) if touched.bytes else None
    filled = Footprint(Space.LDS, lds.name, _text(touched.slot), bytes_, s.trip)
    return source, filled.piece(0, width)


def piece(whole: Footprint, width: int, done: int) -> tuple[Footprint, ...]:
    """The bytes of an instruction that does `width` bytes of an access from byte `done` on, or bytes of a
    register's upper half."""
    return (whole.piece(done, _UPPER_BYTES.get(width, width)),)


@cache
def _text(index: Index) -> str:
    return index.text
