"""Register allocation: where the values of a machine program live. It knows nothing of tensors or stages."""

from regalloc.allocate import allocate, allocate_and_rewrite, rewrite
from regalloc.allocation import Allocation, Statistics
from regalloc.checker import check
from regalloc.liveness import Liveness, Pressure, compute_liveness

__all__ = [
    "Allocation", "Liveness", "Pressure", "Statistics", "allocate", "allocate_and_rewrite", "check",
    "compute_liveness", "rewrite",
]  # fmt: skip
