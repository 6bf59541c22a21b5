"""A byte or a half of a register, read in place by its only reader:

    v_bfe_i32 %b, %x, 8, 8
    v_cvt_f32_i32_e32 %f, %b        v_cvt_f32_i32_sdwa %f, sext(%x) dst_sel:DWORD src0_sel:BYTE_1

The rows of the encoding SDWA say which instructions can, on which targets, and how each source is extended.
The other source is a register too: LLVM's assembler takes constants there, and its verifier refuses them.
"""

from __future__ import annotations

from functools import cache

from asmgen.passes.combine.fusions import Field, field_of
from asmgen.passes.ssa import Rewriter, Site
from isa.build import ordered_modifiers
from isa.instruction import Encoding, Instr, ModifierValue, Operand, Row
from isa.named_tuple import NamedTuple
from isa.registers import Register
from isa.table import Table

_EXTENDS = "sext"
_BYTE_BITS, _HALF_BITS = 8, 16
_FIRST_HALF = 4  # the numbers of the selects: BYTE_0 to BYTE_3, WORD_0 and WORD_1
_SHORT = (Encoding.E32, Encoding.E64)


class _Selecting(NamedTuple):
    """The row that reads parts of registers, and the modifier that selects the part, by operand."""

    row: Row
    selects: dict[int, str]


@cache
def _selecting(table: Table, row: Row) -> _Selecting | None:
    """The row that does the same as a row with parts of its sources; None if there is none."""
    if row.encoding not in _SHORT or any(spec.fixed is not None for spec in row.operands):
        return None
    for other in table.named(row.name):
        names = [spec.name for spec in other.modifiers]
        if other.encoding is Encoding.SDWA and other.form == row.form and _EXTENDS in names:
            spelt = [index for index in other.uses if not other.operands[index].hidden]
            selects = {index: name for bit, index in enumerate(spelt) if (name := f"src{bit}_sel") in names}
            return _Selecting(other, selects) if len(other.operands) == len(row.operands) else None
    return None


def with_selects(instr: Instr, site: Site, rewriter: Rewriter) -> Instr | None:
    """The instruction with the parts of registers that only it reads, taken in place; None if it has none."""
    target = _selecting(rewriter.table, instr.row)
    if target is None or instr.modifiers:
        return None
    operands: list[Operand] = list(instr.operands)
    given: dict[str, ModifierValue] = {}
    extended = 0
    for bit, (index, name) in enumerate(target.selects.items()):
        part = _part(operands[index], instr, site, rewriter)
        if part is not None:
            operands[index], given[name] = part.value, _select(part)
            extended |= part.is_signed << bit
    if extended:
        given[_EXTENDS] = extended
    if not all(isinstance(operands[index], Register) for index in target.selects):
        return None
    if tuple(operands) == instr.operands or not rewriter.is_legal(target.row, tuple(operands)):
        return None
    return instr.as_row(target.row, tuple(operands), ordered_modifiers(target.row, given))


def _part(operand: Operand, reader: Instr, site: Site, rewriter: Rewriter) -> Field | None:
    """The byte or half that an operand is, if nothing else reads it."""
    if not isinstance(operand, Register) or operand.count != 1 or not rewriter.is_used_once(operand):
        return None
    made = rewriter.definition(operand)
    part = None if made is None else field_of(made[1])
    if part is None or part.bits not in (_BYTE_BITS, _HALF_BITS) or part.first % part.bits:
        return None
    if not isinstance(part.value, Register) or not rewriter.may_read(part.value, reader.row, site.block):
        return None
    return part


def _select(part: Field) -> int:
    number = part.first // part.bits
    return number if part.bits == _BYTE_BITS else _FIRST_HALF + number
