"""Faults in the lowering of reductions: which elements a lane takes of a row, and what the row makes of
them."""

from __future__ import annotations

from tests.mutants.planting import faults_in

FAULTS = (
    *faults_in(
        "asmgen/graph/decompose.py",
        (
            ".reduce(ops.REDUCE_MEAN, write.apply", ".reduce(ops.REDUCE_SUM, write.apply",
            "a norm divides by the root of the sum", "layernorm(rows=7,cols=40)",
        ),
        ("write, centred)", "write, write.x)", "layernorm forgets the mean", "layernorm(rows=7,cols=40)"),
        (
            "ops.REDUCE_MAX,", "ops.REDUCE_MIN,",
            "softmax subtracts the least element", "softmax(rows=5,cols=300)",
        ),
        ("float(epsilon)", "0.0", "a norm forgets its epsilon", "layernorm(rows=7,cols=40)"),
    ),
    *faults_in(
        "asmgen/graph/simplify.py",
        (
            "dims == type_.dims", "dims[-1:] == type_.dims[-1:]",
            "a reduction of other dims than the last is left out", "sum f32 {76,32,20,16} over {0,2}",
        ),
    ),
    *faults_in(
        "asmgen/graph/fuse.py",
        (
            "enumerate(return_.operands)", "enumerate(return_.operands[::-1])",
            "the results are returned the other way round", "loop of two",
        ),
    ),
)  # fmt: skip
