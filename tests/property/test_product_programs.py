"""Programs with matrix products as users of numpy write them, against numpy in float64: attention, adapters, experts, convolutions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import asmgen
from tests.device import chosen_device
from tests.rows import MACHINES

Program = Callable[..., Any]
_TYPES: dict[str, type] = {"f16": np.float16, "f32": np.float32, "i32": np.int32}


def softmax(scores: Any) -> Any:
    powers = np.exp(scores - scores.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


def grouped(q: Any, k: Any, v: Any) -> Any:
    """Three heads of q share a head of k and of v."""
    return np.einsum("bgrqk,bgkd->bgrqd", softmax(np.einsum("bgrqd,bgkd->bgrqk", q, k)), v)


def swiglu(x: Any, gate: Any, up: Any, down: Any) -> Any:
    return ((x @ gate) / (1 + np.exp(-(x @ gate))) * (x @ up)) @ down


def rms(x: Any, scale: Any, w: Any) -> Any:
    return (x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-5) * scale) @ w


def covariance(x: Any) -> Any:
    centred = x - x.mean(0)
    return centred.T @ centred / 31


def causal(q: Any, k: Any, v: Any) -> Any:
    return softmax(np.where(np.tril(np.ones((16, 16), np.bool_)), q @ k.T, -1e4)) @ v


# A function, and its inputs. An i32 is an index, below the number after the colon.
PROGRAMS: dict[str, tuple[Program, list[tuple[Any, ...]]]] = {
    "attention": (lambda q, k, v: softmax(q @ k.swapaxes(-1, -2) / 4) @ v, [("f16", 2, 3, 20, 16), *[("f16", 2, 3, 24, 16)] * 2]),
    "grouped attention": (grouped, [("f16", 1, 2, 3, 5, 8), *[("f16", 1, 2, 7, 8)] * 2]),
    "causal attention": (causal, [("f32", 16, 8)] * 3),
    "decoding": (lambda q, k, v: softmax(k @ q) @ v, [("f16", 64), *[("f16", 130, 64)] * 2]),
    "linear attention": (lambda q, k, v: q @ (k.T @ v), [("f32", 30, 8), ("f32", 30, 8), ("f32", 30, 12)]),
    "adapter": (lambda x, w, a, b: x @ w.T + (x @ a.T) @ b.T, [("f16", 20, 64), ("f16", 48, 64), ("f16", 4, 64), ("f16", 48, 4)]),
    "merged adapter": (lambda x, w, a, b: x @ (w + b @ a).T, [("f32", 20, 32), ("f32", 24, 32), ("f32", 4, 32), ("f32", 24, 4)]),
    "experts": (lambda x, w, e: np.einsum("tk,tkn->tn", x, w[e]), [("f32", 10, 16), ("f32", 4, 16, 12), ("i32:4", 10)]),
    "rows of tokens": (lambda x, w, t: x[t] @ w, [("f16", 40, 32), ("f16", 32, 24), ("i32:40", 17)]),
    "gated experts": (
        lambda x, w, g: np.einsum("te,ten->tn", softmax(g), np.einsum("tk,ekn->ten", x, w)),
        [("f32", 9, 16), ("f32", 4, 16, 8), ("f32", 9, 4)],
    ),
    "outer products": (lambda a, b: np.einsum("bi,bj->bij", a, b), [("f16", 5, 7), ("f16", 5, 9)]),
    "sum of outer products": (lambda a, b: np.einsum("bi,bj->ij", a, b), [("f16", 40, 17), ("f16", 40, 9)]),
    "pointwise convolution": (lambda x, w: np.einsum("bchw,oc->bohw", x, w), [("f16", 2, 8, 5, 6), ("f16", 12, 8)]),
    "covariance": (covariance, [("f32", 32, 9)]),
    "distances": (lambda x, y: (x * x).sum(1)[:, None] + (y * y).sum(1)[None] - 2 * x @ y.T, [("f32", 21, 8), ("f32", 13, 8)]),
    "quadratic forms": (lambda x, s: np.einsum("ni,ni->n", x @ s, x), [("f32", 21, 8), ("f32", 8, 8)]),
    "product of Kronecker": (lambda a, b, x: (a @ x.reshape(4, 3) @ b.T).reshape(-1), [("f32", 5, 4), ("f32", 2, 3), ("f32", 12)]),
    "triangular factor": (lambda a, b: np.tril(a) @ b, [("f16", 17, 17), ("f16", 17, 9)]),
    "mixed types": (lambda a, b: a @ b, [("f16", 17, 20), ("f32", 20, 9)]),
    "odd strides": (lambda a, b: a[:, ::3] @ b[1::2], [("f32", 17, 60), ("f32", 41, 9)]),
    "reversed": (lambda a, b: a[::-1] @ b[:, ::-1], [("f16", 17, 20), ("f16", 20, 9)]),
    "joined and padded": (
        lambda a, b, w: np.pad(np.concatenate([a, b], 1), ((0, 0), (0, 3))) @ w,
        [("f32", 8, 10), ("f32", 8, 7), ("f32", 20, 6)],
    ),
    "no rows, no products": (lambda a, b, c: (a @ b) @ c + 1, [("f32", 6, 0), ("f32", 0, 9), ("f32", 9, 4)]),
    "gated units": (swiglu, [("f16", 9, 32), ("f16", 32, 48), ("f16", 32, 48), ("f16", 48, 16)]),
    "norm before": (rms, [("f16", 9, 32), ("f16", 32), ("f16", 32, 48)]),
    "power": (lambda a: a @ a @ a, [("f32", 12, 12)]),
    "trace": (lambda a, b: np.trace(a @ b), [("f32", 12, 15), ("f32", 15, 12)]),
}
_LOSS = {"f16": 6e-3, "f32": 2e-5}  # of the largest result


@pytest.mark.parametrize(("name", "machine"), [(name, MACHINES[number % len(MACHINES)]) for number, name in enumerate(PROGRAMS)])
def test_a_program_is_that_of_numpy(name: str, machine: str) -> None:
    function, inputs = PROGRAMS[name]
    draw = np.random.default_rng(len(name))
    arrays: list[Any] = []
    for element, *dims in inputs:
        type_, _, most = element.partition(":")
        drawn = draw.integers(0, int(most), dims) if most else draw.uniform(-1, 1, dims)
        arrays.append(drawn.astype(_TYPES[type_]))
    (found,) = asmgen.compile(function, target=machine, inputs=arrays, verify_passes=True)(*arrays, device=chosen_device())
    exact = function(*[array if array.dtype.kind == "i" else array.astype(np.float64) for array in arrays])
    assert found.shape == exact.shape
    loss = max(_LOSS[element] for element, *_ in inputs if element in _LOSS)
    error = np.max(np.abs(found.astype(np.float64) - exact), initial=0)
    assert error <= loss * max(1, np.max(np.abs(exact), initial=0))
