"""Ops that torch's exporter writes next to linalg: scans, sorts, scatters and attention of torch-mlir."""

from __future__ import annotations

import math
from collections.abc import Callable

from asmgen.frontends.tensors.op_call import OpCall, Results
from asmgen.frontends.tensors.stablehlo.indexing import Gather, scattered
from asmgen.frontends.tensors.stablehlo.reductions import combined, kind_of
from asmgen.frontends.tensors.stablehlo.sorts import sorted_by
from asmgen.frontends.tensors.stablehlo.windows import SCANS
from asmgen.frontends.traced.array import apply
from asmgen.frontends.traced.making import like
from asmgen.index.size import numbers
from asmgen.mlir.source import Block

Rule = Callable[[OpCall], Results]


def _scan(call: OpCall) -> Results:
    """A scan and its last elements. An exclusive scan begins with the operand of the second result."""
    x, _, start = call.arrays
    kind = kind_of(call.operation.body, x.type.element)
    if kind is None or kind.op not in SCANS:
        call.refuse("its body is not a sum, product, maximum or minimum, wanted an op of its two arguments")
    axis, is_inclusive = call.operation.integer("dimension"), bool(call.operation.attributes["inclusive"])
    made = apply(SCANS[kind.op], x, axis=axis, exclusive=not is_inclusive)
    if not is_inclusive:
        made = combined(call, made, apply("unsqueeze", start, axes=(axis,)), kind)
    last = made.type.dims[axis]
    end = apply("slice", made, axes=(axis,), starts=(int(str(last)) - 1,), ends=(int(str(last)),))
    return [made, apply("squeeze", end, axes=(axis,))]


def _sort(call: OpCall) -> Results:
    """The comparison says of two elements whether they stay in their order."""
    return sorted_by(call, call.operation.integer("dimension"), stays=True)


def _scatter(call: OpCall) -> Results:
    """Windows of an operand with updates. The body takes the update first."""
    updates, indices, x = call.arrays
    axes = call.operation.integers("dimension_map")
    batches, rank = indices.type.rank - 1, x.type.rank
    windows = tuple(range(batches, updates.type.rank))
    inserted = axes if len(windows) == rank - len(axes) else ()
    of_updates = numbers(updates.type.dims)
    kept = [axis for axis in range(rank) if axis not in inserted]
    if len(kept) != len(windows):
        call.refuse(
            f"updates have {len(windows)} dims after their indices, wanted {rank - len(axes)} or {rank}"
        )
    sizes = [1] * rank
    for axis, at in zip(kept, windows, strict=True):
        sizes[axis] = of_updates[at]
    gather = Gather(windows, inserted, (), (), axes, batches, tuple(sizes))
    body = call.operation.body
    turned = Block(body.number, body.arguments[::-1], body.operations)
    return scattered(call, x, indices, updates, gather, turned)


def _attention(call: OpCall) -> Results:
    """softmax(q k / sqrt(d) + mask) v, for the last two axes."""
    q, k, v, *mask = call.arrays[:-1]
    rank, width = q.type.rank, numbers(q.type.dims)[-1]
    batch = tuple(range(rank - 2))
    scores = apply(
        "dot_general",
        q,
        k,
        lhs_batch=batch,
        rhs_batch=batch,
        lhs_contract=(rank - 1,),
        rhs_contract=(rank - 1,),
    )
    scores = apply("mul", scores, like(1 / math.sqrt(width), scores))
    scores = apply("add", scores, mask[0]) if mask else scores
    shares = apply("softmax", scores, axis=rank - 1)
    return apply(
        "dot_general",
        shares,
        v,
        lhs_batch=batch,
        rhs_batch=batch,
        lhs_contract=(rank - 1,),
        rhs_contract=(rank - 2,),
    )


RULES: dict[str, Rule] = {
    f"tm_tensor.{name}": rule
    for name, rule in {"attention": _attention, "scan": _scan, "scatter": _scatter, "sort": _sort}.items()
}  # fmt: skip
