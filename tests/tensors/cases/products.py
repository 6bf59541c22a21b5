"""Cases of products of matrices and of convolutions. Small integers make every sum exact."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tests.tensors import semantics
from tests.tensors.case import BF16, Array, Case, array, case, numbers, t

Ints = Sequence[int]


def product(about: str, a: Array, b: Array, contract: tuple[Ints, Ints], batch: tuple[Ints, Ints] = ((), ()), to: Any = None, more: str = "") -> Case:
    wanted = semantics.dot_general(a, b, *batch, *contract, a.dtype if to is None else to)
    batches = f"batching_dims = {list(batch[0])} x {list(batch[1])}, " if batch[0] else ""
    text = f"%r = stablehlo.dot_general %a, %b, {batches}contracting_dims = {list(contract[0])} x {list(contract[1])}{more} : ({t(a)}, {t(b)}) -> {t(wanted)}"
    return case("dot_general", about, text, {"a": a, "b": b}, wanted)


def _products() -> list[Case]:
    a, b = numbers(101, (5, 6)), numbers(102, (6, 7))
    tall, wide = numbers(103, (33, 40)), numbers(104, (40, 17))
    p, q = numbers(105, (2, 3, 4)), numbers(106, (2, 4, 5))
    heads, keys = numbers(107, (2, 5, 3, 4)), numbers(108, (2, 6, 3, 4))
    return [
        product("matrices", a, b, ([1], [0])),
        product("the first one transposed", a.T.copy(), b, ([0], [0])),
        product("the second one transposed", a, b.T.copy(), ([1], [1])),
        product("both transposed", a.T.copy(), b.T.copy(), ([0], [1])),
        product("edges of tiles", tall, wide, ([1], [0])),
        product("a batch", p, q, ([2], [1]), ([0], [0])),
        product("a batch in another place", p.transpose(1, 0, 2).copy(), q.transpose(1, 2, 0).copy(), ([2], [0]), ([1], [2])),
        product("two batch dims, as attention has them", heads, keys, ([3], [3]), ([0, 2], [0, 2])),
        product("two contracting dims", p, numbers(109, (3, 4, 7)), ([1, 2], [0, 1])),
        product("two contracting dims in another order", p, numbers(110, (4, 3, 7)), ([1, 2], [1, 0])),
        product("an outer product", array([1.0, -2, 3]), array([4.0, 5]), ([], [])),
        product("vectors", array([1.0, -2, 3]), array([4.0, 5, 6]), ([0], [0])),
        product("a matrix and a vector", a, b[:, 0].copy(), ([1], [0])),
        product("a vector and a matrix", b[:, 0].copy(), b, ([0], [0])),
        product("free dims of rank 3", numbers(111, (2, 3, 6)), b, ([2], [0])),
        product("an empty sum", np.zeros((2, 0), np.float32), np.zeros((0, 3), np.float32), ([1], [0])),
        product("f16", tall.astype(np.float16), wide.astype(np.float16), ([1], [0])),
        product("f16 to f32", tall.astype(np.float16), wide.astype(np.float16), ([1], [0]), to=np.float32),
        product("bf16 to f32", tall.astype(BF16), wide.astype(BF16), ([1], [0]), to=np.float32),
        product("bf16", a.astype(BF16), b.astype(BF16), ([1], [0])),
        product("f64", a.astype(np.float64), b.astype(np.float64), ([1], [0])),
        product("i32", a.astype(np.int32), b.astype(np.int32), ([1], [0])),
        product("i8 to i32", tall.astype(np.int8), wide.astype(np.int8), ([1], [0]), to=np.int32),
        product("a stated precision", a, b, ([1], [0]), more=", precision = [HIGHEST, HIGHEST]"),
        case("dot", "the old spelling", f"%r = stablehlo.dot %a, %b : ({t(a)}, {t(b)}) -> tensor<5x7xf32>", {"a": a, "b": b}, a @ b),
    ]


def convolved(about: str, x: Array, w: Array, groups: int = 1, batch_groups: int = 1, **fields: Ints) -> Case:
    """Of [b, f, spatial] and [o, i, spatial]."""
    rank = x.ndim - 2
    given: dict[str, Ints] = {name: fields.get(name, (1,) * rank) for name in ("strides", "lhs_dilation", "rhs_dilation")}
    low, high = fields.get("low", (0,) * rank), fields.get("high", (0,) * rank)
    wanted = semantics.convolution(
        x,
        w,
        strides=given["strides"],
        low=low,
        high=high,
        lhs_dilation=given["lhs_dilation"],
        rhs_dilation=given["rhs_dilation"],
        groups=groups,
        batch_groups=batch_groups,
    )
    axes = ", ".join(map(str, range(rank)))
    window = f"stride = {list(given['strides'])}, pad = {[list(pair) for pair in zip(low, high, strict=True)]}"
    window += f", lhs_dilate = {list(given['lhs_dilation'])}, rhs_dilate = {list(given['rhs_dilation'])}"
    counts = f"batch_group_count = {batch_groups} : i64, feature_group_count = {groups} : i64"
    text = f"%r = stablehlo.convolution(%a, %w) dim_numbers = [b, f, {axes}]x[o, i, {axes}]->[b, f, {axes}], window = {{{window}}} {{{counts}}} : ({t(x)}, {t(w)}) -> {t(wanted)}"
    return case("convolution", about, text, {"a": x, "w": w}, wanted)


def _convolutions() -> list[Case]:
    image, kernel = numbers(121, (2, 3, 6, 5)), numbers(122, (4, 3, 3, 2))
    row = numbers(123, (1, 2, 9))
    last = numbers(124, (1, 5, 5, 2))
    weights = numbers(125, (3, 3, 2, 3))
    wanted = semantics.convolution(
        last.transpose(0, 3, 1, 2), weights.transpose(3, 2, 0, 1), strides=(1, 1), low=(1, 1), high=(1, 1), lhs_dilation=(1, 1), rhs_dilation=(1, 1)
    ).transpose(0, 2, 3, 1)
    text = f"%r = stablehlo.convolution(%a, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {{stride = [1, 1], pad = [[1, 1], [1, 1]]}} {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} : ({t(last)}, {t(weights)}) -> {t(wanted)}"
    return [
        convolved("two dims", image, kernel),
        convolved("strides and padding", image, kernel, strides=(2, 1), low=(1, 0), high=(1, 1)),
        convolved("a dilated kernel", row, numbers(126, (3, 2, 3)), rhs_dilation=(2,)),
        convolved("no window", row, numbers(133, (3, 2, 4)), rhs_dilation=(3,)),
        convolved("a dilated operand", row, numbers(127, (3, 2, 3)), lhs_dilation=(2,), low=(2,), high=(2,)),
        convolved("groups", numbers(128, (1, 4, 6)), numbers(129, (6, 2, 3)), groups=2),
        convolved("depthwise", numbers(130, (1, 3, 6)), numbers(131, (3, 1, 3)), groups=3),
        case("convolution", "channels last", text, {"a": last, "w": weights}, wanted.copy()),
        convolved("a kernel of one place", image, numbers(132, (4, 3, 1, 1))),
    ]


CASES = (*_products(), *_convolutions())
