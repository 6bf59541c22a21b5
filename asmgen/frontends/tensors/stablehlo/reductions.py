"""StableHLO's `reduce`.

* a body of a single op, or a body that chooses the larger or smaller operand: a reduction of the graph
* a body of a number and its index that chooses as argmax does: argmax, and the maximum
* any other associative body: neighbours are combined by the body, then the results, until a single result is
  left
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import product as pairs

from asmgen.frontends.tensors.associative import why_no_reduction, with_constants
from asmgen.frontends.tensors.bodies import part_of
from asmgen.frontends.tensors.computing import computed
from asmgen.frontends.tensors.op_call import Item, OpCall, Results
from asmgen.frontends.tensors.regions import (
    Number,
    computes,
    is_same,
    maximum,
    minimum,
    ordered,
    samples,
    single_op,
)
from asmgen.frontends.tensors.stablehlo.shapes import permuted, reshaped, sliced, stepped
from asmgen.frontends.traced.array import Array, apply
from asmgen.index.size import Size, Sizes, number, numbers
from asmgen.ir.numbers import integer_range
from asmgen.ir.types import BOOL, ElementType
from asmgen.mlir.source import Block
from isa.named_tuple import NamedTuple

Rule = Callable[[OpCall], Results]
_MOST = 1 << 20  # elements that a body combines


class Kind(NamedTuple):
    """A reduction of the graph, the ufunc that combines two results, and the number that changes nothing."""

    op: str
    ufunc: str
    neutral: Callable[[ElementType], Number]


def lowest(element: ElementType) -> Number:
    """The least number of a type."""
    return -math.inf if element.is_float else integer_range(element)[0]


def highest(element: ElementType) -> Number:
    """The greatest number of a type."""
    return math.inf if element.is_float else integer_range(element)[1]


def _number(number: Number) -> Callable[[ElementType], Number]:
    return lambda _element: number


SUM = Kind("reduce_sum", "add", _number(0))
PRODUCT = Kind("reduce_prod", "multiply", _number(1))
MAXIMUM = Kind("reduce_max", "maximum", lowest)
MINIMUM = Kind("reduce_min", "minimum", highest)
ANY = Kind("reduce_any", "logical_or", _number(False))
ALL = Kind("reduce_all", "logical_and", _number(True))
_BY_OP = {
    "add": SUM, "multiply": PRODUCT, "maximum": MAXIMUM, "minimum": MINIMUM,
    "addf": SUM, "addi": SUM, "mulf": PRODUCT, "muli": PRODUCT, "maximumf": MAXIMUM, "maxsi": MAXIMUM,
    "minimumf": MINIMUM, "minsi": MINIMUM,
}  # fmt: skip
"""By the names of StableHLO and of arith."""
_OF_BOOL = {
    "add": ANY, "or": ANY, "maximum": ANY, "multiply": ALL, "and": ALL, "minimum": ALL,
    "ori": ANY, "andi": ALL,
}  # fmt: skip


def kind_by(name: str, element: ElementType) -> Kind | None:
    """The reduction by an op; None for another op."""
    return (_OF_BOOL if element is BOOL else _BY_OP).get(name.partition(".")[2])


def kind_of(block: Block, element: ElementType) -> Kind | None:
    """The reduction that a body of two numbers is; None for another body."""
    known = kind_by(single_op(block) or "", element)
    if known is not None:
        return known
    if computes(block, element, maximum):
        return ANY if element is BOOL else MAXIMUM
    if computes(block, element, minimum):
        return ALL if element is BOOL else MINIMUM
    return None


def _reduce(call: OpCall) -> Results:
    count = len(call.arrays) // 2
    given, first = call.arrays[:count], call.arrays[count:]
    return reduced_by(call, call.operation.body, given, first, call.operation.integers("dimensions"))


def reduced_by(
    call: OpCall, body: Block, given: Sequence[Array], first: Sequence[Array], axes: Sequence[int]
) -> Sequence[Item]:
    """A reduction along axes by a body of two elements, each with a number of each operand. It begins with
    `first`. `InputError` TNS004 for a body that is no reduction."""
    reduced_dims = [given[0].type.dims[axis] for axis in axes]
    if 0 in reduced_dims:
        return first
    parts = [part_of(body, number) for number in range(len(given))]
    kinds = [part and kind_of(part, x.type.element) for part, x in zip(parts, given, strict=True)]
    known = [kind for kind in kinds if kind is not None]
    if len(known) == len(kinds):
        triples = zip(given, first, known, strict=True)
        return [reduced(call, x, start, axes, kind) for x, start, kind in triples]
    body = with_constants(body)
    for operand in range(len(given)):
        found = _extreme(call, body, given, first, axes, operand)
        if found is not None:
            return found
    check_reduces(call, body, given)
    if any(isinstance(dim, Size) for dim in reduced_dims):
        message = "its body is not a reduction of the graph, and only the launch knows a dim"
        call.refuse(f"{message}; wanted numbers")
    rows = [_reduced_last(x, axes, math.prod(numbers(tuple(reduced_dims)))) for x in given]
    return combined_in_pairs(call, body, rows, first, rows[0].type.dims[:-1])


def check_reduces(call: OpCall, body: Block, given: Sequence[Array]) -> None:
    """`InputError` TNS004 for a body that is no reduction."""
    reason = why_no_reduction(with_constants(body), [x.type.element for x in given])
    if reason is not None:
        call.refuse(reason)


def reduced(call: OpCall, x: Array, first: Array, axes: Sequence[int], kind: Kind) -> Array:
    """A reduction that begins with `first`."""
    if axes:
        x = apply("squeeze", apply(kind.op, x, axes=tuple(axes)), axes=tuple(axes))
    return combined(call, x, first, kind)


def combined(call: OpCall, x: Array, first: Array, kind: Kind) -> Array:
    """Results of a reduction with the number that it begins with."""
    begins = call.number(first)
    is_neutral = begins is not None and begins == kind.neutral(x.type.element)
    return x if is_neutral else computed(kind.ufunc, x, first)


def _extreme(
    call: OpCall,
    body: Block,
    given: Sequence[Array],
    first: Sequence[Array],
    axes: Sequence[int],
    operand: int,
) -> list[Item] | None:
    """The extreme elements of an operand along an axis and their indices, which are the other operand,
    if the body finds them; None for another body."""
    if len(given) != 2 or len(axes) != 1 or given[operand].type.element is BOOL:
        return None
    x, places = given[operand], given[1 - operand]
    if call.counted_axis(places) != axes[0]:
        return None
    for is_max, is_last in pairs((True, False), repeat=2):
        if _finds(body, operand, x.type.element, is_max, is_last):
            extreme = apply("reduce_max" if is_max else "reduce_min", x, axes=tuple(axes))
            place = apply("argmax" if is_max else "argmin", x, axis=axes[0], select_last_index=is_last)
            place, extreme = [apply("squeeze", each, axes=tuple(axes)) for each in (place, extreme)]
            found = [extreme, apply("convert", place, target_type=places.type.element.name)]
            found = found if operand == 0 else found[::-1]
            worst = (lowest if is_max else highest)(x.type.element)
            is_neutral = call.number(first[operand]) == worst and call.number(first[1 - operand]) == 0
            return list(found if is_neutral else call.inline(body, [*first, *found]))
    return None


def _finds(body: Block, operand: int, element: ElementType, is_max: bool, is_last: bool) -> bool:
    """Whether a body of numbers, which are operand `operand`, and their indices chooses the extreme number,
    and of equal numbers the first or the last. Its left operands come before the right operands. Numbers next
    to a NaN may have any result that is theirs: what follows depends on the order of a reduction."""
    for a, b in pairs(samples(element), repeat=2):
        given = (a, 0, b, 1) if operand == 0 else (0, a, 1, b)
        result = ordered(body, given) if len(body.arguments) == 4 else None
        if result is None or len(result) != 2:
            return False
        if a != a or b != b:
            continue
        takes_first = (not is_last) if a == b else (a > b) == is_max
        place = 0 if takes_first else 1
        if not is_same(result[operand], (a, b)[place]) or result[1 - operand] != place:
            return False
    return True


def combined_in_pairs(
    call: OpCall, body: Block, given: Sequence[Array], first: Sequence[Array], dims: Sizes
) -> list[Item]:
    """Any body, along the last axis of its operands: neighbours are combined until an element is left, which
    is combined with `first`."""
    arrays, elements = list(given), number(given[0].type.dims[-1])
    if elements > _MOST:
        call.refuse(f"its body combines {elements} elements, wanted at most {_MOST}, or a single op")
    while elements > 1:
        half = elements // 2
        left, right = [[_every_other(x, start, half) for x in arrays] for start in (0, 1)]
        made = call.inline(body, [*left, *right])
        rest = [_part(x, 2 * half, elements) for x in arrays] if elements % 2 else []
        arrays = [each for each in made if isinstance(each, Array)]
        if rest:
            arrays = [apply("concat", x, last, axis=-1) for x, last in zip(arrays, rest, strict=True)]
        elements = half + elements % 2
    return list(call.inline(body, [*first, *[reshaped(x, dims) for x in arrays]]))


def _reduced_last(x: Array, axes: Sequence[int], elements: int) -> Array:
    """The reduced axes as a single last axis."""
    kept = [axis for axis in range(x.type.rank) if axis not in axes]
    turned = permuted(x, [*kept, *sorted(axes)])
    return reshaped(turned, (*[x.type.dims[axis] for axis in kept], elements))


def _part(x: Array, start: int, end: int) -> Array:
    dims = x.type.dims
    return sliced(x, [*[0] * (len(dims) - 1), start], [*dims[:-1], end])


def _every_other(x: Array, start: int, count: int) -> Array:
    part = _part(x, start, start + 2 * count - 1)
    return stepped(part, [*[1] * (x.type.rank - 1), 2])


RULES: dict[str, Rule] = {"stablehlo.reduce": _reduce}
