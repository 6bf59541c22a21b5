"""Softmax and the norms as reductions and pointwise ops, so that the same lowering serves them all.

softmax(x) = e / sum(e), e = exp(x - max(x)); layernorm(x) = (x - m) * rsqrt(mean((x - m)**2) + epsilon) *
scale + bias with m the mean; rmsnorm(x) = x * rsqrt(mean(x**2) + epsilon) * scale. The quotient is a
product with the row's reciprocal.
"""

from __future__ import annotations

from collections.abc import Callable

from asmgen.graph import ops
from asmgen.graph.rounded import WIDEN, rounded_to
from asmgen.ir.builder import fresh_name
from asmgen.ir.numbers import round_to
from asmgen.ir.program import Attribute, Module, Op, Statement, Value, tensor_type
from asmgen.ir.types import computed, tensor


def decompose(module: Module) -> Module:
    """The module without softmax, layernorm and rmsnorm."""
    if not any(statement.op in _FORMS for statement in module.statements):
        return module
    names = {value.name for statement in module.statements for value in statement.results}
    statements: list[Statement] = []
    for statement in module.statements:
        form = _FORMS.get(statement.op)
        if form is None:
            statements.append(statement)
        elif 0 in tensor_type(statement.result).dims:
            statements.append(
                Statement(ops.IDENTITY, statement.operands[:1], statement.results, {}, (), statement.place)
            )
        else:
            form(_Writer(statement, names, statements))
    return Module(module.name, tuple(statements))


class _Writer:
    """Writes graph statements in place of a statement, over the same dims; the last statement gives its
    result."""

    def __init__(self, origin: Statement, names: set[str], statements: list[Statement]) -> None:
        self.origin = origin
        self._names = names
        self._statements = statements
        self.operands = [self._widened(operand) for operand in origin.operands]
        self.x = self.operands[0]
        self.element = tensor_type(origin.result).element  # of the result
        self.type = tensor_type(self.x)
        axis = origin.attributes["axis"]
        assert isinstance(axis, int)
        self.axis = axis % self.type.rank

    def apply(self, op: Op, *operands: Value, result: Value | None = None, **attributes: Attribute) -> Value:
        types = tuple(operand.type for operand in operands)
        given = {spec.name: attributes.get(spec.name, spec.default) for spec in op.attributes}
        whole = {name: value for name, value in given.items() if value is not None}
        (type_,) = op.infer(op, types, whole, self.origin.place)
        made = result or Value(self._fresh(), type_)
        self._statements.append(Statement(op, operands, (made,), whole, (), self.origin.place))
        return made

    def reduce(self, op: Op, value: Value) -> Value:
        return self.apply(op, value, axes=(self.axis,))

    def spread(self, value: Value) -> Value:
        """A value of the rows, or of the normalised dims, over the whole tensor."""
        return self.apply(ops.MULTIBROADCAST, value, out_lens=self.type.dims)

    def constant(self, number: float, like: Value) -> Value:
        type_ = tensor_type(like)
        made = Value(self._fresh(), tensor(type_.element, (1,) * type_.rank))
        values = (round_to(number, type_.element),)
        self._statements.append(
            Statement(ops.LITERAL, (), (made,), {"values": values}, (), self.origin.place)
        )
        return self.apply(ops.MULTIBROADCAST, made, out_lens=type_.dims)

    def finish(self, op: Op, *operands: Value) -> None:
        element = self.element
        if computed(element) is not element:
            wide = self.apply(op, *operands)
            _ = self.apply(ops.CONVERT, wide, result=self.origin.result, target_type=element.name)
        else:
            _ = self.apply(op, *operands, result=self.origin.result)

    def _widened(self, value: Value) -> Value:
        element = tensor_type(value).element
        wide = computed(element)
        return value if wide is element else self.apply(WIDEN, value)

    def _fresh(self) -> str:
        return fresh_name(self.origin.result.name, self._names)


def _softmax(write: _Writer) -> None:
    shifted = write.apply(ops.SUB, write.x, write.spread(write.reduce(ops.REDUCE_MAX, write.x)))
    powers = write.apply(rounded_to(ops.EXP, write.element), shifted)
    inverse = write.apply(rounded_to(ops.RECIP, write.element), write.reduce(ops.REDUCE_SUM, powers))
    write.finish(ops.MUL, powers, write.spread(inverse))


def _layernorm(write: _Writer) -> None:
    centred = write.apply(ops.SUB, write.x, write.spread(write.reduce(ops.REDUCE_MEAN, write.x)))
    _normalise(write, centred)


def _rmsnorm(write: _Writer) -> None:
    _normalise(write, write.x)


def _normalise(write: _Writer, value: Value) -> None:
    """`value` by the root of its mean square, then by the scale and with the bias that are given."""
    square = write.reduce(ops.REDUCE_MEAN, write.apply(ops.MUL, value, value))
    epsilon = write.origin.attributes["epsilon"]
    assert isinstance(epsilon, int | float)
    root = rounded_to(ops.RSQRT, write.element)
    factor = write.apply(root, write.apply(ops.ADD, square, write.constant(float(epsilon), square)))
    steps = [(ops.MUL, factor), *zip((ops.MUL, ops.ADD), write.operands[1:], strict=False)]
    for number, (op, operand) in enumerate(steps, 1):
        spread = write.spread(operand)
        if number == len(steps):
            write.finish(op, value, spread)
        else:
            value = write.apply(op, value, spread)


_FORMS: dict[Op, Callable[[_Writer], None]] = {
    ops.SOFTMAX: _softmax,
    ops.LAYERNORM: _layernorm,
    ops.RMSNORM: _rmsnorm,
}


def is_decomposed(op: Op) -> bool:
    """Whether a graph has reductions and pointwise ops in the place of an op."""
    return op in _FORMS
