"""Reductions of values shifted by the result of another reduction, in parts.

    m = reduce_max(x)         s = reduce_sum(exp(x - m))
    u = reduce_mean(x)        v = reduce_mean((x - u) * (x - u))

Every element of s needs all of m. If the parts of s waited for it, m would take two launches, and s would
read x again. So each part shifts its elements, which it still has in registers, by its own result m_p or u_p.
The results of the parts are moved to the common shift when they are combined:

    s_p = sum(exp(x - m_p))             s = sum(s_p * exp(m_p - m))

    q_p = sum((x - u_p) * (x - u_p))    n v = sum(q_p + d_p * (n_p d_p + 2 r_p)), d_p = u_p - u
    r_p = sum(x - u_p)                  n_p the number of elements of a part, n of all

Without rounding r_p would be 0. With it the sum is right for any u_p near the mean of the part. This is how
Chan, Golub and LeVeque combine variances (1983), with the correction of their two-pass algorithm. Both
launches compute u_p, which is a product, and must get the same number: a maximum with -infinity after it
keeps it from being fused with the subtraction in only one of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from math import inf

from asmgen.graph.ops import (
    ADD,
    GREATER,
    MAX,
    MUL,
    REDUCE_MAX,
    REDUCE_SUM,
    SUB,
    WHERE,
)
from asmgen.graph.rewritings.rewriter import Rewriter
from asmgen.graph.shifts import shift_of
from asmgen.gridwise.found import place_found
from asmgen.gridwise.partial import Moved, Partial, Parts
from asmgen.ir.numbers import FLOAT_FORMATS
from asmgen.ir.program import Op, Statement, Value, tensor_type
from asmgen.ir.types import F32

LARGEST = FLOAT_FORMATS[F32.name].largest

Defined = Mapping[Value, Statement]


def shifted(
    rewriter: Rewriter, statement: Statement, defined: Defined, done: Mapping[Value, Partial]
) -> bool:
    """Write a reduction in parts, if it has one of the forms above or finds a place
    (`asmgen.gridwise.found`), and its shift, in `done`, is in parts. Returns whether it was written.
    """
    moved = moved_of(statement, defined)
    by = done.get(moved.shift) if moved else None
    if moved is None or by is None:
        return False
    same = by.statement.op is moved.op and by.statement.operands[0] == moved.x
    if not same or tensor_type(statement.result).dims != by.how.kept:
        return False
    moved.write(Parts(rewriter, statement, by.how), by)
    return True


def moved_of(statement: Statement, defined: Defined) -> Moved | None:
    """The reduction with the result that a reduction needs, if its parts may take their own results for
    it."""
    shift = shift_of(statement, defined)
    if shift is None:
        return place_found(statement, defined)
    write = partial(_powers, shift.function) if shift.op is REDUCE_MAX else _squares
    return Moved(shift.op, shift.by, shift.x, write)


def _powers(exp: Op, parts: Parts, by: Partial) -> None:
    """A part with only -infinity is shifted by the least number, which gives zeros. An element that no part
    has counts as a part with the sum 1.
    """
    operand = by.statement.operands[0]
    shift = parts.apply(MAX, by.partial, parts.number(-LARGEST), name="shift")
    x = parts.apart(operand, -inf) if by.how.missing else by.apart
    powers = parts.apply(exp, parts.apply(SUB, x, shift, name="shifted"), name="powers")
    sums = parts.joined(parts.reduced(REDUCE_SUM, powers, "partial"), 1, "sums")
    shifts = parts.joined(shift, operand, "shift", -inf)
    moved = parts.apply(SUB, shifts, by.statement.result, name="moved")
    parts.combine(REDUCE_SUM, parts.apply(MUL, sums, parts.apply(exp, moved, name="factor"), name="scaled"))


def _squares(parts: Parts, by: Partial) -> None:
    """A part with overflowing squares is infinite, whatever the mean. An element that no part has is its own
    mean, and a part without elements adds nothing.
    """
    how, operand = by.how, by.statement.operands[0]
    lengths = parts.lengths()
    product = parts.apply(MUL, by.partial, lengths.inverse, name="product")
    mean = parts.apply(MAX, product, parts.number(-inf), name="own_mean")
    centred = parts.apply(SUB, by.apart, mean, name="centred")
    if how.missing:
        there = parts.apply(GREATER, parts.exists(), parts.number(0), name="there")
        centred = parts.apply(WHERE, there, centred, parts.number(0), name="centred")
    squares = parts.reduced(REDUCE_SUM, parts.apply(MUL, centred, centred, name="squares"), "partial")
    rest = parts.joined(parts.reduced(REDUCE_SUM, centred, "rest"), 0, "rest")
    own = parts.joined(squares, 0, "squares")
    off = parts.apply(SUB, parts.joined(mean, operand, "mean"), by.statement.result, name="off")
    count = parts.joined(lengths.number, parts.ones() if how.is_open else 1, "lengths")
    counted = parts.apply(MUL, off, count, name="counted")
    twice = parts.apply(MUL, rest, parts.number(2), name="twice")
    more = parts.apply(MUL, off, parts.apply(ADD, counted, twice, name="both"), name="more")
    about = parts.apply(ADD, own, more, name="about")
    overflows = parts.apply(GREATER, own, parts.number(LARGEST), name="overflows")
    whole = parts.apply(WHERE, overflows, own, about, name="whole")
    if how.is_open:
        is_some = parts.apply(GREATER, count, parts.number(0), name="is_some")
        whole = parts.apply(WHERE, is_some, whole, parts.number(0), name="whole")
    parts.combine(REDUCE_SUM, whole)
