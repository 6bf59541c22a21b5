"""Builds modules statement by statement: operands checked, shapes broadcast in sight, result types inferred.

The parser and the tracer both build through it, so that a traced function and its gen text are the same
graph.
"""

from __future__ import annotations

import math
from collections.abc import Collection

from asmgen.graph.infer.checks import fail
from asmgen.graph.ops import LITERAL, MULTIBROADCAST, PARAM, RETURN
from asmgen.index.minimums import minimums_of
from asmgen.index.nodes import NotAnIndex
from asmgen.index.size import Size, symbols_of
from asmgen.ir.builder import StatementBuilder
from asmgen.ir.constants import Constants, Numbers
from asmgen.ir.numbers import FLOAT_FORMATS
from asmgen.ir.program import AttributeKind, Attributes, Module, Op, Statement, Value
from asmgen.ir.shapes import Dims, broadcast_dims
from asmgen.ir.types import TensorType, ValueType
from asmgen.text.cursor import counted
from asmgen.text.lexer import NUMBER_WORDS
from isa.diagnostics import Place

_ONE_NAMED = "write one of them as a number, and compile once for each"
MOST_MINIMUMS = 256  # in the expression of a size: each of them costs time in computations with the size


class GraphBuilder(StatementBuilder[Op, ValueType]):
    """The statements of a module. `taken` are names that new names must not collide with.

    Statements inside of an `origin` have its place, whatever place they are given.
    """

    def __init__(self, taken: Collection[str] = ()) -> None:
        super().__init__({*taken, *NUMBER_WORDS})
        self._broadcasts: dict[tuple[Value, Dims], Value] = {}

    def param(
        self,
        name: str,
        argument: str,
        type_: ValueType,
        place: Place | None = None,
        settings: Attributes | None = None,
    ) -> Value:
        """An argument; `settings` are some of `PARAM_SETTINGS`."""
        return self._add(PARAM, (), (Value(name, type_),), {"name": argument, **(settings or {})}, place)

    def literal(self, name: str, values: Numbers, type_: ValueType, place: Place | None = None) -> Value:
        numbers = values if isinstance(values, Constants) else tuple(values)
        return self._add(LITERAL, (), (Value(name, type_),), {"values": numbers}, place)

    def infer(
        self, op: Op, operands: tuple[Value, ...], attributes: Attributes, place: Place | None
    ) -> tuple[tuple[Value, ...], tuple[ValueType, ...]]:
        """The operands and the result types; the operands of a pointwise op are broadcast to a common
        shape by added statements.

        Raises `InputError` GEN302 for the number of operands, and the errors of the op's row.
        """
        if len(operands) < op.minimum or (op.maximum is not None and len(operands) > op.maximum):
            fail(op, place, "GEN302", f"{counted(len(operands), 'operand')}, wanted {_count(op)}")
        check_numbers(op, operands, attributes, place)
        try:
            types = op.infer(op, tuple([operand.type for operand in operands]), attributes, place)
        except NotAnIndex as error:
            fail(op, place, "GEN014", f"{error}, wanted one named dim in a size", _ONE_NAMED)
        _check_minimums(op, types, place)
        if op.pointwise and len(operands) > 1:
            operands = self._broadcast(operands, place)
        return operands, types

    def apply(
        self,
        op: Op,
        operands: tuple[Value, ...],
        attributes: Attributes,
        name: str,
        place: Place | None = None,
    ) -> Value:
        """Add a statement of an op that has a single result."""
        place = self._place or place
        operands, (type_,) = self.infer(op, operands, attributes, place)
        return self._add(op, operands, (Value(name, type_),), attributes, place)

    def finish(self, name: str, outputs: tuple[Value, ...], place: Place | None = None) -> Module:
        self.statements.append(Statement(RETURN, outputs, place=place))
        return Module(name, tuple(self.statements))

    def _add(
        self,
        op: Op,
        operands: tuple[Value, ...],
        results: tuple[Value, ...],
        attributes: Attributes,
        place: Place | None,
    ) -> Value:
        self.statements.append(Statement(op, operands, results, attributes, (), self._place or place))
        return results[0]

    def _broadcast(self, operands: tuple[Value, ...], place: Place | None) -> tuple[Value, ...]:
        shapes = tuple([operand.type.dims for operand in operands if isinstance(operand.type, TensorType)])
        if len(set(shapes)) <= 1:
            return operands
        dims = broadcast_dims(shapes)
        assert dims is not None, "the op's inference has refused shapes that do not broadcast"
        return tuple([self._broadcast_one(operand, dims, place) for operand in operands])

    def _broadcast_one(self, operand: Value, dims: Dims, place: Place | None) -> Value:
        if isinstance(operand.type, TensorType) and operand.type.dims == dims:
            return operand
        known = self._broadcasts.get((operand, dims))
        if known is None:
            known = self.apply(
                MULTIBROADCAST,
                (operand,),
                {"out_lens": dims},
                self.fresh(f"{operand.name}_broadcast"),
                place,
            )
            self._broadcasts[operand, dims] = known
        return known


def check_numbers(op: Op, operands: tuple[Value, ...], attributes: Attributes, place: Place | None) -> None:
    """The FLOAT attributes must be numbers of their row, in the range of the operand's type. Raises
    `InputError` GEN303."""
    for spec in op.attributes:
        value = attributes.get(spec.name)
        if spec.kind is not AttributeKind.FLOAT or not isinstance(value, int | float) or not operands:
            continue
        element = operands[0].type.element
        largest = FLOAT_FORMATS[element.name].largest if element.is_float else math.inf
        is_legal = spec.least <= value <= largest and -largest <= value and not math.isinf(value)
        if not is_legal and (spec.finite or math.isfinite(value)):
            low = max(spec.least, -largest)
            fail(
                op,
                place,
                "GEN303",
                f"{spec.name} is {value:g}, wanted a number from {low:g} to {largest:g}, the "
                f"range of {element}",
            )


def _check_minimums(op: Op, types: tuple[ValueType, ...], place: Place | None) -> None:
    """Sizes of clamped slices in each other double with each slice. Raises `InputError` GEN903 for a size of
    more than `MOST_MINIMUMS`.
    """
    sizes = [size for type_ in types if isinstance(type_, TensorType) for size in type_.dims]
    for size in sizes:
        count = minimums_of(size.expression) if isinstance(size, Size) else 0
        if count > MOST_MINIMUMS:
            name = next(symbols_of((size,))).name
            fail(
                op,
                place,
                "GEN903",
                f"a size of the result is made of {count} minimums of {name}, wanted at most {MOST_MINIMUMS}",
                f"write {name} as a number, and compile once for each; or take fewer slices of slices",
            )


def _count(op: Op) -> str:
    if op.maximum is None:
        return f"at least {op.minimum}"
    if op.maximum == op.minimum:
        return str(op.minimum)
    return f"{op.minimum} to {op.maximum}"
