"""Cases of StableHLO's ops that move elements by indices that are known: constants, shapes, slices, padding, and slices at runtime."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tests.tensors import semantics
from tests.tensors.case import BF16, Array, Case, array, case, constant, dense, numbers, t, type_of

Ints = Sequence[int]


def listed(values: Ints) -> str:
    return "[" + ", ".join(map(str, values)) + "]"


def i64s(values: Ints) -> str:
    """The attribute of a list of integers in the generic form."""
    return f"array<i64: {', '.join(map(str, values))}>" if values else "array<i64>"


def _constants() -> list[Case]:
    grid = numbers(11, (2, 3))
    splat = f"dense<1.5> : {type_of((2, 2), np.float32)}"
    hexed = 'dense<"0x0000803F000000C00000404000000000"> : tensor<4xf32>'
    special = array([np.nan, np.inf, -np.inf, -0.0])
    x = numbers(12, (2, 3))
    small = array([1.5, -0.75], BF16)
    return [
        case("constant", "a list", constant("r", grid), {"a": x}, grid),
        case("constant", "a splat", f"%r = stablehlo.constant {splat}", {"a": x}, np.full((2, 2), 1.5, np.float32)),
        case("constant", "bytes in hex", f"%r = stablehlo.constant {hexed}", {"a": x}, array([1, -2, 3, 0])),
        case("constant", "infinities and NaN", constant("r", special), {"a": x}, special),
        case("constant", "i1", constant("r", array([1, 0, 1], bool)), {"a": x}, array([1, 0, 1], bool)),
        case("constant", "ui8 above 127", constant("r", array([200, 7], np.uint8)), {"a": x}, array([200, 7], np.uint8)),
        case("constant", "i64 of 63 bits", constant("r", array([-(2**63), 2**62 + 1], np.int64)), {"a": x}, array([-(2**63), 2**62 + 1], np.int64)),
        case("constant", "bf16", constant("r", small), {"a": x}, small),
        case("constant", "f64 of all digits", constant("r", array([0.1, 1e-300], np.float64)), {"a": x}, array([0.1, 1e-300], np.float64)),
        case("constant", "an operand", f"{constant('c', grid)}\n%r = stablehlo.add %a, %c : {t(grid)}", {"a": x}, x + grid),
        case("constant", "no elements", f"%r = stablehlo.constant dense<> : {type_of((0, 4), np.float32)}", {"a": x}, np.zeros((0, 4), np.float32)),
    ]


def _broadcast(about: str, x: Array, dims: Ints, shape: tuple[int, ...]) -> Case:
    placed = [1] * len(shape)
    for axis, dim in zip(dims, x.shape, strict=True):
        placed[axis] = dim
    order = sorted(range(len(dims)), key=lambda axis: dims[axis])
    wanted = np.broadcast_to(x.transpose(order).reshape(placed), shape).copy()
    return case("broadcast_in_dim", about, f"%r = stablehlo.broadcast_in_dim %a, dims = {listed(dims)} : ({t(x)}) -> {t(wanted)}", {"a": x}, wanted)


def _shapes() -> list[Case]:
    x = numbers(13, (2, 3, 4))
    made = [
        _broadcast("a scalar", array(2.5), [], (2, 3)),
        _broadcast("a row", numbers(14, (3,)), [1], (2, 3)),
        _broadcast("a column", numbers(15, (2,)), [0], (2, 3)),
        _broadcast("a dim of 1", numbers(16, (2, 1)), [0, 1], (2, 3)),
        _broadcast("a dim of 1 to the middle", numbers(17, (1, 3)), [1, 2], (4, 2, 3)),
        _broadcast("dims in another order transpose", numbers(18, (3, 2)), [1, 0], (2, 3)),
        _broadcast("dims in another order, of rank 3", numbers(19, (4, 2)), [2, 0], (2, 3, 4)),
        _broadcast("i8", numbers(20, (3,), np.int8), [0], (3, 5)),
        _broadcast("the same shape", x, [0, 1, 2], (2, 3, 4)),
    ]
    for about, shape in (
        ("fewer dims", (6, 4)),
        ("more dims", (2, 3, 2, 2)),
        ("dims of 1", (2, 1, 3, 4, 1)),
        ("across all dims", (4, 6)),
        ("flat", (24,)),
    ):
        made.append(case("reshape", about, f"%r = stablehlo.reshape %a : ({t(x)}) -> {type_of(shape, x.dtype)}", {"a": x}, x.reshape(shape)))
    one = array([[7.0]])
    made.append(case("reshape", "one element to a scalar", f"%r = stablehlo.reshape %a : ({t(one)}) -> tensor<f32>", {"a": one}, array(7.0)))
    for order in ((1, 0, 2), (2, 1, 0), (2, 0, 1), (0, 1, 2)):
        wanted = x.transpose(order)
        made.append(case("transpose", str(order), f"%r = stablehlo.transpose %a, dims = {listed(order)} : ({t(x)}) -> {t(wanted)}", {"a": x}, wanted))
    halves = numbers(21, (33, 17), np.float16)
    made.append(case("transpose", "f16", f"%r = stablehlo.transpose %a, dims = [1, 0] : ({t(halves)}) -> {t(halves.T)}", {"a": halves}, halves.T))
    for axes in ((0,), (1, 2), (), (0, 1, 2)):
        made.append(case("reverse", str(axes), f"%r = stablehlo.reverse %a, dims = {listed(axes)} : {t(x)}", {"a": x}, np.flip(x, axes)))
    return made


def _slice(about: str, x: Array, starts: Ints, limits: Ints, strides: Ints) -> Case:
    wanted = x[tuple(slice(*part) for part in zip(starts, limits, strides, strict=True))]
    parts = ", ".join(f"{a}:{b}:{c}" if c != 1 else f"{a}:{b}" for a, b, c in zip(starts, limits, strides, strict=True))
    return case("slice", about, f"%r = stablehlo.slice %a [{parts}] : ({t(x)}) -> {t(wanted)}", {"a": x}, wanted)


def _dynamic(about: str, x: Array, starts: Ints, sizes: Ints, dtype: Any = np.int32) -> Case:
    indices = {f"i{i}": array(start, dtype) for i, start in enumerate(starts)}
    wanted = semantics.dynamic_slice(x, starts, sizes)
    types = ", ".join([t(x), *map(t, indices.values())])
    names = ", ".join(f"%{name}" for name in indices)
    return case(
        "dynamic_slice",
        about,
        f"%r = stablehlo.dynamic_slice %a, {names}, sizes = {listed(sizes)} : ({types}) -> {t(wanted)}",
        {"a": x, **indices},
        wanted,
    )


def _update(about: str, x: Array, update: Array, starts: Ints, dtype: Any = np.int32) -> Case:
    indices = {f"i{i}": array(start, dtype) for i, start in enumerate(starts)}
    types = ", ".join([t(x), t(update), *map(t, indices.values())])
    names = ", ".join(f"%{name}" for name in indices)
    text = f"%r = stablehlo.dynamic_update_slice %a, %u, {names} : ({types}) -> {t(x)}"
    return case("dynamic_update_slice", about, text, {"a": x, "u": update, **indices}, semantics.dynamic_update_slice(x, update, starts))


def _slices() -> list[Case]:
    x = numbers(22, (5, 6))
    row = numbers(23, (9,), np.int32)
    fixed = f"{constant('i', array(2, np.int32))}\n{constant('j', array(9, np.int32))}\n"
    fixed += "%r = stablehlo.dynamic_slice %a, %i, %j, sizes = [2, 3] : (tensor<5x6xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>"
    return [
        _slice("of rows and columns", x, [1, 2], [4, 5], [1, 1]),
        _slice("with strides", x, [0, 1], [5, 6], [2, 3]),
        _slice("of no elements", x, [2, 0], [2, 6], [1, 1]),
        _slice("with a stride beyond the end", x, [0, 3], [5, 6], [5, 4]),
        _slice("i32", row, [3], [9], [2]),
        _slice("i1", row > 0, [1], [8], [1]),
        _dynamic("inside", x, [1, 2], [2, 3]),
        _dynamic("clamped at the end", x, [4, 5], [2, 3]),
        _dynamic("clamped at the start: a negative index is 0", x, [-3, -1], [2, 3]),
        _dynamic("i64 indices", row, [4], [3], np.int64),
        _dynamic("of one element", row, [100], [1]),
        case("dynamic_slice", "constant indices are clamped", fixed, {"a": x}, semantics.dynamic_slice(x, [2, 9], [2, 3])),
        _update("inside", x, numbers(24, (2, 3)), [1, 2]),
        _update("clamped at the end", x, numbers(25, (2, 3)), [4, 5]),
        _update("clamped at the start", x, numbers(26, (2, 3)), [-7, -1]),
        _update("of all", row, row[::-1].copy(), [3]),
        _update("i64 indices", row, row[:2].copy(), [6], np.int64),
    ]


def _pad(about: str, x: Array, value: object, low: Ints, high: Ints, interior: Ints) -> Case:
    fill = array(value, x.dtype)
    wanted = semantics.pad(x, fill, low, high, interior)
    text = (
        f"%r = stablehlo.pad %a, %v, low = {listed(low)}, high = {listed(high)}, interior = {listed(interior)} : ({t(x)}, {t(fill)}) -> {t(wanted)}"
    )
    return case("pad", about, text, {"a": x, "v": fill}, wanted)


def _pads() -> list[Case]:
    x = numbers(27, (3, 4))
    fixed = f"{constant('v', array(-np.inf))}\n%r = stablehlo.pad %a, %v, low = [1, 0], high = [0, 2], interior = [0, 0] : "
    infinite = semantics.pad(x, -np.inf, [1, 0], [0, 2], [0, 0])
    return [
        _pad("edges", x, 9, [1, 2], [0, 1], [0, 0]),
        _pad("between elements", x, -1, [0, 0], [0, 0], [1, 2]),
        _pad("edges and between elements", x, 0.5, [1, 0], [2, 1], [2, 1]),
        _pad("negative at both ends", x, 7, [-1, -1], [0, -2], [0, 0]),
        _pad("negative, between elements", x, 7, [-1, 1], [-2, -3], [1, 1]),
        _pad("away from all elements", x, 3, [-3, 0], [4, 0], [0, 0]),
        _pad("no padding", x, 3, [0, 0], [0, 0], [0, 0]),
        _pad("of no elements", np.zeros((0, 2), np.float32), 3, [2, 0], [1, 1], [4, 0]),
        _pad("i32", numbers(28, (4,), np.int32), 77, [2], [1], [1]),
        _pad("i1", array([1, 0, 1], bool), True, [1], [1], [0]),
        case("pad", "a constant infinity", f"{fixed}({t(x)}, tensor<f32>) -> {t(infinite)}", {"a": x}, infinite),
    ]


def _joins() -> list[Case]:
    x, y, z = numbers(29, (2, 3)), numbers(30, (2, 1)), numbers(31, (2, 4))
    wide = np.concatenate([x, y, z], 1)
    made = [
        case(
            "concatenate",
            "three along columns",
            f"%r = stablehlo.concatenate %a, %b, %c, dim = 1 : ({t(x)}, {t(y)}, {t(z)}) -> {t(wide)}",
            {"a": x, "b": y, "c": z},
            wide,
        ),
        case(
            "concatenate",
            "along rows, twice the same",
            f"%r = stablehlo.concatenate %a, %a, dim = 0 : ({t(x)}, {t(x)}) -> tensor<4x3xf32>",
            {"a": x},
            np.concatenate([x, x]),
        ),
        case("concatenate", "one operand", f"%r = stablehlo.concatenate %a, dim = 0 : ({t(x)}) -> {t(x)}", {"a": x}, x),
        case(
            "concatenate",
            "one without elements",
            f"%r = stablehlo.concatenate %a, %b, dim = 0 : ({t(x)}, tensor<0x3xf32>) -> {t(x)}",
            {"a": x, "b": x[:0]},
            x,
        ),
    ]
    for dtype in (np.int32, np.float32, np.uint8, np.int64, np.float16, BF16):
        wanted = np.broadcast_to(np.arange(4).reshape(1, 4, 1), (2, 4, 3)).astype(dtype)
        made.append(case("iota", np.dtype(dtype).name, f"%r = stablehlo.iota dim = 1 : {t(wanted)}", {"a": x}, wanted))
    indices = array([2, -1, 7, 0], np.int32)
    # the legacy op: indices are clamped
    grid = numbers(32, (3, 2))
    text = f'%r = "stablehlo.torch_index_select"(%a, %i) {{dim = 0 : i64, batch_dims = 0 : i64}} : ({t(grid)}, {t(indices[:1])}) -> {t(grid[:1])}'
    made.append(case("torch_index_select", "a row", text, {"a": grid, "i": indices[:1]}, grid[2:]))
    size = f'%r = "stablehlo.get_dimension_size"(%a) {{dimension = 1 : i64}} : ({t(x)}) -> tensor<i32>'
    made.append(case("get_dimension_size", "static", size, {"a": x}, array(3, np.int32)))
    return made


def _of_constant_shapes() -> list[Case]:
    """The dynamic ops with shapes that are constants."""
    x = numbers(33, (2, 3))
    flat = x.reshape(6)
    shape = constant("s", array([6], np.int64))
    wide = constant("s", array([4, 2, 3], np.int64))
    lists = "\n".join(constant(name, array(values, np.int64)) for name, values in (("l", [1, 0]), ("h", [0, 2]), ("i", [0, 1])))
    padded = semantics.pad(x, 5, [1, 0], [0, 2], [0, 1])
    spread = np.broadcast_to(x, (4, 2, 3)).copy()
    slice_lists = "\n".join(constant(name, array(values, np.int64)) for name, values in (("l", [0, 1]), ("h", [2, 3]), ("i", [1, 1])))
    return [
        case(
            "dynamic_reshape",
            "a constant shape",
            f"{shape}\n%r = stablehlo.dynamic_reshape %a, %s : ({t(x)}, tensor<1xi64>) -> {t(flat)}",
            {"a": x},
            flat,
        ),
        case(
            "dynamic_broadcast_in_dim",
            "a constant shape",
            f"{wide}\n%r = stablehlo.dynamic_broadcast_in_dim %a, %s, dims = [1, 2] : ({t(x)}, tensor<3xi64>) -> {t(spread)}",
            {"a": x},
            spread,
        ),
        case(
            "dynamic_pad",
            "constant padding",
            f"{lists}\n%v = stablehlo.constant dense<5.0> : tensor<f32>\n%r = stablehlo.dynamic_pad %a, %v, %l, %h, %i : ({t(x)}, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> {t(padded)}",
            {"a": x},
            padded,
        ),
        case(
            "dynamic_iota",
            "a constant shape",
            f"{shape}\n%r = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi64>) -> tensor<6xi32>",
            {"a": x},
            np.arange(6, dtype=np.int32),
        ),
        case(
            "real_dynamic_slice",
            "constant limits",
            f"{slice_lists}\n%r = stablehlo.real_dynamic_slice %a, %l, %h, %i : ({t(x)}, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x2xf32>",
            {"a": x},
            x[:, 1:],
        ),
    ]


CASES = (*_constants(), *_shapes(), *_slices(), *_pads(), *_joins(), *_of_constant_shapes())
__all__ = ["CASES", "dense", "i64s", "listed"]
