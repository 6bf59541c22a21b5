"""Programs for wrong results: the catalogue at chosen sizes, and the cases of other compilers' tests.

Names and shapes of the second follow the verify tests of tensor compilers, as far as our ops and types go;
outer dims that only cost time are cut down.
"""

from __future__ import annotations

from asmgen.kernels import CATALOGUE
from tests.mutants.builders import Dims, binary, catalogue, graph, norm, reduce, unary

CATALOGUE_SUBJECTS = (
    catalogue("vecadd", n=1000), catalogue("vecadd", n=261), catalogue("vecadd", n=999, dtype="f16"),
    catalogue("vecadd", n=70, dtype="i32"), catalogue("relu", n=500),
    catalogue("relu", n=1030, dtype="i32"), catalogue("muladd", n=777),
    catalogue("muladd", n=300, dtype="f16"), catalogue("gelu", n=1000), catalogue("gelu_erf", n=1000),
    catalogue("gelu_erf", n=130, dtype="f16"), catalogue("row_sum", rows=5, cols=300),
    catalogue("row_sum", rows=33, cols=40), catalogue("row_sum", rows=7, cols=2000, dtype="f16"),
    catalogue("row_sum", rows=3, cols=9000), catalogue("row_sum", rows=6, cols=1024, dtype="i32"),
    catalogue("row_max", rows=5, cols=300), catalogue("row_max", rows=20, cols=64, dtype="f16"),
    catalogue("row_max", rows=3, cols=5000, dtype="i32"), catalogue("softmax", rows=5, cols=300),
    catalogue("softmax", rows=33, cols=50), catalogue("softmax", rows=3, cols=9001),
    catalogue("softmax", rows=4, cols=130, dtype="f16"), catalogue("layernorm", rows=7, cols=40),
    catalogue("layernorm", rows=5, cols=1000), catalogue("layernorm", rows=3, cols=300, dtype="f16"),
    catalogue("rmsnorm", rows=7, cols=100), catalogue("rmsnorm", rows=3, cols=4097),
    catalogue("rmsnorm", rows=9, cols=33, dtype="f16"),
    *[catalogue("cumsum", rows=3, cols=cols) for cols in (256, 1024, 9000)],
    catalogue("gemm", m=20, n=40, k=70), catalogue("gemm", m=33, n=17, k=200, dtype="f16"),
    catalogue("gemm", m=8, n=8, k=8192), catalogue("gemm", m=4, n=3, k=65536, dtype="bf16"),
    catalogue("gemv", m=30, k=300), catalogue("linear", m=20, n=24, k=72, dtype="f16"),
    catalogue("batched_gemm", batch=3, m=9, n=20, k=40, dtype="f16"),
    catalogue("swiglu_mlp", m=9, n=20, k=72, dtype="f16"),
    catalogue("quantised_linear", m=9, n=20, k=128, group=32, dtype="f16"),
    catalogue("int4_linear", m=5, n=12, k=128, group=32, dtype="f16"),
    catalogue("fp8_linear", m=9, n=32, k=128, block=32),
)  # fmt: skip
DEFAULTS = tuple(catalogue(name) for name in CATALOGUE)

_DIMS: Dims = (2, 3, 4, 6)
_SMALL: Dims = (4, 3, 3, 3)
_TYPES = ("f32", "f16", "i32", "bool")
_REDUCTIONS = ("sum", "mean", "max", "min", "prod")

POINTWISE_SUBJECTS = (
    unary("abs", _SMALL), unary("abs", _SMALL, "f16"), unary("abs", _SMALL, "i32"), unary("tanh", _SMALL),
    unary("tanh", _SMALL, "f16"), unary("ceil", _DIMS), unary("floor", _DIMS, "f16"), unary("erf", _DIMS),
    unary("erf", _DIMS, "f16"), unary("sqrt", _DIMS), unary("exp", (6,)), unary("exp", (6,), "f16"),
    unary("log", (6,)), unary("rsqrt", (1, 3, 16, 16)), unary("sqrt", (5,), "f16"),
    unary("sqrt", (6,), "f16"), unary("sqrt", (8,), "f16"), unary("neg", _DIMS),
    unary("neg", _DIMS, "i32"), unary("recip", (3,)), unary("not", (4,), "bool"),
    unary("sigmoid", _SMALL), unary("sigmoid", _SMALL, "f16"), unary("relu", _SMALL), binary("add", (8,)),
    binary("add", (8,), "f16"), binary("add", (8,), "i32"), binary("add", (3,), "f16"),
    binary("min", (128,)), binary("max", (128,)), binary("max", (128,), "i32"), binary("equal", _DIMS),
    binary("less", _DIMS), binary("greater", _DIMS), binary("less", _DIMS, "i32"),
    binary("mul", (3, 3), "f32", (3, 1)), binary("add", (3, 3), "i32", (3, 1)),
    binary("sub", (2, 3, 4, 5), "i32", (4, 5)), binary("div", (64,)), binary("div", (64,), "i32"),
    binary("div", (64,), "f16"), binary("logical_and", (2, 7), "bool"),
    binary("logical_or", (2, 7), "bool"), binary("logical_xor", (300,), "bool"),
    graph(
        "clip f32 {16}", {"x": "f32, {16}"}, "lo = @literal{1.1} -> f32, {}", "hi = @literal{100} -> f32, {}",
        "o = clip(x, lo, hi)",
    ),
    graph("clip f16 {3}", {"x": "f16, {3}", "lo": "f16, {3}", "hi": "f16, {3}"}, "o = clip(x, lo, hi)"),
    graph(
        "where {1,3,4,5}", {"c": "bool, {1,3,4,5}", "a": "f32, {1,3,4,5}", "b": "f32, {1,3,4,5}"},
        "o = where(c, a, b)",
    ),
    *(
        graph(f"convert {old} to {new}", {"x": f"{old}, {{67}}"}, f"o = convert[target_type={new}](x)")
        for old in _TYPES for new in _TYPES if old != new
    ),
    graph(
        "add broadcast axis 0", {"x": "f32, {2,2,3}", "y": "f32, {2,2}"},
        "z = broadcast[axis=0, out_lens={2,2,3}](y)", "o = add(x, z)",
    ),
    binary("add", (2, 3, 4, 4), "f32", (4, 4)),
    graph(
        "bias of channels", {"x": "f32, {1,64,8,12}", "y": "f32, {64}"},
        "z = broadcast[axis=1, out_lens={1,64,8,12}](y)", "o = add(x, z)",
    ),
    graph(
        "add NCHW by NHWC", {"x": "f32, {1,32,16,16}", "y": "f32, {1,32,16,16}, {8192,1,512,32}"},
        "o = add(x, y)",
    ),
    graph(
        "mul_add", {"x": "f32, {2,3}", "y": "f32, {3}", "z": "f32, {2,3}"}, "m = mul(x, y)", "o = add(m, z)",
    ),
    graph(
        "triadd", {"x": "f32, {64}", "y": "f32, {64}", "z": "f32, {64}"}, "a = add(x, y)", "o = add(a, z)",
    ),
    *(
        graph(
            f"triadd {op}", dict.fromkeys("xyz", "f32, {4,3,3,3}"), "a = add(x, y)", "b = add(a, z)",
            f"o = {op}(b)",
        )
        for op in ("relu", "sigmoid", "tanh")
    ),
    graph("abs transposed", {"x": "f32, {2,3,4,6}, {72,24,1,4}"}, "o = abs(x)"),
    graph("tanh transposed f16", {"x": "f16, {2,3,4,6}, {72,24,1,4}"}, "o = tanh(x)"),
    graph("contiguous", {"x": "f32, {4,4,4,3}, {48,1,12,4}"}, "o = contiguous(x)"),
    graph("contiguous wide", {"x": "f32, {1,307,76}, {0,1,307}"}, "o = contiguous(x)"),
    graph("transpose_add", {"x": "f32, {63,16,22}, {1,1386,63}", "y": "f32, {63,16,22}"}, "o = add(x, y)"),
    graph(
        "several outputs", {"x": "f32, {300}", "y": "f32, {300}"}, "a = add(x, y)", "b = mul(x, y)",
        "c = less(x, y)", results="a, b, c",
    ),
    graph(
        "outputs of two shapes", {"x": "f32, {100}", "y": "f32, {3,100}"}, "a = relu(x)", "b = add(y, x)",
        results="a, b",
    ),
)  # fmt: skip

REDUCE_SUBJECTS = (
    *(reduce(op, (3, 4, 2, 2), (1,), dtype) for op in _REDUCTIONS for dtype in ("f32", "f16", "i32")),
    *(reduce(op, (3, 1026, 4, 3), (1,)) for op in _REDUCTIONS),
    *(reduce("sum", (2, length), (1,)) for length in (2, 3, 4, 8, 16, 25, 32, 64, 67, 128, 129)),
    *(reduce("max", (2, length), (1,), "f16") for length in (3, 25, 67, 129)),
    reduce("sum", (512, 300), (1,)), reduce("mean", (1000000,), (0,)), reduce("mean", (1, 38, 1024), (2,)),
    reduce("mean", (336, 400), (1,), "f16"), reduce("mean", (2, 1048576), (1,)),
    reduce("mean", (1, 3, 65536), (2,), "f16"), reduce("sum", (1, 2, 262144), (2,), "f16"),
    reduce("sum", (4, 256, 2, 2), (1,), strides=(1024, 1, 512, 256)),
    reduce("sum", (76, 32, 20, 16), (0, 2)),
    reduce("sum", (1, 24, 40, 256, 2), (1,), "f16", strides=(491520, 20480, 512, 1, 256)),
    reduce("sum", (512, 301), (0,), "f16"), reduce("max", (8192, 70), (0,)),
    reduce("prod", (5, 7, 11), (0, 1, 2)),
    graph(
        "sum then add", {"x": "f32, {4,1000,2,2}", "y": "f32, {4,1,2,2}"}, "r = reduce_sum[axes={1}](x)",
        "o = add(r, y)",
    ),
    graph("sum over ones", {"x": "f32, {4,1000,1,1}"}, "o = reduce_sum[axes={2,3}](x)"),
    graph(
        "broadcast then sum", {"x": "f32, {2,1,96}"}, "b = multibroadcast[out_lens={2,32,96}](x)",
        "o = reduce_sum[axes={2}](b)",
    ),
    graph(
        "mean then sum", {"x": "f32, {5,78,76}"}, "m = reduce_mean[axes={2}](x)",
        "o = reduce_sum[axes={1}](m)",
    ),
    graph(
        "two of one input", {"x": "f32, {6,200}"}, "a = reduce_sum[axes={1}](x)",
        "b = reduce_max[axes={1}](x)", results="a, b",
    ),
    graph(
        "mean and variance", {"x": "f32, {6,200}"}, "m = reduce_mean[axes={1}](x)", "c = sub(x, m)",
        "s = mul(c, c)", "v = reduce_mean[axes={1}](s)", results="m, v",
    ),
    graph(
        "dot of rows", {"x": "f32, {9,260}", "y": "f32, {9,260}"}, "p = mul(x, y)",
        "o = reduce_sum[axes={1}](p)",
    ),
)  # fmt: skip

NORM_SUBJECTS = (
    *(norm("softmax", (16, 4, 107, 6), axis) for axis in range(4)),
    norm("softmax", (5, 3, 3, 4), 3), norm("softmax", (2, 1000, 1, 1), 1),
    norm("softmax", (1, 2, 38, 384), 3, "f16"), norm("layernorm", (1, 2, 5), 2),
    norm("layernorm", (1, 4, 24), 2, "f16"), norm("layernorm", (1, 24, 64), 2, "f16"),
    norm("layernorm", (1, 2, 65536), 2), norm("rmsnorm", (3, 24, 64), 2), norm("rmsnorm", (4, 500), 0),
    graph(
        "triadd then layernorm", dict.fromkeys("xyz", "f32, {1,8,1024}"), "a = add(x, y)", "b = add(a, z)",
        "o = layernorm[axis=2](b)",
    ),
    graph("recurrence {3,300}", dict.fromkeys("xy", "f32, {3,300}"), "o = linear_recurrence[axis=1](x, y)"),
    graph("recurrence {400,300}", dict.fromkeys("xy", "f32, {400,300}"), "o = linear_recurrence[axis=0](x, y)"),
    graph("recurrence {20,300}", dict.fromkeys("xy", "f32, {20,300}"), "o = linear_recurrence[axis=0](x, y)"),
)  # fmt: skip
