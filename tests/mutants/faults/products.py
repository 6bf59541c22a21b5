"""Faults of matrix products: the steps of the loop, the tiles of workgroups, the matrices of a batch."""

from __future__ import annotations

from tests.mutants.planting import fault

_PRODUCT = "gemm(m=33,n=17,k=200,dtype=f16)"
FAULTS = (
    fault(
        "_Product._read", "constant(0) if dim == 1 else index", "constant(0)",
        "every matrix of a batch is the first", "batched_gemm(batch=3,m=9,n=20,k=40,dtype=f16)",
    ),
    fault(
        "_Product.kernel", "counter + of_b[0]", "of_b[0]", "each trip multiplies by the first rows of b", _PRODUCT,
    ),
    fault(
        "_Product.kernel", "row * choice.m + of_a[0]", "of_a[0]", "each workgroup multiplies the first rows of a", _PRODUCT,
    ),
)  # fmt: skip
