"""Running values: pointwise values that a later step continues, after products that were made of them.

    h_1 = add(x, dot(...))         the residual of a layer: the next products read h_1,
    h_2 = add(h_1, dot(...))       and the layer's end adds their results to it

The launches between cannot pass h_1 on unless it is stored. They would compute it again, each from all the
results of the layers before: 48 buffers in a model of 24 layers. The launch that makes the last operand of a
running value stores it. With n operands from memory and c launches that need the value, that takes n + c
accesses of each element instead of 1 + c n.
"""

from __future__ import annotations

from collections.abc import Mapping

from asmgen.graph.block_dots import PRODUCTS
from asmgen.graph.ops import BROADCAST, LITERAL, MULTIBROADCAST
from asmgen.ir.program import Module, Statement, Value, definitions

_REPEATED = frozenset({BROADCAST, LITERAL, MULTIBROADCAST})  # operands that take few accesses


def running_values(module: Module) -> frozenset[Value]:
    """The running values of a graph: pointwise values of several operands, with several readers, of which a
    pointwise reader also reads a value of more products."""
    defined = definitions(module)
    products: dict[Value, int] = {}  # on the longest path to a value
    continued: set[Value] = set()
    readers: dict[Value, int] = {}
    for statement in module.statements:
        most = max([products[operand] for operand in statement.operands], default=0)
        for operand in set(statement.operands):
            readers[operand] = readers.get(operand, 0) + 1
            if statement.op.pointwise and products[operand] < most:
                continued.add(operand)
        products |= dict.fromkeys(statement.results, most + (statement.op in PRODUCTS))
    return frozenset(
        [value for value in continued if readers[value] > 1 and _is_combined(defined[value], defined)]
    )


def _is_combined(statement: Statement, defined: Mapping[Value, Statement]) -> bool:
    """Whether a statement combines several values element by element."""
    operands = [each for each in statement.operands if defined[each].op not in _REPEATED]
    return statement.op.pointwise and len(set(operands)) > 1
