"""Functions of torch and torch.nn.functional: the modules of linalg that torch exports, and the same functions in numpy in f64."""

from __future__ import annotations

from math import erf
from pathlib import Path
from typing import Any

import numpy as np

from tests.tensors.case import BF16, Array, array, numbers
from tests.tensors.jax_functions import Function, case_of, log_softmax, rope, sigmoid, softmax

_TEXTS = Path(__file__).with_name("torch_modules.mlir").read_text().split("// -----\n")
_ERF = np.vectorize(erf)
I64, B, F16 = np.int64, np.bool_, np.float16


def _normed(x: Array, axes: Any, epsilon: float = 1e-5) -> Array:
    return (x - x.mean(axes, keepdims=True)) / np.sqrt(x.var(axes, keepdims=True) + epsilon)


def _grouped(x: Array, w: Array, b: Array) -> Array:
    rows = _normed(x.reshape(2, 2, -1), -1).reshape(x.shape)
    return rows * w[:, None, None] + b[:, None, None]


def _batch_normed(x: Array, m: Array, v: Array, w: Array, b: Array) -> Array:
    m, v, w, b = [each[:, None, None] for each in (m, v, w, b)]
    return (x - m) / np.sqrt(v + 1e-5) * w + b


def _attended(q: Array, k: Array, v: Array, mask: Array) -> Array:
    scores = q @ k.swapaxes(-1, -2) / 8**0.5
    return softmax(np.where(mask > 0, scores, -np.inf)) @ v


def _windows(x: Array, size: int, step: int) -> Array:
    return np.lib.stride_tricks.sliding_window_view(x, (size, size), (2, 3))[:, :, ::step, ::step]


def _convolved(x: Array, w: Array, b: Array) -> Array:
    padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
    return np.einsum("nchwab,ocab->nohw", _windows(padded, 3, 2), w) + b[:, None, None]


def _depthwise(x: Array, w: Array) -> Array:
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(x, ((0, 0), (0, 0), (1, 1))), 3, 2)
    return np.einsum("nclk,ck->ncl", windows, w[:, 0])


def _bilinear(x: Array) -> Array:
    """Half-pixel centres, as torch has them without align_corners."""
    for axis, size in ((2, 7), (3, 5)):
        at = np.maximum((np.arange(size) + 0.5) * 3 / size - 0.5, 0)
        low = at.astype(int)
        high, share = np.minimum(low + 1, 2), np.expand_dims(at - low, 1 if axis == 2 else 0)
        x = x.take(low, axis) * (1 - share) + x.take(high, axis) * share
    return x


def _gru(x: Array, h: Array, wi: Array, wh: Array, bi: Array, bh: Array) -> Array:
    (ir, iz, i), (hr, hz, n) = np.split(x @ wi.T + bi, 3, 1), np.split(h @ wh.T + bh, 3, 1)
    z = sigmoid(iz + hz)
    new = np.tanh(i + sigmoid(ir + hr) * n)
    return new + z * (h - new)


def _scattered(x: Array, i: Array, u: Array) -> Array:
    result = x.copy()
    np.add.at(result, (np.arange(4)[:, None], i), u)
    return result


def _put(x: Array, i: Array, u: Array) -> Array:
    result = x.copy()
    np.add.at(result, i, u)
    return result


def _sorted(x: Array) -> tuple[Array, Array]:
    return np.sort(x, 1), np.argsort(x, 1)


def _top(x: Array) -> tuple[Array, Array]:
    places = np.argsort(-x, 1)[:, :3]
    return np.take_along_axis(x, places, 1), places


X, Y = numbers(701, (4, 33), per=4), numbers(702, (4, 33), per=4)
ROW, BIAS = numbers(703, (33,), per=4), numbers(704, (33,), per=4)
WIDE, HIGH, COLUMN = numbers(705, (8, 12)), numbers(706, (10, 12)), numbers(707, (10,))
HEADS = tuple(numbers(708 + i, (1, 2, 6, 8), per=8) for i in range(3))
IMAGE, TABLE = numbers(712, (1, 2, 6, 6)), numbers(713, (11, 6))
DISTINCT = np.random.default_rng(714).permutation(132).reshape(4, 33).astype(np.float32) - 60
SIGNED = numbers(715, (4, 6), I64, 1, 7) * array([1, -1] * 3, I64)
FUNCTIONS = (
    Function("softmax", (X,), softmax, 40),
    Function("log_softmax", (X,), log_softmax, 40, 1),
    Function("layer_norm", (X, ROW, BIAS), lambda x, w, b: _normed(x, -1) * w + b, 40, 8),
    Function("rms_norm", (X, ROW), lambda x, w: x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-6) * w, 40, 1),
    Function("group_norm", (numbers(716, (2, 4, 3, 3)), ROW[:4], BIAS[:4]), _grouped, 40, 4),
    Function("batch_norm", (numbers(717, (2, 3, 4, 4)), ROW[:3], array([0.5, 2, 7]), ROW[3:6], BIAS[:3]), _batch_normed, 40, 8),
    Function("gelu", (X,), lambda x: 0.5 * x * (1 + _ERF(x / 2**0.5)), 40, 1),
    # torch-mlir has 0.797724 for the root of 2 / pi
    Function("gelu_tanh", (X,), lambda x: 0.5 * x * (1 + np.tanh(0.797724 * (x + 0.044715 * x**3))), 40, 1),
    Function("silu", (X,), lambda x: x * sigmoid(x), 8),
    Function("swiglu", (X, Y), lambda x, y: x * sigmoid(x) * y, 8),
    Function("hardswish", (X,), lambda x: x * np.clip(x + 3, 0, 6) / 6, 4),
    Function("softplus", (X,), lambda x: np.logaddexp(x, 0), 24, 1),
    Function("elu", (X,), lambda x: np.where(x > 0, x, np.expm1(x)), 16, 1),
    Function("leaky_relu", (X,), lambda x: np.where(x >= 0, x, 0.1 * x), 4),
    Function("clamp", (X,), lambda x: np.clip(x, -1, 1)),
    Function("linear", (WIDE, HIGH, COLUMN), lambda x, w, b: x @ w.T + b),
    Function("linear_relu_f16", (WIDE.astype(F16), HIGH.astype(F16), COLUMN.astype(F16)), lambda x, w, b: np.maximum(x @ w.T + b, 0), types=(F16,)),
    Function("bmm", (numbers(718, (2, 3, 4)), numbers(719, (2, 4, 5))), np.matmul),
    Function("attention", HEADS, lambda q, k, v: _attended(q, k, v, np.tri(6)), 80, 1),
    Function("attention_by_hand", (*[each[0] for each in HEADS], np.tri(6, dtype=np.float32)), _attended, 80, 1),
    Function("conv2d", (IMAGE, numbers(720, (3, 2, 3, 3)), ROW[:3]), _convolved),
    Function("conv1d_depthwise", (numbers(721, (1, 3, 8)), numbers(722, (3, 1, 3))), _depthwise),
    Function("max_pool2d", (IMAGE,), lambda x: _windows(x, 2, 2).max((-2, -1))),
    Function("avg_pool2d", (IMAGE,), lambda x: _windows(np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1))), 3, 2).sum((-2, -1)) / 9, 4),
    Function("adaptive_avg_pool", (IMAGE,), lambda x: x.mean((2, 3), keepdims=True), 4),
    Function("embedding", (numbers(723, (2, 5), I64, 0, 10), TABLE), lambda i, x: x[i]),
    Function("argmax", (DISTINCT,), lambda x: x.argmax(1), types=(I64,)),
    Function("max_dim", (DISTINCT,), lambda x: (x.max(1), x.argmax(1)), types=(np.float32, I64)),
    Function("min_dim", (DISTINCT,), lambda x: (x.min(0), x.argmin(0)), types=(np.float32, I64)),
    Function("cumsum", (X,), lambda x: x.cumsum(1)),
    Function("var_mean", (X,), lambda x: (x.var(1, ddof=1), x.mean(1)), 24, 1, (np.float32, np.float32)),
    Function("std", (X,), lambda x: x.std(0, ddof=1), 24),
    Function("logsumexp", (X,), lambda x: np.log(np.exp(x).sum(1)), 40, 1),
    Function("norm", (X,), lambda x: np.sqrt((x * x).sum(1)), 8),
    Function("amax_amin", (X,), lambda x: x.max(1) - x.min(1)),
    Function("prod", (numbers(724, (4, 5)),), lambda x: x.prod(1)),
    Function("any_all", (X,), lambda x: ((x > 0).any(1), (x > -5).all(1)), types=(B, B)),
    Function("where", (X, Y), lambda x, y: np.where(x > 0, x, y)),
    Function("gather", (X, numbers(725, (4, 5), I64, 0, 32)), lambda x, i: np.take_along_axis(x, i, 1)),
    Function("index_select", (X, array([32, 0, 7, 7, 1], I64)), lambda x, i: x[:, i]),
    Function("index", (X, array([3, 0, 2], I64)), lambda x, i: x[i]),
    Function("scatter_add", (numbers(726, (4, 8)), numbers(727, (4, 5), I64, 0, 7), numbers(728, (4, 5))), _scattered),
    Function("index_put", (numbers(729, (8, 3)), array([7, 0, 7, 3, 1], I64), numbers(730, (5, 3))), _put),
    Function("cat_slice_t", (X, numbers(731, (3, 4))), lambda x, y: np.concatenate([x[:, 1:9:2], y.T], 1)),
    Function("stack", (X, Y), lambda x, y: np.stack([x, y], 1).reshape(4, 66)),
    Function("pad", (X,), lambda x: np.pad(x, ((0, 3), (1, 2)), constant_values=1.5)),
    Function("roll_flip", (X,), lambda x: np.roll(x, 3, 1)[::-1]),
    Function("tril", (numbers(732, (6, 6)),), np.tril),
    Function("one_hot", (array([3, 0, 6, 1, 3], I64),), lambda i: i[:, None] == np.arange(7), types=(I64,)),
    Function("arange_mask", (array([3, 0, 9, 5], I64),), lambda n: np.arange(9) < n[:, None]),
    Function("int_divide", (numbers(733, (4, 6), I64, -40, 40), SIGNED), lambda a, b: (a // b, a % b), types=(I64, I64)),
    Function("pow_sqrt", (X,), lambda x: np.sqrt(np.abs(x) ** 1.5 + x * x), 8),
    Function("trig", (X,), lambda x: np.sin(x) * np.cos(x) + np.arctan(x), 16, 1),
    Function("round_types", (X,), lambda x: (np.rint(x), np.floor(x), x.astype(BF16)), types=(np.int32, np.float32, np.float32)),
    Function("nearest", (numbers(734, (1, 2, 3, 3)),), lambda x: x.repeat(2, 2).repeat(2, 3)),
    Function("bilinear", (numbers(734, (1, 2, 3, 3)),), _bilinear, 32, 8),
    Function("gru_cell", (ROW[:12].reshape(3, 4), BIAS[:15].reshape(3, 5), numbers(735, (15, 4), per=8), numbers(736, (15, 5), per=8), ROW[:15], BIAS[:15]), _gru, 80, 1),
    Function("rope", (numbers(737, (2, 6, 8), per=8), numbers(738, (6, 4), per=8), numbers(739, (6, 4), per=8)), rope, 2, 4),
    Function("cross_entropy", (X[:, :9].repeat(2, 0)[:5], array([3, 8, 0, 2, 7], I64)), lambda x, i: -np.take_along_axis(log_softmax(x), i[:, None], 1).mean(), 40, 1),
    Function("mse_huber", (X, Y), lambda x, y: (((x - y) ** 2).mean(), np.abs(x - y).mean()), 24, types=(np.float32, np.float32)),
    Function("topk", (DISTINCT,), _top, types=(np.float32, I64)),
    Function("sort", (DISTINCT,), _sorted, types=(np.float32, I64)),
    Function("einsum", (numbers(740, (2, 3, 4)), numbers(741, (2, 5, 4))), lambda a, b: np.einsum("bik,bjk->bij", a, b)),
    Function("glu_mlp", (numbers(742, (6, 8), per=4), *[numbers(743 + i, (16, 8), per=8) for i in (0, 1)], numbers(745, (8, 16), per=8)), lambda x, w, v, o: ((x @ w.T) * sigmoid(x @ w.T) * (x @ v.T)) @ o.T, 80, 8),
)  # fmt: skip


def _module(name: str) -> str:
    (text,) = (text for text in _TEXTS if f"module @{name} " in text)
    return text


CASES = tuple(case_of(function, _module(function.name), "torch") for function in FUNCTIONS)
