"""Bits out of other bits: a field of a field, a field of a byte that is beside others, and such bytes.

    v_bfe_u32 %a, %x, 16, 8;  v_lshrrev_b32 %b, 3, %a                  v_bfe_u32 %b, %x, 19, 5
    v_bfe_u32 %a, %x, 0, 8;   v_and_b32 %b, 15, %a                     v_and_b32 %b, 15, %x
    v_perm_b32 %a, %x, %y, 0x0c0c0400;  v_bfe_i32 %b, %a, 8, 8         v_bfe_i32 %b, %x, 0, 8
    v_perm_b32 %a, of the bytes of %x in their order                   v_mov_b32 %a, %x

The inner instruction is dead if each of its readers takes a field.
"""

from __future__ import annotations

from asmgen.passes.combine.copies import Copies
from asmgen.passes.combine.fusions import WORD_BITS, Field, field_of, takes_field
from asmgen.passes.ssa import Rewriter, Site, constant
from isa.instruction import Encoding, Immediate, Instr
from isa.named_tuple import NamedTuple
from isa.operations import Operation, plain_meaning, sources
from isa.registers import SCC, Register

WORD_BYTES = 4
_BYTE_BITS = 8
_BYTE = (1 << _BYTE_BITS) - 1
_BYTES = 8  # of the two words that v_perm_b32 chooses from, those of the second first


_ZERO_BYTE = 12  # its number for a byte of zeros
_DEEPEST = 3  # instructions that are followed from a word
_FURTHEST = 256  # instructions among which the readers of a value are looked for


class _Byte(NamedTuple):
    word: Register
    place: int


def nested(outer: Instr, site: Site, copies: Copies, rewriter: Rewriter) -> Instr | None:
    """A field of a field, or of a byte, as a field of the value that has the bits; None if there is no such
    value."""
    field = field_of(outer)
    if field is None or not isinstance(field.value, Register) or not field.bits:
        return None
    made = rewriter.definition(field.value)
    if made is None or SCC in made[1].row.writes:
        return None
    inner = field_of(made[1])
    if inner is not None and inner.first + inner.bits == WORD_BITS and field.first == 0:
        return None  # a mask of a shift: `field_extract` joins both alike wherever they are
    whole = _of_byte(field, made[1], copies) if inner is None else field.within(inner)
    if whole is None or not isinstance(whole.value, Register) or whole == field:
        return None
    if not rewriter.may_read(whole.value, outer.row, site.block):
        return None
    taken = _taken(outer, whole, rewriter)
    if taken is None or taken.row.encoding is outer.row.encoding:
        return taken
    return taken if taken.row.encoding is not Encoding.E64 or _dies(field.value, site, rewriter) else None


def _dies(value: Register, site: Site, rewriter: Rewriter) -> bool:
    """Whether all instructions that read a value take a field of it, from a place on: then nothing reads it
    in the end. A longer encoding pays only if an instruction goes."""
    readers = rewriter.use_counts.get(value.first, 0)
    for instr in rewriter.code[site.block][site.position : site.position + _FURTHEST]:
        if not readers:
            return True
        field = field_of(instr) if takes_field(instr.row) else None
        readers -= field is not None and field.value == value
    return readers == 0


def _of_byte(field: Field, inner: Instr, copies: Copies) -> Field | None:
    """A field of a byte that v_perm_b32 chooses, as a field of the word that has the byte."""
    meaning = plain_meaning(inner)
    if meaning is None or meaning.operation is not Operation.BYTES:
        return None
    high, low, numbers = sources(inner, meaning)
    selector = constant(copies.resolved(numbers))
    place, first = divmod(field.first, _BYTE_BITS)
    if selector is None or first + field.bits > _BYTE_BITS:
        return None
    number = selector >> _BYTE_BITS * place & _BYTE
    if number >= _BYTES:
        return None
    word, byte = (low, number) if number < _BYTES // 2 else (high, number - _BYTES // 2)
    return Field(word, _BYTE_BITS * byte + first, field.bits, field.is_signed)


def gathered(outer: Instr, site: Site, copies: Copies, rewriter: Rewriter) -> Instr | None:
    """Four bytes of a word or of two words that other instructions choose, as bytes of these words: as the
    word if they are its bytes in order."""
    chosen = _chosen(outer, copies, rewriter, _DEEPEST)
    if chosen is None:
        return None
    words = list(dict.fromkeys([each.word for each in chosen if each is not None]))
    if not 1 <= len(words) <= 2 or any(not rewriter.may_read(word, outer.row, site.block) for word in words):
        return None
    if chosen == [_Byte(words[0], place) for place in range(WORD_BYTES)]:
        return outer.as_row(rewriter.table.row("v_mov_b32_e32"), (outer.operands[0], words[0]))
    low, high = words[0], words[-1]
    numbers = [
        _ZERO_BYTE if each is None else each.place + WORD_BYTES * (each.word != low) for each in chosen
    ]
    selector = sum([number << _BYTE_BITS * place for place, number in enumerate(numbers)])
    operands = (outer.operands[0], high, low, Immediate(selector))
    is_new = {*outer.operands[1:3]} != {low, high}
    return outer.as_row(outer.row, operands) if is_new and rewriter.is_legal(outer.row, operands) else None


def _chosen(instr: Instr, copies: Copies, rewriter: Rewriter, deepest: int) -> list[_Byte | None] | None:
    """The bytes of a result, the lowest first, each as a byte of a register or None for zeros; None if they
    are computed."""
    meaning = plain_meaning(instr)
    if meaning is not None and meaning.operation is Operation.BYTES:
        high, low, numbers = sources(instr, meaning)
        selector = constant(copies.resolved(numbers))
        if selector is None or not isinstance(high, Register) or not isinstance(low, Register):
            return None
        taken = [selector >> _BYTE_BITS * place & _BYTE for place in range(WORD_BYTES)]
        if any(number >= _BYTES and number != _ZERO_BYTE for number in taken):
            return None
        both = [byte for word in (low, high) for byte in _bytes_of(word, copies, rewriter, deepest)]
        return [None if number == _ZERO_BYTE else both[number] for number in taken]
    field = field_of(instr)
    if field is None or field.is_signed or field.first % _BYTE_BITS or field.bits % _BYTE_BITS:
        return None
    if not isinstance(field.value, Register):
        return None
    first, count = field.first // _BYTE_BITS, field.bits // _BYTE_BITS
    word = _bytes_of(field.value, copies, rewriter, deepest)
    return [*word[first : first + count], *[None] * (WORD_BYTES - count)]


def _bytes_of(word: Register, copies: Copies, rewriter: Rewriter, deepest: int) -> list[_Byte | None]:
    made = rewriter.definition(word) if deepest else None
    chosen = None if made is None else _chosen(made[1], copies, rewriter, deepest - 1)
    return [_Byte(word, place) for place in range(WORD_BYTES)] if chosen is None else chosen


def _taken(outer: Instr, field: Field, rewriter: Rewriter) -> Instr | None:
    """The instruction that takes a field: a shift or a mask if it suffices."""
    value, first, bits, is_signed = field
    if is_signed:
        name, operands = "v_bfe_i32", (value, Immediate(first), Immediate(bits))
    elif first + bits == WORD_BITS:
        name, operands = "v_lshrrev_b32_e32", (Immediate(first), value)
    elif first == 0:
        name, operands = "v_and_b32_e32", (Immediate((1 << bits) - 1), value)
    else:
        name, operands = "v_bfe_u32", (value, Immediate(first), Immediate(bits))
    row = rewriter.table.row(name)
    operands = (outer.operands[0], *operands)
    return outer.as_row(row, operands) if rewriter.is_legal(row, operands) else None
