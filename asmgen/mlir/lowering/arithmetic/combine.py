"""Combining two numbers, for reductions and atomic operations, by the name of the operation."""

from __future__ import annotations

from collections.abc import Callable

from asmgen.graph import ops as graph
from asmgen.ir.program import Op, Value
from asmgen.ir.types import BOOL
from asmgen.lanewise.builder import LaneBuilder
from asmgen.mlir.lowering.arithmetic.lanes import as_signed, as_unsigned, bitwise, lanes_of, nan_or

Combine = Callable[[Value, Value], Value]
_PLAIN: dict[str, tuple[Op, Op | None]] = {  # the op for numbers, and for bools
    "add": (graph.ADD, graph.LOGICAL_XOR),
    "mul": (graph.MUL, graph.LOGICAL_AND),
    "minui": (graph.MIN, graph.LOGICAL_AND),
    "maxui": (graph.MAX, graph.LOGICAL_OR),
    "minnumf": (graph.MIN, None),
    "maxnumf": (graph.MAX, None),
    "and": (graph.BITWISE_AND, graph.LOGICAL_AND),
    "or": (graph.BITWISE_OR, graph.LOGICAL_OR),
    "xor": (graph.BITWISE_XOR, graph.LOGICAL_XOR),
}
# Kinds of `arith` that have another name.
COMBINED_BY_KIND = {
    "addf": "add", "addi": "add", "mulf": "mul", "muli": "mul", "maxs": "maxsi", "mins": "minsi",
    "maxu": "maxui", "minu": "minui", "andi": "and", "ori": "or", "xori": "xor",
}  # fmt: skip
_BITWISE = frozenset({graph.BITWISE_AND, graph.BITWISE_OR, graph.BITWISE_XOR})
_SIGNED = {"minsi": graph.MIN, "maxsi": graph.MAX}
_NAN = {"minimumf": graph.MIN, "maximumf": graph.MAX}


def applied(builder: LaneBuilder, op: Op, operands: tuple[Value, ...], kind: str, **counts: int) -> Value:
    """An op of lanewise with an attribute `op` that names the operation. Other attributes have their
    defaults."""
    whole = {spec.name: spec.default for spec in op.attributes} | {"op": kind, **counts}
    given = {name: value for name, value in whole.items() if value is not None}
    (result,) = builder.apply(op, operands, given)
    return result


def combiner(builder: LaneBuilder, name: str) -> Combine | None:
    """A function that combines two numbers; None for an unknown operation."""

    def plain(a: Value, b: Value) -> Value:
        numbers, bools = _PLAIN[name]
        if lanes_of(a).element is BOOL:
            return builder.value(bools or numbers, a, b)
        if numbers in _BITWISE:
            return bitwise(builder, numbers, a, b)
        return builder.value(numbers, a, b)

    def signed(a: Value, b: Value) -> Value:
        made = builder.value(_SIGNED[name], as_signed(builder, a), as_signed(builder, b))
        return as_unsigned(builder, made)

    def nan(a: Value, b: Value) -> Value:
        return nan_or(builder, _NAN[name], a, b)

    return plain if name in _PLAIN else signed if name in _SIGNED else nan if name in _NAN else None
