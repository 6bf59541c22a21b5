"""The results of branches that are all computed."""

from __future__ import annotations

from asmgen.frontends.tensors.op_call import Item, OpCall
from asmgen.frontends.traced.array import Array, apply


def chosen(call: OpCall, condition: Array, a: Item, b: Item) -> Item:
    """One of two results, both of which are computed."""
    if isinstance(a, Array) and isinstance(b, Array):
        return apply("where", condition, a, b)
    if not isinstance(a, tuple) or not isinstance(b, tuple):
        call.refuse("got branches with different results, wanted the same types")
    return tuple([chosen(call, condition, *each) for each in zip(a, b, strict=True)])
