"""The ops that kernels may have, by name: one table of the rows of all dialects."""

from __future__ import annotations

from asmgen.frontends.mlir.context import Rows
from asmgen.frontends.mlir.dialects import (
    affine,
    affine_parallel,
    arith,
    atomics,
    cf,
    exchange,
    func,
    functions,
    gpu,
    index,
    math,
    memref,
    metadata,
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
    memref,
    shapes,
    atomics,
    scf,
    cf,
    func,
    functions,
    affine,
    affine_parallel,
    metadata,
    vector,
)
TABLE: Rows = {name: row for dialect in DIALECTS for name, row in dialect.ROWS.items()}
