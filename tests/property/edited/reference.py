"""The results of the edited programs: a graph that the float64 reference computes, and how a result gets its
dims.

A graph has no transpose, product or scan that is lowered. Their elements are those of a product or a sum over
another axis, and of values that are transposed back.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def _as_it_is(array: Array) -> Array:
    return array


def _with_axis(axis: int) -> Callable[[Array], Array]:
    return lambda array: np.expand_dims(array, axis)


def _product(m: int, k: int, n: int, element: str) -> str:
    whole = f"{{{m},{k},{n}}}"
    wide = ["as", "bs"] if element == "f32" else ["aw", "bw"]
    return "\n".join(
        [
            f"a = @param:a -> {element}, {{{m},{k}}}",
            f"b = @param:b -> {element}, {{{k},{n}}}",
            f"as = broadcast[axis=0, out_lens={whole}](a)",
            f"bs = broadcast[axis=1, out_lens={whole}](b)",
            *([] if element == "f32" else ["aw = convert[target_type=f32](as)", "bw = convert[target_type=f32](bs)"]),
            f"p = mul({', '.join(wide)})",
            "d = reduce_sum[axes={1}](p)",
            *(["@return(d)"] if element == "f32" else [f"r = convert[target_type={element}](d)", "@return(r)"]),
            "",
        ]
    )


def _scan(rows: int, columns: int) -> str:
    """Each element with all before it: sums over the last axis of {to, row, from}, without later elements."""
    whole = f"{{{columns},{rows},{columns}}}"
    numbers = ",".join(str(number) for number in range(columns))
    return f"""x = @param:x -> f32, {{{rows},{columns}}}
n = @literal{{{numbers}}} -> i32, {{{columns}}}
zero = @literal{{0}} -> f32, {{1}}
to = broadcast[axis=0, out_lens={whole}](n)
from = broadcast[axis=2, out_lens={whole}](n)
all = broadcast[axis=1, out_lens={whole}](x)
none = multibroadcast[out_lens={whole}](zero)
after = less(to, from)
some = where(after, none, all)
s = reduce_sum[axes={{2}}](some)
@return(s)
"""


REFERENCES: dict[str, tuple[str, Callable[[Array], Array]]] = {
    "pointwise": (
        "x = @param:x -> f32, {1001}\ny = @param:y -> f32, {1001}\na = add(x, y)\nb = relu(a)\n@return(b)\n",
        _as_it_is,
    ),
    "row": (
        """x = @param:x -> f32, {5,500}
m = reduce_max[axes={1}](x)
w = multibroadcast[out_lens={5,500}](m)
d = sub(x, w)
s = reduce_sum[axes={1}](d)
v = multibroadcast[out_lens={5,500}](s)
o = add(d, v)
@return(o)
""",
        _as_it_is,
    ),
    "column": ("x = @param:x -> f32, {64,36}\ns = reduce_sum[axes={0}](x)\n@return(s)\n", _as_it_is),
    "split": ("x = @param:x -> f32, {512,12}\ns = reduce_sum[axes={0}](x)\n@return(s)\n", _as_it_is),
    "transpose": ("x = @param:x -> f32, {50,36}\nz = relu(x)\n@return(z)\n", np.transpose),
    "scan": (_scan(3, 200), lambda array: np.expand_dims(array.T, 2)),
    "product": (_product(20, 12, 16, "f32"), _with_axis(1)),
    "matrix": (_product(32, 32, 32, "f16"), _with_axis(1)),
}
