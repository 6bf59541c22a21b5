"""The rule of each op that kernels may have, by name."""

from __future__ import annotations

from asmgen.mlir.dialects import (
    affine,
    affine_parallel,
    amdgpu_buffers,
    amdgpu_lanes,
    arith,
    arith_integers,
    atomics,
    conversions,
    exchange,
    func,
    functions,
    gpu,
    index,
    llvm,
    llvm_memory,
    math,
    matrix,
    memref,
    memref_views,
    rocdl,
    scf,
    vector,
)
from asmgen.mlir.lowering.context import OpRules

DIALECTS = (
    gpu,
    exchange,
    arith,
    arith_integers,
    conversions,
    math,
    matrix,
    index,
    llvm,
    llvm_memory,
    memref,
    memref_views,
    atomics,
    scf,
    func,
    functions,
    affine,
    affine_parallel,
    amdgpu_buffers,
    amdgpu_lanes,
    rocdl,
    vector,
)
TABLE: OpRules = {name: row for dialect in DIALECTS for name, row in dialect.ROWS.items()}
