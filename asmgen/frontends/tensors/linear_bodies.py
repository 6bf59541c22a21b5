"""Bodies of a linear recurrence: (a, b) before (c, d) is (a c, b c + d)."""

from __future__ import annotations

from asmgen.mlir.source import Block, Ssa
from isa.named_tuple import NamedTuple

_PRODUCTS = frozenset(["stablehlo.multiply", "arith.mulf", "arith.muli"])
_SUMS = frozenset(["stablehlo.add", "arith.addf", "arith.addi"])


class Linear(NamedTuple):
    """The part of an element that is the factor, and the part that is the summand."""

    factor: int
    summand: int


def linear_of(body: Block) -> Linear | None:
    """The parts of the elements that a body combines, an earlier with a later element; None if it is no
    linear recurrence."""
    if len(body.arguments) != 4:
        return None
    earlier, later = body.arguments[:2], body.arguments[2:]
    for factor, summand in ((0, 1), (1, 0)):
        product = _operands(body.terminator.operands[factor], _PRODUCTS)
        total = _operands(body.terminator.operands[summand], _SUMS)
        moved = [_operands(each, _PRODUCTS) for each in total - {later[summand]}]
        is_total = later[summand] in total and moved == [{earlier[summand], later[factor]}]
        if is_total and product == {earlier[factor], later[factor]}:
            return Linear(factor, summand)
    return None


def _operands(value: Ssa, of: frozenset[str]) -> set[Ssa]:
    """The operands of the op that computes a value, if it is one of these ops."""
    return set(value.owner.operands) if value.owner is not None and value.owner.name in of else set()
