"""The factors of a program's longest matrix products: sums of their products can be made to cancel.

The bound of a sum grows with its length. From 2**14 products on it may exceed a single ordinary product, and
so does the rounding of a large sum to 16 bits.
"""

from __future__ import annotations

from collections.abc import Sequence

from asmgen.graph.block_dots import PRODUCTS
from asmgen.graph.ops import DOT_GENERAL, PARAM
from asmgen.ir.program import Module, Program, Statement, Value, tensor_type
from asmgen.ir.types import TensorType

_LONG = 1 << 14  # elements along an axis
_MOST = 4


def long_factors(graph: Program, parameters: Sequence[Statement]) -> tuple[int, ...]:
    """The places of up to 4 parameters with an axis of 2**14 elements or more that matrix products read.

    `parameters` are those of the graph, in order, at the sizes of a launch. Of each operand of a product the
    largest parameter counts.
    """
    types = [parameter.result.type for parameter in parameters]
    if not any(_is_long(type_) for type_ in types):
        return ()
    chosen: list[int] = []
    first = 0
    for module in graph.modules:
        for places in _operands_of_products(module, first):
            largest = max(places, key=lambda place: tensor_type(parameters[place].result).size)
            if _is_long(types[largest]) and largest not in chosen:
                chosen.append(largest)
        first += sum(statement.op is PARAM for statement in module.statements)
    return tuple(chosen[:_MOST])


def _is_long(type_: object) -> bool:
    return isinstance(type_, TensorType) and max(type_.shape, default=0) >= _LONG


def _operands_of_products(module: Module, first: int) -> list[frozenset[int]]:
    """For each operand of each product the parameters from which it is computed, numbered from `first`."""
    reach: dict[Value, frozenset[int]] = {}
    found: list[frozenset[int]] = []
    for statement in module.statements:
        if statement.op is PARAM:
            reach[statement.result] = frozenset({first})
            first += 1
            continue
        operands = [reach[operand] for operand in statement.operands]
        if statement.op in PRODUCTS or statement.op is DOT_GENERAL:
            found += [places for places in operands if places]
        joined = frozenset([place for places in operands for place in places])
        reach.update(dict.fromkeys(statement.results, joined))
    return found
