"""The shapes of products, from a kernel and before the kernel is cut from its graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import gcd, prod

from asmgen.blockwise.matrix import Rated, fastest
from asmgen.blockwise.schedules.choosing.computing import work_of
from asmgen.blockwise.schedules.choosing.product_candidates import (
    COPIED,
    least_of,
    tiles_of,
)
from asmgen.blockwise.schedules.choosing.product_tile import (
    Shape,
)
from asmgen.blockwise.schedules.elements.joined_columns import joined_columns
from asmgen.blockwise.schedules.elements.maps import moves
from asmgen.blockwise.schedules.elements.neighbours import is_along, loaded_bytes
from asmgen.blockwise.schedules.elements.straight import is_copied
from asmgen.blockwise.schedules.kernel_graph import Graph
from asmgen.blockwise.transposes import transposing_loads
from asmgen.graph.block_dots import PRODUCTS
from asmgen.graph.fusion.epilogues import view_of
from asmgen.graph.fusion.keep import is_read, moved_from
from asmgen.graph.fusion.packed_factors import packed_bytes
from asmgen.index.size import most
from asmgen.ir.program import Statement, Value, tensor_type
from isa.target import Target


def shape_of(graph: Graph, target: Target) -> Shape:
    """The shape of a kernel's products."""
    dots = graph.products
    a, b = dots[0].operands[:2]
    along = (is_along(graph.defined, a, -1), is_along(graph.defined, b, -2))
    packed = packed_bytes(graph.defined, dots[0])
    copied = _are_copied(graph.defined, dots, along, target)
    element = tensor_type(a).element.bytes
    first, second = [loaded_bytes(graph.defined, factor) for factor in (a, b)]
    loaded = (0 if first == element else first, 0 if packed or second == element else second)
    shape = Shape.of(dots[0], along, packed, graph.rounds_factors, copied, loaded)
    shape = shape._replace(issues=_issues(graph.defined, dots[0], packed)).joint(dots, len(graph.returns))
    if graph.reductions:
        return _reducing(shape, graph, target)
    return _of_parts(shape, graph, target)


def _issues(defined: Mapping[Value, Statement], dot: Statement, packed: float) -> tuple[float, float]:
    """The instructions that compute an element of each factor in the loads; 0 for a factor in memory, and for
    packed elements, which waves compute as they multiply."""
    a, b = [
        0.0 if is_read(defined, factor) else work_of(defined, moved_from(defined, factor)).issues
        for factor in dot.operands[:2]
    ]
    return a, 0.0 if packed else b


def _of_parts(shape: Shape, graph: Graph, target: Target) -> Shape:
    """The shape if each workgroup reads one of the matrices that the second factor has next to each other."""
    columns = joined_columns(graph.defined, graph.products[0].operands[1])
    joined = shape._replace(loaded=(shape.loaded[0], 0), joined=gcd(*columns))
    if not columns or shape.is_joint:
        return shape
    return joined if any(tiles_of(joined, target, rated_of(joined, target))) else shape


def _reducing(shape: Shape, graph: Graph, target: Target) -> Shape:
    view, dims = view_of(graph.defined, graph.reductions[0]), tensor_type(graph.products[0].result).dims
    assert view is not None, "the schedule contract takes no other reduction"
    whole = [value for value in map(tensor_type, graph.returns) if value.elements == prod(dims)]
    stored = sum([value.element.bytes for value in whole])
    exchanges = len(graph.levels) > 1 or not view.in_parts
    own = shape._replace(reductions=len(graph.reductions), exchanges=exchanges, stored=stored)
    return reducing(own, view.axis - (len(dims) - 2), most(view.length), target)


def reducing(shape: Shape, axis: int, length: int, target: Target) -> Shape:
    """The shape of products of which a kernel also reduces rows, along `axis` 1, or columns, along 0. A tile
    has parts of so many elements, or whole rows in the smallest such tile; with a `length` of 0 any number.
    If results of reductions are exchanged, each part is of a whole tile; if not, of a wave."""
    rated = rated_of(shape, target)
    wanted = max(least_of(rated)[axis], 1 << (length - 1).bit_length()) if length else 0
    return shape._replace(axis=axis, length=wanted, exchanges=shape.exchanges or rated is None)


def _are_copied(
    defined: Mapping[Value, Statement], dots: Sequence[Statement], along: tuple[bool, bool], target: Target
) -> bool:
    """Whether all factors can go straight to LDS, and lanes load several of their elements at once from
    there."""
    element = tensor_type(dots[0].operands[0]).element
    if COPIED not in target.lds_copy_bytes or not along[0]:
        return False
    if not along[1] and not any(load.loads(element) for load in transposing_loads(target)):
        return False
    factors = [factor for dot in dots for factor in dot.operands[:2]]
    return all(is_copied(defined, factor, element, COPIED) for factor in factors)


def shape_of_dots(
    dots: Sequence[Statement],
    defined: Mapping[Value, Statement],
    target: Target,
    rounds: bool,
    results: int,
) -> Shape:
    """The shape of products before their kernel is cut from the graph."""
    a, b = [tensor_type(factor) for factor in dots[0].operands[:2]]
    packed = packed_bytes(defined, dots[0])
    is_along_k = is_along(defined, dots[0].operands[1], -2) if packed else b.strides[-2] == 1
    along = a.strides[-2] != 1, is_along_k
    first, second = [
        tensor_type(factor).element.bytes if _is_computed(defined, factor) else 0
        for factor in dots[0].operands[:2]
    ]
    copied = _are_copied(defined, dots, along, target)
    shape = Shape.of(dots[0], along, packed, rounds, copied, (first, 0 if packed else second))
    return shape.joint(dots, results)


def _is_computed(defined: Mapping[Value, Statement], factor: Value) -> bool:
    """Whether loads of a factor may compute its elements. If a factor is computed from the results of a
    product, the launch of that product stores the factor."""
    while moves(defined[factor]):
        factor = defined[factor].operands[0]
    reached, pending = {factor}, [factor]
    while pending:
        statement = defined[pending.pop()]
        if statement.op in PRODUCTS:
            return False
        new = [each for each in statement.operands if each not in reached]
        reached.update(new)
        pending += new
    return defined[factor].op.pointwise


def rated_of(shape: Shape, target: Target) -> Rated | None:
    """The fastest matrix instruction for the factors."""
    return fastest(shape.element, target, shape.rounds, shape.has_powers)
