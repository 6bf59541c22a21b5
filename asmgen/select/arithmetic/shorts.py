"""Arithmetic on integers of 8 and 16 bits, a whole register at a time.

Two integers of 16 bits have packed instructions (VOP3P). Four of 8 bits are added as a number of 32 bits
without the highest bit of each byte, so that no carry leaves a byte; the highest bits are then added without
a carry:

    (a & 0x7f7f7f7f) + (b & 0x7f7f7f7f), and in the bits of 0x80808080 this xor a xor b
"""

from __future__ import annotations

from asmgen.graph import ops as graph
from asmgen.ir.program import Op, Statement
from asmgen.ir.types import NumberKind
from asmgen.select.operands import put_vector
from asmgen.select.selection import Part, Selection, lane_type, unsupported
from isa.instruction import Immediate
from isa.registers import Register

_HALF_BITS = 16
_BITWISE = {graph.BITWISE_AND: "v_and_b32", graph.BITWISE_OR: "v_or_b32", graph.BITWISE_XOR: "v_xor_b32"}
# by op; of signed and of unsigned numbers
_PACKED: dict[Op, tuple[str, str]] = {
    graph.ADD: ("v_pk_add_u16", "v_pk_add_u16"),
    graph.SUB: ("v_pk_sub_u16", "v_pk_sub_u16"),
    graph.MUL: ("v_pk_mul_lo_u16", "v_pk_mul_lo_u16"),
    graph.MAX: ("v_pk_max_i16", "v_pk_max_u16"),
    graph.MIN: ("v_pk_min_i16", "v_pk_min_u16"),
}
_TOPS = 0x80808080
_BELOW = 0x7F7F7F7F


def select_short(s: Selection, statement: Statement) -> None:
    """An op on whole registers of narrow integers, which `lanewise.math.shorts` makes."""
    element, op = lane_type(statement.result).element, statement.op
    a, b = [s.parts(operand) for operand in statement.operands]
    register = s.destination(statement.result)
    for unit in range(register.count):
        result, sources = register.part(unit), (a[unit], b[unit])
        if op in _BITWISE:
            put_vector(s.emitter, _BITWISE[op], (result,), sources)
        elif element.bits == _HALF_BITS:
            name = _PACKED[op][element.kind is NumberKind.UNSIGNED]
            s.emitter.put(name, result, *[s.emitter.to_vgpr(source) for source in sources])
        elif op in (graph.ADD, graph.SUB):
            _put_bytes(s, op, result, sources)
        else:
            raise unsupported(statement)


def _put_bytes(s: Selection, op: Op, result: Register, sources: tuple[Part, Part]) -> None:
    """The sum or the difference of four bytes. In a difference the highest bit of each byte of `a` is set, so
    that nothing is borrowed from the next; that bit is turned once more."""
    emitter, (a, b) = s.emitter, sources
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
