"""Constants and identities: replacements of a single instruction.

A replacement is a move of a constant or of a source (copies are propagated afterwards), or a cheaper
instruction. Integers only: float arithmetic keeps its rounding, its NaNs and its signed zeros.
"""

from __future__ import annotations

from collections.abc import Callable

from asmgen.index.interval import WORD
from asmgen.passes.combine.copies import Copies
from asmgen.passes.combine.known_zeros import KnownZeros
from asmgen.passes.ssa import Rewriter, Site, constant, is_copy
from isa.constants import inline_spelling
from isa.instruction import ExecMode, Immediate, Instr, Operand, Row
from isa.moves import find_fill
from isa.operations import Meaning, Operation, plain_meaning, sources
from isa.registers import SCC, Register, RegisterClass


def _signed(value: int) -> int:
    return value - (1 << 32) if value >> 31 else value


def _signed_field(value: int, first: int, width: int) -> int:
    bits, sign = _signed(value) >> (first & 31) & (1 << (width & 31)) - 1, 1 << (width & 31) >> 1
    return bits - ((bits & sign) << 1)


EVALUATE: dict[Operation, Callable[[list[int]], int]] = {
    Operation.ADD: lambda s: s[0] + s[1],
    Operation.SUBTRACT: lambda s: s[0] - s[1],
    Operation.MULTIPLY: lambda s: s[0] * s[1],
    Operation.MULTIPLY_24: lambda s: (s[0] & 0xFFFFFF) * (s[1] & 0xFFFFFF),
    Operation.SHIFT_LEFT: lambda s: s[0] << (s[1] & 31),
    Operation.SHIFT_RIGHT: lambda s: s[0] >> (s[1] & 31),
    Operation.SHIFT_RIGHT_SIGNED: lambda s: _signed(s[0]) >> (s[1] & 31),
    Operation.AND: lambda s: s[0] & s[1],
    Operation.OR: lambda s: s[0] | s[1],
    Operation.XOR: lambda s: s[0] ^ s[1],
    Operation.MINIMUM: min,
    Operation.MAXIMUM: max,
    Operation.MINIMUM_SIGNED: lambda s: min(_signed(s[0]), _signed(s[1])),
    Operation.MAXIMUM_SIGNED: lambda s: max(_signed(s[0]), _signed(s[1])),
    Operation.FIELD: lambda s: s[0] >> (s[1] & 31) & (1 << (s[2] & 31)) - 1,
    Operation.FIELD_SIGNED: lambda s: _signed_field(*s),
    Operation.SHIFT_ADD: lambda s: (s[0] << (s[1] & 31)) + s[2],
    Operation.SHIFT_OR: lambda s: s[0] << (s[1] & 31) | s[2],
    Operation.ADD_SHIFT: lambda s: (s[0] + s[1]) << (s[2] & 31),
    Operation.AND_OR: lambda s: s[0] & s[1] | s[2],
    Operation.OR_THREE: lambda s: s[0] | s[1] | s[2],
    Operation.ADD_THREE: lambda s: s[0] + s[1] + s[2],
}
# (operation, which source, its constant): the result is the other source. Sources of a commuting operation
# be there twice.
_IDENTITIES = frozenset(
    {
        (Operation.ADD, 0, 0), (Operation.ADD, 1, 0), (Operation.SUBTRACT, 1, 0), (Operation.MULTIPLY, 0, 1),
        (Operation.MULTIPLY, 1, 1),
        (Operation.SHIFT_LEFT, 1, 0), (Operation.SHIFT_RIGHT, 1, 0), (Operation.SHIFT_RIGHT_SIGNED, 1, 0),
        (Operation.AND, 0, WORD),
        (Operation.AND, 1, WORD), (Operation.OR, 0, 0), (Operation.OR, 1, 0), (Operation.XOR, 0, 0),
        (Operation.XOR, 1, 0),
        (Operation.MAXIMUM, 0, 0), (Operation.MAXIMUM, 1, 0), (Operation.MINIMUM, 0, WORD),
        (Operation.MINIMUM, 1, WORD),
    }
)  # fmt: skip
# (operation, which source, its constant): the result is this constant.
_ABSORBING = {
    (Operation.MULTIPLY, 0, 0): 0, (Operation.MULTIPLY, 1, 0): 0, (Operation.AND, 0, 0): 0,
    (Operation.AND, 1, 0): 0,
    (Operation.SHIFT_LEFT, 0, 0): 0, (Operation.SHIFT_RIGHT, 0, 0): 0, (Operation.OR, 0, WORD): WORD,
    (Operation.OR, 1, WORD): WORD,
    (Operation.MINIMUM, 0, 0): 0, (Operation.MINIMUM, 1, 0): 0,
}  # fmt: skip
_FIELDS = frozenset({Operation.FIELD, Operation.FIELD_SIGNED})
_RIGHT_SHIFTS = frozenset({Operation.SHIFT_RIGHT, Operation.SHIFT_RIGHT_SIGNED})
_CLASSES = {ExecMode.SCALAR: RegisterClass.SGPR, ExecMode.MASKED: RegisterClass.VGPR}


def simplified(
    instr: Instr, rewriter: Rewriter, facts: KnownZeros, copies: Copies, scc_is_read: bool
) -> Instr | None:
    """A simpler instruction with the same result, or None. An instruction stays if its SCC is read.

    A choice between a value and itself is that value: the upper words of two small i64 are both 0.
    """
    meaning = plain_meaning(instr)
    if meaning is None or meaning.bits != 32 or not meaning.sources or scc_is_read:
        return None
    inputs = tuple(copies.resolved(source) for source in sources(instr, meaning))
    result = _as_source(meaning, inputs, facts)
    if result is not None:
        return _moved(instr, result, rewriter)
    if meaning.operation in (Operation.MULTIPLY, Operation.MULTIPLY_24):
        return _cheaper_product(instr, meaning, inputs, facts, rewriter)
    return None


def _as_source(meaning: Meaning, inputs: tuple[Operand, ...], facts: KnownZeros) -> Operand | None:
    """The constant or the source that the result equals."""
    constants = [constant(source) for source in inputs]
    known = [bits for bits in constants if bits is not None]
    evaluate = EVALUATE.get(meaning.operation)
    if evaluate is not None and len(known) == len(inputs):
        return Immediate(evaluate(known) & WORD)
    for place, bits in enumerate(constants):
        if bits is None:
            continue
        key = (meaning.operation, place, bits)
        if key in _ABSORBING:
            return Immediate(_ABSORBING[key])
        if key in _IDENTITIES and len(inputs) == 2:
            return inputs[1 - place]
    if meaning.operation is Operation.SELECT:
        return inputs[0] if inputs[0] == inputs[1] else None
    if meaning.operation in _RIGHT_SHIFTS:
        return _shifted_out(inputs, constants, facts)
    if meaning.operation is Operation.AND:
        return _unmasked(inputs, constants, facts)
    if meaning.operation is Operation.MINIMUM:
        return _below(inputs, constants, facts)
    if meaning.operation in _FIELDS:
        return _whole_field(inputs, constants, facts, meaning.operation is Operation.FIELD_SIGNED)
    return None


def _shifted_out(
    inputs: tuple[Operand, ...], constants: list[int | None], facts: KnownZeros
) -> Operand | None:
    """0 if no bit is left that may be 1. If the sign may be 1, so may the lowest bit; a sign that is 0 shifts
    zeros in, such as that of a bool in an i64."""
    amount = constants[1]
    is_gone = amount is not None and not facts.largest(inputs[0]) >> (amount & 31)
    return Immediate(0) if is_gone else None


def _unmasked(inputs: tuple[Operand, ...], constants: list[int | None], facts: KnownZeros) -> Operand | None:
    """A mask that clears only bits that are zero anyway changes nothing."""
    for place, bits in enumerate(constants):
        other = inputs[1 - place]
        if bits is not None and not facts.largest(other) & ~bits:
            return other
    return None


def _below(inputs: tuple[Operand, ...], constants: list[int | None], facts: KnownZeros) -> Operand | None:
    """A value that is never above the other source of a minimum."""
    for place, bits in enumerate(constants):
        other = inputs[1 - place]
        if bits is not None and facts.largest(other) <= bits:
            return other
    return None


def _whole_field(
    inputs: tuple[Operand, ...], constants: list[int | None], facts: KnownZeros, is_signed: bool
) -> Operand | None:
    """The lowest bits are all of a value, as of a byte that a load widens; a signed field has the sign 0."""
    _, first, width = constants
    if first is None or width is None or first & 31:
        return None
    bits = (width & 31) - is_signed
    return inputs[0] if bits >= 0 and not facts.largest(inputs[0]) >> bits else None


def _moved(instr: Instr, source: Operand, rewriter: Rewriter) -> Instr | None:
    if is_copy(instr) or instr.row.exec_mode not in _CLASSES:
        return None
    move = find_fill(rewriter.table, _CLASSES[instr.row.exec_mode], 1)
    return None if move is None else _if_legal(move, (instr.operands[0], source), instr, rewriter)


def _cheaper_product(
    instr: Instr, meaning: Meaning, inputs: tuple[Operand, ...], facts: KnownZeros, rewriter: Rewriter
) -> Instr | None:
    """A cheaper form of a product of lanes: a shift if a factor is a power of two, a product of 24 bits if
    the factors fit, a shift and a sum if a factor is a power of two plus 1. Selection chooses the multiples
    in an index; this is for products of data, `(x & 255) * 1000`."""
    if instr.row.exec_mode is not ExecMode.MASKED:
        return None  # s_mul_i32 leaves SCC alone, and a shift does not
    for place, source in enumerate(inputs):
        bits = constant(source)
        if bits is None or bits & (bits - 1) or not bits:
            continue
        other = inputs[1 - place]
        if meaning.operation is Operation.MULTIPLY_24 and facts.largest(other) >> 24:
            continue
        operands = (instr.operands[0], Immediate(bits.bit_length() - 1), other)
        return _if_legal(rewriter.table.row("v_lshlrev_b32_e32"), operands, instr, rewriter)
    if meaning.operation is not Operation.MULTIPLY:
        return None
    if all(facts.largest(source) < 1 << 24 for source in inputs):
        return _narrow_product(instr, inputs, rewriter)
    return _sum_product(instr, inputs, rewriter)


def _sum_product(instr: Instr, inputs: tuple[Operand, ...], rewriter: Rewriter) -> Instr | None:
    """(2**n + 1) x is (x << n) + x, of the full rate."""
    for place, source in enumerate(inputs):
        bits, other = constant(source), inputs[1 - place]
        if bits is not None and bits > 2 and (bits - 1) & (bits - 2) == 0:
            operands = (instr.operands[0], other, Immediate((bits - 1).bit_length() - 1), other)
            return _if_legal(rewriter.table.row("v_lshl_add_u32"), operands, instr, rewriter)
    return None


def _narrow_product(instr: Instr, inputs: tuple[Operand, ...], rewriter: Rewriter) -> Instr | None:
    """v_mul_lo_u32 takes four times as long as the product of 24-bit factors."""
    result = instr.operands[0]
    for pair in (inputs, inputs[::-1]):
        for name in ("v_mul_u32_u24_e32", "v_mul_u32_u24_e64"):
            product = _if_legal(rewriter.table.row(name), (result, *pair), instr, rewriter)
            if product is not None:
                return product
    return None


def _if_legal(
    replacement: Row, operands: tuple[Operand, ...], instr: Instr, rewriter: Rewriter
) -> Instr | None:
    if not rewriter.is_legal(replacement, operands):
        return None
    return instr.as_row(replacement, operands)


def field_extract(instr: Instr, site: Site, rewriter: Rewriter) -> Instr | None:
    """A right shift under a mask of low bits is a bit field: (x >> n) & (2**w - 1)."""
    meaning = plain_meaning(instr)
    if (
        meaning is None
        or meaning.operation is not Operation.AND
        or instr.row.exec_mode is not ExecMode.MASKED
    ):
        return None
    inputs = sources(instr, meaning)
    for place, source in enumerate(inputs):
        mask, shifted = constant(source), inputs[1 - place]
        if (
            mask is None
            or not mask
            or mask & (mask + 1)
            or not isinstance(shifted, Register)
            or not rewriter.is_used_once(shifted)
        ):
            continue
        definition = rewriter.definition(shifted)
        inner = plain_meaning(definition[1]) if definition is not None else None
        if definition is None or inner is None or inner.operation is not Operation.SHIFT_RIGHT:
            continue
        value, amount = sources(definition[1], inner)
        width = Immediate(mask.bit_length())
        if isinstance(value, Register) and not rewriter.may_read(value, instr.row, site.block):
            continue
        if (
            constant(amount) is None
            or SCC in definition[1].row.writes
            or inline_spelling(width.bits, "u32") is None
        ):
            continue
        return _if_legal(
            rewriter.table.row("v_bfe_u32"), (instr.operands[0], value, amount, width), instr, rewriter
        )
    return None


def decided(outer: Instr, site: Site, rewriter: Rewriter) -> Instr | None:
    """A choice with the value in place of an inner choice by the same lane mask, or None:

        v_cndmask_b32 %a, 0, %x, %mask
        v_cndmask_b32 %b, -1, %a, %mask         v_cndmask_b32 %b, -1, %x, %mask

    A load with a condition gives such a choice, and its readers often choose by the same condition. Nothing
    else reads the inner choice. Both are in the same block, so that they read the mask of the same trip.
    """
    meaning = plain_meaning(outer)
    if meaning is None:
        return None
    for index in meaning.sources:
        chosen = outer.operands[index]
        if not isinstance(chosen, Register) or not chosen.is_virtual or not rewriter.is_used_once(chosen):
            continue
        definition = rewriter.definition(chosen)
        if definition is None or definition[0].block != site.block:
            continue
        inner = definition[1]
        if plain_meaning(inner) != meaning or not _have_same_mask(outer, inner):
            continue
        value = inner.operands[index]
        operands = tuple(value if i == index else operand for i, operand in enumerate(outer.operands))
        may_read = not isinstance(value, Register) or rewriter.may_read(value, outer.row, site.block)
        if may_read and rewriter.is_legal(outer.row, operands):
            return outer.as_row(outer.row, operands)
    return None


def _have_same_mask(one: Instr, other: Instr) -> bool:
    """Whether two choices have the same virtual register as their mask, their last operand."""
    mask = one.operands[-1]
    return isinstance(mask, Register) and mask.is_virtual and mask == other.operands[-1]
