"""Differences of integers of 8 bits that are converted to f16, such as weights less their zero points.

    sub(convert(a), convert(b))    v_perm_b32, v_pk_add_f16 of -1024, the same of b, v_pk_add_f16
    here                           v_perm_b32, v_perm_b32, v_pk_add_f16

1024 + a and 1024 + b are exact in f16, and so is their difference.
"""

from __future__ import annotations

from asmgen.graph.ops import CONVERT
from asmgen.ir.program import Statement, Value, lane_type
from asmgen.ir.types import F16
from asmgen.lanewise.ops import SPLAT
from asmgen.select.arithmetic.small_integers import raised_bytes
from asmgen.select.selection import UNIT_BITS, Selection, is_small_integer
from isa.registers import Register

_BYTE_BITS = 8


def select_byte_difference(s: Selection, statement: Statement) -> bool:
    """Append a difference of f16, if it is one of converted integers; if not, return False."""
    if lane_type(statement.result).lanes % 2 or s.is_uniform(statement.result):
        return False
    sources = [_integers(s, operand) for operand in statement.operands]
    elements = {lane_type(source).element for source in sources if source is not None}
    if None in sources or len(elements) > 1:
        return False
    a, b = [_raised(s, source, statement) for source in sources if source is not None]
    register = s.destination(statement.result)
    for unit, (first, second) in enumerate(zip(a, b, strict=True)):
        s.emitter.put("v_pk_add_f16", register.part(unit), first, second, neg_lo=(0, 1), neg_hi=(0, 1))
    return True


def _integers(s: Selection, operand: Value) -> Value | None:
    """The integers of 8 bits that an operand has as f16, or the integer that is in each of its lanes."""
    made = s.uses.defined.get(operand)
    if made is not None and made.op is SPLAT:
        made = s.uses.defined.get(made.operands[0])
    if made is None or made.op is not CONVERT:
        return None
    element = lane_type(made.operands[0]).element
    return made.operands[0] if is_small_integer(element) and element.bits == _BYTE_BITS else None


def _raised(s: Selection, source: Value, statement: Statement) -> list[Register]:
    """The integers plus the least number of their exponent, two in a register."""
    units = lane_type(statement.result).lanes * F16.bits // UNIT_BITS
    if lane_type(source).lanes == lane_type(statement.result).lanes:
        return raised_bytes(s, source)
    return [s.emitter.shared(("raised", source), lambda: raised_bytes(s, source)[0])] * units
