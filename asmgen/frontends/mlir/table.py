"""The ops that kernels may have, by name: one table of the rows of all dialects."""

from __future__ import annotations

from asmgen.frontends.mlir.context import Rows
from asmgen.frontends.mlir.dialects import (
    affine,
    affine_parallel,
    amdgpu_buffers,
    amdgpu_lanes,
    amdgpu_matrix,
    arith,
    atomics,
    byte_views,
    cf,
    exchange,
    func,
    functions,
    gpu,
    index,
    llvm,
    llvm_atomics,
    llvm_memory,
    math,
    memref,
    metadata,
    rocdl,
    scf,
    shapes,
    vector,
)

DIALECTS = (
    gpu,
    exchange,
    arith,
    math,
    index,
    llvm,
    llvm_atomics,
    llvm_memory,
    memref,
    shapes,
    atomics,
    byte_views,
    scf,
    cf,
    func,
    functions,
    affine,
    affine_parallel,
    amdgpu_buffers,
    amdgpu_lanes,
    amdgpu_matrix,
    metadata,
    rocdl,
    vector,
)
TABLE: Rows = {name: row for dialect in DIALECTS for name, row in dialect.ROWS.items()}
