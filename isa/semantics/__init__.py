"""The effects of instructions, as pure numpy functions on lanes and waves. Keys are `semantics` of rows."""

from __future__ import annotations

from functools import cache
from typing import Any


@cache
def table() -> dict[str, Any]:
    """Every key: a `LaneFunction`, or a record of a memory, cross-lane, matrix or control instruction."""
    from isa.semantics.accesses import MEMORY
    from isa.semantics.approximate import APPROXIMATE
    from isa.semantics.control import CONTROLS
    from isa.semantics.conversions import CONVERSIONS
    from isa.semantics.cross import COUNTS, CROSS_LANE
    from isa.semantics.cubes import CUBES
    from isa.semantics.dots import DOTS
    from isa.semantics.exchange import EXCHANGES
    from isa.semantics.floats import FLOATS, MIXED
    from isa.semantics.integers import INTEGERS
    from isa.semantics.lane import Components
    from isa.semantics.legacy import LEGACY
    from isa.semantics.matrix import MATRICES
    from isa.semantics.scalar_floats import SCALAR_FLOATS
    from isa.semantics.scalars import SCALARS
    from isa.semantics.small_floats import SMALL_FLOATS
    from isa.semantics.transposes import TRANSPOSES

    parts: tuple[dict[str, Any], ...] = (
        FLOATS, MIXED, CUBES, INTEGERS, CONVERSIONS, APPROXIMATE, SCALARS, SCALAR_FLOATS, SMALL_FLOATS,
        LEGACY, EXCHANGES, DOTS, COUNTS, CROSS_LANE, MATRICES, MEMORY, TRANSPOSES, CONTROLS,
    )  # fmt: skip
    return {"dual": Components()} | {key: value for part in parts for key, value in part.items()}


def resolve(key: str) -> Any:
    """The semantics of a key; KeyError if no module of this package has it."""
    return table()[key]
