"""Evaluates a graph op by op, before any pass: for each output a float64 value and the results that the
bounds allow.

The bounds and their derivation are in docs/numerics.md, "Bounds of composites". Nothing here imports a
pass.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from asmgen.graph.bodies import of_attributes
from asmgen.graph.ops import LITERAL, PARAM, RETURN
from asmgen.graph.reference import arithmetic, bits, chosen, integers, made_of, matrix, movement
from asmgen.graph.reference.conversion import convert
from asmgen.graph.reference.functions import CURVES, FUNCTIONS, apply_curve, apply_function
from asmgen.graph.reference.gelu import GELU_BOUND, gelu_forms
from asmgen.graph.reference.integers import integer_dtype
from asmgen.graph.reference.norms import widened_range
from asmgen.graph.reference.ranges import (
    BLOCK,
    FloatRange,
    IntegerRange,
    Range,
    Rules,
    bounded,
    exact_float,
    exact_integer,
    in_blocks,
    joined,
    settled,
)
from asmgen.graph.reference.rounding import round_down, work_of
from asmgen.graph.reference.rows import ROW_EVALUATORS
from asmgen.graph.rounded import function_of, rounding_of
from asmgen.ir.program import Module, Program, Statement, Value, tensor_type
from asmgen.ir.types import ELEMENT_TYPES, ElementType
from isa.diagnostics import InternalError

Array = NDArray[Any]


def evaluate(program: Program, inputs: Sequence[Array], rules: Rules | None = None) -> list[Range]:
    """The ranges of the outputs in `@return` order, module by module.

    `inputs` are arrays of the parameters' shapes and types, in the order of the `@param` lines.
    """
    given = iter(inputs)
    return [output for module in program.modules for output in evaluate_module(module, given, rules)]


def evaluate_module(module: Module, inputs: Iterator[Array], rules: Rules | None = None) -> list[Range]:
    """The ranges of a module's outputs. Ops that only later stages make, such as reshape, are allowed too."""
    with np.errstate(all="ignore"):
        return _Evaluator(module, rules or Rules()).run(inputs)


class _Evaluator:
    """`shape` is that of the elements of which a body computes each."""

    def __init__(self, module: Module, rules: Rules, shape: tuple[int, ...] = ()) -> None:
        self._module = module
        self._rules = rules
        self._shape = shape
        self._ranges: dict[Value, Range] = {}
        self._gelus = gelu_forms(module)
        self._settled: set[Value] = set()  # results that are in their type already

    def run(self, inputs: Iterator[Array | Range]) -> list[Range]:
        left = Counter(value for statement in self._module.statements for value in self._read(statement))
        outputs: list[Range] = []
        for statement in self._module.statements:
            operands = [self._ranges[operand] for operand in statement.operands]
            if statement.op is RETURN:
                outputs += [
                    operand if value in self._settled else _settled(operand)
                    for value, operand in zip(statement.operands, operands, strict=True)
                ]
            elif statement.op is PARAM:
                given = next(inputs)
                is_range = isinstance(given, FloatRange | IntegerRange)
                self._ranges[statement.result] = (
                    given if is_range else known(np.asarray(given), statement.result.type.element)
                )
            elif statement in self._gelus or not _is_long(statement, operands):
                self._ranges[statement.result] = self._result(statement, operands)
            else:
                self._ranges[statement.result] = self._in_blocks(statement, operands)
            left.subtract(self._read(statement))
            for value in self._read(statement):
                if left[value] == 0:
                    _ = self._ranges.pop(value, None)
        return outputs

    def _read(self, statement: Statement) -> tuple[Value, ...]:
        """The values that a statement's range is made from."""
        x = self._gelus.get(statement)
        return statement.operands if x is None else (*statement.operands, x)

    def _in_blocks(self, statement: Statement, operands: list[Range]) -> Range:
        """The result of a pointwise op on many elements, in blocks: temporary arrays stay small."""
        axis = int(np.argmax(operands[0].value.shape))
        parts = zip(*[in_blocks(operand, axis) for operand in operands], strict=True)
        if self._is_returned_only(statement.result):
            self._settled.add(statement.result)
            blocks = (_settled(self._result(statement, list(each))) for each in parts)
        else:
            blocks = (self._result(statement, list(each)) for each in parts)
        return joined(blocks, axis, operands[0].value.shape[axis])

    def _is_returned_only(self, value: Value) -> bool:
        """Whether no op reads a value: it is returned, and may be rounded to its type at once."""
        return all(value not in self._read(s) for s in self._module.statements if s.op is not RETURN)

    def _result(self, statement: Statement, operands: list[Range]) -> Range:
        if statement.op is LITERAL:
            return _literal(statement, self._shape)
        name = function_of(statement.op).name
        if name in FUNCTIONS:
            (x,) = operands
            assert isinstance(x, FloatRange), "the op's row takes floats only"
            return apply_function(FUNCTIONS[name], x, statement.op.ulps, _goal(statement))
        if name in CURVES:
            (x,) = operands
            assert isinstance(x, FloatRange), "the op's row takes floats only"
            return apply_curve(CURVES[name], x, statement.op.ulps, _goal(statement))
        evaluator = _EVALUATORS.get(name)
        if evaluator is None:
            raise InternalError("reference", statement.op.name, "has no reference")
        result = evaluator(statement, self._rules, *operands)
        return (
            self._as_gelu(result, self._ranges[self._gelus[statement]])
            if statement in self._gelus
            else result
        )

    def _as_gelu(self, product: Range, x: Range) -> Range:
        """The range of gelu's last multiply, its bound as a whole allowed."""
        assert isinstance(product, FloatRange) and isinstance(x, FloatRange), "tanh and erf are of floats"
        work = work_of(product.element)
        slack = GELU_BOUND * work.unit * np.maximum(np.abs(x.low), np.abs(x.high))
        is_known = x.low == x.high
        least, most = (
            np.where(is_known, product.value, product.low) - slack,
            np.where(is_known, product.value, product.high) + slack,
        )
        low, high = (
            np.fmin(product.low, -round_down(-least, work)),
            np.fmax(product.high, round_down(most, work)),
        )
        low, high = np.where(product.only_nan, np.nan, low), np.where(product.only_nan, np.nan, high)
        return bounded(
            product.element, product.value, low, high, product.may_be_nan, product.free_zero | (low != high)
        )


def _goal(statement: Statement) -> ElementType | None:
    """The type of 16 bits to which a result is rounded in the end, if that allows a larger error."""
    return rounding_of(statement.op, statement.result.type.element)


def _is_long(statement: Statement, operands: Sequence[Range]) -> bool:
    """Whether a statement computes many elements, each from those at its own place."""
    sizes = {operand.value.shape for operand in operands}
    return statement.op.pointwise and len(sizes) == 1 and operands[0].value.size > 2 * BLOCK


def _settled(range_: Range) -> Range:
    """The range of a value as it is returned."""
    return settled(range_) if isinstance(range_, FloatRange) else range_


def known(array: Array, element: ElementType) -> Range:
    """The range of given numbers."""
    if element.is_float:
        return exact_float(array.astype(work_of(element).wide), element)
    if element.is_code:
        array = array.view(np.uint8)
    return exact_integer(array.astype(integer_dtype(element)), element)


def _literal(statement: Statement, shape: tuple[int, ...]) -> Range:
    type_ = tensor_type(statement.result)
    values = np.asarray(
        statement.attributes["values"],
        work_of(type_.element).wide if type_.element.is_float else integer_dtype(type_.element),
    )
    return known(np.broadcast_to(values.reshape(type_.shape), shape or type_.shape), type_.element)


# The ops by name: each takes the statement, the rules and the operands' ranges.

Evaluator = Callable[..., Range]


def _contracted(
    of_floats: Callable[[FloatRange, FloatRange, bool], FloatRange], of_integers: integers.IntegerOp
) -> Evaluator:
    def evaluate_(_statement: Statement, rules: Rules, a: Range, b: Range) -> Range:
        if isinstance(a, FloatRange) and isinstance(b, FloatRange):
            return of_floats(a, b, rules.contract)
        assert isinstance(a, IntegerRange) and isinstance(b, IntegerRange), "operand types agree"
        return integers.binary(of_integers, a, b)

    return evaluate_


def _unary(
    of_floats: Callable[[FloatRange], FloatRange], of_integers: Callable[[IntegerRange], IntegerRange]
) -> Evaluator:
    def evaluate_(_statement: Statement, _rules: Rules, x: Range) -> Range:
        return of_floats(x) if isinstance(x, FloatRange) else of_integers(x)

    return evaluate_


def _of_floats(
    op: Callable[[FloatRange], FloatRange], _statement: Statement, _rules: Rules, x: FloatRange
) -> Range:
    return op(x)


def _divide(statement: Statement, _rules: Rules, a: Range, b: Range) -> Range:
    if isinstance(a, FloatRange) and isinstance(b, FloatRange):
        return arithmetic.divide(a, b, statement.op.ulps, _goal(statement))
    assert isinstance(a, IntegerRange) and isinstance(b, IntegerRange), "operand types agree"
    return integers.divide(a, b)


def _recip(statement: Statement, rules: Rules, x: Range) -> Range:
    return _divide(statement, rules, known(np.ones(x.value.shape, x.value.dtype), x.element), x)


def _maximum(_statement: Statement, rules: Rules, a: Range, b: Range) -> Range:
    if isinstance(a, FloatRange) and isinstance(b, FloatRange):
        return arithmetic.maximum(a, b, rules.propagates_nan)
    assert isinstance(a, IntegerRange) and isinstance(b, IntegerRange), "operand types agree"
    return integers.binary(np.maximum, a, b)


def _minimum(_statement: Statement, rules: Rules, a: Range, b: Range) -> Range:
    if isinstance(a, FloatRange) and isinstance(b, FloatRange):
        return arithmetic.minimum(a, b, rules.propagates_nan)
    assert isinstance(a, IntegerRange) and isinstance(b, IntegerRange), "operand types agree"
    return integers.binary(np.minimum, a, b)


def _relu(statement: Statement, rules: Rules, x: Range) -> Range:
    return _maximum(statement, rules, x, known(np.zeros(x.value.shape), x.element))


def _clip(statement: Statement, rules: Rules, x: Range, low: Range, high: Range) -> Range:
    return _minimum(statement, rules, _maximum(statement, rules, x, low), high)


def _where(_statement: Statement, _rules: Rules, condition: Range, a: Range, b: Range) -> Range:
    take_a, take_b = condition.high != 0, condition.low == 0
    value = np.where(condition.value != 0, a.value, b.value)
    if isinstance(a, FloatRange) and isinstance(b, FloatRange):
        return arithmetic.union(a, b, take_a, take_b, value)
    assert isinstance(a, IntegerRange) and isinstance(b, IntegerRange), "operand types agree"
    return integers.union(a, b, take_a, take_b, value)


def _convert(statement: Statement, _rules: Rules, x: Range) -> Range:
    return convert(x, ELEMENT_TYPES[str(statement.attributes["target_type"])])


def _widen(_statement: Statement, _rules: Rules, x: FloatRange) -> Range:
    return widened_range(x)


def _compare(
    op: Callable[[Range, Range], IntegerRange], _statement: Statement, _rules: Rules, a: Range, b: Range
) -> Range:
    return op(a, b)


def _greater(a: Range, b: Range) -> IntegerRange:
    return integers.less(b, a)


def _logical(
    op: Callable[..., Any], _statement: Statement, _rules: Rules, a: IntegerRange, b: IntegerRange
) -> Range:
    return integers.logical(op, a, b)


def _not(_statement: Statement, _rules: Rules, a: IntegerRange) -> Range:
    return IntegerRange(a.element, 1 - a.value, 1 - a.high, 1 - a.low)


def _same(_statement: Statement, _rules: Rules, x: Range) -> Range:
    return x


def _iterate(statement: Statement, rules: Rules, *operands: Range) -> Range:
    from asmgen.graph.reference.iterations import iterated

    module = of_attributes(statement).module

    def trip(state: Sequence[Range]) -> Sequence[Range]:
        return _Evaluator(module, rules, state[0].value.shape).run(iter(state))

    return iterated(statement, operands, trip, partial(_where, statement, rules))


_EVALUATORS: dict[str, Evaluator] = {
    "add": _contracted(arithmetic.add, np.add),
    "sub": _contracted(arithmetic.subtract, np.subtract),
    "mul": _contracted(arithmetic.multiply, np.multiply),
    "div": _divide,
    "recip": _recip,
    "neg": _unary(arithmetic.negate, integers.negate),
    "abs": _unary(arithmetic.absolute, integers.absolute),
    "floor": partial(_of_floats, arithmetic.floor),
    "ceil": partial(_of_floats, arithmetic.ceil),
    "max": _maximum,
    "min": _minimum,
    "relu": _relu,
    "clip": _clip,
    "where": _where,
    "convert": _convert,
    "widen": _widen,
    "equal": partial(_compare, integers.equal),
    "less": partial(_compare, integers.less),
    "greater": partial(_compare, _greater),
    "logical_and": partial(_logical, np.bitwise_and),
    "logical_or": partial(_logical, np.bitwise_or),
    "logical_xor": partial(_logical, np.bitwise_xor),
    "not": _not,
    "identity": _same,
    "iterate": _iterate,
    "contiguous": _same,
    **movement.EVALUATORS,
    **chosen.EVALUATORS,
    **made_of.EVALUATORS,
    **bits.EVALUATORS,
    "dot": matrix.dot,
    "dot_general": matrix.dot_general,
    "block_dot": matrix.block_dot,
    **ROW_EVALUATORS,
}
