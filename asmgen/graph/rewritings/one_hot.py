"""Sums of a single element of a row: the element that an index names is read, and nothing is added up.

    p = logsoftmax[axis=1](x)                    {1024,8192}
    c = iota[axis=1, out_lens={1024,8192}]()
    k = where(equal(c, label), p, 0)             label is {1024,1}
    s = reduce_sum[axes={1}](k)                  element label of each row of p, 0 if there is no such column

The losses of classifiers are such sums. The element is chosen by take_along_axis, and the choice goes to the
elements of parameters (`asmgen.graph.rewritings.early_choices`), so the kernel has no reduction for it.
"""

from __future__ import annotations

from math import copysign, prod

from asmgen.graph.builder import GraphBuilder
from asmgen.graph.ops import (
    ADD,
    EQUAL,
    IOTA,
    LITERAL,
    MAX,
    MIN,
    MULTIBROADCAST,
    PARAM,
    REDUCE_SUM,
    TAKE_ALONG_AXIS,
    WHERE,
)
from asmgen.graph.rewritings.early_choices import MOST_STATEMENTS, of_row
from asmgen.index.size import numbers
from asmgen.ir.constants import Constants
from asmgen.ir.numbers import integer_range
from asmgen.ir.program import Attributes, Module, Op, Statement, Value, definitions, tensor_type
from asmgen.ir.types import I32, ElementType, tensor
from isa.named_tuple import NamedTuple


class _Sum(NamedTuple):
    """A sum over `axis` of a single element for each row: that of `value` at the place `label`."""

    statement: Statement
    axis: int
    value: Value
    label: Value

    @property
    def dims(self) -> tuple[int, ...]:
        return numbers(tensor_type(self.statement.operands[0]).dims)

    @property
    def row_dims(self) -> tuple[int, ...]:
        return numbers(tensor_type(self.statement.result).dims)


def with_chosen_elements(module: Module) -> Module:
    """The module with such sums replaced; statements that become unused stay."""
    chooser = _Chooser(module)
    sums = [chooser.sum_of(statement) for statement in module.statements]
    names = [value.name for statement in module.statements for value in statement.results]
    builder = GraphBuilder(names)
    for statement, sum_ in zip(module.statements, sums, strict=True):
        if sum_ is None:
            builder.statements.append(statement)
        else:
            _Element(builder, sum_).write()
    return Module(module.name, tuple(builder.statements))


class _Chooser:
    """Finds the sums."""

    def __init__(self, module: Module) -> None:
        self.defined = definitions(module)

    def sum_of(self, statement: Statement) -> _Sum | None:
        """The sum that a statement is: the elements at one place of a row, and zeros."""
        if statement.op is not REDUCE_SUM:
            return None
        (operand,), kept = statement.operands, tensor_type(statement.result).dims
        dims, where = tensor_type(operand).dims, self.defined[operand]
        axes = [axis for axis, (dim, left) in enumerate(zip(dims, kept, strict=True)) if dim != left]
        if len(axes) != 1 or not all(isinstance(dim, int) for dim in dims) or where.op is not WHERE:
            return None
        condition, value, other = where.operands
        label = self._label(self.defined[condition], axes[0])
        if label is None or prod(numbers(dims)) > integer_range(I32)[1] or not self._is_zero(other):
            return None
        return _Sum(statement, axes[0], value, label) if self._is_of_element(value, axes[0]) else None

    def _label(self, condition: Statement, axis: int) -> Value | None:
        """The value with which a condition compares places along an axis, if a row has one such value."""
        if condition.op is not EQUAL:
            return None
        for place, other in (condition.operands, condition.operands[::-1]):
            label = of_row(other, axis, self.defined)
            if label is not None and self.is_place(place, axis):
                return label
        return None

    def is_place(self, value: Value, axis: int) -> bool:
        """Whether each element is its number along an axis, which its type can represent."""
        made, type_ = self.defined[value], tensor_type(value)
        if made.op is not IOTA or type_.element.is_float:
            return False
        of_axis, size = made.attributes["axis"], type_.dims[axis]
        assert isinstance(of_axis, int) and isinstance(size, int), "sizes that the launch knows are left out"
        return of_axis % type_.rank == axis and size - 1 <= integer_range(type_.element)[1]

    def _is_zero(self, value: Value) -> bool:
        """Whether a value is the number 0, not -0, broadcast."""
        made = self.defined[value]
        made = self.defined[made.operands[0]] if made.op is MULTIBROADCAST else made
        values = made.attributes.get("values") if made.op is LITERAL else None
        if not isinstance(values, Constants | tuple) or len(values) != 1:
            return False
        number = values[0]
        return isinstance(number, int | float) and number == 0 and copysign(1, number) > 0

    def _is_of_element(self, value: Value, axis: int) -> bool:
        """Whether an element of a value is made of the elements of parameters at its own place, and of values
        that a row has in common."""
        dims, pending, seen = tensor_type(value).dims, [value], {value}
        while pending:
            value = pending.pop()
            made = self.defined[value]
            is_read = made.op is PARAM and tensor_type(value).dims == dims
            if is_read or of_row(value, axis, self.defined) is not None or self.is_place(value, axis):
                continue
            if not made.op.pointwise or len(seen) > MOST_STATEMENTS:
                return False
            pending += [operand for operand in made.operands if operand not in seen]
            seen.update(made.operands)
        return True


class _Element:
    """Writes the statements of a sum."""

    def __init__(self, builder: GraphBuilder, sum_: _Sum) -> None:
        self._builder, self._sum = builder, sum_

    def write(self) -> None:
        """The element at the place that the label names, or 0. A sum of several elements is never -0, so 0 is
        added."""
        statement, label, axis = self._sum.statement, self._sum.label, self._sum.axis
        if tensor_type(label).dims != self._sum.row_dims:
            label = self._apply(MULTIBROADCAST, (label,), "label", {"out_lens": self._sum.row_dims})
        element, last = tensor_type(label).element, self._sum.dims[axis] - 1
        place = self._apply(MAX, (label, self._literal(0, element)), "from_0")
        place = self._apply(MIN, (place, self._literal(last, element)), "place")
        is_there = self._apply(EQUAL, (label, place), "is_there")
        zero = self._literal(0, tensor_type(statement.result).element)
        chosen = self._apply(TAKE_ALONG_AXIS, (self._sum.value, label), "element", {"axis": axis})
        chosen = self._apply(WHERE, (is_there, chosen, zero), "chosen")
        operands, _ = self._builder.infer(ADD, (chosen, zero), {}, statement.place)
        self._builder.statements.append(Statement(ADD, operands, statement.results, {}, (), statement.place))

    def _literal(self, number: int, element: ElementType) -> Value:
        name = self._builder.fresh(f"{self._sum.statement.result.name}_number")
        return self._builder.literal(name, (number,), tensor(element, ()), self._sum.statement.place)

    def _apply(
        self, op: Op, operands: tuple[Value, ...], name: str, attributes: Attributes | None = None
    ) -> Value:
        """Write a statement. The name of its result begins with the name of the sum."""
        result, place = self._sum.statement.result.name, self._sum.statement.place
        fresh = self._builder.fresh(f"{result}_{name}")
        return self._builder.apply(op, operands, attributes or {}, fresh, place)
