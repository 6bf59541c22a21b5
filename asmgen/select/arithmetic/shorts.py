"""Arithmetic on integers of 8 and 16 bits, a whole register at a time.

Two integers of 16 bits have packed instructions (VOP3P). Four of 8 bits are added as a number of 32 bits
without the highest bit of each byte, so that no carry leaves a byte; the highest bits are then added without
a carry:

    (a & 0x7f7f7f7f) + (b & 0x7f7f7f7f), and in the bits of 0x80808080 this xor a xor b

They are shifted as a number of 32 bits, and a mask clears the bits of the other bytes.
"""

from __future__ import annotations

from asmgen.graph import ops as graph
from asmgen.ir.program import Op, Statement, lane_type
from asmgen.ir.types import NumberKind
from asmgen.select.operands import put_vector
from asmgen.select.selection import Part, Selection, unsupported
from isa.instruction import Immediate
from isa.registers import Register

_HALF_BITS = 16
_BITWISE = {
    graph.BITWISE_AND: "v_and_b32",
    graph.BITWISE_OR: "v_or_b32",
    graph.BITWISE_XOR: "v_xor_b32",
    graph.BITWISE_NOT: "v_not_b32",
}
# by op; of signed and of unsigned numbers
_PACKED: dict[Op, tuple[str, str]] = {
    graph.ADD: ("v_pk_add_u16", "v_pk_add_u16"),
    graph.SUB: ("v_pk_sub_u16", "v_pk_sub_u16"),
    graph.MUL: ("v_pk_mul_lo_u16", "v_pk_mul_lo_u16"),
    graph.MAX: ("v_pk_max_i16", "v_pk_max_u16"),
    graph.MIN: ("v_pk_min_i16", "v_pk_min_u16"),
}
_PACKED_SHIFTS: dict[Op, tuple[str, str]] = {  # the count first
    graph.LEFT_SHIFT: ("v_pk_lshlrev_b16", "v_pk_lshlrev_b16"),
    graph.RIGHT_SHIFT: ("v_pk_ashrrev_i16", "v_pk_lshrrev_b16"),
}
_BYTE, _EACH_BYTE = 0xFF, 0x01010101
_TOPS = 0x80808080
_BELOW = 0x7F7F7F7F


def select_short(s: Selection, statement: Statement) -> None:
    """An op on whole registers of narrow integers, which `lanewise.math.shorts` makes."""
    element, op = lane_type(statement.result).element, statement.op
    operands = [s.parts(operand) for operand in statement.operands]
    register = s.destination(statement.result)
    for unit in range(register.count):
        result, sources = register.part(unit), tuple([parts[unit] for parts in operands])
        if op in _PACKED_SHIFTS:
            _put_shift(s, statement, result, *sources)
        elif op in _BITWISE:
            put_vector(s.emitter, _BITWISE[op], (result,), sources)
        elif element.bits == _HALF_BITS:
            name = _PACKED[op][element.kind is NumberKind.UNSIGNED]
            s.emitter.put(name, result, *[s.emitter.to_vgpr(source) for source in sources])
        elif op in (graph.ADD, graph.SUB):
            _put_bytes(s, op, result, *sources)
        else:
            raise unsupported(statement)


def _put_shift(s: Selection, statement: Statement, result: Register, x: Part, count: Part) -> None:
    """By a constant, the same in each element."""
    emitter, op, element = s.emitter, statement.op, lane_type(statement.result).element
    if not isinstance(count, Immediate):
        raise unsupported(statement)
    if element.bits == _HALF_BITS:
        name = _PACKED_SHIFTS[op][element.kind is NumberKind.UNSIGNED]
        emitter.put(name, result, emitter.to_vgpr(count), emitter.to_vgpr(x))
        return
    by, moved = count.bits & _BYTE, emitter.vgpr()
    is_left = op is graph.LEFT_SHIFT
    kept = (_BYTE << by if is_left else _BYTE >> by) & _BYTE
    put_vector(emitter, "v_lshlrev_b32" if is_left else "v_lshrrev_b32", (moved,), (Immediate(by), x))
    put_vector(emitter, "v_and_b32", (result,), (Immediate(kept * _EACH_BYTE), moved))


def _put_bytes(s: Selection, op: Op, result: Register, a: Part, b: Part) -> None:
    """The sum or the difference of four bytes. In a difference the highest bit of each byte of `a` is set, so
    that nothing is borrowed from the next; that bit is turned once more."""
    emitter = s.emitter
    below = emitter.scalar_constant(_BELOW)
    kept, other, total, differs, turned = (emitter.vgpr() for _ in range(5))
    put_vector(emitter, "v_and_b32", (other,), (below, b))
    if op is graph.ADD:
        put_vector(emitter, "v_and_b32", (kept,), (below, a))
        put_vector(emitter, "v_add_u32", (total,), (kept, other))
        put_vector(emitter, "v_xor_b32", (differs,), (a, b))
    else:
        put_vector(emitter, "v_or_b32", (kept,), (Immediate(_TOPS), a))
        put_vector(emitter, "v_sub_u32", (total,), (kept, other))
        put_vector(emitter, "v_xnor_b32", (differs,), (a, b))
    put_vector(emitter, "v_xor_b32", (turned,), (differs, total))
    put_vector(emitter, "v_bfi_b32", (result,), (below, total, turned))
