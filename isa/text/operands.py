"""An operand of assembly text: a register, a constant of the operand's type, a label, and its source
modifiers."""

from __future__ import annotations

import re
from functools import lru_cache

from isa.constants import immediate_bits, parse_constant, parse_integer
from isa.fields import parse_fields
from isa.hwreg import parse_hwreg
from isa.instruction import OFF, Immediate, Kind, Label, Operand, OperandSpec
from isa.named_tuple import NamedTuple
from isa.registers import FIRST_VIRTUAL, NAMED_REGISTERS, Register, agpr, sgpr, vgpr

_REGISTER = re.compile(r"(s|v|a|ttmp|%)(?:(\d{1,9})|\[(\d{1,9})(?::(\d{1,9}))?\])\Z", re.ASCII)
_LABEL = re.compile(r"[A-Za-z_.$][\w.$@]*\Z", re.ASCII)
_LIMITS = {"s": 106, "v": 256, "a": 256, "ttmp": 16}
_FIRST_TTMP = 108
# An opening, its closing, and the source modifier that they mean, as its bit in `Atom.modifiers`.
# An outer modifier has a lower bit: the encoding has no absolute value of a negative.
_WRAPPERS = (("neg(", ")", 1), ("abs(", ")", 2), ("|", "|", 2), ("sext(", ")", 4))
_HALVES = {".l": 0, ".h": 1}


class Atom(NamedTuple):
    """An operand as spelt: a register, or text to be read by the operand's type, and its source modifiers as
    bits."""

    register: Register | None
    text: str
    modifiers: int  # 1 neg, 2 abs, 4 sext
    half: int | None = None  # 0 for `.l`, 1 for `.h`


@lru_cache(maxsize=8192)
def read_atom(token: str) -> Atom | None:
    """Read an operand's spelling apart from its type; None if its modifiers are around nothing, or are twice
    or in another order than an instruction has them."""
    inner, modifiers = token, 0
    while True:
        outer = inner
        # the sign of a number is the number's own
        if not modifiers and inner.startswith("-") and inner[1:2] not in tuple("0123456789."):
            inner, modifiers = inner[1:], 1
        for opening, closing, bit in _WRAPPERS:
            if inner.startswith(opening) and inner.endswith(closing) and len(inner) > len(opening):
                if bit <= modifiers:
                    return None
                inner, modifiers = inner[len(opening) : -1], modifiers | bit
        if inner == outer:
            half = _HALVES.get(inner[-2:])
            if half is not None and (register := parse_register(inner[:-2])) is not None:
                return Atom(register, inner, modifiers, half)
            return Atom(parse_register(inner), inner, modifiers) if inner else None


@lru_cache(maxsize=8192)
def parse_register(text: str) -> Register | None:
    """A register by its spelling (`v[0:3]`, `s5`, `vcc_lo`, `%1024` of a virtual register), or None."""
    named = NAMED_REGISTERS.get("scc" if text == "src_scc" else text)
    if named is not None:
        return named
    match = _REGISTER.match(text)
    if match is None:
        return None
    letter, single, low, high = match.groups()
    first = int(single if single is not None else low)
    count = int(high) - first + 1 if high is not None else 1
    if letter == "%":
        return Register(first, count) if count > 0 and first >= FIRST_VIRTUAL else None
    if count < 1 or first + count > _LIMITS[letter]:
        return None
    match letter:
        case "s":
            return sgpr(first, count)
        case "v":
            return vgpr(first, count)
        case "a":
            return agpr(first, count)
        case _:
            return sgpr(_FIRST_TTMP + first, count)


def read_constant(spec: OperandSpec, text: str) -> Operand | None:
    """The operand that a spelling other than a register's means, or None."""
    kinds = spec.kinds
    if text == "off":
        return OFF
    if Kind.HWREG in kinds:
        bits = parse_hwreg(text, spec.type)
    elif Kind.FIELDS in kinds:
        bits = parse_fields(text, spec.type)
    elif Kind.SIMM in kinds:
        value = parse_integer(text)
        if value is None and Kind.LABEL in kinds and _LABEL.match(text):
            return Label(text)
        bits = None if value is None else immediate_bits(value, spec.type)
    else:
        bits = parse_constant(text, spec.type)
    return None if bits is None else Immediate(bits)
