"""Modules of linalg, tensor and arith that mlir-opt prints, with the inputs and the results of the programs that they came from."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from tests.tensors.case import Array, Case, numbers
from tests.tensors.cases import linalg, tensor_ops

_TEXTS = Path(__file__).with_name("mlir_opt_modules.mlir").read_text().split("// -----\n")
_NAMED = {re.sub(r"\W+", "_", case.name).strip("_"): case for case in (*linalg.CASES, *tensor_ops.CASES)}

X, Y, P, Q = numbers(401, (4, 6), per=4), numbers(402, (6, 3)), numbers(403, (4, 6), np.int32), numbers(404, (4, 6), np.int32)
ROWS, IMAGE = numbers(405, (4, 33), per=4), numbers(406, (1, 6, 6, 3))
A, B = numbers(407, (2, 3, 4)), numbers(408, (2, 4, 5))


def _softmax(x: Array) -> Array:
    wide = np.exp(x.astype(np.float64) - x.max(1, keepdims=True))
    return (wide / wide.sum(1, keepdims=True)).astype(np.float32)


def _sigmoid(x: Array) -> Array:
    return (1 / (1 + np.exp(-x.astype(np.float64)))).astype(np.float32)


_TOSA: dict[str, tuple[tuple[Array, ...], Array, float]] = {
    "tosa_add_broadcast": ((X, X[:1]), X + X[:1], 0),
    "tosa_softmax": ((ROWS,), _softmax(ROWS), 40),
    "tosa_clamp_sigmoid": ((X,), _sigmoid(np.clip(X, -1, 2)), 8),
    "tosa_matmul": ((A, B), A @ B, 0),
    "tosa_argmax": ((X,), X.argmax(1).astype(np.int32), 0),
    "tosa_transpose_concat": ((X, Y), np.concatenate([X.T, Y], 1), 0),
    "tosa_select_greater": ((P, Q), np.maximum(P, Q), 0),
    "tosa_reverse_tile": ((X[:2, :3].copy(),), np.tile(X[:2, :3][:, ::-1], (2, 3)), 0),
    "tosa_max_pool": ((IMAGE,), np.lib.stride_tricks.sliding_window_view(IMAGE, (2, 2), (1, 2))[:, ::2, ::2].max((-2, -1)), 0),
}


def _case(text: str) -> Case:
    match = re.search(r"module @(\w+)", text)
    assert match is not None
    name = match[1]
    if name in _TOSA:
        inputs, wanted, ulps = _TOSA[name]
        return Case("mlir-opt", name, text, inputs, (wanted,), ulps)
    case = _NAMED[name]
    return Case("mlir-opt", name, text, case.inputs, case.wanted, case.ulps, case.scale)


CASES = tuple(_case(text) for text in _TEXTS)
