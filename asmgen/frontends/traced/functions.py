"""The graph's ops as functions of traced arrays: `functions.exp(x)`, `functions.where(c, a, b)`,
`functions.softmax(x, axis=1)`.

Every op of gen text is here under its name, and under numpy's name if that differs. There is no promotion:
the operands of an op have the same type.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from asmgen.frontends.traced.array import Array, apply
from asmgen.graph.ops import GRAPH_OPS

# Ops that numpy has under another name.
NUMPY_NAMES = {
    "absolute": "abs",
    "arccos": "acos",
    "arccosh": "acosh",
    "arcsin": "asin",
    "arcsinh": "asinh",
    "arctan": "atan",
    "arctan2": "atan2",
    "arctanh": "atanh",
    "divide": "div",
    "fabs": "abs",
    "fmax": "max",
    "fmin": "min",
    "invert": "not",
    "logical_not": "not",
    "matmul": "dot",
    "maximum": "max",
    "minimum": "min",
    "multiply": "mul",
    "negative": "neg",
    "power": "pow",
    "reciprocal": "recip",
    "remainder": "mod",
    "rint": "nearbyint",
    "subtract": "sub",
}


def __getattr__(name: str) -> Callable[..., Array]:
    op_name = NUMPY_NAMES.get(name, name)
    if op_name not in GRAPH_OPS:
        raise AttributeError(f"gen text has no op {name}")
    return partial(apply, op_name)


def __dir__() -> list[str]:
    return sorted([*GRAPH_OPS, *NUMPY_NAMES])
