"""The values of named dims at which a program is verified: nothing, one element, the tails of accesses, waves
and workgroups, and several workgroups.

What is odd comes first, at which every setting of the emulator runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from asmgen.graph.array_sizes import Values, named_dims_of
from asmgen.graph.at_sizes import parameter_at
from asmgen.ir.program import Statement
from asmgen.ir.types import TensorType

LADDER = (67, 1, 2, 3, 63, 64, 65, 255, 1000, 1027, 5003)
NO_SIZES: Mapping[str, int] = {}
_MOST_ELEMENTS = 1 << 16  # of one parameter, past the first values


def launch_sizes(parameters: Sequence[Statement]) -> list[Values]:
    """The values of the ladder at which no parameter is large; with several names each has another value."""
    dims = list(named_dims_of(parameters).items())
    found: list[Values] = []
    for number, _ in enumerate(LADDER):
        values = {
            name: min(max(LADDER[(number + place) % len(LADDER)], symbol.low), symbol.high)
            for place, (name, symbol) in enumerate(dims)
        }
        if number < 2 or _largest(parameters, values) <= _MOST_ELEMENTS:
            found.append(values)
    return found


def sizes_text(values: Mapping[str, int]) -> str:
    """`n=67, m=1`."""
    return ", ".join([f"{name}={value}" for name, value in values.items()])


def _largest(parameters: Sequence[Statement], values: Mapping[str, int]) -> int:
    types = [parameter_at(parameter, values).result.type for parameter in parameters]
    return max([type_.elements for type_ in types if isinstance(type_, TensorType)], default=0)
