"""Cases of reductions, windows, cumulative forms, sorts and batch normalisation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tests.tensors import semantics
from tests.tensors.case import BF16, Array, Case, array, case, constant, numbers, reducer, t, type_of
from tests.tensors.cases.moving import i64s, listed

Ints = Sequence[int]
INF = np.inf


def reduced(about: str, x: Array, op: str, start: object, axes: Ints, wanted: Array, ulps: float = 0, scale: float = 0) -> Case:
    init = array(start, x.dtype)
    text = f"%r = stablehlo.reduce(%a init: %v) applies stablehlo.{op} across dimensions = {listed(axes)} : ({t(x)}, {t(init)}) -> {t(wanted)}"
    return case("reduce", about, text, {"a": x, "v": init}, wanted, ulps=ulps, scale=scale)


def _constant_start(about: str, x: Array, op: str, start: object, axes: Ints, wanted: Array) -> Case:
    init = array(start, x.dtype)
    text = f"{constant('v', init)}\n%r = stablehlo.reduce(%a init: %v) applies stablehlo.{op} across dimensions = {listed(axes)} : ({t(x)}, {t(init)}) -> {t(wanted)}"
    return case("reduce", about, text, {"a": x}, wanted)


def _reductions() -> list[Case]:
    x = numbers(61, (3, 4, 5))
    mask = numbers(62, (4, 6)) > 4
    row = numbers(63, (300,), per=4)
    i = numbers(64, (3, 7), np.int32)
    small = numbers(65, (2, 3), per=2)
    return [
        reduced("a sum of rows", x, "add", 0, [2], x.sum(2)),
        reduced("a sum of an outer dim", x, "add", 0, [0], x.sum(0)),
        reduced("a sum of the middle", x, "add", 0, [1], x.sum(1)),
        reduced("a sum of two dims", x, "add", 0, [0, 2], x.sum((0, 2))),
        reduced("a sum of all", x, "add", 0, [0, 1, 2], x.sum()[...]),
        reduced("a sum from a start that is not 0", x, "add", 10, [2], x.sum(2) + 10),
        reduced("over no dims", x, "add", 0, [], x),
        reduced("a long row", row, "add", 0, [0], row.sum()[...]),
        reduced("without elements: the start", np.zeros((3, 0), np.float32), "add", 2.5, [1], array([2.5] * 3)),
        reduced("a product", small, "multiply", 1, [1], small.prod(1)),
        reduced("a product from a start", small, "multiply", -2, [1], small.prod(1) * -2),
        reduced("a maximum", x, "maximum", -INF, [1], x.max(1)),
        reduced("a maximum from a start", x, "maximum", 3, [1], np.maximum(x.max(1), 3)),
        reduced("a maximum with NaN", array([[1.0, np.nan, 3], [4, 5, 6]]), "maximum", -INF, [1], array([np.nan, 6])),
        reduced("a minimum", x, "minimum", INF, [2], x.min(2)),
        reduced("a sum of i32", i, "add", 0, [1], i.sum(1, dtype=np.int32)),
        reduced(
            "a sum of i8 wraps", numbers(66, (2, 9), np.int8, 60, 120), "add", 0, [1], numbers(66, (2, 9), np.int8, 60, 120).sum(1, dtype=np.int8)
        ),
        reduced("a sum of i64", i.astype(np.int64) * 2**40, "add", 7, [0], i.astype(np.int64).sum(0) * 2**40 + 7),
        reduced("a maximum of ui8", i.astype(np.uint8), "maximum", 0, [1], i.astype(np.uint8).max(1)),
        reduced("any", mask, "or", False, [1], np.asarray(mask.any(1))),
        reduced("all", mask, "and", True, [0], np.asarray(mask.all(0))),
        reduced("bits: or", i, "or", 0, [1], np.bitwise_or.reduce(i, 1)),
        reduced("bits: and", i, "and", -1, [1], np.bitwise_and.reduce(i, 1)),
        reduced("bits: xor", i, "xor", 0, [1], np.bitwise_xor.reduce(i, 1)),
        reduced("f16", x.astype(np.float16), "add", 0, [2], x.sum(2).astype(np.float16)),
        reduced("bf16", x.astype(BF16), "add", 0, [2], x.sum(2).astype(BF16)),
        reduced("f64", x.astype(np.float64), "add", 0, [1], x.sum(1).astype(np.float64)),
        _constant_start("a sum from a constant 0", x, "add", 0, [2], x.sum(2)),
        _constant_start("a maximum from a constant -infinity", x, "maximum", -INF, [0, 1], x.max((0, 1))),
        _constant_start("a minimum from the constant greatest i32", i, "minimum", 2**31 - 1, [1], i.min(1)),
        _constant_start("any from a constant", mask, "or", False, [0, 1], np.asarray(mask.any())),
    ]


def _argmax(about: str, direction: str, x: Array, axis: int, index: Any, wanted: Array) -> Case:
    """The body as JAX writes it: two operands, the first of equal elements, NaN wins."""
    start = (
        array(-INF if direction == "GT" else INF, x.dtype)
        if x.dtype.kind not in "iu"
        else array(np.iinfo(x.dtype).min if direction == "GT" else np.iinfo(x.dtype).max, x.dtype)
    )
    zero = array(0, index)
    value, number, flag = t(start), t(zero), "tensor<i1>"
    numbered = type_of(x.shape, index)
    best = np.take_along_axis(x, np.expand_dims(wanted.astype(np.int64), axis), axis).squeeze(axis)
    lines = f"""
{constant("v", start)}
{constant("z", zero)}
%n = stablehlo.iota dim = {axis} : {numbered}
%r:2 = stablehlo.reduce(%a init: %v), (%n init: %z) across dimensions = [{axis}] : ({t(x)}, {numbered}, {value}, {number}) -> ({t(best)}, {t(wanted)})
 reducer(%p: {value}, %q: {value}) (%i: {number}, %j: {number}) {{
  %1 = stablehlo.compare {direction}, %p, %q : ({value}, {value}) -> {flag}
  %2 = stablehlo.compare NE, %p, %p : ({value}, {value}) -> {flag}
  %3 = stablehlo.or %1, %2 : {flag}
  %4 = stablehlo.compare EQ, %p, %q : ({value}, {value}) -> {flag}
  %5 = stablehlo.compare LT, %i, %j : ({number}, {number}) -> {flag}
  %6 = stablehlo.and %4, %5 : {flag}
  %7 = stablehlo.or %3, %6 : {flag}
  %8 = stablehlo.select %3, %p, %q : {flag}, {value}
  %9 = stablehlo.select %7, %i, %j : {flag}, {number}
  stablehlo.return %8, %9 : {value}, {number}
 }}
%r0 = stablehlo.convert %r#0 : {t(best)}
%r1 = stablehlo.convert %r#1 : {t(wanted)}"""
    return case("reduce", about, lines, {"a": x}, best, wanted)


def _several() -> list[Case]:
    x = numbers(67, (4, 9), least=-2, most=2)
    i = numbers(68, (3, 8), np.int32, -2, 2)
    nan = np.where(x == 1, np.float32(np.nan), x)
    two = numbers(69, (3, 8))
    scalar = "tensor<f32>"
    zero = constant("z", array(0.0))
    body = f"%r:2 = stablehlo.reduce(%a init: %z), (%b init: %z) across dimensions = [1] : ({t(two)}, {t(two)}, {scalar}, {scalar}) -> (tensor<3xf32>, tensor<3xf32>)\n"
    body += f" reducer(%p: {scalar}, %q: {scalar}) (%i: {scalar}, %j: {scalar}) {{\n  %1 = stablehlo.add %p, %q : {scalar}\n  %2 = stablehlo.maximum %i, %j : {scalar}\n"
    body += f"  stablehlo.return %1, %2 : {scalar}, {scalar}\n }}\n%r0 = stablehlo.negate %r#0 : tensor<3xf32>\n%r1 = stablehlo.negate %r#1 : tensor<3xf32>"
    generic = (
        f'{zero}\n%r = "stablehlo.reduce"(%a, %z) ({reducer("add", np.float32)}) {{dimensions = {i64s([1])}}} : ({t(x)}, {scalar}) -> tensor<4xf32>'
    )
    return [
        _argmax("argmax as JAX writes it", "GT", x, 1, np.int32, x.argmax(1).astype(np.int32)),
        _argmax("argmax of columns", "GT", x, 0, np.int32, x.argmax(0).astype(np.int32)),
        _argmax("argmax, the first NaN wins", "GT", nan, 1, np.int32, nan.argmax(1).astype(np.int32)),
        _argmax("argmin of f32 with i64 indices", "LT", x, 1, np.int64, x.argmin(1)),
        _argmax("argmax of i32", "GT", i, 1, np.int32, i.argmax(1).astype(np.int32)),
        case("reduce", "a sum and a maximum of two operands", f"{zero}\n{body}", {"a": two, "b": two}, -two.sum(1), -np.maximum(two.max(1), 0)),
        case("reduce", "the generic form", generic, {"a": x}, x.sum(1)),
    ]


def _window(about: str, x: Array, op: str, start: object, dims: Ints, strides: Ints, **fields: Ints) -> Case:
    init = array(start, x.dtype)
    combine: Any = {"add": np.add, "maximum": np.maximum, "minimum": np.minimum, "multiply": np.multiply}[op]
    wanted = semantics.reduce_window(x, init, combine, dims, strides, **fields)
    parts = [f"window_dimensions = {i64s(dims)}", f"window_strides = {i64s(strides)}"]
    parts += [f"{name} = {i64s(fields[key])}" for name, key in (("base_dilations", "base"), ("window_dilations", "dilations")) if key in fields]
    if "low" in fields:
        pairs = [list(pair) for pair in zip(fields["low"], fields["high"], strict=True)]
        parts.append(f"padding = dense<{pairs}> : tensor<{len(dims)}x2xi64>")
    text = f'{constant("v", init)}\n%r = "stablehlo.reduce_window"(%a, %v) <{{{", ".join(parts)}}}> ({reducer(op, x.dtype)}) : ({t(x)}, {t(init)}) -> {t(wanted)}'
    return case("reduce_window", about, text, {"a": x}, wanted)


def _cumulative(about: str, x: Array, op: str, start: object, axis: int, wanted: Array, reverse: bool = False) -> Case:
    """A window as long as the axis, with padding before it (or after it): a scan, as JAX writes it."""
    dims, low = [1] * x.ndim, [0] * x.ndim
    dims[axis], low[axis] = x.shape[axis], x.shape[axis] - 1
    high = [0] * x.ndim
    if reverse:
        low, high = high, low
    init = array(start, x.dtype)
    pairs = [list(pair) for pair in zip(low, high, strict=True)]
    attributes = f"window_dimensions = {i64s(dims)}, padding = dense<{pairs}> : tensor<{x.ndim}x2xi64>"
    text = (
        f'{constant("v", init)}\n%r = "stablehlo.reduce_window"(%a, %v) <{{{attributes}}}> ({reducer(op, x.dtype)}) : ({t(x)}, {t(init)}) -> {t(x)}'
    )
    return case("reduce_window", about, text, {"a": x}, wanted)


def _windows() -> list[Case]:
    image = numbers(71, (2, 7, 6))
    row = numbers(72, (11,))
    i = numbers(73, (4, 6), np.int32)
    rows = numbers(74, (3, 8))
    shape = (1, 6, 6, 2)
    batch = numbers(75, shape)
    return [
        _window("sums of pairs", row, "add", 0, [2], [2]),
        _window("sums that overlap", row, "add", 0, [3], [1]),
        _window("a maximum pool", image, "maximum", -INF, [1, 2, 2], [1, 2, 2]),
        _window("a maximum pool with padding", image, "maximum", -INF, [1, 3, 3], [1, 2, 2], low=[0, 1, 1], high=[0, 1, 1]),
        _window("a maximum pool of NHWC", batch, "maximum", -INF, [1, 3, 3, 1], [1, 2, 2, 1], low=[0, 0, 0, 0], high=[0, 1, 1, 0]),
        _window("sums of NHWC", batch, "add", 0, [1, 2, 2, 1], [1, 2, 2, 1]),
        _window("a minimum with padding on one side", row, "minimum", INF, [4], [3], low=[2], high=[0]),
        _window("with dilated windows", image, "add", 0, [1, 3, 2], [1, 1, 2], dilations=[1, 2, 3]),
        _window("with a dilated operand", row, "add", 0, [3], [2], base=[2]),
        _window("from a start that is not 0", row, "add", 1, [3], [2]),
        _window("i32", i, "add", 0, [2, 3], [2, 1]),
        _window("a product", numbers(76, (5,), least=1, most=3), "multiply", 1, [3], [1]),
        _window("a window larger than the operand: no result", row, "add", 0, [12], [1]),
        _window("f16", rows.astype(np.float16), "maximum", -INF, [1, 4], [1, 4]),
        _cumulative("a cumulative sum", rows, "add", 0, 1, rows.cumsum(1, dtype=np.float32)),
        _cumulative("a cumulative sum of columns", rows, "add", 0, 0, rows.cumsum(0, dtype=np.float32)),
        _cumulative("a cumulative maximum", rows, "maximum", -INF, 1, np.maximum.accumulate(rows, 1)),
        _cumulative("a cumulative sum from the end", rows, "add", 0, 1, rows[:, ::-1].cumsum(1, dtype=np.float32)[:, ::-1].copy(), reverse=True),
        _cumulative("a cumulative sum of i32", i, "add", 0, 1, i.cumsum(1, dtype=np.int32)),
        _cumulative("a cumulative product", array([[1.0, 2, -1, 0.5, 4]]), "multiply", 1, 1, array([[1.0, 2, -2, -1, -4]])),
    ]


def _selected(about: str, x: Array, source: Array, dims: Ints, strides: Ints, low: Ints, high: Ints) -> Case:
    wanted = semantics.select_and_scatter(x, source, 0, lambda a, b: a >= b, lambda a, b: a + b, dims, strides, low, high)
    pairs = [list(pair) for pair in zip(low, high, strict=True)]
    scalar = t(array(0, x.dtype))
    chosen = f"{{\n^bb0(%p: {scalar}, %q: {scalar}):\n  %s = stablehlo.compare GE, %p, %q : ({scalar}, {scalar}) -> tensor<i1>\n  stablehlo.return %s : tensor<i1>\n}}"
    attributes = f"window_dimensions = {i64s(dims)}, window_strides = {i64s(strides)}, padding = dense<{pairs}> : tensor<{x.ndim}x2xi64>"
    text = f'{constant("v", array(0, x.dtype))}\n%r = "stablehlo.select_and_scatter"(%a, %b, %v) <{{{attributes}}}> ({chosen}, {reducer("add", x.dtype)}) : ({t(x)}, {t(source)}, {scalar}) -> {t(x)}'
    return case("select_and_scatter", about, text, {"a": x, "b": source}, wanted)


def _selections() -> list[Case]:
    row, image = numbers(81, (8,)), numbers(82, (6, 4))
    return [
        _selected("windows apart", row, numbers(83, (4,)), [2], [2], [0], [0]),
        _selected("windows that overlap", row, numbers(84, (6,)), [3], [1], [0], [0]),
        _selected("two dims", image, numbers(85, (3, 2)), [2, 2], [2, 2], [0, 0], [0, 0]),
        _selected("two dims of four, and elements in no window", numbers(87, (2, 7, 5, 3)), numbers(88, (2, 3, 2, 3)), [1, 2, 2, 1], [1, 2, 2, 1], [0] * 4, [0] * 4),
        _selected("with padding", image, numbers(86, (3, 2)), [3, 3], [2, 2], [0, 1], [1, 0]),
    ]


def _sorted(about: str, x: Array, axis: int, direction: str, kind: str, wanted: Array, stable: bool = True) -> Case:
    scalar = t(array(0, x.dtype))
    region = f"{{\n^bb0(%p: {scalar}, %q: {scalar}):\n  %s = stablehlo.compare {direction}, %p, %q, {kind} : ({scalar}, {scalar}) -> tensor<i1>\n  stablehlo.return %s : tensor<i1>\n}}"
    text = f'%r = "stablehlo.sort"(%a) <{{dimension = {axis} : i64, is_stable = {str(stable).lower()}}}> ({region}) : ({t(x)}) -> {t(x)}'
    return case("sort", about, text, {"a": x}, wanted)


def _sorts() -> list[Case]:
    x = numbers(91, (3, 10), least=-50, most=50)
    i = numbers(92, (4, 7), np.int32)
    key, number = "tensor<f32>", "tensor<i32>"
    region = f"{{\n^bb0(%p: {key}, %q: {key}, %i: {number}, %j: {number}):\n  %s = stablehlo.compare LT, %p, %q, TOTALORDER : ({key}, {key}) -> tensor<i1>\n  stablehlo.return %s : tensor<i1>\n}}"
    order = np.argsort(x, 1, kind="stable").astype(np.int32)
    pairs = f'%n = stablehlo.iota dim = 1 : {t(order)}\n%r:2 = "stablehlo.sort"(%a, %n) <{{dimension = 1 : i64, is_stable = true}}> ({region}) : ({t(x)}, {t(order)}) -> ({t(x)}, {t(order)})\n'
    pairs += f"%r0 = stablehlo.convert %r#0 : {t(x)}\n%r1 = stablehlo.convert %r#1 : {t(order)}"
    top = f"%r0, %r1 = chlo.top_k(%a, k = 3) : {t(x)} -> (tensor<3x3xf32>, tensor<3x3xi32>)"
    best = np.argsort(-x, 1, kind="stable")[:, :3].astype(np.int32)
    signs = np.array([[1, -0.0, np.nan, 0, -np.nan, 3]] * 3, np.float32)
    signs[:, [2, 4]] = np.copysign(np.float32(np.nan), np.array([1, -1], np.float32))
    in_order = np.array([[2, 5, 0, 3, 1, 4]] * 3, np.int32)
    whole = f"%r0, %r1 = chlo.top_k(%a, k = 6) : {t(signs)} -> ({t(signs)}, {t(in_order)})"
    return [
        _sorted("rows of f32", x, 1, "LT", "FLOAT", np.sort(x, 1)),
        _sorted("rows of f32 in the total order", x, 1, "LT", "TOTALORDER", np.sort(x, 1)),
        _sorted("descending", x, 1, "GT", "FLOAT", -np.sort(-x, 1), stable=False),
        _sorted("columns of i32", i, 0, "LT", "SIGNED", np.sort(i, 0)),
        _sorted("ui8", i.astype(np.uint8), 1, "LT", "UNSIGNED", np.sort(i.astype(np.uint8), 1)),
        case("sort", "keys with their places", pairs, {"a": x}, np.sort(x, 1), order),
        case("top_k", "the largest three and their places", top, {"a": x}, np.take_along_axis(x, best, 1), best, dialect="chlo."),
        case("top_k", "a NaN with the sign bit is last", whole, {"a": signs}, np.take_along_axis(signs, in_order, 1), in_order, dialect="chlo."),
    ]


def _norms() -> list[Case]:
    x = numbers(95, (4, 3, 5), per=4)
    scale, offset, mean, variance = array([1.5, -1.0, 0.5]), array([0.25, 0, 2]), array([0.5, -0.5, 0]), array([1.0, 2, 0.25])
    shaped = [part.astype(np.float64)[:, None] for part in (scale, offset, mean, variance)]
    wide = x.astype(np.float64)
    wanted = ((wide - shaped[2]) / np.sqrt(shaped[3] + 0.125) * shaped[0] + shaped[1]).astype(np.float32)
    types = ", ".join([t(x)] + ["tensor<3xf32>"] * 4)
    inference = f'%r = "stablehlo.batch_norm_inference"(%a, %s, %o, %m, %v) {{epsilon = 0.125 : f32, feature_index = 1 : i64}} : ({types}) -> {t(x)}'
    of_batch, spread = wide.mean((0, 2)), wide.var((0, 2))
    trained = ((wide - of_batch[:, None]) / np.sqrt(spread[:, None] + 0.125) * shaped[0] + shaped[1]).astype(np.float32)
    training = f'%r0, %r1, %r2 = "stablehlo.batch_norm_training"(%a, %s, %o) {{epsilon = 0.125 : f32, feature_index = 1 : i64}} : ({t(x)}, tensor<3xf32>, tensor<3xf32>) -> ({t(x)}, tensor<3xf32>, tensor<3xf32>)'
    inputs = {"a": x, "s": scale, "o": offset}
    given, factor = numbers(96, (4, 3, 5), per=4), 1 / np.sqrt(shaped[3] + 0.125)
    normal = (wide - shaped[2]) * factor
    of_scale, of_offset = [each.sum((0, 2)) for each in (given * normal, given.astype(np.float64))]
    gradient = shaped[0] * factor * (given - of_offset[:, None] / 20 - normal * of_scale[:, None] / 20)
    backward = f'%r0, %r1, %r2 = "stablehlo.batch_norm_grad"(%a, %s, %m, %v, %g) {{epsilon = 0.125 : f32, feature_index = 1 : i64}} : ({types.rpartition(",")[0]}, {t(x)}) -> ({t(x)}, tensor<3xf32>, tensor<3xf32>)'
    wanted_grads = [each.astype(np.float32) for each in (gradient, of_scale, of_offset)]
    return [
        case("batch_norm_grad", "f32", backward, {"a": x, "s": scale, "m": mean, "v": variance, "g": given}, *wanted_grads, ulps=8, scale=32),
        case("batch_norm_inference", "f32", inference, {**inputs, "m": mean, "v": variance}, wanted, ulps=8, scale=8),
        case("batch_norm_training", "f32", training, inputs, trained, of_batch.astype(np.float32), spread.astype(np.float32), ulps=8, scale=8),
    ]


def _several_keys() -> list[Case]:
    """Rows in the order of two operands; a third operand follows."""
    i, x = numbers(161, (3, 40), np.int32, 0, 4), numbers(162, (3, 40), least=-2, most=2)
    n, b = np.broadcast_to(np.arange(40, dtype=np.int32), (3, 40)).copy(), "tensor<i1>"
    s, f = "tensor<i32>", "tensor<f32>"
    types = f"({t(i)}, {t(x)}, {t(n)})"
    made: list[Case] = []
    for about, first, second, keys in (
        (
            "i32, then f32 descending",
            "%p, %q, SIGNED : (tensor<i32>, tensor<i32>)",
            "%u, %v, FLOAT : (tensor<f32>, tensor<f32>)",
            (-x, i),
        ),
        (
            "f32 descending, then i32",
            "%u, %v, FLOAT : (tensor<f32>, tensor<f32>)",
            "%p, %q, SIGNED : (tensor<i32>, tensor<i32>)",
            (i, -x),
        ),
    ):
        signs = ("LT", "GT") if "SIGNED" in first else ("GT", "LT")
        text = f"%n = stablehlo.iota dim = 1 : {t(n)}\n"
        text += f'%r0, %r1, %r2 = "stablehlo.sort"(%i, %x, %n) <{{dimension = 1 : i64, is_stable = true}}> ({{\n^bb0(%p: {s}, %q: {s}, %u: {f}, %v: {f}, %l: {s}, %m: {s}):\n'
        text += f"  %a = stablehlo.compare {signs[0]}, {first} -> {b}\n  %e = stablehlo.compare EQ, {first} -> {b}\n  %c = stablehlo.compare {signs[1]}, {second} -> {b}\n"
        text += f"  %d = stablehlo.and %e, %c : {b}\n  %o = stablehlo.or %a, %d : {b}\n  stablehlo.return %o : {b}\n}}) : {types} -> {types}"
        order = np.stack([np.lexsort((keys[0][row], keys[1][row])) for row in range(3)])
        sorted_ = [np.take_along_axis(each, order, 1) for each in (i, x, n)]
        made.append(case("sort", about, text, {"i": i, "x": x}, *sorted_))
    return made


CASES = (*_reductions(), *_several(), *_windows(), *_selections(), *_sorts(), *_several_keys(), *_norms())
