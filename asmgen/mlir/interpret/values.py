"""Constants of the interpreter."""

from __future__ import annotations

from asmgen.mlir.interpret.memory import Number
from asmgen.mlir.interpret.numbers import element, rounded, wrapped
from asmgen.mlir.source import Dense, Operation
from asmgen.mlir.types import FloatType, Type, VectorType


def constant_of(operation: Operation) -> Number:
    """The number, or the vector, of an `arith.constant`."""
    value, type_ = operation.attributes["value"], operation.result.type
    if isinstance(type_, VectorType):
        assert isinstance(value, Dense)
        numbers = value.values * type_.elements if len(value.values) == 1 else value.values
        return [number_of(number, type_.element) for number in numbers]
    assert isinstance(value, int | float)
    return number_of(value, type_)


def number_of(value: float | int, type_: Type) -> Number:
    """A number as ops of its type take it."""
    return rounded(value, type_) if isinstance(element(type_), FloatType) else wrapped(int(value), type_)
