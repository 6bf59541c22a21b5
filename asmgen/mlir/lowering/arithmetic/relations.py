"""Comparisons of integers and indices, by the predicates of arith.cmpi and index.cmp."""

from __future__ import annotations

from msgspec import Struct

from asmgen.graph import ops as graph
from asmgen.ir.program import Op, Value
from asmgen.ir.types import BOOL, I32, U32, U64, LaneType
from asmgen.lanewise import ops
from asmgen.mlir.lowering.arithmetic.index_builder import IndexBuilder
from asmgen.mlir.lowering.values import Index


class Relation(Struct, frozen=True):
    """`op` compares signed or unsigned numbers.

    `is_less`: the left number is to be smaller. `is_strict`: false for equal numbers.
    """

    op: Op
    is_signed: bool = False
    is_less: bool = False
    is_strict: bool = False


RELATIONS = {
    "eq": Relation(graph.EQUAL),
    "ne": Relation(ops.NOT_EQUAL),
    "slt": Relation(graph.LESS, is_signed=True, is_less=True, is_strict=True),
    "sle": Relation(ops.LESS_EQUAL, is_signed=True, is_less=True),
    "sgt": Relation(graph.GREATER, is_signed=True, is_strict=True),
    "sge": Relation(ops.GREATER_EQUAL, is_signed=True),
    "ult": Relation(graph.LESS, is_less=True, is_strict=True),
    "ule": Relation(ops.LESS_EQUAL, is_less=True),
    "ugt": Relation(graph.GREATER, is_strict=True),
    "uge": Relation(ops.GREATER_EQUAL),
}
_SWAPPED = {"slt": "sgt", "sle": "sge", "sgt": "slt", "sge": "sle"}
_UNSIGNED_OF = {"ult": "slt", "ule": "sle", "ugt": "sgt", "uge": "sge"}


def compare(indices: IndexBuilder, relation: str, a: Index, b: Index) -> Value:
    """The bool of a predicate of arith.cmpi: `eq`, `ne`, `slt` and so on."""
    known = _known(relation, a, b)
    if known is not None:
        return indices.builder.constant(known, LaneType(BOOL))
    if relation in _UNSIGNED_OF:
        if a.low < 0 or b.low < 0:
            whole = [indices.builder.bit_cast(indices.wide(number), U64) for number in (a, b)]
            return _related(indices, _UNSIGNED_OF[relation], *whole)
        relation = _UNSIGNED_OF[relation]
    unsigned = [number.is_u32 for number in (a, b)]
    signed = [number.is_i32 for number in (a, b)]
    if all(unsigned) or (all(signed) and relation in ("eq", "ne")):
        return _related(indices, relation, indices.word(a), indices.word(b))
    if all(signed):
        return _related(indices, relation, indices.signed(a), indices.signed(b))
    if RELATIONS[relation].is_signed and unsigned[0] and signed[1]:
        return _mixed(indices, relation, a, b)
    if RELATIONS[relation].is_signed and signed[0] and unsigned[1]:
        return _mixed(indices, _SWAPPED[relation], b, a)
    return _related(indices, relation, indices.wide(a), indices.wide(b))


def _mixed(indices: IndexBuilder, relation: str, a: Index, b: Index) -> Value:
    """Compare a u32 with an i32: a < b is a < max(b, 0) as u32, and a <= b is 0 <= b and a <= b as u32."""
    builder = indices.builder
    zero = builder.constant(0, I32)
    if relation in ("slt", "sge"):
        raised = builder.bit_cast(builder.max(indices.signed(b), zero), U32)
        return _related(indices, relation, indices.word(a), raised)
    words = _related(indices, relation, indices.word(a), indices.word(b))
    if relation == "sle":
        return builder.logical_and(builder.greater_equal(indices.signed(b), zero), words)
    return builder.logical_or(builder.less(indices.signed(b), zero), words)


def _related(indices: IndexBuilder, relation: str, a: Value, b: Value) -> Value:
    return indices.builder.value(RELATIONS[relation].op, a, b)


def _known(relation: str, a: Index, b: Index) -> bool | None:
    """The result, if the bounds determine it."""
    if relation in _UNSIGNED_OF:
        if a.low < 0 or b.low < 0:
            return None
        relation = _UNSIGNED_OF[relation]
    below, above = a.high < b.low, a.low > b.high
    match relation:
        case "eq":
            return False if below or above else True if a.is_constant and b.is_constant else None
        case "ne":
            return True if below or above else None
        case "slt":
            return True if below else False if a.low >= b.high else None
        case "sle":
            return True if a.high <= b.low else False if above else None
        case "sgt":
            return True if above else False if a.high <= b.low else None
        case _:
            return True if a.low >= b.high else False if below else None
