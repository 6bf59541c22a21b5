"""Addresses of memory: an object and an offset in bytes, fitted into the fields of an instruction.

    k.global_load_dword(x, 4 * i)        the pointer of an argument, in saddr
    k.ds_read_b128(tile, 16 * i + 64)    LDS of the kernel; the constant goes to the offset

The constant part goes to the immediate offset, the rest to a VGPR. If 32 bits may not suffice for that, terms
that are the same for the wave are added to the pointer in SGPRs; if they still do not, the VGPRs have a whole
address of 64 bits.
"""

from __future__ import annotations

from typing import Any

from asmgen.assembly.index_code import add_pairs
from asmgen.assembly.instructions import Given, rows_of
from asmgen.assembly.recorder import Recorder
from asmgen.assembly.symbols import Symbols
from asmgen.assembly.values import Lds, Pointer, Registers, registers
from asmgen.index.expression import Index, constant
from asmgen.select.operands import offset_range, put_scalar, put_vector
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
        message = f"the offset {offset.text} is outside of {base.name}, which has {base.bytes} bytes"
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
    """The parts of an offset for the VGPR and for the pointer. A VGPR has the whole offset if 32 bits
    suffice: that takes no addition of 64 bits."""
    varied = offset.part([symbol for symbol in offset.symbols if recorder.is_vgpr(symbols.places[symbol])])
    uniform = offset - varied
    if offset.low >= 0 and symbols.bounds(offset).is_u32:
        return offset, constant(0)
    if not varied.terms:
        return constant(0), offset
    return (offset, constant(0)) if uniform.low < 0 or varied.low < 0 else (varied, uniform)


def _advanced(recorder: Recorder, symbols: Symbols, pointer: Register, by: Index) -> Register:
    """A pointer plus an offset that is the same for the wave."""
    if by.is_constant and not by.constant:
        return pointer
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
    result, carry = recorder.vgpr(2), recorder.mask()
    put_vector(recorder, "v_add_co_u32", (result.part(0), carry), (base.register.part(0), wide.part(0)))
    put_vector(
        recorder,
        "v_addc_co_u32",
        (result.part(1), recorder.mask()),
        (base.register.part(1), wide.part(1), carry),
    )
    return registers(recorder, result, RegisterClass.VGPR)
