"""Relations of integers, by the words that arith.cmpi and index.cmp have for them."""

from __future__ import annotations

from msgspec import Struct

from asmgen.graph import ops as graph
from asmgen.ir.program import Op
from asmgen.lanewise import ops


class Relation(Struct, frozen=True):
    """`op` compares numbers of a type that has a sign or none, as the relation wants.

    `is_less`: the left one is to be the smaller. `is_strict`: equal ones do not fulfil it.
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
