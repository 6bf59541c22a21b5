"""StableHLO's products of matrices."""

from __future__ import annotations

from collections.abc import Callable

from asmgen.frontends.tensors.op_call import OpCall, Results
from asmgen.frontends.traced.array import Array, apply
from asmgen.graph.infer.products import results_of
from asmgen.ir.types import BOOL

Rule = Callable[[OpCall], Results]
_NUMBERS = "dot_dimension_numbers"


def _dot_general(call: OpCall) -> Results:
    return product(call, *numbered_axes(call))


def numbered_axes(call: OpCall) -> tuple[tuple[int, ...], ...]:
    """The batch axes of both factors of a `dot_general`, and the axes that it sums over."""
    return tuple(
        [
            call.listed(_NUMBERS, f"{side}_{kind}_dimensions")
            for kind in ("batching", "contracting")
            for side in ("lhs", "rhs")
        ]
    )


def _dot(call: OpCall) -> Results:
    a, _ = call.arrays
    return product(call, (), (), (a.type.rank - 1,), (0,))


def product(
    call: OpCall,
    left: tuple[int, ...],
    right: tuple[int, ...],
    summed: tuple[int, ...],
    with_: tuple[int, ...],
) -> Array:
    """The factors have the same type, and the result theirs or a wider type of 32 bits; other factors are
    converted to the type of the result."""
    a, b = call.arrays
    element = call.element
    for mine, its in zip((*left, *summed), (*right, *with_), strict=True):
        call.same(a.type.dims[mine], b.type.dims[its])
    if element is BOOL:
        call.refuse("got factors of i1, wanted numbers", "convert them to i32, and compare the result with 0")
    if a.type.element is not b.type.element or element not in results_of(a.type.element):
        a, b = [
            each if each.type.element is element else apply("convert", each, target_type=element.name)
            for each in (a, b)
        ]
    named = {} if a.type.element is element else {"target_type": element.name}
    return apply(
        "dot_general", a, b, lhs_batch=left, rhs_batch=right, lhs_contract=summed, rhs_contract=with_, **named
    )


RULES: dict[str, Rule] = {"stablehlo.dot_general": _dot_general, "stablehlo.dot": _dot}
