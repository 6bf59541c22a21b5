"""Small runs of the reference, and the floats to run it on."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from asmgen.gentext.parser import parse
from asmgen.graph.reference import Rules, evaluate
from asmgen.ir.shapes import format_list

Array = NDArray[Any]
LARGEST = float(np.finfo(np.float32).max)
TINY = float(np.finfo(np.float32).smallest_subnormal)
EDGES = np.array(
    [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, TINY, -TINY, 1e-39, -1e-39, LARGEST, -LARGEST, 2.0**-126, 0.5, -2.5, 88.72, 88.73, -87.4, -103.9,
     -104.5, 1e-8, -1e-4, 3.0, 1 + 2.0**-23, 1 - 2.0**-24, 17.0, -17.5, 65504.0, 1e19, -1e30],
    np.float32,
)  # fmt: skip


def run(body: str, *arrays: Array, rules: Rules | None = None) -> Any:
    """The range of `y` after `body`; its parameters a, b, c are the arrays."""
    names = {"float32": "f32", "float64": "f64", "float16": "f16", "int32": "i32", "bool": "bool", "float8_e4m3fn": "fp8e4m3fn"}
    lines = [f"{name} = @param:{name} -> {names[array.dtype.name]}, {format_list(array.shape)}" for name, array in zip("abc", arrays, strict=False)]
    (range_,) = evaluate(parse("\n".join([*lines, body, "@return(y)"]), "t.gen"), arrays, rules)
    return range_


def samples(count: int, seed: int) -> NDArray[np.float32]:
    """The edges, ordinary numbers, and numbers of every exponent."""
    random = np.random.default_rng(seed)
    bits = random.integers(0, 1 << 32, count, dtype=np.uint32).view(np.float32)
    return np.concatenate([EDGES, random.standard_normal(count).astype(np.float32) * 4, np.where(np.isnan(bits), np.float32(1), bits)])


def f32(values: ArrayLike) -> NDArray[np.float32]:
    return np.array(values, np.float32)


def f16(values: ArrayLike) -> NDArray[np.float16]:
    return np.array(values, np.float16)


def i32(values: ArrayLike) -> NDArray[np.int32]:
    return np.array(values, np.int32)
