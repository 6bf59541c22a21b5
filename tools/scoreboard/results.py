"""The results of the programs by numpy in float64, which judge the peers' kernels and our own.

The functions are written from the name of a program, not from its gen text, so that they judge the text too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import erf, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tools.scoreboard.sample import Sample

Array = NDArray[Any]
_Result = Array | tuple[Array, ...]
_UNWRITTEN = 0xA5  # of each byte of a result before the run
_ERRORS = {"float32": 2e-5, "float16": 2e-3, "bfloat16": 1.6e-2, "int8": 1.0}  # relative, by type
_LEAST, _MOST = 0.8, 1.3  # of the results, which a sample of a whole launch writes


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


def _gelu_erf(x: Array) -> Array:
    values = np.fromiter((erf(value) for value in (x / sqrt(2)).ravel()), np.float64, x.size)
    return 0.5 * x * (1 + values.reshape(x.shape))


def _muladd(x: Array, y: Array, b: Array) -> Array:
    return (2 * x + b) * y + 4 * x


def _concat_add(a: Array, b: Array, c: Array) -> Array:
    return np.concatenate([a, b]) + c


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


# the functions by the number of arguments
_OF_ONE: dict[str, Callable[[Array], _Result]] = {
    "relu": lambda a: np.maximum(a, 0),
    "gelu": _gelu,
    "gelu_erf": _gelu_erf,
    "row_sum": lambda x: x.sum(1),
    "row_max": lambda x: x.max(1),
    "softmax": _softmax,
    "transpose": lambda x: x.T,
    "avg_pool_nhwc_f16": lambda x: x.reshape(8, 56, 2, 56, 2, 64).mean((2, 4)),
    "avg_pool_nchw_f32": lambda x: x.reshape(8, 64, 56, 2, 56, 2).mean((3, 5)),
    "cumsum_long_f32": lambda x: np.cumsum(x, 1),
    "softmax_f16": _softmax,
    "causal_softmax_f16": _causal,
    "gelu_bf16": _gelu,
    "transpose_f16": lambda x: x.T,
    "nchw_to_nhwc_f16": lambda x: x.transpose(0, 2, 3, 1),
    "nhwc_to_nchw_f32": lambda x: x.transpose(0, 3, 1, 2),
    "split_heads_f16": lambda x: x.transpose(0, 2, 1, 3),
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
    "upsample_nhwc_f16": lambda x: x.repeat(2, 1).repeat(2, 2),
    "class_softmax_f32": lambda x: _softmax(x, 1),
}
_OF_TWO: dict[str, Callable[[Array, Array], _Result]] = {
    "vecadd": lambda a, b: a + b,
    "rmsnorm": _norm,
    "pad_add": lambda x, y: np.pad(x, (300, 700)) + y,
    "reverse_add": lambda x, y: x[::-1] + y,
    "swiglu_f16": lambda g, u: _silu(g) * u,
    "embedding_f16": lambda t, ids: t[ids.astype(int)],
    "dequantise_f16": lambda q, scale: q * scale,
    "cross_entropy_f32": _cross_entropy,
    "rmsnorm_f16": _norm,
    "bias_gelu_f16": lambda x, b: _gelu(x + b),
    "masked_fill_f16": lambda mask, x: np.where(mask, -10000, x),
    "concat_channels_f16": lambda a, b: np.concatenate([a, b], 1),
    "cosine_bf16": _cosine,
}
_OF_MORE: dict[str, Callable[..., _Result]] = {
    "muladd": _muladd,
    "layernorm": _layernorm,
    "concat_add": _concat_add,
    "rope_f16": _rope,
    "batchnorm_nchw_f32": _batchnorm,
    "layernorm_f16": _layernorm,
    "layernorm_wide_f32": _layernorm,
    "residual_rmsnorm_bf16": _residual,
    "adam_f32": _adam,
    "groupnorm_f32": _groupnorm,
    "batchnorm_relu_nhwc_f16": _batchnorm_relu,
}
RESULTS: dict[str, Callable[..., _Result]] = {**_OF_ONE, **_OF_TWO, **_OF_MORE}


def truths(program: str, arguments: Sequence[Array]) -> list[Array]:
    """The results of a program in float64."""
    found = RESULTS[program](*[array.astype(np.float64) for array in arguments])
    return list(found) if isinstance(found, tuple) else [found]


def unwritten(results: Sequence[Array]) -> list[Array]:
    """Buffers for results, with a pattern by which `faults` knows the elements that a kernel wrote."""
    return [
        np.full(result.nbytes, _UNWRITTEN, np.uint8).view(result.dtype).reshape(result.shape)
        for result in results
    ]


def faults(sample: Sample, first: int, results: Sequence[Array], expected: Sequence[Array]) -> list[str]:
    """The faults of the results that the workgroups of a sample wrote, and of the share of each result that
    the launch writes. The results are the buffers from number `first` on."""
    wrong: list[str] = []
    for number, (result, truth) in enumerate(zip(results, expected, strict=True)):
        content = sample.buffers[first + number]
        assert content is not None, "a result is a buffer"
        own = content[: result.nbytes]
        written = (own.reshape(-1, result.itemsize) != _UNWRITTEN).any(1)
        share = float(written.mean()) * sample.groups / sample.run
        if not _LEAST < share < _MOST:
            wrong.append(f"result {number}: the launch writes {share:.2f} of it")
        limit = _ERRORS.get(result.dtype.name, 0.0)
        got, wanted = own.view(result.dtype)[written].astype(np.float64), truth.reshape(-1)[written]
        errors = np.abs(got - wanted) - limit * np.maximum(np.abs(wanted), max(1.0, np.abs(truth).mean()))
        if not (errors <= 0).all():
            place = int(np.argmax(np.where(np.isnan(errors), np.inf, errors)))
            wrong.append(f"result {number}: {got[place]:g} in place of {wanted[place]:g}")
    return wrong
