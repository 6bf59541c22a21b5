"""Simpler arithmetic of integers with known bounds (`asmgen.graph.rewritings.integer_bounds`).

    i = iota[axis=0, out_lens={20}]             0 to 19
    w = convert[target_type=i64](i)
    q = div(w, five)                            0 to 3
    r = fmod(q, four)
    y = max(r, zero)

becomes

    q_narrow = div(i, five_i32)
    q = convert[target_type=i64](q_narrow)
    y = identity(q)

* i64 and u64 that are numbers of i32 are computed as i32. torch and numpy count in i64, JAX's random numbers
  in u64, and a quotient of i64 takes some hundred instructions.
* Arithmetic with a single possible result, as `i >> 32`, is that number.
* A maximum, a minimum or a rest that is its first operand is that operand.
* Integers that are converted twice are converted once, if the first type has them all.
* A choice by a comparison with a single result is one of its numbers.
"""

from __future__ import annotations

from asmgen.graph import ops
from asmgen.graph.rewritings.integer_bounds import Bounds, BoundsSearch
from asmgen.graph.rewritings.rewriter import Rewriter
from asmgen.ir.program import Module, Op, Statement, Value, definitions, literal_numbers, tensor_type
from asmgen.ir.types import BOOL, I32, I64, U64

_ARITHMETIC = frozenset({
    ops.ADD, ops.SUB, ops.MUL, ops.DIV, ops.FMOD, ops.MAX, ops.MIN, ops.BITWISE_AND, ops.BITWISE_OR,
    ops.BITWISE_XOR, ops.LEFT_SHIFT, ops.RIGHT_SHIFT,
})  # fmt: skip
_LONG = (I64, U64)
_COMPARISONS = frozenset({ops.LESS, ops.GREATER, ops.EQUAL})
_MOVES = frozenset({ops.MULTIBROADCAST, ops.RESHAPE, ops.SQUEEZE, ops.UNSQUEEZE, ops.SLICE})
_OF_TRUTH = frozenset({ops.WHERE, ops.LOGICAL_AND, ops.LOGICAL_OR, ops.MULTIBROADCAST})


def with_known_integers(module: Module) -> Module:
    """The module with such arithmetic; statements that become unused stay."""
    return _Simpler(module).module()


def _is_integer(value: Value) -> bool:
    return not value.type.element.is_float and value.type.element is not BOOL


class _Simpler:
    def __init__(self, module: Module) -> None:
        self._original = module
        self._defined = definitions(module)
        self._bounds = BoundsSearch(self._defined.get)
        self._rewriter = Rewriter(module)
        self._narrow: dict[Value, Value] = {}
        self._same: dict[Value, Value] = {}
        self._truth: dict[Value, bool] = {}

    def module(self) -> Module:
        for statement in self._original.statements:
            is_arithmetic = statement.op in _ARITHMETIC or statement.op in _COMPARISONS
            if statement.op is ops.CONVERT:
                self._convert(statement)
            elif not self._truth.keys().isdisjoint(statement.operands) and statement.op in _OF_TRUTH:
                self._chosen(statement)
            elif not is_arithmetic or not _is_integer(statement.operands[0]):
                self._rewriter.keep(statement)
            else:
                self._arithmetic(statement)
        return self._rewriter.module()

    def _convert(self, statement: Statement) -> None:
        (operand,) = statement.operands
        if operand.type.element is statement.result.type.element:
            self._same[statement.result] = self._source(operand)
        source = self._source(operand)
        if source.type.element in _LONG and self._bounds.of(source).within(I32):
            operand = self._as_i32(source, statement)
        self._rewriter.finish(ops.CONVERT, (self._whole(operand),), statement, **statement.attributes)

    def _whole(self, value: Value) -> Value:
        """The integers that were converted to types that have them all."""
        made = self._defined.get(value)
        while made is not None and made.op is ops.CONVERT:
            (before,) = made.operands
            is_whole = _is_integer(before) and self._bounds.of(before).within(value.type.element)
            if not is_whole:
                return value
            value, made = before, self._defined.get(before)
        return value

    def _source(self, value: Value) -> Value:
        return self._same.get(value, value)

    def _arithmetic(self, statement: Statement) -> None:
        a, b = statement.operands
        bounds = self._bounds.of(a), self._bounds.of(b)
        if statement.op in _COMPARISONS:
            truth = True if self._source(a) is self._source(b) and statement.op is ops.EQUAL else None
            truth = _compared(statement.op, *bounds) if truth is None else truth
            if truth is not None:
                self._truth[statement.result] = truth
        elif _is_first(statement.op, *bounds):
            self._replace(statement, a)
            return
        elif self._is_single(statement.result):
            self._replace_by_number(statement)
            return
        if self._is_narrow(statement):
            self._compute_narrow(statement)
        else:
            self._rewriter.keep(statement)

    def _is_single(self, value: Value) -> bool:
        """Whether the elements of a value are all the same number."""
        low, high = self._bounds.of(value)
        return low == high

    def _replace_by_number(self, statement: Statement) -> None:
        """Write the number that all elements of the result are."""
        result = tensor_type(statement.result)
        number = self._rewriter.literal(self._bounds.of(statement.result).low, result.element, statement)
        whole = self._rewriter.apply(ops.MULTIBROADCAST, (number,), statement, "number", out_lens=result.dims)
        self._rewriter.finish(ops.IDENTITY, (whole,), statement)

    def _replace(self, statement: Statement, value: Value) -> None:
        """Write the result of a statement as an earlier value."""
        self._same[statement.result] = self._source(value)
        self._rewriter.finish(ops.IDENTITY, (self._source(value),), statement)

    def _chosen(self, statement: Statement) -> None:
        """A choice or an op of truth values with a known operand."""
        if statement.op is ops.MULTIBROADCAST:
            self._truth[statement.result] = self._truth[statement.operands[0]]
            self._rewriter.keep(statement)
            return
        known = [self._truth.get(operand) for operand in statement.operands]
        if statement.op is ops.WHERE:
            kept = None if known[0] is None else 1 if known[0] else 2
        else:
            keeps = statement.op is ops.LOGICAL_AND
            kept = next((1 - number for number, each in enumerate(known) if each is keeps), None)
        if kept is None:
            self._rewriter.keep(statement)
        else:
            self._replace(statement, statement.operands[kept])

    # i64 and u64 as i32

    def _is_narrow(self, statement: Statement) -> bool:
        """Whether a statement computes i64 or u64, or compares them, that are numbers of i32."""
        values = [each for each in (*statement.operands, *statement.results) if _is_integer(each)]
        return all(each.type.element in _LONG and self._bounds.of(each).within(I32) for each in values)

    def _compute_narrow(self, statement: Statement) -> None:
        operands = tuple([self._as_i32(self._source(operand), statement) for operand in statement.operands])
        if statement.op in _COMPARISONS:
            self._rewriter.finish(statement.op, operands, statement, **statement.attributes)
            return
        result = self._rewriter.apply(statement.op, operands, statement, "narrow", **statement.attributes)
        self._narrow[statement.result] = result
        self._rewriter.finish(
            ops.CONVERT, (result,), statement, target_type=statement.result.type.element.name
        )

    def _as_i32(self, value: Value, reader: Statement) -> Value:
        if value not in self._narrow:
            self._narrow[value] = self._written_as_i32(self._defined[value], reader)
        return self._narrow[value]

    def _written_as_i32(self, statement: Statement, reader: Statement) -> Value:
        write = self._rewriter
        if statement.op is ops.CONVERT and statement.operands[0].type.element is I32:
            return statement.operands[0]
        if statement.op is ops.LITERAL and len(literal_numbers(statement)) == 1:
            number = write.literal(int(literal_numbers(statement)[0]), I32, reader)
            dims = tensor_type(statement.result).dims
            return write.apply(ops.RESHAPE, (number,), reader, "narrow", dims=dims) if dims else number
        if statement.op in _MOVES:
            operand = self._as_i32(self._source(statement.operands[0]), reader)
            return write.apply(statement.op, (operand,), reader, "narrow", **statement.attributes)
        return write.apply(ops.CONVERT, statement.results, reader, "narrow", target_type=I32.name)


def _compared(op: Op, a: Bounds, b: Bounds) -> bool | None:
    """The only result of a comparison; None if there are two."""
    if op is ops.EQUAL:
        return False if a.high < b.low or b.high < a.low else True if a == b and a.low == a.high else None
    if op is ops.GREATER:
        a, b = b, a
    return True if a.high < b.low else False if a.low >= b.high else None


def _is_first(op: Op, a: Bounds, b: Bounds) -> bool:
    """Whether the result is always the first operand."""
    if op is ops.MAX:
        return a.low >= b.high
    if op is ops.MIN:
        return a.high <= b.low
    return op is ops.FMOD and a.low >= 0 and a.high < b.low
