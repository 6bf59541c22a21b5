"""Atomic operations on floats that a target has no instruction for: a loop around compare and swap.

The first compare and swap, of 0 with 0, changes nothing and returns what is in memory. Each trip combines
that with the number and writes the result, if no other lane has written there meanwhile. If one has, the next
trip begins with what that lane wrote.
"""

from __future__ import annotations

from collections.abc import Callable

from asmgen.graph.ops import COMBINES
from asmgen.ir.program import Attribute, Module, Statement, Value
from asmgen.ir.types import BOOL, F32, U32, U64
from asmgen.lanewise.atomic_ops import ATOMIC, COMPARE_SWAP, LDS_ATOMIC, LDS_COMPARE_SWAP
from asmgen.lanewise.atomic_rows import row_name
from asmgen.lanewise.builder import LaneBuilder
from asmgen.lanewise.math.expand import expand_by
from asmgen.lanewise.math.tables import Expansions
from asmgen.lanewise.records import Atomic
from isa.table import Table

_SWAPS = {ATOMIC: COMPARE_SWAP, LDS_ATOMIC: LDS_COMPARE_SWAP}
_COMBINES = {"add": COMBINES["sum"], "min": COMBINES["min"], "max": COMBINES["max"]}


def expand_atomics(module: Module, table: Table) -> Module:
    """A module whose atomic operations a target has; the same one where it has them all."""
    if not any(statement.op in _SWAPS for statement in module.walk()):
        return module
    expansion = _expansion(table)
    wanted: Expansions = {(op, name, name): expansion for op in _SWAPS for name in ("f32", "f64")}
    return expand_by(module, wanted)


def _expansion(table: Table) -> Callable[[LaneBuilder, tuple[Value, ...], Statement], Value]:
    def expand(builder: LaneBuilder, operands: tuple[Value, ...], statement: Statement) -> Value:
        kind, element = Atomic.of(statement).op, statement.result.type.element
        if table.find(row_name(statement.op, kind, element)) is not None:
            (result,) = builder.apply(statement.op, operands, statement.attributes)
            return result
        return _loop(builder, operands, statement)

    return expand


def _loop(builder: LaneBuilder, operands: tuple[Value, ...], statement: Statement) -> Value:
    buffer, index, number = operands
    bits = U32 if statement.result.type.element is F32 else U64
    combine = _COMBINES[Atomic.of(statement).op]
    attributes = {name: value for name, value in statement.attributes.items() if name != "op"}
    swap = _SWAPS[statement.op]

    def swapped(expected: Value, new: Value, given: dict[str, Attribute]) -> Value:
        (found,) = builder.apply(swap, (buffer, index, expected, new), given)
        return found

    def trip(carried: tuple[Value, ...]) -> tuple[Value, ...]:
        found = swapped(carried[0], builder.value(combine, carried[0], number), attributes)
        return found, builder.not_equal(builder.bit_cast(found, bits), builder.bit_cast(carried[0], bits))

    zero = builder.like(0, number)
    first = swapped(zero, zero, {**attributes, "order": "relaxed"})
    return builder.while_((first, builder.constant(True, BOOL)), lambda carried: carried[1], trip)[0]
