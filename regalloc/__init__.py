"""Register allocation for machine programs. This package knows nothing of tensors or stages."""

from regalloc.allocate import allocate, allocate_and_rewrite, allocate_within, rewrite
from regalloc.allocation import Allocation, Statistics
from regalloc.checker.allocation import check
from regalloc.liveness import Liveness, Pressure, compute_liveness
from regalloc.pools import build_pools
from regalloc.scan.linear_scan import OutOfRegisters

__all__ = [
    "Allocation", "Liveness", "OutOfRegisters", "Pressure", "Statistics", "allocate", "allocate_and_rewrite",
    "allocate_within", "build_pools", "check", "compute_liveness", "rewrite",
]  # fmt: skip
