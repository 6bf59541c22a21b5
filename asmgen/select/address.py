"""Addresses: an index as a linear form, and the form as an SGPR base, a 32-bit VGPR offset and an immediate.

A linear form is a sum of values times constants, modulo 2^32, in bytes. It is computed once per region and
shared by every buffer that is walked alike. Its uniform part goes through the scalar unit.
"""

from __future__ import annotations

from typing import NamedTuple

from asmgen.ir.program import Statement, Value
from asmgen.select.operands import put_scalar, put_vector
from asmgen.select.selection import Part, Selection
from asmgen.select.uses import ADD, constant_factor, constant_of
from isa.instruction import Immediate
from isa.registers import Register

WORD = 0xFFFFFFFF
FULL_RATE = 1 << 24  # what v_mul_u32_u24 multiplies is below


class LinearForm(NamedTuple):
    """`terms` are (value, factor) in order of appearance; factors and the constant are modulo 2^32."""

    terms: tuple[tuple[Value, int], ...]
    constant: int


def linear_form(s: Selection, value: Value, scale: int) -> LinearForm:
    """`scale` times a u32 value, through the absorbed values it is made of."""
    terms: dict[Value, int] = {}
    constant = 0
    pending = [(value, scale)]
    while pending:
        current, factor = pending.pop()
        literal = constant_of(current, s.uses)
        if literal is not None:
            constant += factor * literal
        elif current not in s.uses.absorbed:
            terms[current] = terms.get(current, 0) + factor
        else:
            pending.extend(_operands(s, s.uses.defined[current], factor))
    kept = tuple((term, factor & WORD) for term, factor in terms.items() if factor & WORD)
    return LinearForm(kept, constant & WORD)


def statement_form(s: Selection, statement: Statement) -> LinearForm:
    """The form of a linear statement's own result."""
    terms: dict[Value, int] = {}
    constant = 0
    for operand, factor in _operands(s, statement, 1):
        form = linear_form(s, operand, factor)
        constant += form.constant
        for term, count in form.terms:
            terms[term] = terms.get(term, 0) + count
    return LinearForm(
        tuple((term, factor & WORD) for term, factor in terms.items() if factor & WORD), constant & WORD
    )


def _operands(s: Selection, statement: Statement, factor: int) -> list[tuple[Value, int]]:
    """The operands of a linear statement with their factors, the last one first."""
    if statement.op is ADD:
        a, b = statement.operands
        return [(b, factor), (a, factor)]
    found = constant_factor(statement, s.uses)
    assert found is not None
    value, multiple = found
    return [(value, factor * multiple)]


def put_form(s: Selection, form: LinearForm) -> Part:
    """Compute a form: a constant, an SGPR where every term is uniform, or a VGPR; once in its region."""
    if not form.terms:
        return Immediate(form.constant)
    if form.constant == 0 and len(form.terms) == 1 and form.terms[0][1] == 1:
        return s.scalar_part(form.terms[0][0])
    return s.emitter.shared(form, lambda: _computed(s, form))


def _computed(s: Selection, form: LinearForm) -> Register:
    scalar = [(s.scalar_part(value), factor) for value, factor in form.terms if s.is_uniform(value)]
    vector = [(value, factor) for value, factor in form.terms if not s.is_uniform(value)]
    if scalar and takes_one_instruction(s, form) and (shift := _shift(scalar[0][1])):
        result = s.emitter.vgpr()
        put_vector(
            s.emitter,
            "v_lshl_add_u32",
            (result,),
            (scalar[0][0], Immediate(shift), s.scalar_part(vector[0][0])),
        )
        return result
    total: Part | None = Immediate(form.constant) if form.constant else None
    for part, factor in scalar:
        total = _add_scalar(s, part, factor, total)
    for value, factor in vector:
        total = _add_vector(s, value, factor, total)
    assert isinstance(total, Register)
    return total


def takes_one_instruction(s: Selection, form: LinearForm) -> bool:
    """Whether a vector instruction computes a form from an SGPR times a power of two and a VGPR."""
    if len(form.terms) != 2 or form.constant:
        return False
    (scalar, factor), (vector, one) = sorted(form.terms, key=lambda term: s.is_uniform(term[0]), reverse=True)
    return s.is_uniform(scalar) and not s.is_uniform(vector) and one == 1 and _shift(factor) is not None


def _shift(factor: int) -> int | None:
    """The shift that multiplies by a power of two."""
    return factor.bit_length() - 1 if factor & (factor - 1) == 0 else None


def _add_scalar(s: Selection, part: Part, factor: int, total: Part | None) -> Part:
    product = part
    if factor != 1:
        shift = _shift(factor)
        product = s.emitter.sgpr()
        name, by = ("s_mul_i32", factor) if shift is None else ("s_lshl_b32", shift)
        put_scalar(s.emitter, name, (product,), (part, Immediate(by)))
    if total is None:
        return product
    result = s.emitter.sgpr()
    put_scalar(s.emitter, "s_add_u32", (result,), (product, total))
    return result


def _add_vector(s: Selection, value: Value, factor: int, total: Part | None) -> Part:
    shift, part = _shift(factor), s.scalar_part(value)
    if total is None and shift == 0:
        return part
    result = s.emitter.vgpr()
    if shift is None:
        _put_multiple(s, result, value, factor, total)
    elif total is None:
        put_vector(s.emitter, "v_lshlrev_b32", (result,), (Immediate(shift), part))
    elif shift == 0:
        put_vector(s.emitter, "v_add_u32", (result,), (total, part))
    else:
        put_vector(s.emitter, "v_lshl_add_u32", (result,), (part, Immediate(shift), total))
    return result


def _put_multiple(s: Selection, result: Register, value: Value, factor: int, total: Part | None) -> None:
    """A multiple, and a sum with it; of 24-bit numbers by the multiplier of the full rate."""
    part = s.scalar_part(value)
    fast = factor < FULL_RATE and s.uses.largest(value) < FULL_RATE
    if fast and total is not None:
        put_vector(s.emitter, "v_mad_u32_u24", (result,), (part, Immediate(factor), total))
        return
    product = result if total is None else s.emitter.vgpr()
    put_vector(s.emitter, "v_mul_u32_u24" if fast else "v_mul_lo_u32", (product,), (part, Immediate(factor)))
    if total is not None:
        put_vector(s.emitter, "v_add_u32", (result,), (total, product))


def select_linear(s: Selection, statement: Statement) -> None:
    """A u32 sum or multiple that is read otherwise than as an address."""
    result = statement.result
    if result in s.uses.absorbed:
        return
    part = put_form(s, statement_form(s, statement))
    if isinstance(part, Immediate) or s.is_uniform(result) or s.emitter.is_vgpr(part):
        s.define(result, (part,))
    else:
        s.define(result, (s.emitter.to_vgpr(part),))
