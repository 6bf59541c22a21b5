"""What a program may do that its graph does not settle."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct


class Rules(Struct, frozen=True):
    """What a program may do: `contract` a multiply and an add; `nan` as `--nan` has it (`ieee`, `propagate`).

    `additions` says how many additions an element may pass through on its way into a sum of n elements. The
    height of the tree by which a kernel sums is such a number; n is one for any order. `adds_to_zero` says
    that a sum of one element may have been added to 0, which makes 0 of -0: a loop that takes as many as the
    launch says begins with 0.
    """

    contract: bool = True
    nan: str = "ieee"
    additions: Callable[[int], float] = float
    adds_to_zero: bool = False

    @property
    def propagates_nan(self) -> bool:
        return self.nan == "propagate"
