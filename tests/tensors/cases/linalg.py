"""Cases of linalg: named ops, generic ops with maps, and regions that read indices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tests.tensors.case import BF16, Array, Case, array, case, element, numbers, t, type_of

_ITERATORS = {"p": "parallel", "r": "reduction"}


def named(
    op: str, about: str, inputs: dict[str, Array], wanted: Array, ulps: float = 0, attributes: str = "", start: object = None, scale: float = 0
) -> Case:
    """An op of all inputs into an empty tensor, or into a tensor that is filled with `start`."""
    names = ", ".join(f"%{name}" for name in inputs)
    types = ", ".join(map(t, inputs.values()))
    lines = [f"%e = tensor.empty() : {t(wanted)}"]
    out = "%e"
    if start is not None:
        lines.append(f"%z = arith.constant {_number(start, wanted.dtype)} : {element(wanted.dtype)}")
        lines.append(f"%f = linalg.fill ins(%z : {element(wanted.dtype)}) outs(%e : {t(wanted)}) -> {t(wanted)}")
        out = "%f"
    lines.append(f"%r = linalg.{op} {attributes}{' ' if attributes else ''}ins({names} : {types}) outs({out} : {t(wanted)}) -> {t(wanted)}")
    return case(op, about, "\n".join(lines), inputs, wanted, ulps=ulps, scale=scale, dialect="linalg.")


def elementwise(kind: str, about: str, inputs: dict[str, Array], wanted: Array, ulps: float = 0) -> Case:
    return named("elementwise", f"{kind} {about}", inputs, wanted, ulps, f"<{kind}>")


def _number(value: object, dtype: Any) -> str:
    if np.dtype(dtype).kind in "biu":
        return str(value)
    number = float(str(value))
    spelt = {np.inf: "0x7F800000", -np.inf: "0xFF800000"}
    return spelt.get(number, f"{number:e}")


def generic(
    about: str,
    maps: list[str],
    iterators: str,
    inputs: dict[str, Array],
    wanted: Array,
    body: str,
    start: object = 0,
    ulps: float = 0,
    signless: bool = True,
) -> Case:
    """A generic op into a filled tensor: `maps` are those of the inputs and of the result, `body` yields %y from %0, %1, ... and %acc."""
    types = [element(x.dtype) for x in inputs.values()]
    arguments = ", ".join([f"%{i}: {kind}" for i, kind in enumerate(types)] + [f"%acc: {element(wanted.dtype)}"])
    spelt = ", ".join(f"affine_map<{one}>" for one in maps)
    iterator_types = ", ".join(f'"{_ITERATORS[letter]}"' for letter in iterators)
    ins = f"ins({', '.join(f'%{name}' for name in inputs)} : {', '.join(map(t, inputs.values()))}) " if len(maps) > 1 else ""
    if not ins:
        arguments = f"%acc: {element(wanted.dtype)}"
    lines = f"""
%e = tensor.empty() : {t(wanted)}
%z = arith.constant {_number(start, wanted.dtype)} : {element(wanted.dtype)}
%f = linalg.fill ins(%z : {element(wanted.dtype)}) outs(%e : {t(wanted)}) -> {t(wanted)}
%r = linalg.generic {{indexing_maps = [{spelt}], iterator_types = [{iterator_types}]}} {ins}outs(%f : {t(wanted)}) {{
^bb0({arguments}):
{body}
  linalg.yield %y : {element(wanted.dtype)}
}} -> {t(wanted)}"""
    return case("generic", about, lines, inputs, wanted, ulps=ulps, dialect="linalg.")


_UNARY: tuple[tuple[str, Callable[[Any], Any], Array, float], ...] = (
    ("exp", np.exp, array([-3.0, 0, 0.5, 2]), 2.5),
    ("log", np.log, array([0.25, 1, 3, 1e6]), 2.5),
    ("abs", np.abs, array([-3.0, 0, 2.5]), 0),
    ("ceil", np.ceil, array([-1.5, 0.25, 3]), 0),
    ("floor", np.floor, array([-1.5, 0.25, 3]), 0),
    ("negf", np.negative, array([-1.5, 0.25, 3]), 0),
    ("reciprocal", np.reciprocal, array([-4.0, 0.25, 3]), 1.5),
    ("round", lambda x: np.sign(x) * np.floor(np.abs(x) + 0.5), array([-2.5, 0.5, 1.4]), 0),
    ("sqrt", np.sqrt, array([0.25, 3, 9]), 1.5),
    ("rsqrt", lambda x: 1 / np.sqrt(x), array([0.25, 3, 9]), 1.5),
    ("square", np.square, array([-3.0, 0.5]), 0),
    ("tanh", np.tanh, array([-3.0, 0.01, 0.5]), 4.5),
)


def _elementwise() -> list[Case]:
    a, b = numbers(201, (3, 5), per=4), numbers(202, (3, 5), least=1, most=9)
    i, j = numbers(203, (4, 3), np.int32), numbers(204, (4, 3), np.int32, least=1)
    mask = a > 0
    made = [elementwise(op, "f32", {"a": x}, reference(x.astype(np.float64)).astype(np.float32), ulps) for op, reference, x, ulps in _UNARY]
    both = {"a": a, "b": b}
    made += [
        elementwise("add", "f32", both, a + b),
        elementwise("sub", "f32", both, a - b),
        elementwise("mul", "f32", both, a * b),
        elementwise("div", "f32", both, a / b, 1.5),
        elementwise("max_signed", "f32", both, np.maximum(a, b)),
        elementwise("min_signed", "f32", both, np.minimum(a, b)),
        elementwise("powf", "f32", {"a": np.abs(a) + 1, "b": b}, ((np.abs(a) + 1).astype(np.float64) ** b).astype(np.float32), 5),
        elementwise("add", "i32", {"a": i, "b": j}, i + j),
        elementwise("mul", "i32 wraps", {"a": i * 2**28, "b": j}, i * 2**28 * j),
        elementwise("div", "i32 truncates", {"a": i, "b": j}, np.trunc(i / j).astype(np.int32)),
        elementwise("add", "f16", {"a": a.astype(np.float16), "b": b.astype(np.float16)}, (a + b).astype(np.float16)),
        elementwise("mul", "bf16", {"a": a.astype(BF16), "b": b.astype(BF16)}, (a * b).astype(BF16)),
        elementwise("select", "a mask", {"p": mask, "a": a, "b": b}, np.where(mask, a, b)),
        named("copy", "f32", {"a": a}, a),
        # the old names of four of them
        named("exp", "the old name", {"a": b}, np.exp(b.astype(np.float64)).astype(np.float32), 2.5),
        named("add", "the old name", both, a + b),
        named("max", "the old name", both, np.maximum(a, b)),
        named("negf", "the old name", {"a": a}, -a),
        elementwise("exp", "f64", {"a": a.astype(np.float64)}, np.exp(a.astype(np.float64)), 2.5),
    ]
    return made


def _moves() -> list[Case]:
    x = numbers(205, (2, 3, 4))
    row = numbers(206, (3,))
    swapped = x.transpose(2, 0, 1)
    empty = "%e = tensor.empty() : {}\n"
    lines = {
        "transpose": (f"%r = linalg.transpose ins(%a : {t(x)}) outs(%e : {t(swapped)}) permutation = [2, 0, 1]", x, swapped.copy()),
        "broadcast": (
            f"%r = linalg.broadcast ins(%a : {t(row)}) outs(%e : {type_of((2, 3, 5), np.float32)}) dimensions = [0, 2]",
            row,
            np.broadcast_to(row[:, None], (2, 3, 5)).copy(),
        ),
        "map": (
            f"%r = linalg.map ins(%a : {t(x)}) outs(%e : {t(x)}) (%p: f32) {{\n  %s = arith.mulf %p, %p : f32\n  linalg.yield %s : f32\n}}",
            x,
            x * x,
        ),
    }
    made = [
        case(op, "f32", empty.format(t(wanted)) + text, {"a": given}, wanted, dialect="linalg.")
        for op, (text, given, wanted) in lines.items()
        if op != "map"
    ]
    text = f"%r = linalg.map {{ arith.addf }} ins(%a, %b : {t(x)}, {t(x)}) outs(%e : {t(x)})"
    made.append(case("map", "an op by its name", empty.format(t(x)) + text, {"a": x, "b": -2 * x}, -x, dialect="linalg."))
    total = x.sum(1)
    start = "%z = arith.constant 1.0 : f32\n%e = tensor.empty() : tensor<2x4xf32>\n%f = linalg.fill ins(%z : f32) outs(%e : tensor<2x4xf32>) -> tensor<2x4xf32>\n"
    made.append(
        case(
            "reduce",
            "a sum onto the destination",
            f"{start}%r = linalg.reduce {{ arith.addf }} ins(%a : {t(x)}) outs(%f : tensor<2x4xf32>) dimensions = [1]",
            {"a": x},
            total + 1,
            dialect="linalg.",
        )
    )
    made.append(
        case(
            "reduce",
            "a maximum of a region",
            f"{start}%r = linalg.reduce ins(%a : {t(x)}) outs(%f : tensor<2x4xf32>) dimensions = [1] (%p: f32, %q: f32) {{\n  %s = arith.maximumf %p, %q : f32\n  linalg.yield %s : f32\n}}",
            {"a": x},
            np.maximum(x.max(1), 1),
            dialect="linalg.",
        )
    )
    fill = "%z = arith.constant 2.5 : f32\n%e = tensor.empty() : tensor<2x3x4xf32>\n%r = linalg.fill ins(%z : f32) outs(%e : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>"
    made.append(case("fill", "a constant", fill, {"a": x}, np.full_like(x, 2.5), dialect="linalg."))
    return made


def _products() -> list[Case]:
    a, b, v = numbers(211, (5, 6)), numbers(212, (6, 7)), numbers(213, (6,))
    p, q = numbers(214, (2, 3, 4)), numbers(215, (2, 4, 5))
    accumulator = numbers(216, (5, 7))
    onto = f"%r = linalg.matmul ins(%a, %b : {t(a)}, {t(b)}) outs(%c : {t(accumulator)}) -> {t(accumulator)}"
    i, j = a.astype(np.int8), b.astype(np.int8)
    maps = "indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]"
    image, kernel = numbers(217, (1, 6, 5, 2)), numbers(218, (3, 2, 2, 3))
    convolved = np.einsum("nabhwc,hwco->nabo", np.lib.stride_tricks.sliding_window_view(image, (3, 2), (1, 2)).transpose(0, 1, 2, 4, 5, 3), kernel)
    pooled = np.lib.stride_tricks.sliding_window_view(image, (2, 2), (1, 2))[:, ::2, ::2]
    shape = type_of((2, 2), np.float32)
    windows = f"%w = tensor.empty() : {shape}\n"
    first = "dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>"

    def pool(op: str, start: str, wanted: Array) -> Case:
        out = t(wanted)
        text = f"{windows}%z = arith.constant {start} : f32\n%e = tensor.empty() : {out}\n%f = linalg.fill ins(%z : f32) outs(%e : {out}) -> {out}\n"
        text += f"%r = linalg.{op} {{{first}}} ins(%a, %w : {t(image)}, {shape}) outs(%f : {out}) -> {out}"
        return case(op, "f32", text, {"a": image}, wanted, dialect="linalg.")

    return [
        named("matmul", "f32", {"a": a, "b": b}, a @ b, start=0.0),
        case("matmul", "onto its destination", onto, {"a": a, "b": b, "c": accumulator}, a @ b + accumulator, dialect="linalg."),
        named("matmul", "f16 to f32", {"a": a.astype(np.float16), "b": b.astype(np.float16)}, a @ b, start=0.0),
        named("matmul", "i8 to i32", {"a": i, "b": j}, i.astype(np.int32) @ j.astype(np.int32), start=0),
        named("matmul", "with maps: the first one transposed", {"a": a.T.copy(), "b": b}, a @ b, start=0.0, attributes=maps),
        named("batch_matmul", "f32", {"a": p, "b": q}, p @ q, start=0.0),
        named("matvec", "f32", {"a": a, "v": v}, a @ v, start=0.0),
        named("vecmat", "f32", {"v": v, "b": b}, v @ b, start=0.0),
        named("dot", "f32", {"v": v, "w": v + 1}, np.asarray(v @ (v + 1)), start=0.0),
        named(
            "conv_2d_nhwc_hwcf",
            "f32",
            {"a": image, "w": kernel},
            convolved,
            start=0.0,
            attributes="{dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}",
        ),
        pool("pooling_nhwc_sum", "0.0", pooled.sum((-2, -1))),
        pool("pooling_nhwc_max", "0xFF800000", pooled.max((-2, -1))),
    ]


def _destinations() -> list[Case]:
    """Destinations that are arguments and are read, scalars as operands, and two results."""
    x, row = numbers(228, (2, 3)), numbers(229, (5,))
    maps = 'affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]'
    read = f"%r = linalg.generic {{indexing_maps = [{maps}}} ins(%a : tensor<5xf32>) outs(%b : tensor<5xf32>) {{\n^bb0(%p: f32, %o: f32):\n"
    read += "  %t = arith.mulf %p, %o : f32\n  %y = arith.subf %t, %o : f32\n  linalg.yield %y : f32\n} -> tensor<5xf32>"
    total = (
        '%r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}'
    )
    total += " ins(%a : tensor<2x3xf32>) outs(%b : tensor<2xf32>) {\n^bb0(%p: f32, %o: f32):\n  %y = arith.addf %o, %p : f32\n  linalg.yield %y : f32\n} -> tensor<2xf32>"
    outside = (
        f"%k = arith.constant 3.0 : f32\n%e = tensor.empty() : tensor<5xf32>\n%r = linalg.generic {{indexing_maps = [{maps}}} ins(%a : tensor<5xf32>)"
    )
    outside += " outs(%e : tensor<5xf32>) {\n^bb0(%p: f32, %o: f32):\n  %y = arith.mulf %p, %k : f32\n  linalg.yield %y : f32\n} -> tensor<5xf32>"
    two = f"%e = tensor.empty() : tensor<5xf32>\n%t:2 = linalg.generic {{indexing_maps = [affine_map<(i) -> (i)>, {maps}}} ins(%a : tensor<5xf32>) outs(%e, %e : tensor<5xf32>, tensor<5xf32>) {{\n"
    two += "^bb0(%p: f32, %o: f32, %q: f32):\n  %y = arith.negf %p : f32\n  %z = arith.mulf %p, %p : f32\n  linalg.yield %z, %y : f32, f32\n} -> (tensor<5xf32>, tensor<5xf32>)\n"
    two += "%r0 = arith.addf %t#0, %t#1 : tensor<5xf32>\n%r1 = arith.negf %t#1 : tensor<5xf32>"
    return [
        case("generic", "a destination that is read", read, {"a": row, "b": row + 1}, row * (row + 1) - (row + 1), dialect="linalg."),
        case("generic", "a sum onto an argument", total, {"a": x, "b": row[:2]}, x.sum(1) + row[:2], dialect="linalg."),
        case("generic", "a number from outside", outside, {"a": row}, 3 * row, dialect="linalg."),
        case("generic", "two results", two, {"a": row}, row * row - row, row, dialect="linalg."),
    ]


def _generics() -> list[Case]:
    x, y = numbers(221, (4, 6)), numbers(222, (6, 5))
    row, cube = numbers(223, (6,)), numbers(224, (2, 3, 4))
    i = numbers(225, (4, 6), np.int32)
    copy = "  %y = arith.addf %0, %acc : f32"
    add = "  %y = arith.addf %0, %1 : f32"
    total = "  %y = arith.addf %acc, %0 : f32"
    muladd = "  %m = arith.mulf %0, %1 : f32\n  %y = arith.addf %acc, %m : f32"
    swish = "  %one = arith.constant 1.0 : f32\n  %n = arith.negf %0 : f32\n  %x = math.exp %n : f32\n  %d = arith.addf %x, %one : f32\n  %y = arith.divf %0, %d : f32"
    index = (
        "  %i = linalg.index 0 : index\n  %j = linalg.index 1 : index\n  %s = arith.muli %i, %j : index\n  %y = arith.index_cast %s : index to i32"
    )
    band = "  %i = linalg.index 0 : index\n  %j = linalg.index 1 : index\n  %c = arith.cmpi sge, %i, %j : index\n  %z0 = arith.constant 0.0 : f32\n  %y = arith.select %c, %0, %z0 : f32"
    relu = "  %z0 = arith.constant 0.0 : f32\n  %c = arith.cmpf ogt, %0, %z0 : f32\n  %y = arith.select %c, %0, %z0 : f32"
    wide = x.astype(np.float64)
    narrow = "  %w = arith.extf %0 : f16 to f32\n  %y = arith.addf %acc, %w : f32"
    greatest = "  %y = arith.maximumf %acc, %0 : f32"
    diagonal = numbers(226, (5, 5))
    strided = numbers(227, (11,))
    return [
        generic("identity maps", ["(i, j) -> (i, j)"] * 3, "pp", {"a": x, "b": 2 * x}, 3 * x, add),
        generic("a row", ["(i, j) -> (i, j)", "(i, j) -> (j)", "(i, j) -> (i, j)"], "pp", {"a": x, "b": row}, x + row, add),
        generic("a transposed operand", ["(i, j) -> (j, i)", "(i, j) -> (i, j)"], "pp", {"a": x}, x.T.copy(), copy),
        generic("a transposed result", ["(i, j) -> (i, j)", "(i, j) -> (j, i)"], "pp", {"a": x}, x.T.copy(), copy),
        generic(
            "a permutation of three", ["(i, j, k) -> (i, j, k)", "(i, j, k) -> (k, i, j)"], "ppp", {"a": cube}, cube.transpose(2, 0, 1).copy(), copy
        ),
        generic(
            "a constant in a map", ["(i, j) -> (0, j)", "(i, j) -> (i, j)"], "pp", {"a": x[:1].copy()}, np.broadcast_to(x[:1], x.shape).copy(), copy
        ),
        generic("the diagonal", ["(i) -> (i, i)", "(i) -> (i)"], "p", {"a": diagonal}, diagonal.diagonal().copy(), copy),
        generic("every second element", ["(i) -> (i * 2 + 1)", "(i) -> (i)"], "p", {"a": strided}, strided[1::2].copy(), copy),
        generic("a sum of rows", ["(i, j) -> (i, j)", "(i, j) -> (i)"], "pr", {"a": x}, x.sum(1), total),
        generic("a sum of columns", ["(i, j) -> (i, j)", "(i, j) -> (j)"], "rp", {"a": x}, x.sum(0), total),
        generic("a sum of all from a start", ["(i, j) -> (i, j)", "(i, j) -> ()"], "rr", {"a": x}, np.asarray(x.sum() + 5), total, start=5),
        generic("a maximum", ["(i, j) -> (i, j)", "(i, j) -> (i)"], "pr", {"a": x}, x.max(1), greatest, start=-np.inf),
        generic("a sum of two dims of three", ["(i, j, k) -> (i, j, k)", "(i, j, k) -> (j)"], "rpr", {"a": cube}, cube.sum((0, 2)), total),
        generic(
            "a product of matrices", ["(i, j, k) -> (i, k)", "(i, j, k) -> (k, j)", "(i, j, k) -> (i, j)"], "ppr", {"a": x, "b": y}, x @ y, muladd
        ),
        generic("a dot of rows", ["(i, k) -> (i, k)", "(i, k) -> (i, k)", "(i, k) -> (i)"], "pr", {"a": x, "b": 2 * x}, (2 * x * x).sum(1), muladd),
        generic("swish", ["(i, j) -> (i, j)"] * 2, "pp", {"a": x}, (wide / (1 + np.exp(-wide))).astype(np.float32), swish, ulps=8),
        generic("relu by a comparison", ["(i, j) -> (i, j)"] * 2, "pp", {"a": x}, np.maximum(x, 0), relu),
        generic("a sum in a wider type", ["(i, j) -> (i, j)", "(i, j) -> (i)"], "pr", {"a": x.astype(np.float16)}, x.sum(1), narrow),
        generic("a sum of i32", ["(i, j) -> (i, j)", "(i, j) -> (i)"], "pr", {"a": i}, i.sum(1, dtype=np.int32), "  %y = arith.addi %acc, %0 : i32"),
        generic(
            "a maximum of i32", ["(i, j) -> (i, j)", "(i, j) -> (j)"], "rp", {"a": i}, i.max(0), "  %y = arith.maxsi %acc, %0 : i32", start=-(2**31)
        ),
        generic(
            "a product of indices",
            ["(i, j) -> (i, j)", "(i, j) -> (i, j)"],
            "pp",
            {"a": i},
            np.outer(np.arange(4), np.arange(6)).astype(np.int32),
            index,
        ),
        generic("the lower triangle by indices", ["(i, j) -> (i, j)"] * 2, "pp", {"a": x}, np.tril(x), band),
        generic(
            "sums of windows",
            ["(i, k) -> (i + k)", "(i, k) -> (k)", "(i, k) -> (i)"],
            "pr",
            {"a": strided, "w": array([1.0, 2, -1])},
            np.convolve(strided, [-1, 2, 1], "valid").astype(np.float32),
            muladd,
        ),
        generic(
            "no inputs but the destination",
            ["(i) -> (i)"],
            "p",
            {"a": strided},
            np.full(3, 8, np.float32),
            "  %y = arith.addf %acc, %acc : f32",
            start=4,
        ),
    ]


def packed(x: Array, tiles: dict[int, int], value: float, outer: tuple[int, ...] = ()) -> Array:
    """The tiles of a tensor, in loops over the elements of the result."""
    order = outer or tuple(range(x.ndim))
    counts = [-(-dim // tiles.get(axis, 1)) for axis, dim in enumerate(x.shape)]
    result = np.full((*[counts[axis] for axis in order], *tiles.values()), value, x.dtype)
    for place in np.ndindex(x.shape):
        tile = [at // tiles.get(axis, 1) for axis, at in enumerate(place)]
        result[(*[tile[axis] for axis in order], *[place[axis] % size for axis, size in tiles.items()])] = x[place]
    return result


def pack(about: str, x: Array, tiles: dict[int, int], value: float | None = None, outer: tuple[int, ...] = (), back: bool = False) -> Case:
    """A tensor in tiles, by axis; `back` takes the tensor from its tiles."""
    wanted = packed(x, tiles, value or 0, outer)
    given, wanted = (wanted, x) if back else (x, wanted)
    attributes = f"outer_dims_perm = {list(outer)} " if outer else ""
    attributes += f"inner_dims_pos = {list(tiles)} inner_tiles = {list(tiles.values())}"
    lines = [f"%e = tensor.empty() : {t(wanted)}"]
    padding = ""
    if value is not None and not back:
        lines.append(f"%z = arith.constant {_number(value, x.dtype)} : {element(x.dtype)}")
        padding = f"padding_value(%z : {element(x.dtype)}) "
    op = "unpack" if back else "pack"
    lines.append(f"%r = linalg.{op} %a {padding}{attributes} into %e : {t(given)} -> {t(wanted)}")
    return case(op, about, "\n".join(lines), {"a": given}, wanted, dialect="linalg.")


def _packs() -> list[Case]:
    x, whole, cube = numbers(230, (5, 6)), numbers(231, (6, 8)), numbers(232, (3, 7, 4))
    i = numbers(233, (7, 5), np.dtype(np.int32))
    return [
        pack("whole tiles", whole, {0: 2, 1: 4}),
        pack("tiles in part", x, {0: 2, 1: 4}, 7.0),
        pack("tiles in part of i32", i, {0: 3, 1: 2}, -5),
        pack("tiles in the other order", x, {1: 4, 0: 2}, 0.0),
        pack("axes of tiles in another order", x, {0: 2, 1: 4}, 1.0, outer=(1, 0)),
        pack("an axis without tiles", cube, {1: 3}, 2.0, outer=(2, 0, 1)),
        pack("whole tiles", whole, {0: 2, 1: 4}, back=True),
        pack("tiles in part", x, {0: 2, 1: 4}, 7.0, back=True),
        pack("tiles in the other order", i, {1: 4, 0: 2}, 0, back=True),
        pack("axes of tiles in another order", x, {1: 4, 0: 2}, 1.0, outer=(1, 0), back=True),
        pack("an axis without tiles", cube, {1: 3}, 2.0, outer=(2, 0, 1), back=True),
    ]


CASES = (*_elementwise(), *_moves(), *_products(), *_generics(), *_destinations(), *_packs())
