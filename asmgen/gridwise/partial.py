"""The statements of a reduction in parts: its operand in parts, the result of each part, and their
combination.
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from asmgen.graph.ops import (
    CONCAT,
    CONVERT,
    DIV,
    IOTA,
    MAX,
    MIN,
    MUL,
    MULTIBROADCAST,
    PAD,
    REDUCE_MEAN,
    REDUCE_SUM,
    REDUCTIONS,
    RESHAPE,
    SLICE,
    SUB,
    TRANSPOSE,
)
from asmgen.graph.rewritings.rewriter import Rewriter
from asmgen.gridwise.division import Division
from asmgen.index.size import Dim, Size, Sizes
from asmgen.index.size import number as number_of
from asmgen.ir.identities import filling
from asmgen.ir.numbers import round_float
from asmgen.ir.program import Op, Statement, Value, tensor_type
from asmgen.ir.types import F32, I32, ElementType
from isa.named_tuple import NamedTuple


class Partial(NamedTuple):
    """A reduction that is taken in parts: its operand in parts, and the result of each."""

    statement: Statement
    how: Division
    apart: Value
    partial: Value


class Moved(NamedTuple):
    """A reduction that needs the result `shift` of another reduction, by `op`, of the same elements `x`. From
    the parts of that reduction, `write` makes the parts of the present reduction.
    """

    op: Op
    shift: Value
    x: Value
    write: Callable[[Parts, Partial], None]


class Lengths(NamedTuple):
    """The number of elements of each part, and its reciprocal, which is 1 for a part without elements."""

    number: Value
    inverse: Value


class Parts:
    """Writes the statements that replace a reduction."""

    def __init__(self, rewriter: Rewriter, statement: Statement, how: Division) -> None:
        self._rewriter, self._statement, self._how = rewriter, statement, how

    def apply(self, op: Op, *operands: Value, name: str) -> Value:
        """A pointwise op."""
        return self._rewriter.apply(op, operands, self._statement, name)

    def number(self, number: float) -> Value:
        return self._rewriter.literal(number, self._statement.result.type.element, self._statement)

    def reshaped(self, value: Value, dims: Sizes, name: str) -> Value:
        if tensor_type(value).dims == dims:
            return value
        return self._rewriter.apply(RESHAPE, (value,), self._statement, name, dims=dims)

    def padded(self, value: Value, axis: int, missing: int, number: float) -> Value:
        """With so many more elements along an axis, each of them `number`."""
        rank = len(tensor_type(value).dims)
        after = [missing if at == axis else 0 for at in range(rank)]
        return self._rewriter.apply(
            PAD, (value,), self._statement, "padded", pads=(*[0] * rank, *after), value=number
        )

    def apart(self, x: Value, number: float) -> Value:
        """The operand in parts; `number` is in the place of elements that are missing."""
        how = self._how
        if how.tail:
            x = self._sliced(self.reshaped(x, how.whole, "run"), 0, how.size, "main")
        if how.missing:
            whole = (*how.whole[: how.run.first], how.size, *how.whole[how.run.first + 1 :])
            x = self.padded(self.reshaped(x, whole, "run"), how.run.first, how.missing, number)
        if how.is_open:
            x = self._sliced(x, 0, how.filled, "whole")
        return self.reshaped(x, how.apart, "parts")

    def joined(self, partial: Value, rest: Value | float, name: str, number: float = 0) -> Value:
        """The results of the parts, followed by the elements of `rest` that no part has, or a number for each
        of them. If only the launch knows their number, `number` stands for the missing elements.
        """
        how = self._how
        flat = self.reshaped(partial, how.flat, f"flat_{name}")
        if not how.tail:
            return flat
        last = tuple([how.left if axis == how.run.first else dim for axis, dim in enumerate(how.kept)])
        if isinstance(rest, Value):
            run = self.reshaped(rest, how.whole, "run")
            if how.is_open:
                run = self.padded(run, how.run.first, how.tail, number)
            tail = self._sliced(run, how.size, how.size + how.tail, "tail")
            if how.others:
                tail = self._rewriter.apply(
                    TRANSPOSE, (tail,), self._statement, "tail", permutation=how.with_run
                )
            tail = self.reshaped(tail, last, "tail")
        else:
            tail = self._spread(self.number(rest), last)
        return self._rewriter.apply(CONCAT, (flat, tail), self._statement, f"all_{name}", axis=how.run.first)

    def _spread(self, value: Value, dims: Sizes) -> Value:
        return self._rewriter.apply(MULTIBROADCAST, (value,), self._statement, "spread", out_lens=dims)

    def _sliced(self, run: Value, start: Dim, end: Dim, name: str) -> Value:
        places = {"axes": (self._how.run.first,), "starts": (start,), "ends": (end,)}
        return self._rewriter.apply(SLICE, (run,), self._statement, name, **places)

    def counted_in_parts(self, last: bool) -> bool:
        """Whether indices along the run may be counted in each part. An element that is missing has the index
        after all others, so that it is no first element; it might be the `last`.
        """
        return (
            self._how.run.first == self._how.run.last
            and self._how.turns is None
            and not (last and self._how.missing)
        )

    def is_index(self, statement: Statement) -> bool:
        """Whether a statement gives the indices along the run."""
        return statement.op is IOTA and statement.attributes["axis"] == self._how.run.first

    def own_index(self) -> Value:
        """The index of each element in its part."""
        return self._index(self._how.run.first + 1, self._how.apart)

    def first_index(self) -> Value:
        """The index of the first element of each part."""
        return self.apply(
            MUL,
            self._index(self._how.run.first, self._how.partial),
            self.number(self._how.length),
            name="first",
        )

    def _index(self, axis: int, dims: Sizes) -> Value:
        return self._rewriter.apply(IOTA, (), self._statement, "index", axis=axis, out_lens=dims)

    def exists(self) -> Value:
        """1 for an element of a part, 0 for a missing element."""
        return self.apart(self.ones(), 0)

    def ones(self) -> Value:
        """1 for each element of the run."""
        return self._spread(self.number(1), self._how.whole)

    def lengths(self) -> Lengths:
        """The number of elements of each part, as a float of the dims of the parts' results."""
        how = self._how
        if how.is_open:
            count = self._open_lengths()
            some = self.apply(MAX, count, self.number(1), name="some")
            return Lengths(count, self.apply(DIV, self.number(1), some, name="inverse"))
        others = number_of(prod([other.size for other in how.others]))
        whole, last = how.length * others, (how.length - how.missing) * others
        inverse = self._of_lengths(round_float(1 / whole, F32), round_float(1 / last, F32))
        return Lengths(self._of_lengths(whole, last), inverse)

    def _open_lengths(self) -> Value:
        """The lengths of the parts of a named dim. The last part has the rest, which may be 0 elements."""
        statement, how = self._statement, self._how
        assert isinstance(how.size, Size)
        length = self._rewriter.literal(how.length, I32, statement)
        first = self.apply(MUL, self._index(how.run.first, how.partial), length, name="first")
        size = self._rewriter.apply(
            CONVERT, (self._rewriter.size(how.size, statement),), statement, "run", target_type=I32.name
        )
        own = self.apply(MIN, self.apply(SUB, size, first, name="left"), length, name="length")
        return self._rewriter.apply(CONVERT, (own,), statement, "count", target_type=F32.name)

    def _of_lengths(self, whole: float, last: float) -> Value:
        """A number for each part that depends on its length: `last` for the last part, `whole` for the
        others. Its dims are those of the parts' results.
        """
        how, axis = self._how, self._how.run.first
        if not how.missing:
            return self._spread(self.number(whole), how.partial)
        fewer = tuple([dim - (at == axis) for at, dim in enumerate(how.partial)])
        return self.padded(self._spread(self.number(whole), fewer), axis, 1, last)

    def reduced(self, op: Op, apart: Value, name: str) -> Value:
        """The result of each part."""
        return self._rewriter.apply(op, (apart,), self._statement, name, axes=self._how.axes)

    def combine(self, op: Op, everything: Value) -> None:
        """The results of `joined`, combined. A mean is the sum divided by the number of elements; for floats
        it is multiplied by the reciprocal, as in a single reduction.
        """
        statement, element, axes = self._statement, everything.type.element, (self._how.run.first,)
        if statement.op is not REDUCE_MEAN:
            self._rewriter.finish(op, (everything,), statement, axes=axes)
            return
        whole = self._rewriter.apply(REDUCE_SUM, (everything,), statement, "sum", axes=axes)
        dims = zip(self._how.dims, self._how.kept, strict=True)
        number = self._number_to_apply(prod([dim for dim, left in dims if dim != left]), element)
        self._rewriter.finish(MUL if element.is_float else DIV, (whole, number), statement)

    def _number_to_apply(self, count: Dim, element: ElementType) -> Value:
        """The divisor of a mean of integers, or the factor of a mean of floats."""
        if not isinstance(count, Size):
            return self.number(round_float(1 / count, element) if element.is_float else count)
        size, statement = self._rewriter.size(count, self._statement), self._statement
        number = self._rewriter.apply(CONVERT, (size,), statement, "count", target_type=element.name)
        return self.apply(DIV, self.number(1), number, name="inverse") if element.is_float else number


def in_two_steps(rewriter: Rewriter, statement: Statement, how: Division, propagates_nan: bool) -> Partial:
    """Write a reduction in parts, and their combination."""
    (x,) = statement.operands
    op = REDUCE_SUM if statement.op is REDUCE_MEAN else statement.op
    parts = Parts(rewriter, statement, how)
    nothing = filling(REDUCTIONS[op], x.type.element, propagates_nan)
    apart = parts.apart(x, nothing)
    partial = parts.reduced(op, apart, "partial")
    parts.combine(op, parts.joined(partial, x, "parts", nothing))
    return Partial(statement, how, apart, partial)
