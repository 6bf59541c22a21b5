"""The results of the everyday programs, by numpy in float64, a function of the program's arguments for each.

They are written from what a program is called, not from its gen text, so that they judge the text too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def _silu(x: Array) -> Array:
    return x / (1 + np.exp(-x))


def _norm(x: Array, weights: Array) -> Array:
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-5) * weights


def _rope(x: Array, c: Array, s: Array) -> Array:
    a, b = x[..., :64], x[..., 64:]
    return np.concatenate([a * c - b * s, b * c + a * s], -1)


def _cross_entropy(x: Array, label: Array) -> Array:
    most = x.max(1, keepdims=True)
    total = np.log(np.exp(x - most).sum(1, keepdims=True)) + most
    return total - np.take_along_axis(x, label.astype(int), 1)


def _batchnorm(x: Array, scale: Array, bias: Array, mean: Array, variance: Array) -> Array:
    return (x - mean) / np.sqrt(variance + 1e-5) * scale + bias


RESULTS: dict[str, Callable[..., Array | tuple[Array, ...]]] = {
    "avg_pool_nhwc_f16": lambda x: x.reshape(8, 56, 2, 56, 2, 64).mean((2, 4)),
    "avg_pool_nchw_f32": lambda x: x.reshape(8, 64, 56, 2, 56, 2).mean((3, 5)),
    "rope_f16": _rope,
    "swiglu_f16": lambda g, u: _silu(g) * u,
    "embedding_f16": lambda t, ids: t[ids.astype(int)],
    "dequantise_f16": lambda q, scale: q * scale,
    "cross_entropy_f32": _cross_entropy,
    "cumsum_long_f32": lambda x: np.cumsum(x, 1),
    "batchnorm_nchw_f32": _batchnorm,
    "rmsnorm_f16": _norm,
}
