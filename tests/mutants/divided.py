"""Programs whose work is divided: over launches, over trips of loops, and over the lanes of several columns."""

from __future__ import annotations

from tests.mutants.builders import graph, norm, reduce

DIVIDED_SUBJECTS = (
    graph(
        "results of two kernels", {"x": "f32, {9,12,5}"}, "a = reduce_sum[axes={2}](x)",
        "b = reduce_max[axes={1}](a)", "c = reduce_sum[axes={0}](b)", results="c, a, b",
    ),
    graph("product of nothing", {"x": "f32, {30,0}"}, "o = reduce_prod[axes={1}](x)"),
    graph("sum of nothing", {"x": "f32, {30,0}"}, "o = reduce_sum[axes={1}](x)"),
    *(reduce(op, (1, 70007), (1,)) for op in ("sum", "prod", "max")),
    reduce("max", (1, 70007), (1,), "i32"), reduce("mean", (2, 70000), (1,)),
    reduce("max", (60, 4, 20, 16), (0, 2)), reduce("max", (60, 4, 20, 16), (0, 2), "i32"),
    reduce("sum", (40, 33, 30, 5), (0, 2)), reduce("sum", (1, 100001), (1,), "f16"),
    norm("softmax", (1, 100001), 1, "f16"),
    graph(
        "loop of three", {"x": "f32, {60,4,20,16}"}, "a = reduce_max[axes={0,2}](x)",
        "b = reduce_sum[axes={0,2}](x)", "c = reduce_min[axes={0,2}](x)", results="a, b, c",
    ),
    reduce("max", (300, 301), (0,)), reduce("max", (1000, 64), (0,)), reduce("max", (1000, 64), (0,), "i32"),
    reduce("prod", (1000, 64), (0,)), norm("softmax", (400, 3), 0), norm("softmax", (100, 64), 0),
    norm("softmax", (1, 70007), 1), norm("layernorm", (1, 70007), 1), norm("softmax", (521, 200), 0), reduce("sum", (521, 200), (0,)),
    reduce("max", (521, 200), (0,), "i32"), norm("softmax", (9000, 13), 1),
)  # fmt: skip
