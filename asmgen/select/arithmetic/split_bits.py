"""Small integers that share bytes, each in a byte of its own: `split_bits`.

    v_and_b32     v1, 0x0f0f0f0f, v0          the lower four bits of each byte
    v_lshrrev_b32 v2, 4, v0
    v_and_b32     v2, 0x0f0f0f0f, v2          the upper four bits
    v_perm_b32    v3, v2, v1, 0x05010400      both of the first byte, then both of the second
    v_perm_b32    v4, v2, v1, 0x07030602      those of the other two bytes

Numbers of two bits are the halves of numbers of four bits, and so on. Larger elements are their bytes, the
lowest first.
"""

from __future__ import annotations

from asmgen.ir.program import Statement, Value, lane_type
from asmgen.ir.types import NumberKind
from asmgen.select.arithmetic.narrow import BYTES
from asmgen.select.operands import put_vector
from asmgen.select.selection import Part, Selection
from isa.instruction import Immediate
from isa.registers import Register

_BYTE = 8
_EVERY_BYTE = 0x01010101
_LOWER, _UPPER = 0x05010400, 0x07030602  # v_perm_b32: bytes of the second source and of the first in turn
_ABOVE = 0x80


def select_split_bits(s: Selection, statement: Statement) -> None:
    (packed,), result, bits = statement.operands, statement.result, statement.attributes["bits"]
    assert isinstance(bits, int), "the parser reads an integer"
    parts, count, width = list(s.parts(packed)), _bytes(packed), _BYTE
    if bits == width:
        s.define(result, tuple(parts))
        return
    is_signed = lane_type(result).element.kind is NumberKind.SIGNED
    register = s.destination(result)
    into = [register.part(number) for number in range(register.count)]
    while width > bits:
        width, count = width // 2, count * 2
        is_last = width == bits and not is_signed
        halves = [half for part in parts for half in _halves(s, part, width)][: -(-count // BYTES)]
        parts = [_put(s, "v_perm_b32", half, into[at] if is_last else None) for at, half in enumerate(halves)]
    if is_signed:
        for part, unit in zip(parts, into, strict=True):
            _put_with_sign(s, unit, part, 1 << bits - 1)


def _bytes(value: Value) -> int:
    type_ = lane_type(value)
    return type_.lanes * type_.element.bytes


def _halves(s: Selection, part: Part, width: int) -> list[tuple[Part, ...]]:
    """Both halves of each byte of a part, `width` bits each: the operands of the permutations that give the
    halves of its lower bytes, and those of its upper bytes."""
    mask = Immediate(((1 << width) - 1) * _EVERY_BYTE)
    low = _put(s, "v_and_b32", (mask, part))
    high = _put(s, "v_and_b32", (mask, _put(s, "v_lshrrev_b32", (Immediate(width), part))))
    return [(high, low, s.emitter.scalar_constant(selector)) for selector in (_LOWER, _UPPER)]


def _put_with_sign(s: Selection, result: Register, part: Part, sign: int) -> None:
    """Each byte, a number of few bits, minus twice its sign bit. Without that bit it is raised by less than
    the uppermost bit of the byte, so that no byte carries into the next."""
    turned = _put(s, "v_xor_b32", (Immediate(sign * _EVERY_BYTE), part))
    raised = _put(s, "v_add_u32", (Immediate((_ABOVE - sign) * _EVERY_BYTE), turned))
    _ = _put(s, "v_xor_b32", (Immediate(_ABOVE * _EVERY_BYTE), raised), result)


def _put(s: Selection, name: str, sources: tuple[Part, ...], into: Register | None = None) -> Register:
    register = into if into is not None else s.emitter.vgpr()
    put_vector(s.emitter, name, (register,), sources)
    return register
