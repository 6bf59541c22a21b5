"""Signs: negation and absolute value, done on the bits, become source modifiers of the float instruction that
reads them. A factor beside a constant leaves its minus to the constant: more encodings have constants than
modifiers."""

from __future__ import annotations

from functools import cache

from asmgen.passes.ssa import Rewriter, Site, constant
from isa.constants import FLOAT_TYPES, constant_width, inline_spelling
from isa.instruction import Encoding, Immediate, Instr, ModifierValue, Operand, Row
from isa.named_tuple import NamedTuple
from isa.operations import Operation, meaning_of, plain_meaning, sources
from isa.registers import Register
from isa.table import Table


class Sign(NamedTuple):
    """The sign modifiers of a value: first the absolute value is taken, then it is negated."""

    absolute: bool
    negated: bool


@cache
def _form_with_modifiers(table: Table, row: Row) -> Row | None:
    """The row itself, or its long encoding, if that takes source modifiers on the same operands."""
    for other in (row, *table.named(row.name)):
        takes = {spec.name for spec in other.modifiers if spec.syntax == "source"}
        same = len(other.operands) == len(row.operands) and other.form == row.form
        if (
            {"neg", "abs"} <= takes
            and same
            and other.encoding is Encoding.E64
            and row.encoding in (Encoding.E32, Encoding.E64)
        ):
            return other
    return None


@cache
def _source_bits(row: Row) -> tuple[tuple[int, int], ...]:
    """(operand index, its bit in the source modifiers) of each operand that may have both."""
    masks = [
        spec.maximum for spec in row.modifiers if spec.syntax == "source" and spec.name in ("neg", "abs")
    ]
    spelt = [index for index in row.uses if not row.operands[index].hidden]
    return tuple(
        (index, 1 << bit) for bit, index in enumerate(spelt) if all(mask >> bit & 1 for mask in masks)
    )


def may_have_signs(table: Table, row: Row) -> bool:
    """Whether instructions of a row, or of its long encoding, take signs on their sources."""
    return _form_with_modifiers(table, row) is not None


def with_signs(instr: Instr, site: Site, rewriter: Rewriter) -> Instr | None:
    """The instruction with a sign operation moved into its modifiers, or None."""
    target = _form_with_modifiers(rewriter.table, instr.row)
    if target is None or rewriter.results_of(_may_make_sign).isdisjoint(instr.units.read):
        return None
    for index, bit in _source_bits(target):
        register = instr.operands[index]
        if not isinstance(register, Register) or register.count != 1:
            continue
        made_at = rewriter.definitions.get(register.first)
        if made_at is None or not _may_make_sign(rewriter.at(made_at).row):
            continue
        type_name = target.operands[index].type
        if type_name not in FLOAT_TYPES:
            continue
        operation = _sign_operation(register, constant_width(type_name), rewriter)
        if operation is None:
            continue
        value, sign = operation
        operands = tuple(value if i == index else operand for i, operand in enumerate(instr.operands))
        if (
            isinstance(value, Register)
            and rewriter.may_read(value, instr.row, site.block)
            and rewriter.is_legal(target, operands)
        ):
            return instr.as_row(target, operands, _modifiers(instr, target, bit, sign))
    return None


_PRODUCTS = frozenset({Operation.FLOAT_MULTIPLY, Operation.FLOAT_FMA})
_SIGN = 1 << 31


@cache
def may_negate_constant(row: Row) -> bool:
    """Whether instructions of a row multiply f32, and take signs."""
    meaning = meaning_of(row)
    is_product = meaning is not None and meaning.operation in _PRODUCTS and meaning.bits == 32
    return is_product and any(spec.name == "neg" for spec in row.modifiers)


def with_negated_constant(instr: Instr, rewriter: Rewriter) -> Instr | None:
    """The product with the minus of a factor in the constant beside it, or None."""
    meaning = meaning_of(instr.row)
    if meaning is None or not instr.modifiers:
        return None
    given = dict(instr.modifiers)
    neg, absolute = _mask(given, "neg"), _mask(given, "abs")
    first, second = meaning.sources[:2]
    for place, other in ((first, second), (second, first)):
        number = constant(instr.operands[place])
        signed, own = 1 << (other - 1), 1 << (place - 1)
        if number is None or not neg & signed or absolute & (signed | own) or neg & own:
            continue
        negated = Immediate(number ^ _SIGN)
        was_inline, is_inline = (inline_spelling(bits, "f32") for bits in (number, negated.bits))
        operands = tuple(negated if i == place else operand for i, operand in enumerate(instr.operands))
        if (is_inline or not was_inline) and rewriter.is_legal(instr.row, operands):
            given["neg"] = neg ^ signed
            return instr.as_row(instr.row, operands, _given(instr.row, given))
    return None


@cache
def _may_make_sign(row: Row) -> bool:
    meaning = meaning_of(row)
    return meaning is not None and meaning.operation in (Operation.AND, Operation.OR, Operation.XOR)


def _sign_operation(register: Register, width: int, rewriter: Rewriter) -> tuple[Operand, Sign] | None:
    """The value and the sign that `register` is, if it is made by a mask on the sign bit of a float of
    `width` bits."""
    definition = rewriter.definition(register)
    meaning = plain_meaning(definition[1]) if definition is not None else None
    if definition is None or meaning is None:
        return None
    sign_bit, every = 1 << (width - 1), (1 << width) - 1
    inputs = sources(definition[1], meaning)
    for place, source in enumerate(inputs):
        mask = constant(source)
        if mask is None:
            continue
        if meaning.operation is Operation.AND and mask & every == every ^ sign_bit:
            return inputs[1 - place], Sign(True, False)
        if meaning.operation is not Operation.AND and mask & every == sign_bit:
            return inputs[1 - place], Sign(meaning.operation is Operation.OR, True)
    return None


def _modifiers(instr: Instr, target: Row, bit: int, sign: Sign) -> tuple[tuple[str, ModifierValue], ...]:
    """The instruction's modifiers with `sign` on the source of `bit`, under the existing modifiers."""
    given = dict(instr.modifiers)
    neg, absolute = _mask(given, "neg"), _mask(given, "abs")
    if not absolute & bit:
        neg ^= bit if sign.negated else 0
        absolute |= bit if sign.absolute else 0
    given["neg"], given["abs"] = neg, absolute
    return _given(target, given)


def _given(row: Row, given: dict[str, ModifierValue]) -> tuple[tuple[str, ModifierValue], ...]:
    """The modifiers that differ from the row's defaults."""
    return tuple(
        (spec.name, given[spec.name])
        for spec in row.modifiers
        if spec.name in given and given[spec.name] != spec.default
    )


def _mask(given: dict[str, ModifierValue], name: str) -> int:
    value = given.get(name, 0)
    return value if isinstance(value, int) else 0
