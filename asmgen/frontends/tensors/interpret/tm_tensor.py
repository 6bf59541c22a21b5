"""Ops of torch-mlir next to linalg: scans, sorts, scatters and attention, element after element."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cmp_to_key
from itertools import product

import numpy as np

from asmgen.frontends.tensors.interpret.call import Call, Semantics, Unknown
from asmgen.frontends.tensors.interpret.values import Array, Value, rounded

_MOST = 1 << 15  # elements that a loop of Python visits


def _scan(call: Call) -> list[Value]:
    x, _, start = call.arrays
    axis, is_inclusive = call.operation.integer("dimension"), bool(call.operation.attributes["inclusive"])
    rows = np.moveaxis(x, axis, 0)
    made: list[Array] = [rows[0] if is_inclusive else start]
    for number in range(1, len(rows)):
        made += call.body([made[-1], rows[number if is_inclusive else number - 1]])
    return [np.moveaxis(np.stack(made), 0, axis), made[-1]]


def _sort(call: Call) -> list[Value]:
    """Each row in the order of a comparison that says whether two elements may stay as they are."""
    axis = call.operation.integer("dimension")
    moved = [np.moveaxis(x, axis, -1) for x in call.arrays]
    if moved[0].size > _MOST:
        raise Unknown(call.operation)
    results = [x.copy() for x in moved]
    for row in product(*map(range, moved[0].shape[:-1])):
        rows = [x[row] for x in moved]

        def order(a: int, b: int, rows: Sequence[Array] = rows) -> int:
            pair = [np.asarray(x[each]) for x in rows for each in (a, b)]
            turned = [np.asarray(x[each]) for x in rows for each in (b, a)]
            return int(call.body(turned)[0].item()) - int(call.body(pair)[0].item())

        places = sorted(range(len(rows[0])), key=cmp_to_key(order))
        for x, result in zip(rows, results, strict=True):
            result[row] = x[places]
    return [np.moveaxis(x, -1, axis) for x in results]


def _scatter(call: Call) -> list[Value]:
    """Updates in order. The body takes the update, then the element that it changes."""
    updates, indices, x = call.arrays
    if updates.size > _MOST:
        raise Unknown(call.operation)
    axes, batches = call.operation.integers("dimension_map"), indices.ndim - 1
    windows = updates.ndim - batches
    others = [axis for axis in range(x.ndim) if axis not in axes] if windows < x.ndim else list(range(x.ndim))
    result = x.copy()
    for place in product(*map(range, updates.shape)):
        full = [0] * x.ndim
        for axis, index in zip(axes, indices[place[:batches]], strict=True):
            full[axis] = int(index)
        for axis, at in zip(others, place[batches:], strict=True):
            full[axis] += at
        if all(0 <= at < dim for at, dim in zip(full, x.shape, strict=True)):
            (result[tuple(full)],) = call.body([np.asarray(updates[place]), np.asarray(result[tuple(full)])])
    return [result]


def _attention(call: Call) -> list[Value]:
    q, k, v, *mask = call.arrays[:-1]
    scores: Array = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    scores = scores + mask[0] if mask else scores
    power = np.exp(scores - scores.max(-1, keepdims=True))
    return [rounded(power / power.sum(-1, keepdims=True) @ v, call.element)]


SEMANTICS: dict[str, Semantics] = {
    "tm_tensor.attention": _attention, "tm_tensor.scan": _scan, "tm_tensor.scatter": _scatter,
    "tm_tensor.sort": _sort,
}  # fmt: skip
