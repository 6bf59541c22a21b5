"""Faults of rows: the decomposition of norms and softmax, and the results of a graph."""

from __future__ import annotations

from tests.mutants.planting import fault

FAULTS = (
    fault(
        "_normalise", "ops.REDUCE_MEAN", "ops.REDUCE_SUM",
        "a norm divides by the root of the sum", "layernorm(rows=7,cols=40)",
    ),
    fault(
        "decompose._layernorm", "_normalise(write, centred)", "_normalise(write, write.x)",
        "layernorm forgets the mean", "layernorm(rows=7,cols=40)",
    ),
    fault(
        "decompose._softmax", "ops.REDUCE_MAX", "ops.REDUCE_MIN",
        "softmax subtracts the least element", "softmax(rows=5,cols=300)",
    ),
    fault("_normalise", "float(epsilon)", "0.0", "a norm forgets its epsilon", "layernorm(rows=7,cols=40)"),
    fault(
        "_simpler", "dims == type_.dims", "dims[-1:] == type_.dims[-1:]",
        "a reduction over other dims than the last is removed", "sum f32 {76,32,20,16} over {0,2}",
    ),
    fault(
        "Partition.kernels", "return_.operands", "return_.operands[::-1]",
        "the results are returned the other way round", "loop of two",
    ),
)  # fmt: skip
