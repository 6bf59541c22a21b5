"""The pointwise and row kernels of tools/clang-kernels, at the wave size that their header takes for the target."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import erf
from typing import Any

import numpy as np
from msgspec.structs import replace

from isa.targets import TARGETS, TargetId
from tests.unit.isa.kernel_cases import Array, Case, Kernel

ROWS, COLUMNS = 2, 1024


def normal(seed: int, *shape: int) -> Array:
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def case_of(inputs: list[Array], expected: Any, error: Any = 0.0) -> Case:
    """Workgroups of 256 that take a row each; sums and approximate functions may be off by `error`."""
    out = np.asarray(expected).astype(np.float32)
    at = len(inputs)
    case = Case((ROWS, 1, 1), (256, 1, 1), [*inputs, np.zeros_like(out)], {at: out}, (at,))
    return replace(case, error={at: np.broadcast_to(error, out.shape)}) if np.any(error) else case


def pointwise(count: int, function: Callable[..., Array], target: TargetId, width: int = COLUMNS, error: float = 0.0) -> Case:
    inputs = [normal(k, ROWS, width) for k in range(count)]
    return case_of(inputs, function(*inputs), error)


def relu(x: Array) -> Array:
    return np.maximum(x, np.float32(0))


def muladd(target: TargetId) -> Case:
    x, y, b = (normal(k, ROWS, COLUMNS) for k in range(3))
    scale, addend = np.float32(1.5), np.float32(-0.3)
    case = case_of([x, y, b], (scale * x + b) * y + x * addend)
    return replace(case, args=[*case.args, scale, addend])


def gelu_tanh(x: Array) -> Array:
    wide = x.astype(np.float64)
    return 0.5 * wide * (1 + np.tanh(0.7978845608 * (wide + 0.044715 * wide**3)))


def gelu_erf(x: Array) -> Array:
    wide = x.astype(np.float64)
    return 0.5 * wide * (1 + np.vectorize(erf)(wide * 0.5**0.5))


def row_sum(target: TargetId) -> Case:
    x = normal(11, ROWS, COLUMNS)
    return case_of([x], x.astype(np.float64).sum(1), COLUMNS * 2.0**-24 * np.abs(x).sum(1))


def row_max(target: TargetId) -> Case:
    x = normal(12, ROWS, COLUMNS)
    return case_of([x], x.max(1))


def softmax(target: TargetId) -> Case:
    x = normal(13, ROWS, COLUMNS)
    powers = np.exp(x.astype(np.float64) - x.max(1, keepdims=True))
    out = powers / powers.sum(1, keepdims=True)
    return case_of([x], out, 1e-5 * out)


def layernorm(target: TargetId) -> Case:
    x, w, b = normal(14, ROWS, COLUMNS), normal(15, COLUMNS), normal(16, COLUMNS)
    centred = x - x.astype(np.float64).mean(1, keepdims=True)
    return case_of([x, w, b], centred / np.sqrt((centred**2).mean(1, keepdims=True) + 1e-5) * w + b, 1e-5)


def rmsnorm(target: TargetId) -> Case:
    x, w = normal(17, ROWS, COLUMNS), normal(18, COLUMNS)
    wide = x.astype(np.float64)
    return case_of([x, w], wide / np.sqrt((wide**2).mean(1, keepdims=True) + 1e-5) * w, 1e-5)


def own_waves(target: TargetId) -> bool:
    return target.target.wave_size == TARGETS[target.target.name].wave_size


REFERENCES = {
    "vecadd_v4": partial(pointwise, 2, lambda a, b: a + b),
    "muladd_v4": muladd,
    "relu": partial(pointwise, 1, relu, width=256),
    "gelu_tanh_v4": partial(pointwise, 1, gelu_tanh, error=1e-6),
    "gelu_erf": partial(pointwise, 1, gelu_erf, error=1e-6),
    "row_sum": row_sum, "row_max": row_max, "softmax": softmax, "layernorm": layernorm, "rmsnorm": rmsnorm,
}  # fmt: skip
KERNELS = {name: Kernel("peers", reference, own_waves) for name, reference in REFERENCES.items()}
