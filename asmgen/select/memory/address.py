"""Addresses: an index as a linear form, and the form as an SGPR base, a 32-bit VGPR offset and an immediate.

A linear form is a sum of values times constants, modulo 2^32, in bytes. It is computed once per region and
shared by all buffers with the same form. The scalar unit computes its uniform part. A form with only negative
factors is a constant less the form with positive factors, so that a buffer that is walked from its end shares
the address of a buffer that is walked from its beginning.

An index with flipped bits, `index ^ constant`, is a term too: addresses in LDS with different constants share
the multiple of the index and the term added to it.

An index that is 0 if a condition fails, `where(condition, index, 0)`, is a term of its own: its multiple is
chosen from the multiple of the index, which other accesses share.
"""

from __future__ import annotations

from math import gcd

from asmgen.graph.ops import BITWISE_XOR
from asmgen.ir.program import Statement, Value
from asmgen.select.lanes.masks import put_choice
from asmgen.select.operands import put_scalar, put_vector
from asmgen.select.records import LinearForm
from asmgen.select.selection import WORD, Part, Selection, buffer_type
from asmgen.select.uses import ADD, FULL_RATE, SUB, WHERE, constant_factor, constant_of, flipped
from isa.instruction import Immediate
from isa.registers import Register

_TERMS = frozenset({WHERE, BITWISE_XOR})  # absorbed into an address as terms of their own
_SIGNED, _SIGNED_RATE = "v_mad_i32_i24", 1 << 23  # and those of v_mad_i32_i24 without their signs


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
        elif current not in s.uses.absorbed or s.uses.defined[current].op in _TERMS:
            terms[current] = terms.get(current, 0) + factor
        else:
            pending.extend(_operands(s, s.uses.defined[current], factor))
    kept = tuple((term, factor & WORD) for term, factor in terms.items() if factor & WORD)
    return LinearForm(kept, constant & WORD)


def index_form(s: Selection, buffer: Value, index: Value) -> LinearForm:
    """An index of a buffer's element, in bytes."""
    return linear_form(s, index, buffer_type(buffer).element.bytes)


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
    """The operands of a linear statement with their factors, the last operand first."""
    if statement.op is ADD:
        a, b = statement.operands
        return [(b, factor), (a, factor)]
    if statement.op is SUB:
        a, b = statement.operands
        return [(b, -factor), (a, factor)]
    product = constant_factor(statement, s.uses)
    assert product is not None
    value, multiple = product
    return [(value, factor * multiple)]


def put_form(s: Selection, form: LinearForm) -> Part:
    """Compute a form once in its region: a constant, an SGPR if every term is uniform, or a VGPR."""
    if not form.terms:
        return Immediate(form.constant)
    ((value, factor), *others) = form.terms
    if factor == 1 and not others and not form.constant and value not in s.uses.absorbed:
        return s.scalar_part(value)
    return s.emitter.shared(form, lambda: _computed(s, form))


def _computed(s: Selection, form: LinearForm) -> Register:
    if all(_is_negative(factor) for _, factor in form.terms):
        return _taken_from_constant(s, form)
    if (register := _flipped_above(s, form)) is not None:
        return register
    if form.constant and s.emitter.is_made(form._replace(constant=0)):
        return _moved(s, form)
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
    if total is not None and (unit := _unit_before_loop(s, form)):
        whole = put_form(s, LinearForm(tuple([(value, factor // unit) for value, factor in vector]), 0))
        result = s.emitter.vgpr()
        put_vector(s.emitter, "v_lshl_add_u32", (result,), (whole, Immediate(unit.bit_length() - 1), total))
        return result
    for value, factor in sorted(vector, key=lambda term: _is_negative(term[1])):
        total = _add_vector(s, value, factor, total)
    assert isinstance(total, Register)
    return total


def _flipped_above(s: Selection, form: LinearForm) -> Register | None:
    """The form if its only term is a flip of bits below those of its constant; else None."""
    ((value, factor), *others) = form.terms
    if others or value not in s.uses.absorbed or s.uses.defined[value].op is not BITWISE_XOR:
        return None
    flip = flipped(s.uses.defined[value], s.uses)
    assert flip is not None, "only these are absorbed"
    if form.constant % (1 << (flip[1] * factor & WORD).bit_length()):
        return None
    return _flipped(s, s.uses.defined[value], factor, form.constant)


def _unit_before_loop(s: Selection, form: LinearForm) -> int:
    """The power of two that multiplies a sum of several lane terms, if each trip of the loop around adds
    another scalar to it: the sum itself may then be computed before the loop. 0 if there is no such sum.
    """
    inside = s.loops[-1].inside if s.loops else frozenset[Value]()
    scalar = [value for value, _ in form.terms if s.is_uniform(value)]
    vector = [(value, factor) for value, factor in form.terms if not s.is_uniform(value)]
    if len(vector) < 2 or inside.isdisjoint(scalar):
        return 0
    unit = gcd(*[factor for _, factor in vector])
    is_plain = _shift(unit) is not None and unit in dict(vector).values()
    return unit if is_plain and not any(_is_negative(factor) for _, factor in vector) else 0


def is_multiple(s: Selection, form: LinearForm, size: int) -> bool:
    """Whether the terms of a form are multiples of a power of two, as far as their factors tell."""
    for value, factor in form.terms:
        if factor % size == 0:
            continue
        statement = s.uses.defined.get(value) if value in s.uses.absorbed else None
        flip = flipped(statement, s.uses) if statement is not None and statement.op is BITWISE_XOR else None
        if flip is None or flip[1] * factor % size:
            return False
        inner = linear_form(s, flip[0], factor)
        if inner.constant % size or not is_multiple(s, inner, size):
            return False
    return True


def is_sum_of_positives(form: LinearForm) -> bool:
    """Whether no part of a form is negative, so that each part is at most the whole."""
    return not any(map(_is_negative, (form.constant, *(factor for _, factor in form.terms))))


def _is_negative(factor: int) -> bool:
    """Whether a factor modulo 2^32 is a small negative number, and not a large factor as of a hash."""
    return factor > WORD + 1 - FULL_RATE


def _taken_from_constant(s: Selection, form: LinearForm) -> Register:
    """A constant less a form: `-16*lane + 4080` is `4080 - 16*lane`."""
    positive = LinearForm(tuple((value, -factor & WORD) for value, factor in form.terms), 0)
    whole = put_form(s, positive)
    scalar = all(s.is_uniform(value) for value, _ in form.terms)
    result, sources = _fresh(s, scalar), (Immediate(form.constant), whole)
    put = put_scalar if scalar else put_vector
    put(s.emitter, "s_sub_u32" if scalar else "v_sub_u32", (result,), sources)
    return result


def _moved(s: Selection, form: LinearForm) -> Register:
    """A form that differs by a constant from a form that is made already."""
    whole = put_form(s, form._replace(constant=0))
    scalar = s.emitter.is_scalar(whole)
    result = _fresh(s, scalar)
    put = put_scalar if scalar else put_vector
    put(s.emitter, "s_add_u32" if scalar else "v_add_u32", (result,), (Immediate(form.constant), whole))
    return result


def _fresh(s: Selection, scalar: bool) -> Register:
    return s.emitter.sgpr() if scalar else s.emitter.vgpr()


def takes_one_instruction(s: Selection, form: LinearForm) -> bool:
    """Whether a vector instruction computes a form from an SGPR times a power of two and a VGPR."""
    if len(form.terms) != 2 or form.constant or not s.uses.absorbed.isdisjoint(dict(form.terms)):
        return False
    (scalar, factor), (vector, unit) = sorted(
        form.terms, key=lambda term: s.is_uniform(term[0]), reverse=True
    )
    return s.is_uniform(scalar) and not s.is_uniform(vector) and unit == 1 and _shift(factor) is not None


def _shift(factor: int) -> int | None:
    """The shift that multiplies by a power of two."""
    return factor.bit_length() - 1 if factor & (factor - 1) == 0 else None


def _add_scalar(s: Selection, part: Part, factor: int, total: Part | None) -> Part:
    product, is_taken = part, _is_negative(factor)
    multiple = -factor & WORD if is_taken else factor
    if multiple != 1:
        shift = _shift(multiple)
        product = s.emitter.sgpr()
        name, by = ("s_mul_i32", multiple) if shift is None else ("s_lshl_b32", shift)
        put_scalar(s.emitter, name, (product,), (part, Immediate(by)))
    if total is None and not is_taken:
        return product
    result = s.emitter.sgpr()
    if is_taken:
        put_scalar(s.emitter, "s_sub_u32", (result,), (total or Immediate(0), product))
    else:
        put_scalar(s.emitter, "s_add_u32", (result,), (product, total or Immediate(0)))
    return result


def _add_vector(s: Selection, value: Value, factor: int, total: Part | None) -> Part:
    if value in s.uses.absorbed:
        statement = s.uses.defined[value]
        part = _or_zero(s, statement, factor) if statement.op is WHERE else _flipped(s, statement, factor)
        factor = 1
    else:
        part = s.scalar_part(value)
    shift = _shift(factor)
    if total is None and shift == 0:
        return part
    result = s.emitter.vgpr()
    if _is_negative(factor):
        assert total is not None  # a form with only negative factors is taken from a constant as a whole
        if _put_difference(s, result, value, factor, total):
            return result
        product = _add_vector(s, value, -factor & WORD, None)
        put_vector(s.emitter, "v_sub_u32", (result,), (total, product))
        return result
    if shift is None:
        _put_multiple(s, result, value, factor, total)
    elif total is None:
        put_vector(s.emitter, "v_lshlrev_b32", (result,), (Immediate(shift), part))
    elif shift == 0:
        put_vector(s.emitter, "v_add_u32", (result,), (total, part))
    else:
        put_vector(s.emitter, "v_lshl_add_u32", (result,), (part, Immediate(shift), total))
    return result


def _put_difference(s: Selection, result: Register, value: Value, factor: int, total: Part) -> bool:
    """A multiple by a negative factor that is no power of two, and the sum with it, as a single instruction
    of signed numbers of 24 bits. Not with an SGPR if the factor then needs a VGPR."""
    most = s.uses.largest(value)
    row = s.emitter.table.row(_SIGNED)
    is_narrow = most < _SIGNED_RATE and -factor & WORD < _SIGNED_RATE
    scalars = 1 + (isinstance(total, Immediate) or s.emitter.is_scalar(total))
    if not is_narrow or _shift(-factor & WORD) is not None or scalars > row.constant_bus_limit:
        return False
    put_vector(s.emitter, _SIGNED, (result,), (s.scalar_part(value), Immediate(factor), total))
    return True


def _or_zero(s: Selection, statement: Statement, factor: int) -> Register:
    """A multiple of `where(condition, index, 0)`."""
    condition, index, _ = statement.operands
    whole = put_form(s, linear_form(s, index, factor))

    def make() -> Register:
        result = s.emitter.vgpr()
        put_choice(s, result, (condition, 0), whole, Immediate(0))
        return result

    return s.emitter.shared(("or zero", condition, whole), make)


def _flipped(s: Selection, statement: Statement, factor: int, constant: int = 0) -> Register:
    """A multiple of `index ^ constant`, by a power of two, which is the multiple of both. `constant` is added
    to the index, above the bits that change."""
    flip = flipped(statement, s.uses)
    assert flip is not None, "only these are absorbed"
    index, bits = flip
    form = linear_form(s, index, factor)
    whole = put_form(s, form._replace(constant=form.constant + constant & WORD))
    changed = bits * factor & WORD

    def make() -> Register:
        result = s.emitter.vgpr()
        put_vector(s.emitter, "v_xor_b32", (result,), (Immediate(changed), whole))
        return result

    return s.emitter.shared(("flipped", changed, whole), make)


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
