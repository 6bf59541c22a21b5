"""All programs that are made wrong, by name."""

from __future__ import annotations

from tests.mutants.builders import catalogue, graph, norm, reduce, unary
from tests.mutants.conformance import (
    CATALOGUE_SUBJECTS,
    DEFAULTS,
    NORM_SUBJECTS,
    POINTWISE_SUBJECTS,
    REDUCE_SUBJECTS,
)

# Programs that show faults of the compiler which the programs of `conformance` do not reach.
_INPUTS = {"x": "f32, {500}", "y": "f32, {500}"}

OTHER_SUBJECTS = (
    reduce("sum", (9, 7, 7, 3), (1,)), reduce("mean", (5, 7), (1,), "i32"),
    reduce("mean", (5, 12), (1,), "i32"), unary("sqrt", (500,)), unary("exp", (500,)),
    unary("log", (500,)), unary("rsqrt", (500,)), unary("recip", (500,)), catalogue("vecadd", n=100003),
    catalogue("row_sum", rows=5, cols=150), catalogue("row_sum", rows=3, cols=100000),
    reduce("sum", (70, 3, 9), (2,)),
    graph(
        "quotients by constants", {"x": "i32, {200}", "y": "f32, {200}"}, "k = @literal{-7} -> i32, {}",
        "m = @literal{8} -> i32, {}", "t = @literal{3} -> f32, {}", "a = div(x, k)", "b = div(x, m)",
        "c = div(y, t)", results="a, b, c",
    ),
    graph(
        "a product of exponentials", {"x": "f16, {9,72}", "w": "f16, {72,20}"}, "p = exp(x)", "q = exp(w)",
        "o = dot(p, q)",
    ),
    graph(
        "products that share a factor", {"x": "f16, {9,70}", "v": "f16, {70,20}", "w": "f16, {70,20}"}, "p = dot(x, v)",
        "q = dot(x, w)", "r = relu(p)", "o = add(r, q)", results="o, p",
    ),
    graph(
        "softmax of a product", {"x": "f16, {9,70}", "w": "f16, {70,20}"}, "p = dot(x, w)", "o = softmax[axis=1](p)",
    ),
    catalogue("gemm", m=48, n=17, k=200, dtype="f16"),
    catalogue("int4_linear", m=1, n=12, k=256, group=32, dtype="f16"),
    catalogue("int4_linear", m=8, n=20, k=320, group=32, dtype="f16"),
    catalogue("fp8_linear", m=32, n=32, k=256, block=32, dtype="fp8e4m3fnuz"),
    graph("chosen rows", {"x": "f16, {7,1001}", "n": "i32, {9}"}, "o = gather[axis=0](x, n)"),
    graph(
        "rows three times", {"x": "f32, {70,1,1024}"}, "a = abs(x)", "o = multibroadcast[out_lens={70,3,1024}](a)",
    ),
    graph(
        "chosen along the first axis", {"x": "f32, {7,12}", "n": "i32, {5,12}"}, "o = take_along_axis[axis=0](x, n)",
    ),
    graph("an image of other sizes", {"x": "f32, {3,7,5}"}, "o = interpolate[mode=linear, out_sizes={11,7}](x)"),
    graph(
        "loss by index", {"x": "f32, {50,4}", "n": "i32, {50}"},
        "o = nll_loss[reduction=none, ignore_index=1](x, n)",
    ),
    graph("one hot", {"n": "i32, {50}"}, "o = one_hot[depth=9, target_type=f32](n)"),
    graph("differences", _INPUTS, "a = sub(x, y)", "b = sub(y, x)", "o = max(a, b)"),
    graph(
        "differences of products", _INPUTS, "p = mul(x, y)", "q = mul(x, x)", "a = sub(p, x)",
        "b = sub(y, q)", results="a, b",
    ),
    graph(
        "three quarters of gelu", {"x": "f32, {500}"}, "s = @literal{0.75} -> f32, {}",
        "one = @literal{1} -> f32, {}", "t = tanh(x)", "f = add(one, t)", "h = mul(s, x)", "o = mul(h, f)",
    ),
    graph(
        "gelu beside two", {"x": "f32, {500}"}, "s = @literal{0.5} -> f32, {}",
        "two = @literal{2} -> f32, {}", "t = tanh(x)", "f = add(two, t)", "h = mul(s, x)", "o = mul(h, f)",
    ),
    graph(
        "gelu of a sum", {"x": "f32, {500}"}, "s = @literal{0.5} -> f32, {}", "one = @literal{1} -> f32, {}",
        "q = mul(x, x)", "a = add(one, q)", "b = add(a, q)", "u = mul(x, b)", "t = tanh(u)",
        "f = add(one, t)", "h = mul(s, x)", "o = mul(h, f)",
    ),
    graph("where of bools", dict.fromkeys("cab", "bool, {300}"), "o = where(c, a, b)"),
    graph(
        "where of halves", {"c": "bool, {301}", "a": "f16, {301}", "b": "f16, {301}"}, "o = where(c, a, b)",
    ),
    graph(
        "sign changes", _INPUTS, "n = neg(x)", "a = abs(n)", "f = floor(n)", "m = mul(a, y)", "o = add(m, f)",
    ),
    graph(
        "sign changes f16", {"x": "f16, {301}", "y": "f16, {301}"}, "n = neg(x)", "a = abs(n)",
        "m = mul(a, y)", "o = sub(m, n)",
    ),
    graph(
        "literal in memory", {"x": "f32, {40,6}"}, "k = @literal{1,2,3,4,5,7} -> f32, {6}", "o = mul(x, k)",
    ),
    graph(
        "nine inputs", {f"x{i}": "f32, {300}" for i in range(9)}, "s0 = sub(x0, x1)",
        *(f"s{i} = sub(s{i - 1}, x{i + 1})" for i in range(1, 8)), results="s7",
    ),
    graph(
        "many values", {f"x{i}": "f32, {300}" for i in range(6)},
        *(f"p{i} = mul(x{i}, x{(i + 1) % 6})" for i in range(6)),
        *(f"q{i} = max(p{i}, x{(i + 3) % 6})" for i in range(6)), "a = add(q0, q1)", "b = sub(q2, q3)",
        "c = mul(q4, q5)", "d = mul(a, b)", "e = sub(d, c)", "o = min(e, x0)",
    ),
    graph("swapped pair", {"x": "f32, {300}", "y": "f32, {300}, {1}"}, "o = sub(x, y)"),
    graph(
        "loop of two", {"x": "f32, {2,40000}"}, "a = reduce_max[axes={1}](x)", "b = reduce_sum[axes={1}](x)",
        "c = reduce_min[axes={1}](x)", results="a, b, c",
    ),
    graph(
        "comparison of signs", _INPUTS, "n = neg(y)", "a = abs(x)", "l = less(a, n)", "g = greater(x, n)",
        results="l, g",
    ),
    graph(
        "less of bools", {"x": "bool, {300}", "y": "bool, {300}"}, "l = less(x, y)", "g = greater(x, y)",
        results="l, g",
    ),
    graph(
        "many halves", {"x": "f16, {300}", "y": "i32, {300}"}, "c = convert[target_type=i32](x)",
        "o = add(c, y)",
    ),
    graph("lower of two integers", {"x": "i32, {300}", "y": "i32, {300}"}, "o = min(x, y)"),
    graph("product of a row of integers", {"x": "i32, {3,40}"}, "o = reduce_prod[axes={1}](x)"),
    graph(
        "clips of integers", {"x": "i32, {300}"}, "lo = @literal{-3} -> i32, {}",
        "hi = @literal{2} -> i32, {}", "o = clip(x, lo, hi)",
    ),
    graph(
        "clips of halves", {"x": "f16, {301}"}, "lo = @literal{-3} -> f16, {}",
        "hi = @literal{2.5} -> f16, {}", "o = clip(x, lo, hi)",
    ),
    graph(
        "comparison with a constant", {"x": "f32, {300}"}, "k = @literal{1.5} -> f32, {}", "a = less(k, x)",
        "b = less(x, k)", results="a, b",
    ),
    graph(
        "converted signs", {"x": "f16, {301}", "y": "f32, {301}"}, "n = neg(x)",
        "a = convert[target_type=f32](n)", "m = neg(y)", "b = convert[target_type=i32](m)",
        "c = convert[target_type=bool](m)", results="a, b, c",
    ),
    graph(
        "where of many", {"c": "bool, {300}", "x": "f32, {300}"}, "k = @literal{3.25} -> f32, {}",
        "m = @literal{-7.5} -> f32, {}", "a = where(c, k, x)", "b = where(c, x, m)", "d = mul(a, k)",
        "e = mul(b, m)", "o = add(d, e)",
    ),
    graph(
        "differences i32", {"x": "i32, {300}", "y": "i32, {300}"}, "a = sub(x, y)", "b = sub(y, x)",
        "o = max(a, b)",
    ),
    graph(
        "integers by constants", {"x": "i32, {300}", "y": "i32, {300}"}, "k = @literal{8} -> i32, {}",
        "m = @literal{1000003} -> i32, {}", "a = mul(x, k)", "b = mul(y, m)", results="a, b",
    ),
    graph("sums of integers", dict.fromkeys("xyz", "i32, {300}"), "a = add(x, y)", "o = add(a, z)"),
    graph(
        "abs of signs", _INPUTS, "n = neg(x)", "a = abs(n)", "f = floor(a)", "g = floor(n)", "o = sub(f, g)",
    ),
    graph("signs of a sum", _INPUTS, "n = neg(x)", "e = exp(n)", "o = sub(e, n)"),
    graph("mul i32 {300}", {"x": "i32, {300}", "y": "i32, {300}"}, "o = mul(x, y)"),
    graph("large index", {"x": "f32, {1025,16400}", "y": "f32, {16400}"}, "o = add(x, y)"),
    graph(
        "rounded sum", {"x": "f16, {301}", "y": "f16, {301}"}, "s = add(x, y)", "e = exp(s)",
        "o = convert[target_type=i32](s)", results="o, e",
    ),
    graph(
        "rounded product", {"x": "f32, {301}", "y": "f32, {301}"}, "m = mul(x, y)",
        "o = convert[target_type=f16](m)",
    ),
    unary("tanh", (301,), "f16"),
    graph(
        "functions of bf16", {"x": "bf16, {301}"}, "e = exp(x)", "s = sigmoid(x)", "l = log(x)", "q = sqrt(x)", "r = rsqrt(x)",
        "i = recip(x)", results="e, s, l, q, r, i",
    ),
    graph("tanh of small halves", {"x": "f16, {301}"}, "e = exp(x)", "t = tanh(e)", "o = div(t, e)"),
    graph("bytes as f16", {"x": "i8, {301}"}, "o = convert[target_type=f16](x)"),
    graph("bytes as f32", {"x": "u8, {301}"}, "o = convert[target_type=f32](x)"),
    graph("rows beside rows", {"x": "f32, {9,16}", "y": "f32, {9,8}"}, "o = concat[axis=1](x, y)"),
    graph(
        "microscaled numbers", {"x": "fp4e2m1fn, {9,64}", "s": "fp8e8m0fnu, {9,2}"},
        "o = dequantize[blocks={32}](x, s)",
    ),
    graph(
        "microscaled product",
        {"x": "fp8e4m3fn, {32,2048}", "s": "fp8e8m0fnu, {32,64}", "w": "fp8e4m3fn, {32,2048}", "t": "fp8e8m0fnu, {32,64}"},
        "a = dequantize[blocks={32}](x, s)", "b = dequantize[blocks={32}](w, t)", "c = transpose[permutation={1,0}](b)", "o = dot(a, c)",
    ),
    catalogue("row_sum", rows=3, cols=65536), catalogue("softmax", rows=2, cols=40000),
    catalogue("softmax", rows=33, cols=51, dtype="f16"),
    graph(
        "comparison and sum", {"x": "i32, {300}", "y": "i32, {300}"}, "l = less(x, y)", "g = equal(x, y)",
        "n = not(l)", "o = logical_and(n, g)", results="l, o",
    ),
)  # fmt: skip

# Programs with work that is divided over launches, trips of loops, and lanes of several columns.
DIVIDED_SUBJECTS = (
    graph(
        "results of two kernels", {"x": "f32, {9,12,5}"}, "a = reduce_sum[axes={2}](x)",
        "b = reduce_max[axes={1}](a)", "c = reduce_sum[axes={0}](b)", results="c, a, b",
    ),
    graph("product of nothing", {"x": "f32, {30,0}"}, "o = reduce_prod[axes={1}](x)"),
    graph("sum of nothing", {"x": "f32, {30,0}"}, "o = reduce_sum[axes={1}](x)"),
    *(reduce(op, (1, 70007), (1,)) for op in ("sum", "prod", "max")),
    reduce("max", (1, 70007), (1,), "i32"), reduce("mean", (2, 70000), (1,)),
    reduce("max", (12, 4, 200, 16), (0, 2)), reduce("max", (12, 4, 200, 16), (0, 2), "i32"),
    reduce("sum", (15, 33, 300, 5), (0, 2)), reduce("sum", (1, 100001), (1,), "f16"),
    norm("softmax", (1, 100001), 1, "f16"),
    graph(
        "loop of three", {"x": "f32, {12,4,200,16}"}, "a = reduce_max[axes={0,2}](x)",
        "b = reduce_sum[axes={0,2}](x)", "c = reduce_min[axes={0,2}](x)", results="a, b, c",
    ),
    reduce("max", (300, 301), (0,)), reduce("max", (1000, 64), (0,)), reduce("max", (1000, 64), (0,), "i32"),
    reduce("prod", (1000, 64), (0,)), norm("softmax", (400, 3), 0), norm("softmax", (100, 64), 0),
    norm("softmax", (1, 70007), 1), norm("layernorm", (1, 70007), 1), norm("softmax", (521, 200), 0), reduce("sum", (521, 200), (0,)),
    reduce("max", (521, 200), (0,), "i32"), norm("softmax", (9000, 13), 1),
)  # fmt: skip

CONFORMANCE_SUBJECTS = (*POINTWISE_SUBJECTS, *REDUCE_SUBJECTS, *NORM_SUBJECTS)
WRONG_SUBJECTS = (*CATALOGUE_SUBJECTS, *DEFAULTS, *CONFORMANCE_SUBJECTS)
SUBJECTS = {subject.name: subject for subject in (*WRONG_SUBJECTS, *OTHER_SUBJECTS, *DIVIDED_SUBJECTS)}
