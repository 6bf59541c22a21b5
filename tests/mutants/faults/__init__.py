"""Single faults of the compiler: code of one definition and its replacement, sorted by subject."""

from __future__ import annotations

from tests.mutants.faults import (
    allocation,
    arithmetic,
    emission,
    launches,
    lowering,
    passes,
    products,
    selected_memory,
    selected_values,
    tensors,
    tiles,
    waits,
)
from tests.mutants.planting import Fault

FAULTS: tuple[Fault, ...] = (
    *allocation.FAULTS,
    *arithmetic.FAULTS,
    *emission.FAULTS,
    *launches.FAULTS,
    *lowering.FAULTS,
    *passes.FAULTS,
    *products.FAULTS,
    *selected_memory.FAULTS,
    *selected_values.FAULTS,
    *tensors.FAULTS,
    *tiles.FAULTS,
    *waits.FAULTS,
)
