"""Makes a reduction of stacked reductions that differ in the elements that they begin at.

    a = mul(x[0:2046], x[1:2047])       s = reduce_sum[axes={0}](a)
    b = mul(x[0:2046], x[2:2048])       t = reduce_sum[axes={0}](b)     y = concat[axis=0](s, t)

becomes

    c = mul(unsqueeze[axes={0}](x[0:2046]), concat[axis=0](x[1:2047], x[2:2048]))   as rows of {2,2046}
    y = reduce_sum[axes={1}](c)

Sums over lags are often written so. As reductions of their own they are a kernel of a workgroup, which
computes all of them; the reduction of stacks has a workgroup for each. `stacks.py` makes windows of the
concat. The stack of slices that are not as long as others has the elements that follow each slice, and the
reduction chooses other elements in their place: the identity, or for a maximum the first of the row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import prod

from asmgen.graph.needed import needed
from asmgen.graph.ops import (
    CONCAT,
    IOTA,
    LESS,
    LITERAL,
    MUL,
    MULTIBROADCAST,
    PAD,
    REDUCE_MEAN,
    REDUCE_SUM,
    REDUCTIONS,
    RESHAPE,
    SLICE,
    TRANSPOSE,
    WHERE,
)
from asmgen.graph.rewritings.rewriter import Rewriter
from asmgen.ir.identities import identity
from asmgen.ir.program import Module, Statement, Value, definitions, tensor_type
from asmgen.ir.types import F32, F64, I32

_LEAST = 4  # reductions
# Results of a reduction: with more, its rows keep the target busy. 24 sums over lags of 2,048 f32 take 20 us
# on gfx942 as a kernel of a workgroup and a stack, and 7 as a reduction of stacks.
_MOST_ROWS = 64
_MOST = 1 << 22  # elements of a stack, which are read again for each reduction

Values = tuple[Value, ...]
Dims = tuple[int, ...]


def with_stacked_reductions(module: Module) -> Module:
    """The module with a reduction in place of each such concat."""
    module = needed(module)
    defined, rewriter = definitions(module), Rewriter(module)
    readers: dict[Value, int] = {}
    for statement in module.statements:
        for operand in statement.operands:
            readers[operand] = readers.get(operand, 0) + 1
    for statement in module.statements:
        stack = _Stack(rewriter, defined, readers, statement)
        if statement.op is CONCAT and stack.is_worth():
            stack.write()
        else:
            rewriter.keep(statement)
    return rewriter.module()


class _Stack:
    """The operands of a concat, and the values that they are made of, with an axis before theirs."""

    def __init__(
        self,
        rewriter: Rewriter,
        defined: Mapping[Value, Statement],
        readers: Mapping[Value, int],
        concat: Statement,
    ) -> None:
        self._rewriter, self._defined, self._readers, self._concat = rewriter, defined, readers, concat
        self._made: dict[tuple[Values, Dims], Value] = {}

    def is_worth(self) -> bool:
        """Whether the operands are alike and have a reduction of few rows each."""
        rows = self._concat.operands
        axis = _integer(self._concat, "axis")
        if len(rows) < _LEAST or any(tensor_type(row).dims[axis] != 1 for row in rows):
            return False
        while self._defined[rows[0]].op not in REDUCTIONS:
            statements = self._statements(rows)
            if not self._is_alike(statements) or not statements[0].operands:
                return False
            rows = tuple([each.operands[0] for each in statements])
        read = [tensor_type(each.operands[0]).elements for each in self._statements(rows) if each.operands]
        known = [elements for elements in read if isinstance(elements, int) and elements > 0]
        results = tensor_type(rows[0]).elements
        if len(known) < len(rows) or not isinstance(results, int):
            return False
        is_small = max(known) * len(rows) <= _MOST and results <= _MOST_ROWS
        return is_small and self._fits(self._concat.operands)

    def write(self) -> None:
        concat, rows = self._concat, self._concat.operands
        dims = _dims(rows[0])
        axis = _integer(concat, "axis") % len(dims)
        value = self._all(self._stacked(rows, dims), dims)
        if max(dims[:axis], default=1) > 1:
            order = (*range(1, axis + 1), 0, *range(axis + 1, len(dims) + 1))
            value = self._rewriter.apply(TRANSPOSE, (value,), concat, permutation=order)
        self._rewriter.finish(RESHAPE, (value,), concat, dims=tensor_type(concat.result).dims)

    def _statements(self, values: Sequence[Value]) -> list[Statement]:
        return [self._defined[value] for value in values]

    def _is_alike(self, statements: Sequence[Statement]) -> bool:
        """Whether statements differ in their operands only, and a stack of them is the op of stacks."""
        first = statements[0]
        is_of_stacks = first.op.pointwise or first.op.keeps_order or first.op in REDUCTIONS
        return is_of_stacks and all(
            each.op is first.op and each.attributes == first.attributes for each in statements
        )

    def _fits(self, values: Values) -> bool:
        """Whether the values have a stack."""
        if len(set(values)) == 1:
            return True
        statements = self._statements(values)
        first = statements[0]
        if any(each.op is SLICE for each in statements):
            return self._starts(values) is not None
        if first.op in (LITERAL, MULTIBROADCAST):
            return all(each.op is first.op for each in statements) and self._are_numbers(values)
        if not self._is_alike(statements):
            return False
        if first.op not in REDUCTIONS:
            return all(
                self._fits(operands) for operands in zip(*[each.operands for each in statements], strict=True)
            )
        is_alone = all(self._readers[each.result] == 1 for each in statements)
        return (
            is_alone and _is_even(statements) and self._fits(tuple([each.operands[0] for each in statements]))
        )

    def _are_numbers(self, values: Values) -> bool:
        """Whether each value is a number, or the same number everywhere."""
        numbers = [self._number(value) for value in values]
        return all(tensor_type(number).elements == 1 for number in numbers)

    def _number(self, value: Value) -> Value:
        statement = self._defined[value]
        return statement.operands[0] if statement.op is MULTIBROADCAST else value

    def _stacked(self, values: Values, dims: Dims) -> Value:
        """The stack of values of these dims, or of shorter values, with any elements after the end. A
        value that is the same in all has an axis of 1."""
        key = values, dims
        if key not in self._made:
            self._made[key] = self._stack_of(values, dims)
        return self._made[key]

    def _stack_of(self, values: Values, dims: Dims) -> Value:
        statements = self._statements(values)
        first = statements[0]
        if any(each.op is SLICE for each in statements):
            return self._slices(values, dims)
        if len(set(values)) == 1 and not (first.op is MULTIBROADCAST and self._are_numbers(values)):
            return self._reshape(values[0], (1, *_dims(values[0])))
        if first.op in (LITERAL, MULTIBROADCAST):
            return self._numbers(tuple([self._number(value) for value in values]), dims)
        if first.op in REDUCTIONS:
            return self._reduced(statements)
        operands = tuple(zip(*[each.operands for each in statements], strict=True))
        if first.op.pointwise:
            stacks = tuple([self._stacked(of, dims) for of in operands])
            return self._rewriter.apply(first.op, stacks, self._concat, "", **first.attributes)
        stack = self._stacked(operands[0], _dims(operands[0][0]))
        number, *row = _dims(stack)
        is_number = prod(row) < prod(dims)  # for each row, the same everywhere
        return self._reshape(stack, (number, *([1] * len(dims) if is_number else dims)))

    def _numbers(self, numbers: Values, dims: Dims) -> Value:
        each = numbers if len(set(numbers)) > 1 else numbers[:1]
        return self._joined([self._reshape(number, (1,) * (len(dims) + 1)) for number in each])

    def _joined(self, rows: Sequence[Value]) -> Value:
        return rows[0] if len(rows) == 1 else self._rewriter.apply(CONCAT, tuple(rows), self._concat, axis=0)

    def _sliced(self, value: Value) -> Value:
        statement = self._defined[value]
        return statement.operands[0] if statement.op is SLICE else value

    def _starts(self, values: Values) -> list[Dims] | None:
        """The starts of slices of a value, if each is as far after the slice before it, or all begin there.
        The value itself is its first slice."""
        of = next(self._sliced(value) for value in values if self._defined[value].op is SLICE)
        starts: list[Dims] = []
        for value in values:
            start = (0,) * len(_dims(of)) if value is of else _start(self._defined[value])
            if start is None or (value is not of and self._sliced(value) is not of):
                return None
            starts.append(start)
        moves = {
            tuple([to - at for at, to in zip(before, after, strict=True)])
            for before, after in pairwise(starts)
        }
        return starts if len(moves) == 1 and min(*moves.pop(), 0) == 0 else None

    def _slices(self, values: Values, dims: Dims) -> Value:
        """The slices of dims that may be longer than theirs: the last elements of their operand follow it."""
        starts = self._starts(values)
        assert starts is not None, "they fit"
        of = next(self._sliced(value) for value in values if self._defined[value].op is SLICE)
        reach = [
            max(of_axis) + length for of_axis, length in zip(zip(*starts, strict=True), dims, strict=True)
        ]
        missing = [max(0, end - size) for end, size in zip(reach, _dims(of), strict=True)]
        if any(missing):
            pads = (*[0] * len(missing), *missing)
            of = self._rewriter.apply(PAD, (of,), self._concat, pads=pads, mode="edge")
        return self._joined([self._slice(of, start, dims) for start in dict.fromkeys(starts)])

    def _slice(self, of: Value, start: Dims, dims: Dims) -> Value:
        ends = tuple([first + length for first, length in zip(start, dims, strict=True)])
        axes = tuple(range(len(dims)))
        part = self._rewriter.apply(SLICE, (of,), self._concat, axes=axes, starts=start, ends=ends)
        return self._reshape(part, (1, *dims))

    def _reduced(self, reductions: Sequence[Statement]) -> Value:
        bodies = tuple([each.operands[0] for each in reductions])
        whole = tuple([max(of_axis) for of_axis in zip(*map(_dims, bodies), strict=True)])
        stack = self._all(self._stacked(bodies, whole), whole)
        op, axes = reductions[0].op, _axes(reductions[0])
        for axis in axes:
            lengths = [_dims(body)[axis] for body in bodies]
            if min(lengths) < max(lengths):
                stack = self._chosen(stack, axis + 1, lengths, REDUCTIONS[op])
        is_of_sums = op is REDUCE_MEAN and len({_dims(body) for body in bodies}) > 1
        of_stack = tuple([axis + 1 for axis in axes])
        result = self._rewriter.apply(REDUCE_SUM if is_of_sums else op, (stack,), self._concat, axes=of_stack)
        if not is_of_sums:
            return result
        shares = [1 / prod([_dims(body)[axis] for axis in axes]) for body in bodies]
        dims = (len(shares), *[1] * len(whole))
        factors = self._rewriter.literals(shares, dims, result.type.element, self._concat)
        return self._rewriter.apply(MUL, (result, factors), self._concat)

    def _chosen(self, stack: Value, axis: int, lengths: Sequence[int], kind: str) -> Value:
        """The elements of each row before its end, and others that count nothing."""
        dims, concat = _dims(stack), self._concat
        alone = tuple([size if at == axis else 1 for at, size in enumerate(dims)])
        places = self._rewriter.apply(IOTA, (), concat, axis=axis, out_lens=alone)
        rows = (len(lengths), *[1] * (len(dims) - 1))
        ends = self._rewriter.literals(lengths, rows, I32, concat)
        is_before = self._rewriter.apply(LESS, (places, ends), concat)
        if kind in ("max", "min"):
            other = self._rewriter.apply(SLICE, (stack,), concat, axes=(axis,), starts=(0,), ends=(1,))
        else:
            element = stack.type.element
            other = self._rewriter.literal(identity(kind, element), element, concat)
        return self._rewriter.apply(WHERE, (is_before, stack, other), concat)

    def _all(self, stack: Value, dims: Dims) -> Value:
        """The stack with an element for each operand of the concat, and these dims."""
        wanted = (len(self._concat.operands), *dims)
        if _dims(stack) == wanted:
            return stack
        return self._rewriter.apply(MULTIBROADCAST, (stack,), self._concat, out_lens=wanted)

    def _reshape(self, value: Value, dims: Dims) -> Value:
        return self._rewriter.apply(RESHAPE, (value,), self._concat, dims=dims)


def _axes(reduction: Statement) -> tuple[int, ...]:
    """The axes that a reduction changes."""
    dims = zip(tensor_type(reduction.operands[0]).dims, tensor_type(reduction.result).dims, strict=True)
    return tuple([axis for axis, (of, to) in enumerate(dims) if of != to])


def _is_even(reductions: Sequence[Statement]) -> bool:
    """Whether reductions differ in the lengths of rows only. A mean of 16 bits then has its own rounding."""
    first = reductions[0]
    alike = {(tensor_type(each.result).dims, _axes(each)) for each in reductions}
    lengths = {tensor_type(each.operands[0]).dims for each in reductions}
    is_of_sums = first.op is not REDUCE_MEAN or first.result.type.element in (F32, F64)
    return len(alike) == 1 and (len(lengths) == 1 or is_of_sums)


def _start(slice_: Statement) -> Dims | None:
    """The first element of a slice along each axis; None if only the launch knows it, or it counts from the
    end."""
    axes, firsts = slice_.attributes.get("axes"), slice_.attributes.get("starts")
    sizes = tensor_type(slice_.operands[0]).dims if slice_.operands else ()
    if not isinstance(axes, tuple) or not isinstance(firsts, tuple):
        return None
    given = {axis % len(sizes): at for axis, at in zip(axes, firsts, strict=True) if isinstance(axis, int)}
    start = [given.get(axis, 0) for axis in range(len(sizes))]
    known = [first for first in start if isinstance(first, int) and first >= 0]
    return tuple(known) if len(known) == len(sizes) == len(_dims(slice_.operands[0])) else None


def _integer(statement: Statement, name: str) -> int:
    number = statement.attributes[name]
    assert isinstance(number, int), "the parser reads an integer"
    return number


def _dims(value: Value) -> Dims:
    return tuple([dim for dim in tensor_type(value).dims if isinstance(dim, int)])
