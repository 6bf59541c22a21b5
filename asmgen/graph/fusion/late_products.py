"""Moves products behind reductions that the pointwise ops after them need, so that these ops are in the
product's kernel:

    s = reduce_sum[axes={1}](p)      s {4096,1}
    d = dot(a, b)                    d {4096,4096}, made without s
    y = sub(s, d)                    a result of the graph

Distances of all pairs of points are such results. A product moves only if no kernel reads its results before
its new place, and nothing of the same kernel needs the old place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from asmgen.graph.block_dots import PRODUCTS
from asmgen.ir.program import Statement, Value, tensor_type

_Needs = Mapping[Value, Mapping[Value, bool]]


def later_products(
    results: Iterable[Value],
    levels: Mapping[Value, int],
    needs: tuple[_Needs, _Needs],
    defined: Mapping[Value, Statement],
) -> dict[Value, int]:
    """The new levels of the products that move. `levels` has the number of kernels before the kernel of each
    value that a kernel makes. `needs` has, for each value and for the operands of each, the values that it is
    made of, and whether each of its elements is made of those at its own place alone."""
    own, before = needs
    moved: dict[Value, int] = {}
    for result in results:
        product = _late_product(result, levels, own[result], defined)
        if product is None:
            continue
        others = [need for need in own[result] if need is not product]
        level = 1 + max([levels[other] for other in others])
        reached = _all_needs(others, before)
        readers = [value for value in levels if product in before[value]]
        if product not in reached and all(levels[reader] > level for reader in readers):
            moved[product] = max(level, moved.get(product, 0))
    return moved


def _late_product(
    result: Value,
    levels: Mapping[Value, int],
    needs: Mapping[Value, bool],
    defined: Mapping[Value, Statement],
) -> Value | None:
    """The single product of which a result has elements at their places, if it needs values of kernels that
    are no earlier."""
    products = [need for need in needs if defined[need].op in PRODUCTS]
    if len(products) != 1:
        return None
    (product,) = products
    is_in_place = needs[product] and tensor_type(product).dims == tensor_type(result).dims
    is_late = any(levels[need] >= levels[product] for need in needs if need is not product)
    return product if is_in_place and is_late else None


def _all_needs(values: Iterable[Value], before: _Needs) -> set[Value]:
    """The values, and all that they are made of."""
    reached: set[Value] = set()
    pending = list(values)
    while pending:
        value = pending.pop()
        if value not in reached:
            reached.add(value)
            pending.extend(before[value])
    return reached
