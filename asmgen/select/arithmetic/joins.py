"""Parts of registers put together in one: halves and bytes, which v_perm_b32 chooses.

    v_perm_b32 v2, v1, v0, 0x05040100      the lower half of v0, above it the lower half of v1

A number of the selector is a byte: 0 to 3 of the second source, 4 to 7 of the first, 12 is a byte of zeros
(CDNA3 ISA, V_PERM_B32).
"""

from __future__ import annotations

from typing import NamedTuple

from asmgen.select.operands import put_vector
from asmgen.select.selection import Part, Selection
from isa.instruction import Immediate
from isa.registers import Register

_LOW, _UPPER = 0x0100, 0x0302  # halves of the second source
_OF_FIRST = 0x0404  # added to them, those of the first
_BYTE_PAIR = 0x0C0C0400  # the lowest bytes of both, and zeros
_THIRD_BYTE = 0x0C040100  # a pair of bytes, and the lowest one of the first source


class Half(NamedTuple):
    """One half of a part."""

    part: Part
    is_upper: bool = False


def put_halves(s: Selection, result: Register, low: Half, high: Half) -> None:
    """Two halves of 16 bits in one register."""
    selector = (_UPPER if low.is_upper else _LOW) | ((_UPPER if high.is_upper else _LOW) + _OF_FIRST) << 16
    _put(s, result, high.part, low.part, selector)


def join_halves(s: Selection, result: Register, low: Part, high: Part) -> None:
    """Two 16-bit patterns in one register, whatever the upper halves of theirs hold."""
    put_halves(s, result, Half(low), Half(high))


def join_bytes(s: Selection, result: Register, lanes: list[Part]) -> None:
    """Up to four bytes in one register, each the lowest of its part; beyond them are zeros, but for a byte
    alone."""
    if len(lanes) == 1:
        s.emitter.move(result, lanes[0])
        return
    pair = result if len(lanes) == 2 else s.emitter.vgpr()
    _put(s, pair, lanes[1], lanes[0], _BYTE_PAIR)
    if len(lanes) == 3:
        _put(s, result, lanes[2], pair, _THIRD_BYTE)
    elif len(lanes) == 4:
        upper = s.emitter.vgpr()
        _put(s, upper, lanes[3], lanes[2], _BYTE_PAIR)
        join_halves(s, result, pair, upper)


def _put(s: Selection, result: Register, first: Part, second: Part, selector: int) -> None:
    emitter = s.emitter
    sources = [emitter.to_vgpr(one) if isinstance(one, Immediate) else one for one in (first, second)]
    put_vector(emitter, "v_perm_b32", (result,), (*sources, emitter.scalar_constant(selector)))
