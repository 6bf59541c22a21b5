"""The atoms of index expressions as u32 of a lane: quotients, remainders, minimums and products."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asmgen.index import Index, Symbol, constant
from asmgen.index.expression import (
    Atom,
    Minimum,
    Product,
    Quotient,
    Remainder,
    SizedQuotient,
    SizedRemainder,
    Smaller,
)
from asmgen.ir.program import Value
from asmgen.ir.types import U32
from asmgen.lanewise.ops import MAX_LANES

if TYPE_CHECKING:
    from asmgen.blockwise.lowering.indices import Indices

WORD = (1 << 32) - 1


def atom_value(indices: Indices, atom: Atom) -> Value:
    """The u32 of an atom, modulo 2^32."""
    builder = indices.builder
    if isinstance(atom, Symbol):
        return indices.of_symbol(atom)
    if isinstance(atom, Minimum):
        return _smaller(indices, atom.inner, constant(atom.by))
    if isinstance(atom, Smaller):
        return _smaller(indices, atom.inner, atom.limit)
    if isinstance(atom, Product):
        return builder.mul(indices.value(atom.inner), indices.value(atom.factor))
    if isinstance(atom, SizedQuotient | SizedRemainder):
        return _by_size(indices, atom)
    lifted = max(0, -(atom.inner.low // atom.by))
    positive, divisor = atom.inner + lifted * atom.by, builder.constant(atom.by, U32)
    is_power = atom.by & atom.by - 1 == 0
    if not is_power and not lifted and (near := _near_known(indices, atom, positive)) is not None:
        return near
    if not isinstance(atom, Quotient):
        if is_power:
            return builder.bitwise_and(indices.value(positive), builder.constant(atom.by - 1, U32))
        quotient = positive // atom.by
        multiple = indices.multiple(indices.value(quotient), atom.by, quotient)
        return builder.sub(indices.value(positive), multiple)
    if is_power:
        shift = builder.constant(atom.by.bit_length() - 1, U32)
        quotient = builder.shift_right(indices.value(positive), shift)
    else:
        quotient = builder.div(indices.value(positive), divisor)
    return builder.sub(quotient, builder.constant(lifted, U32)) if lifted else quotient


def _by_size(indices: Indices, atom: SizedQuotient | SizedRemainder) -> Value:
    """A quotient or a remainder by what the launch knows. That of the next number after one which is
    divided already goes on: the remainder is 0 where it gets to the divisor, and the quotient one more.
    """
    builder, by = indices.builder, indices.value(atom.divisor)
    before = atom.inner - 1
    is_next = before.low >= 0 and indices.is_known(before.divided(atom.divisor))
    if isinstance(atom, SizedQuotient) and not is_next:
        return builder.div(indices.value(atom.inner), by)
    if not is_next:
        quotient = indices.value(atom.inner.divided(atom.divisor))
        return builder.sub(indices.value(atom.inner), builder.mul(quotient, by))
    further = indices.once(
        ("after", before.remaining(atom.divisor)),
        lambda: builder.add(indices.value(before.remaining(atom.divisor)), builder.constant(1, U32)),
    )
    if isinstance(atom, SizedRemainder):
        return builder.min(further, builder.sub(further, by))
    one, zero = builder.constant(1, U32), builder.constant(0, U32)
    return builder.add(
        indices.value(before.divided(atom.divisor)), builder.where(builder.equal(further, by), one, zero)
    )


def _near_known(indices: Indices, atom: Quotient | Remainder, inner: Index) -> Value | None:
    """A quotient or a remainder of a number that is a few more than one which is divided already: the
    remainder goes on, and is less by the divisor where it gets there.
    """
    step, by = inner.constant, atom.by
    base = inner - step
    if not 0 < step < min(by, MAX_LANES) or base.low < 0 or not indices.is_known(base // by):
        return None
    builder, rest = indices.builder, indices.value(base % by)
    if isinstance(atom, Quotient):
        one, zero = builder.constant(1, U32), builder.constant(0, U32)
        is_next = builder.less(builder.constant(by - 1 - step, U32), rest)
        return builder.add(indices.value(base // by), builder.where(is_next, one, zero))
    further = builder.add(rest, builder.constant(step, U32))
    return builder.min(further, builder.add(rest, builder.constant((step - by) & WORD, U32)))


def _smaller(indices: Indices, of: Index, limit: Index) -> Value:
    """Both moved to where they are not negative."""
    builder, lifted = indices.builder, max(0, -of.low, -limit.low)
    at_most = indices.value(limit + lifted)
    smaller = builder.min(indices.value(of + lifted), at_most)
    return builder.sub(smaller, builder.constant(lifted, U32)) if lifted else smaller
