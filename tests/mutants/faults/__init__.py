"""Single faults of the compiler, each a fragment of one of its files and what it becomes, by what they
concern."""

from __future__ import annotations

from tests.mutants.faults import (
    allocation,
    arithmetic,
    emission,
    passes,
    rows,
    selected_memory,
    selected_values,
    waits,
)
from tests.mutants.planting import Fault

FAULTS: tuple[Fault, ...] = (
    *allocation.FAULTS,
    *arithmetic.FAULTS,
    *emission.FAULTS,
    *passes.FAULTS,
    *rows.FAULTS,
    *selected_memory.FAULTS,
    *selected_values.FAULTS,
    *waits.FAULTS,
)
