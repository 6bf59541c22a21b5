"""The control flow and tuples of StableHLO, and `scf.if`.

Both branches of an `if` are computed, and their results chosen. A `while` is computed for all trips at once
if its body allows that (`trips.py`). Any other is unrolled: its condition must be known in each trip, as that
of a counter is, or a counter must end it at the latest (`bounded.py`).
"""

from __future__ import annotations

from collections.abc import Callable

from asmgen.frontends.tensors.op_call import Item, OpCall, Results
from asmgen.frontends.tensors.stablehlo.branches import chosen
from asmgen.frontends.traced.array import Array, apply
from asmgen.frontends.traced.making import like

Rule = Callable[[OpCall], Results]
_MOST_TRIPS = 1024
_MOST_STATEMENTS = 20_000  # of the graph, when a loop ends


def _if(call: OpCall) -> Results:
    (condition,) = call.arrays
    if not call.operation.results:
        call.refuse("it has no results, wanted tensors that it computes")
    known = call.number(condition)
    branches = [region.blocks[0] for region in call.operation.regions]
    if known is not None:
        return call.block(branches[0] if known else branches[1], ())
    return [
        chosen(call, condition, a, b)
        for a, b in zip(*[call.block(branch, ()) for branch in branches], strict=True)
    ]


def _case(call: OpCall) -> Results:
    """An index that is no branch chooses the last."""
    (index,) = call.arrays
    branches = [region.blocks[0] for region in call.operation.regions]
    known = call.number(index)
    if known is not None:
        number = int(known)
        return call.block(branches[number if 0 <= number < len(branches) else -1], ())
    *others, last = [call.block(branch, ()) for branch in branches]
    results = list(last)
    for number, items in enumerate(others):
        is_chosen = apply("equal", index, like(number, index))
        results = [chosen(call, is_chosen, a, b) for a, b in zip(items, results, strict=True)]
    return results


def _while(call: OpCall) -> Results:
    from asmgen.frontends.tensors.stablehlo.bounded import bounded_trips
    from asmgen.frontends.tensors.stablehlo.element_loops import element_trips
    from asmgen.frontends.tensors.stablehlo.trips import all_trips

    at_once = all_trips(call)
    if at_once is not None:
        return at_once
    condition, body = [region.blocks[0] for region in call.operation.regions]
    items: tuple[Item, ...] = call.items
    for _ in range(_MOST_TRIPS + 1):
        (goes_on,) = call.block(condition, items)
        known = call.number(goes_on) if isinstance(goes_on, Array) else None
        if known is None:
            by_element = element_trips(call)
            if by_element is not None:
                return by_element
            bounded = bounded_trips(call, _MOST_TRIPS, lambda: _check_statements(call))
            if bounded is not None:
                return bounded
            help = (
                "the condition may compare a counter that begins and steps by constants, and have others "
                "besides, as (error > tolerance) & (k < 50); a count of the "
                "launch takes scans of sums, products, extremes, and elementwise ops on slices at the "
                "counter"
            )
            call.refuse("the number of its trips is not known, wanted a loop with a count", help)
        if not known:
            return items
        items = call.block(body, items)
        _check_statements(call)
    return call.refuse(f"it has more than {_MOST_TRIPS} trips, wanted at most that: trips are unrolled")


def _check_statements(call: OpCall) -> None:
    if len(call.tracer.builder.statements) > _MOST_STATEMENTS:
        call.refuse(f"the unrolled loop has more than {_MOST_STATEMENTS} statements, wanted fewer trips")


def _tuple(call: OpCall) -> Results:
    return [call.items]


def _element(call: OpCall) -> Results:
    (items,) = call.items
    assert isinstance(items, tuple), "the operand is a tuple"
    return [items[call.operation.integer("index")]]


RULES: dict[str, Rule] = {
    f"stablehlo.{name}": rule
    for name, rule in {
        "case": _case, "get_tuple_element": _element, "if": _if, "tuple": _tuple, "while": _while,
    }.items()
} | {"scf.if": _if}  # fmt: skip
