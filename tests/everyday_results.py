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


def _softmax(x: Array, axis: int = -1) -> Array:
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def _causal(x: Array) -> Array:
    return _softmax(np.where(np.tri(1024, dtype=bool), x, -np.inf))


def _layernorm(x: Array, w: Array, b: Array) -> Array:
    d = x - x.mean(-1, keepdims=True)
    return d / np.sqrt((d * d).mean(-1, keepdims=True) + 1e-5) * w + b


def _residual(x: Array, y: Array, w: Array) -> tuple[Array, Array]:
    return x + y, _norm(x + y, w)


def _gelu(x: Array) -> Array:
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


def _log_sum_exp(x: Array) -> Array:
    most = x.max(1, keepdims=True)
    return np.log(np.exp(x - most).sum(1, keepdims=True)) + most


def _quantise(x: Array) -> tuple[Array, Array]:
    scale = np.abs(x).max(1, keepdims=True) / 127
    return np.rint(x / scale), scale


def _adam(p: Array, g: Array, m: Array, v: Array) -> tuple[Array, Array, Array]:
    m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
    return p - 0.001 * m / (np.sqrt(v) + 1e-8), m, v


def _groupnorm(x: Array, w: Array, b: Array) -> Array:
    grouped = x.reshape(16, 32, 4096)
    d = grouped - grouped.mean(-1, keepdims=True)
    normal = d / np.sqrt((d * d).mean(-1, keepdims=True) + 1e-5)
    return normal.reshape(x.shape) * w[:, None, None] + b[:, None, None]


def _cosine(a: Array, b: Array) -> Array:
    return (a * b).sum(1) / np.sqrt((a * a).sum(1) * (b * b).sum(1))


def _batchnorm_relu(x: Array, scale: Array, bias: Array, mean: Array, variance: Array) -> Array:
    return np.maximum((x - mean) / np.sqrt(variance + 1e-3) * scale + bias, 0)


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
    "softmax_f16": _softmax,
    "causal_softmax_f16": _causal,
    "layernorm_f16": _layernorm,
    "layernorm_wide_f32": _layernorm,
    "residual_rmsnorm_bf16": _residual,
    "bias_gelu_f16": lambda x, b: _gelu(x + b),
    "gelu_bf16": _gelu,
    "masked_fill_f16": lambda mask, x: np.where(mask, -10000, x),
    "transpose_f16": lambda x: x.T,
    "nchw_to_nhwc_f16": lambda x: x.transpose(0, 2, 3, 1),
    "nhwc_to_nchw_f32": lambda x: x.transpose(0, 3, 1, 2),
    "split_heads_f16": lambda x: x.transpose(0, 2, 1, 3),
    "concat_channels_f16": lambda a, b: np.concatenate([a, b], 1),
    "pad_image_f32": lambda x: np.pad(x, ((0, 0), (0, 0), (4, 4), (4, 4))),
    "roll_f32": lambda x: np.roll(x, 1, 1),
    "crop_f16": lambda x: x[:, 7:],
    "cumsum_rows_f32": lambda x: np.cumsum(x, 1),
    "argmax_long_f32": lambda x: x.argmax(1),
    "logsumexp_long_f32": _log_sum_exp,
    "quantise_rows_f16": _quantise,
    "column_sum_f16": lambda x: x.sum(0),
    "middle_sum_f32": lambda x: x.sum(1),
    "global_pool_f16": lambda x: x.mean((2, 3)),
    "gate_softmax_f32": _softmax,
    "adam_f32": _adam,
    "groupnorm_f32": _groupnorm,
    "upsample_nhwc_f16": lambda x: x.repeat(2, 1).repeat(2, 2),
    "class_softmax_f32": lambda x: _softmax(x, 1),
    "cosine_bf16": _cosine,
    "batchnorm_relu_nhwc_f16": _batchnorm_relu,
}
