"""Cases of pad, gather, reverse and concat, and of the programs that fuse them."""

from __future__ import annotations

from tests.conformance.case import EVERY_TYPE, F32, FLOATS, HALVES, T7, Case

_WIDE = ("i32", *FLOATS)
_NINE = ("bool", "i8", "u8", "i32", "i64", "f16", "bf16", "f32", "f64")

PAD = (
    Case("x {1,96,165,165}; pad[pads={0,0,0,0,0,0,1,1}](x)", _WIDE, (("96", "3"), ("165", "21")), 1),
    Case("x {1,96,165,165}; pad[pads={0,0,2,2,0,0,2,2}, value=7](x)", _WIDE, (("96", "3"), ("165", "21")), 1),
    Case("x {1,16,1,1}; pad[pads={0,1,2,0,3,0,0,5}](x)", T7, kernels=1),
    Case("x {4}; pad[pads={2,3}, mode=edge](x)", EVERY_TYPE, kernels=1),
    Case("x {3,3}; pad[pads={1,2,3,4}, mode=edge](x)", FLOATS, kernels=1),
    Case("x {1,3}; pad[pads={0,2,0,2}, mode=reflect](x)", FLOATS, kernels=1),
    Case("x {1,5}; pad[pads={0,3,0,2}, mode=reflect](x)", FLOATS, kernels=1),
    Case("x {4,5}; pad[pads={2,2,1,3}, mode=reflect](x)", FLOATS, kernels=1),
    Case("x {5,6}; pad[pads={1,2,0,3}, value=-inf](x)", FLOATS, kernels=1),
    *[Case(f"x {{5,6}}; pad[pads={{1,2,0,3}}, value={value}](x)", ("f16",), kernels=1) for value in (-65504, 65504)],
    *[
        Case(f"x {{5,6}}; pad[pads={{1,2,0,3}}, value={value}](x)", ("bf16",), kernels=1)
        for value in ("3.3895313892515355e38", "-3.3895313892515355e38")
    ],
    Case(
        "x {1,224,224,3}; t = transpose[permutation={0,3,1,2}](x); pad[pads={0,0,2,2,0,0,3,3}](t)",
        FLOATS, (("224", "19"),), 1,
    ),
    Case("x {586,3,224,224}; pad[pads={0,0,1,1,0,0,1,1}](x)", F32, (("586", "3"), ("224", "23")), 1),
    Case("x {4,8,16}; y {4,10,18}; p = pad[pads={0,1,1,0,1,1}](x); add(p, y)", FLOATS, kernels=1),
    Case("x {4,8,16}; y {4,10,18}; p = pad[pads={0,1,1,0,1,1}, value=1](x); mul(p, y)", FLOATS, kernels=1),
    Case("x {4,8,16}; p = pad[pads={0,1,1,0,1,1}](x); reduce_sum[axes={2}](p)", FLOATS, kernels=1),
    Case("x {4,8,16}; p = pad[pads={0,1,1,0,1,1}, value=1](x); reduce_max[axes={1}](p)", FLOATS, kernels=1),
)  # fmt: skip
GATHER = (
    *[Case(f"x {{3,3}}; i i32 {{2}}; gather[axis={axis}](x, i)", (*T7, "i8"), kernels=1) for axis in (0, -2)],
    Case("x {3,3}; i = @literal{-1, -3, 2, 0} -> i32, {2,2}; gather[axis=1](x, i)", FLOATS, kernels=1),
    Case("x {3,3}; i = @literal{-9, 9, -4, 3} -> i64, {4}; gather[axis=0](x, i)", FLOATS, kernels=1),
    Case("x {9}; i i64 {4,2}; gather(x, i)", FLOATS, kernels=1),
    Case("x {3,4}; i i32 {}; gather[axis=1](x, i)", FLOATS, kernels=1),
    Case("x {9}; i i32 {}; gather(x, i)", FLOATS, kernels=1),
    *[Case(f"x {{3,4,5,2}}; i i32 {{3,2}}; gather[axis={axis}](x, i)", ("i8",), kernels=1) for axis in (0, 2, 3)],
    Case("x {1,2,2,3} {12,1,6,2}; i i32 {2}; gather[axis=3](x, i)", FLOATS, kernels=1),
    Case("x {6,5} {1,7}; i i32 {4}; gather[axis=0](x, i)", FLOATS, kernels=1),
    Case("x {8,16,32}; i i32 {5}; y {5,16,32}; g = gather(x, i); add(g, y)", FLOATS, kernels=1),
    Case("x {4,16,8}; i i32 {6}; y {4,6,8}; g = gather[axis=1](x, i); mul(g, y)", FLOATS, kernels=1),
    Case("x {4,16,8}; i i32 {6}; g = gather[axis=1](x, i); reduce_sum[axes={1}](g)", FLOATS, kernels=1),
    Case("x {4,16,8}; i i32 {6}; g = gather[axis=1](x, i); reduce_max[axes={2}](g)", FLOATS, kernels=1),
)  # fmt: skip
REVERSE = (
    Case("x {4,16}; reverse[axes={1}](x)", T7, kernels=1),
    Case("x {4,16}; reverse[axes={0,1}](x)", FLOATS, kernels=1),
    Case("x {4,16}; reverse[axes={-2}](x)", FLOATS, kernels=1),
    Case("x {3,5}; s = slice[axes={1}, starts={1}, ends={4}](x); reverse[axes={1}](s)", ("i32",), kernels=1),
)  # fmt: skip
CONCAT = (
    Case("x {2,2}; y {3,2}; z {1,2}; concat[axis=0](x, y, z)", _NINE, kernels=1),
    *[Case(f"x {{2,3,4}}; y {{2,3,4}}; concat[axis={axis}](x, y)", FLOATS, kernels=1) for axis in (1, 2, -1)],
    Case(
        "x {2,64,56,56} {200704,1,3584,64}; y {2,64,56,56} {200704,1,3584,64}; concat[axis=1](x, y)",
        FLOATS, (("64", "6"), ("56", "9"), ("200704", "486"), ("3584", "54")), 1,
    ),
    Case(
        "x {3,4}; y {5,4}; t = transpose[permutation={1,0}](x); u = transpose[permutation={1,0}](y); concat[axis=1](t, u)",
        FLOATS, kernels=1,
    ),
    Case("x {2,3,4}; y {2,5,4}; c = concat[axis=1](x, y); relu(c)", FLOATS, kernels=1),
    Case("x {2,3,4}; y {2,5,4}; z {4}; c = concat[axis=1](x, y); add(c, z)", FLOATS, kernels=1),
    Case("x {8,14}; y {10,16}; z {10,16}; p = pad[pads={1,1,1,1}](x); r = reverse[axes={1}](y); s = add(p, r); add(s, z)", FLOATS, kernels=1),
    Case("x {4,30}; r = reverse[axes={1}](x); reduce_sum[axes={1}](r)", FLOATS, kernels=1),
    Case("x {4,30}; y {4,7}; c = concat[axis=1](x, y); reduce_sum[axes={1}](c)", FLOATS, kernels=1),
)  # fmt: skip
FUSED = (
    Case("x {1024}; y {1024}; add(x, y)", FLOATS, kernels=1),
    Case("x {1024}; y {1024}; mul(x, y)", FLOATS, kernels=1),
    Case("x {1024}; y {1024}; z {1024}; m = mul(x, y); add(m, z)", FLOATS, kernels=1),
    Case("x {8}; y {12}; p = pad[pads={2,2}](x); add(p, y)", FLOATS, kernels=1),
    Case("x {16}; y {16}; r = reverse[axes={0}](x); add(r, y)", FLOATS, kernels=1),
    Case("x {16}; i i32 {8}; y {8}; g = gather(x, i); add(g, y)", FLOATS, kernels=1),
    Case("x {8}; y {8}; z {16}; c = concat[axis=0](x, y); add(c, z)", FLOATS, kernels=1),
    Case("x {256}; reduce_sum[axes={0}](x)", FLOATS, kernels=1),
    Case("x {256}; reduce_max[axes={0}](x)", FLOATS, kernels=1),
    Case("x {60}; p = pad[pads={2,2}](x); reduce_sum[axes={0}](p)", FLOATS, kernels=1),
    Case("x {64}; i i32 {32}; g = gather(x, i); reduce_sum[axes={0}](g)", FLOATS, kernels=1),
    Case("x {32}; y {32}; c = concat[axis=0](x, y); reduce_sum[axes={0}](c)", FLOATS, kernels=1),
    Case("x {64}; r = reverse[axes={0}](x); reduce_sum[axes={0}](r)", FLOATS, kernels=1),
    Case("x {60}; y {64}; p = pad[pads={2,2}](x); m = mul(p, y); reduce_sum[axes={0}](m)", FLOATS, kernels=1),
    Case("x {64}; i i32 {32}; y {32}; g = gather(x, i); a = add(g, y); reduce_sum[axes={0}](a)", FLOATS, kernels=1),
)  # fmt: skip
EDGES = (
    *[Case(f"x {{{n}}}; y {{{n}}}; add(x, y)", HALVES, kernels=1) for n in (1, 63, 65, 127, 1025)],
    Case("x {0,5}; y {5}; add(x, y)", FLOATS),
    Case("x {3,0}; reduce_sum[axes={1}](x)", FLOATS),
    Case("x {1,1,1}; reduce_sum[axes={0,1,2}](x)", FLOATS),
    Case("x {3,7,5}; max = max(x, x); reduce_max[axes={0,1,2}](max)", FLOATS, kernels=1),
)  # fmt: skip
