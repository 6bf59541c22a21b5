"""Addresses of memory: an object and an offset in bytes, fitted into the fields of an instruction.

    k.global_load_dword(x, 4 * i)        the pointer of an argument, in saddr
    k.ds_read_b128(tile, 16 * i + 64)    LDS of the kernel; the constant goes to the offset

The constant part goes to the immediate offset, the rest to a VGPR. If 32 bits may not suffice for that, terms
that are the same for the wave are added to the pointer in SGPRs; if they still do not, the VGPRs have a whole
address of 64 bits.
"""

from __future__ import annotations

from typing import Any

from asmgen.assembly.index_code import add_pairs, add_vector_pairs
from asmgen.assembly.instructions import Given, rows_of
from asmgen.assembly.recorder import Recorder
from asmgen.assembly.symbols import Symbols
from asmgen.assembly.values import Lds, Pointer, Registers, registers
from asmgen.index.expression import constant, only
from asmgen.index.nodes import Index
from asmgen.select.operands import offset_range, put_scalar
from isa.footprint import Footprint, Space
from isa.instruction import OFF, Immediate, Kind, Row
from isa.named_tuple import NamedTuple
from isa.registers import Register, RegisterClass


class Placed(NamedTuple):
    """An address as operands by their names, the immediate offset, and the memory that is touched."""

    operands: dict[str, Given]
    offset: int
    touches: tuple[Footprint, ...]


def place(
    recorder: Recorder, symbols: Symbols, name: str, base: Pointer | Lds, offset: Index
) -> Placed | None:
    """The address for an instruction; None if no row of it has an address of this kind."""
    rows = rows_of(recorder.table, name)
    if isinstance(base, Lds):
        row = next((row for row in rows if _names(row) >= {"addr"}), None)
        return None if row is None else _in_lds(recorder, symbols, row, base, offset)
    row = next((row for row in rows if _takes(row, "saddr", Kind.SGPR)), None)
    return None if row is None else _in_memory(recorder, symbols, row, base, offset)


def _names(row: Row) -> set[str]:
    return {spec.name for spec in row.operands}


def _takes(row: Row, name: str, kind: Kind) -> bool:
    return any(spec.name == name and kind in spec.kinds for spec in row.operands)


def _in_lds(recorder: Recorder, symbols: Symbols, row: Row, base: Lds, offset: Index) -> Placed:
    whole = offset + base.first
    if offset.low < 0 or (offset.is_constant and offset.constant >= base.bytes):
        wanted = f"wanted an offset below its {base.bytes} bytes"
        message = f"the offset {offset.text} is outside of {base.name}, {wanted}"
        raise recorder.fault("HND031", message)
    fixed = whole.constant if whole.constant in offset_range(row) else 0
    rest = whole - fixed
    touches = (Footprint(Space.LDS, base.name),)
    address = registers(recorder, recorder.to_vgpr(symbols.part(rest)), RegisterClass.VGPR)
    return Placed({"addr": address}, fixed, touches)


def _in_memory(recorder: Recorder, symbols: Symbols, row: Row, base: Pointer, offset: Index) -> Placed:
    touches = (Footprint(Space.GLOBAL, base.name),)
    fixed = offset.constant if offset.constant in offset_range(row) else 0
    rest = offset - fixed
    varied, uniform = _split(recorder, symbols, rest)
    if not symbols.bounds(varied).is_u32:
        return Placed({"vaddr": _whole(recorder, symbols, base, rest), "saddr": OFF}, fixed, touches)
    saddr = _advanced(recorder, symbols, base.register, uniform)
    vaddr = recorder.to_vgpr(symbols.part(varied))
    return Placed(
        {
            "vaddr": registers(recorder, vaddr, RegisterClass.VGPR),
            "saddr": registers(recorder, saddr, RegisterClass.SGPR),
        },
        fixed, touches,
    )  # fmt: skip


def _split(recorder: Recorder, symbols: Symbols, offset: Index) -> tuple[Index, Index]:
    """The parts of an offset for the VGPR and for the pointer. The VGPR gets as many terms as 32 bits allow,
    small terms first: that takes no additions of 64 bits, and large terms mostly stay in a loop."""
    varied = offset.part([symbol for symbol in offset.symbols if recorder.is_vgpr(symbols.places[symbol])])
    uniform = offset - varied
    if offset.low >= 0 and symbols.bounds(offset).is_u32:
        return offset, constant(0)
    if not varied.terms:
        return constant(0), offset
    if uniform.low < 0 or varied.low < 0:
        return offset, constant(0)
    parts = [only(atom) * number for atom, number in uniform.terms]
    for part in sorted(parts, key=lambda part: part.high):
        if part.low < 0 or not symbols.bounds(varied + part).is_u32:
            break
        varied, uniform = varied + part, uniform - part
    return varied, uniform


def _advanced(recorder: Recorder, symbols: Symbols, pointer: Register, by: Index) -> Register:
    """A pointer plus an offset that is the same for the wave, added before the loops that do not change
    it."""
    if by.is_constant and not by.constant:
        return pointer
    with recorder.before_loops(symbols.depth(by)):
        return _added(recorder, symbols, pointer, by)


def _added(recorder: Recorder, symbols: Symbols, pointer: Register, by: Index) -> Register:
    if not symbols.bounds(by).is_u32:
        return add_pairs(recorder, pointer, symbols.wide_part(by))
    result = recorder.sgpr(2)
    put_scalar(recorder, "s_add_u32", (result.part(0),), (pointer.part(0), symbols.part(by)))
    put_scalar(recorder, "s_addc_u32", (result.part(1),), (pointer.part(1), Immediate(0)))
    return result


def _whole(recorder: Recorder, symbols: Symbols, base: Pointer, offset: Index) -> Registers[Any]:
    """The address in a pair of VGPRs."""
    wide = symbols.wide_part(offset)
    if not recorder.is_vgpr(wide):
        return registers(
            recorder, recorder.to_vgpr(add_pairs(recorder, base.register, wide)), RegisterClass.VGPR
        )
    summed = add_vector_pairs(recorder, base.register, wide)
    return registers(recorder, summed, RegisterClass.VGPR)
