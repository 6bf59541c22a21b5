"""Cases of reductions, softmax and norms."""

from __future__ import annotations

from tests.conformance.case import EIGHT_BITS, F32, FLOATS, HALVES, T7, Case

_OF_NUMBERS = ("sum", "mean", "max", "min", "prod")
_LENGTHS = (2, 3, 4, 8, 16, 25, 32, 64, 67, 128, 129)
_MILLION, _QUARTER, _SIXTEENTH = ("1048576", "5001"), ("262144", "4099"), ("65536", "1030")

COLUMNS = Case(
    "x f16 {8192,50257}; c = convert[target_type=f32](x); reduce_sum[axes={0}](c)",
    F32,
    (("8192", "300"), ("50257", "131")),
)
REDUCTIONS = (
    *[
        Case(f"x {{3,4,2,2}}; reduce_{name}[axes={axes}](x)", ("i32", "u32", *FLOATS, *EIGHT_BITS))
        for name in _OF_NUMBERS
        for axes in ("{0,1,2,3}", "{1}", "{0,2}")
    ],
    *[Case(f"x {{3,4,2,2}}; reduce_{name}[axes={{1}}](x)", ("bool", "i32", "f32")) for name in ("any", "all")],
    *[Case(f"x {{3,1026,4,3}}; reduce_{name}[axes={{1}}](x)", FLOATS, kernels=1) for name in _OF_NUMBERS],
    *[Case(f"x {{2,{n}}}; reduce_sum[axes={{1}}](x)", ("f16", "bf16", "f32", "i8"), kernels=1) for n in _LENGTHS],
    *[Case(f"x {{2,{n}}}; reduce_max[axes={{1}}](x)", ("f16", "bf16", "f32", "i8"), kernels=1) for n in _LENGTHS],
    Case("x {1,384,1024}; reduce_mean[axes={2}](x)", HALVES, (("384", "9"),), 1, True),
    Case("x {336,400}; reduce_mean[axes={1}](x)", HALVES, (("336", "7"),), 1, True),
    Case("x {2,1048576}; reduce_mean[axes={1}](x)", HALVES, (_MILLION,), 0, True),
    Case("x {1,32,262144}; reduce_mean[axes={2}](x)", HALVES, (_QUARTER,), 0, True),
    Case("x {1,32,65536}; reduce_mean[axes={2}](x)", HALVES, (_SIXTEENTH,), 0, True),
    Case("x {4,256,2,2} {1024,1,512,256}; reduce_mean[axes={2,3}](x)", FLOATS, kernels=1),
    Case("x {4,256,2,2} {1024,1,512,256}; reduce_sum[axes={1}](x)", FLOATS, kernels=1),
    Case("x {16,300}; m = reduce_mean[axes={1}](x); d = sqdiff(x, m); v = reduce_mean[axes={1}](d); @return(m, v)", FLOATS, kernels=1),
    Case("x {4,1000,2,2}; y {4,1,2,2}; s = reduce_sum[axes={1}](x); add(s, y)", FLOATS, kernels=1),
    Case("x {4,1000,1,1}; reduce_sum[axes={2,3}](x)", FLOATS, kernels=1),
    Case("x {2,1,96}; b = multibroadcast[out_lens={2,32,96}](x); reduce_sum[axes={1}](b)", FLOATS, kernels=1),
    Case("x {2,32,1}; b = multibroadcast[out_lens={2,32,96}](x); reduce_mean[axes={2}](b)", FLOATS, kernels=1),
    Case("x {5,784,768}; m = reduce_mean[axes={2}](x); reduce_sum[axes={1}](m)", FLOATS, (("784", "33"), ("768", "50"))),
    *[
        Case(f"x {{{n},32,20,16}}; reduce_sum[axes={{0,2}}](x)", ("f32",), ((str(n), str(n // 400)), ("20", "3")))
        for n in (3276, 3277, 14400)
    ],
    Case("x {1,24,40,2560,2} {4915200,80,2,1920,1}; reduce_sum[axes={3}](x)", ("f16",), (("2560", "37"), ("4915200", "71040"))),
    *[
        Case(f"x {{2,1,4,1025}}; {name}[axis=3{last}](x)", (*T7, "i32", "u8", "i64", "f64"), kernels=1)
        for name in ("argmin", "argmax")
        for last in ("", ", select_last_index=true")
    ],
    Case("x {2,1,4,1025}; argmax[axis=0](x)", FLOATS, kernels=1),
    Case("x {2,3,4}; y {2,3,4}; s = add(x, y); argmin[axis=1](s)", FLOATS, kernels=1),
    Case("x {8,5,256}; y {8,5,256}; s = mul(x, y); argmax[axis=2](s)", FLOATS, kernels=1),
    Case("x {3,36000}; argmax[axis=1](x)", FLOATS),
    Case("x {7,300}; s = reduce_sum[axes={1}](x); m = reduce_max[axes={1}](x); @return(s, m)", FLOATS, kernels=1),
    COLUMNS,
)  # fmt: skip
_SCALED = "scale {64}; bias {64}; layernorm(x, scale, bias)"
SOFTMAX_AND_NORMS = (
    *[
        Case(f"x {{512,4,1067,6}}; softmax[axis={axis}](x)", F32, (("512", "9"), ("1067", "107")), axis > 0)
        for axis in range(4)
    ],
    *[Case(f"x {{5,3,3,4}}; softmax[axis={axis}](x)", T7, kernels=1) for axis in range(4)],
    Case("x {2,1000,1,1}; softmax[axis=1](x)", FLOATS, kernels=1),
    Case("x {1,12,384,384}; softmax[axis=3](x)", HALVES, (("12", "2"), ("384", "40")), kernels=1),
    *[
        Case(f"x {{10,4,2080,6}}; logsoftmax[axis={axis}](x)", F32, (("2080", "210"),), axis != 2)
        for axis in range(4)
    ],
    *[Case(f"x {{{dims}}}; layernorm(x)", T7, kernels=1) for dims in ("1,2,5", "1,4,24", "1,24,64")],
    Case(f"x {{1,24,64}}; {_SCALED}", T7, kernels=1),
    Case("x {1,32,262144}; layernorm(x)", F32, (_QUARTER,)),
    Case(
        "x {1,384,1024}; y {1,384,1024}; z {1,384,1024}; s = add(x, y); t = add(s, z); layernorm(t)",
        FLOATS,
        (("384", "5"), ("1024", "100")),
        1,
    ),
    Case("x {1,2,5,5}; s {2}; b {2}; instancenorm(x, s, b)", FLOATS, kernels=1),
    Case("x {1,32,64,64,64}; s {32}; b {32}; instancenorm(x, s, b)", F32, (("64", "9"), ("32", "3"))),
    Case("x {2,6,5,5}; s {6}; b {6}; groupnorm[groups=3](x, s, b)", FLOATS, kernels=1),
    Case("x {5,300}; s {300}; rmsnorm(x, s)", T7, kernels=1),
    Case("x {6,300}; y {6,300}; s {300}; b {300}; r = add(x, y); n = layernorm(r, s, b); @return(r, n)", FLOATS, kernels=1),
)  # fmt: skip
