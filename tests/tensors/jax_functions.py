"""Functions of jax.numpy, jax.nn and jax.lax: the modules that JAX prints for them, and the same functions in numpy in f64."""

from __future__ import annotations

from collections.abc import Callable
from math import erf
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from tests.tensors import semantics
from tests.tensors.case import BF16, Array, Case, array, numbers

_TEXTS = Path(__file__).with_name("jax_modules.mlir").read_text().split("// -----\n")
_WORDS = np.random.default_rng(355).integers(0, 1 << 32, (5, 12), np.uint32) >> np.arange(12, dtype=np.uint32)
_ERF = np.vectorize(erf)


class Function(NamedTuple):
    """Its inputs, the results in numpy from inputs in f64 (integers stay), and the bound as in `Case`."""

    name: str
    inputs: tuple[Array, ...]
    reference: Callable[..., Any]
    ulps: float = 0
    scale: float = 0
    types: tuple[Any, ...] = ()


def sigmoid(x: Array) -> Array:
    return 1 / (1 + np.exp(-x))


def softmax(x: Array, axis: int = -1) -> Array:
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def log_softmax(x: Array) -> Array:
    shifted = x - x.max(-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(-1, keepdims=True))


def rope(x: Array, c: Array, s: Array) -> Array:
    a, b = np.split(x, 2, -1)
    return np.concatenate([a * c - b * s, b * c + a * s], -1)


def _attention(q: Array, k: Array, v: Array) -> Array:
    scores = q @ k.transpose(0, 2, 1) / 8**0.5
    return softmax(np.where(np.tri(6) > 0, scores, -1e9)) @ v


def _random_bits(key: Array) -> Array:
    """Threefry-2x32 of the places, as in Salmon et al. (2011)."""
    a, b = key
    keys, x, y = (a, b, a ^ b ^ np.uint32(0x1BD11BDA)), np.zeros(60, np.uint32) + a, np.arange(60, dtype=np.uint32) + b
    for turn in range(5):
        for by in ((13, 15, 26, 6), (17, 29, 16, 24))[turn % 2]:
            x = x + y
            y = x ^ (y << np.uint32(by) | y >> np.uint32(32 - by))
        x, y = x + keys[(turn + 1) % 3], y + keys[(turn + 2) % 3] + np.uint32(turn + 1)
    return (x ^ y).reshape(5, 12)


def _bit_distance(a: Array, b: Array) -> tuple[Array, Array]:
    return np.bitwise_count(a ^ b).sum(-1), 32 - np.vectorize(int.bit_length)((a & b).astype(object))


def _scattered(x: Array, i: Array, u: Array) -> Array:
    result = x.copy()
    np.add.at(result, i, u)
    return result


def _segments(x: Array, i: Array) -> Array:
    result = np.zeros(4)
    np.add.at(result, i, x)
    return result


def _pooled(x: Array) -> Array:
    return np.lib.stride_tricks.sliding_window_view(x, (2, 2), (1, 2))[:, ::2, ::2].max((-2, -1))


def _convolved(x: Array, w: Array) -> Array:
    return semantics.convolution(x, w, strides=(1, 1), low=(1, 1), high=(1, 1), lhs_dilation=(1, 1), rhs_dilation=(1, 1))


def _looped(x: Array) -> Array:
    for i in range(5):
        x = x * 0.5 + i
    return x


def _top(x: Array) -> tuple[Array, Array]:
    places = np.argsort(-x, 1, kind="stable")[:, :3]
    return np.take_along_axis(x, places, 1), places


def _segment_max(x: Array, i: Array) -> Array:
    result = np.full((5, 3), -np.inf)
    np.maximum.at(result, i, x)
    return result


def _recurrence(a: Array, b: Array) -> Array:
    made = [b[0]]
    for factor, number in zip(a[1:], b[1:], strict=True):
        made.append(factor * made[-1] + number)
    return np.stack(made)


X = numbers(301, (4, 33), per=4)
Y = numbers(302, (4, 33), per=4)
ROW, BIAS = numbers(303, (33,), per=4), numbers(304, (33,), per=4)
TABLE = numbers(305, (9, 5))
PLACES = array([2, 8, 0, 2], np.int32)
WIDE, HIGH = numbers(306, (8, 12)), numbers(307, (12, 10))
HEADS = tuple(numbers(308 + i, (2, 6, 8), per=8) for i in range(3))
DISTINCT = np.random.default_rng(311).permutation(48).reshape(4, 12).astype(np.float32) - 20
I32, B = np.int32, np.bool_
FUNCTIONS = (
    Function("softmax", (X,), softmax, 40),
    Function("log_softmax", (X,), log_softmax, 40, 1),
    Function("softmax_columns", (X,), lambda x: softmax(x, 0), 40),
    Function("logsumexp", (X,), lambda x: np.log(np.exp(x).sum(1)), 40, 1),
    Function("layer_norm", (X, ROW, BIAS), lambda x, g, b: (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5) * g + b, 40, 8),
    Function("rms_norm", (X, ROW), lambda x, g: x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-6) * g, 40),
    Function("standardize", (X,), lambda x: (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5), 80, 8),
    Function("cumsum", (X,), lambda x: x.cumsum(1)),
    Function("cumprod", (numbers(312, (3, 9), least=-2, most=2),), lambda x: x.cumprod(1)),
    Function("cummax", (X,), lambda x: np.maximum.accumulate(x, 1)),
    Function("cumsum_reverse", (X,), lambda x: x[::-1].cumsum(0)[::-1]),
    Function("argmax", (X,), lambda x: x.argmax(1), types=(I32,)),
    Function("argmin_columns", (X,), lambda x: x.argmin(0), types=(I32,)),
    Function("one_hot", (array([3, 0, 6, 7, -1], np.int32),), lambda i: np.arange(7) == i[:, None]),
    Function("take_along_axis", (X, array([[0, 32, 5], [1, 2, 3], [9, 9, 9], [31, 0, 30]], np.int32)), lambda x, i: np.take_along_axis(x, i, 1)),
    Function("take_rows", (TABLE, PLACES), lambda x, i: x[i]),
    Function("take_clip", (TABLE, array([2, 11, -4, 8], np.int32)), lambda x, i: x[np.clip(i, 0, 8)]),
    Function("index_rows", (TABLE, array([2, -1, -9, 8], np.int32)), lambda x, i: x[i]),
    Function("where", (X, Y), lambda x, y: np.where(x > 0, x, y)),
    Function("rope", (HEADS[0], numbers(313, (6, 4), per=8), numbers(314, (6, 4), per=8)), rope, 2, 4),
    Function("swiglu", (X, Y), lambda g, u: g * sigmoid(g) * u, 8),
    Function("gelu", (X,), lambda x: 0.5 * x * (1 + np.tanh((2 / np.pi) ** 0.5 * (x + 0.044715 * x**3))), 40, 1),
    Function("gelu_erf", (X,), lambda x: 0.5 * x * (1 + _ERF(x / 2**0.5)), 40, 1),
    Function("relu", (X,), lambda x: np.maximum(x, 0)),
    Function("relu6", (X,), lambda x: np.clip(x, 0, 6)),
    Function("elu", (X,), lambda x: np.where(x > 0, x, np.expm1(x)), 8),
    Function("leaky_relu", (X,), lambda x: np.where(x >= 0, x, 0.01 * x), 2),
    Function("softplus", (X,), lambda x: np.logaddexp(x, 0), 12),
    Function("log_sigmoid", (X,), lambda x: -np.logaddexp(-x, 0), 12),
    Function("hard_swish", (X,), lambda x: x * np.clip(x + 3, 0, 6) / 6, 4),
    Function("mish", (X,), lambda x: x * np.tanh(np.logaddexp(x, 0)), 24),
    Function("glu", (numbers(315, (4, 34), per=4),), lambda x: x[:, :17] * sigmoid(x[:, 17:]), 8),
    Function("var", (X,), lambda x: x.var(1), 24),
    Function("std", (X,), lambda x: x.std(0), 24),
    Function("mean_bf16", (X.astype(BF16),), lambda x: x.mean(1), 1, 1, (BF16,)),
    Function("norm", (X,), lambda x: np.sqrt((x * x).sum(1)), 8),
    Function("any_all", (X,), lambda x: ((x > 1).any(1), (x > -3).all(1)), types=(B, B)),
    Function("count_nonzero", (X,), lambda x: (x > 0).sum(1), types=(I32,)),
    Function("clip", (X,), lambda x: np.clip(x, -1, 1)),
    Function("roll", (X,), lambda x: np.roll(x, 3, 1)),
    Function("flip", (X,), lambda x: np.flip(x, 1)),
    Function("pad", (X,), lambda x: np.pad(x, ((1, 2), (0, 3)))),
    Function("pad_reflect", (numbers(316, (5, 6)),), lambda x: np.pad(x, 2, mode="reflect")),
    Function("tril", (numbers(317, (6, 6)),), np.tril),
    Function("outer", (numbers(318, (5,)), numbers(319, (7,))), np.outer),
    Function("matmul", (WIDE, HIGH), np.matmul),
    Function("matmul_bias_relu", (WIDE, HIGH, HIGH[0] * 8), lambda x, w, b: np.maximum(x @ w + b, 0)),
    Function("attention", HEADS, _attention, 80, 1),
    Function("einsum", (numbers(320, (2, 3, 4)), numbers(321, (2, 5, 4))), lambda a, b: np.einsum("bij,bkj->bik", a, b)),
    Function("concatenate", (numbers(322, (4, 3)), numbers(323, (4, 5))), lambda x, y: np.concatenate([x, y], 1)),
    Function("stack_transpose", (numbers(322, (4, 3)), numbers(323, (4, 3))), lambda x, y: np.stack([x, y], 1).swapaxes(0, 2)),
    Function("repeat_tile", (numbers(324, (3, 2)),), lambda x: np.tile(np.repeat(x, 2, 0), (1, 3))),
    Function("strided", (numbers(325, (6, 9)),), lambda x: x[::2, 1:8:3]),
    Function("scatter_add", (TABLE, PLACES, numbers(326, (4, 5))), _scattered),
    Function("scatter_set", (TABLE, numbers(327, (2, 5))), lambda x, u: np.concatenate([x[:2], u, x[4:]])),
    Function("segment_sum", (numbers(328, (9,)), array([3, 0, 0, 1, 3, 3, 2, 1, 0], np.int32)), _segments),
    Function("sort", (DISTINCT,), lambda x: np.sort(x, 1)),
    Function("argsort", (DISTINCT,), lambda x: np.argsort(x, 1), types=(I32,)),
    Function("top_k", (DISTINCT,), _top, types=(np.float32, I32)),
    Function("max_pool", (numbers(329, (1, 6, 6, 3)),), _pooled),
    Function("conv", (numbers(330, (1, 2, 5, 5)), numbers(331, (3, 2, 3, 3))), _convolved),
    Function("floor_divide", (numbers(332, (4, 6), np.int32, -40, 40), numbers(333, (4, 6), np.int32, 1, 7) * array([1, -1] * 3, np.int32)), lambda a, b: (a // b, a % b), types=(I32, I32)),
    Function("power_round", (X / 8,), lambda x: np.round(np.float32(x) ** 3 * 10) / 10, 2),
    Function("expm1_log1p", (X / 4,), lambda x: np.expm1(x) + np.log1p(np.abs(x)), 12, 1),
    Function("isnan", (np.where(X > 1, np.inf, np.where(X < -1, np.nan, X)).astype(np.float32),), lambda x: ~np.isfinite(x), types=(B,)),
    Function("cross_entropy", (X, array([3, 32, 0, 17], np.int32)), lambda x, i: -np.take_along_axis(log_softmax(x), i[:, None], 1).mean(), 40, 1),
    Function("fori_loop", (numbers(334, (4, 5)),), _looped, 4, 4),
    Function("grad_tanh", (X,), lambda x: 1 - np.tanh(x) ** 2, 24, 1),
    Function("dynamic_slice", (numbers(335, (9, 3)), array(7, np.int32)), lambda x, _: x[5:]),
    Function("linspace_arange", (numbers(336, (5,)),), lambda x: np.linspace(0, 1, 5) + x * np.arange(5), 2, 1),
    # functions that were not chosen for the rules: they were printed when the rules were done
    Function("lexsort", (numbers(341, (20,), I32, 0, 3), numbers(342, (20,), I32, 0, 3)), lambda a, b: np.lexsort((a, b)), types=(I32,)),
    Function("cumlogsumexp", (numbers(343, (3, 17), per=4),), lambda x: np.logaddexp.accumulate(x, 1), 40, 1),
    Function("segment_max", (numbers(344, (12, 3)), array([3, 0, 0, 1, 3, 3, 1, 4, 0, 4, 4, 1], I32)), _segment_max),
    Function("quantile", (numbers(345, (4, 16), per=4),), lambda x: np.quantile(x, [0.25, 0.5], 1), 4, 1),
    Function("cache_update", (numbers(346, (2, 8, 4)), numbers(347, (2, 1, 4)), array(6, I32)), lambda c, n, _: np.concatenate([c[:, :6], n, c[:, 7:]], 1)),
    Function("searchsorted", (np.sort(numbers(348, (16,), per=4)), numbers(349, (9,), per=4)), np.searchsorted, types=(I32,)),
    Function("interp", (numbers(350, (9,), per=4), array([-4, -1, 0, 2, 3, 7]), numbers(351, (6,))), np.interp, 8, 8),
    Function("associative_scan", (numbers(352, (16,), least=-1, most=1), numbers(353, (16,))), _recurrence),
    Function("random_bits", (array([7, 0xDEADBEEF], np.uint32),), _random_bits, types=(np.uint32,)),
    Function("bit_distance", (_WORDS, _WORDS[::-1].copy()), _bit_distance, types=(np.uint32, np.uint32)),
    Function("bincount", (numbers(354, (30,), I32, 0, 8),), lambda x: np.bincount(x, minlength=9), types=(I32,)),
)  # fmt: skip


def case_of(function: Function, text: str, op: str = "jax") -> Case:
    wide = [x if x.dtype.kind in "iub" else x.astype(np.float64) for x in function.inputs]
    results: Any = function.reference(*wide)
    parts: list[Any] = list(results) if len(function.types) > 1 else [results]
    types = function.types or (np.float32,) * len(parts)
    wanted = tuple(np.asarray(part).astype(dtype) for part, dtype in zip(parts, types, strict=True))
    return Case(op, function.name, text, function.inputs, wanted, function.ulps, function.scale)


def _module(name: str) -> str:
    (text,) = (text for text in _TEXTS if f"module @{name} " in text)
    return text


CASES = tuple(case_of(function, _module(function.name)) for function in FUNCTIONS)
