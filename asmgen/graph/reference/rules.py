"""What a program may do that its graph does not settle."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct


class Rules(Struct, frozen=True):
    """What a program may do: `contract` a multiply and an add; `nan` as `--nan` has it (`ieee`, `propagate`).

    `additions` says how many additions an element may pass through on its way into a sum of n elements. The
    height of the tree by which a kernel sums is such a number; n is one for any order.
    """

    contract: bool = True
    nan: str = "ieee"
    additions: Callable[[int], float] = float

    @property
    def propagates_nan(self) -> bool:
        return self.nan == "propagate"
