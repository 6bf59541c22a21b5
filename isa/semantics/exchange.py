"""Lanes that exchange values inside the vector unit: permutations within and between rows of 16 lanes, and
halves of a wave.

Source: RDNA3 ISA and RDNA4 ISA, V_PERMLANE16_B32 and its kin; CDNA4 ISA, V_PERMLANE16_SWAP_B32.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from msgspec import Struct

from isa.semantics.lane import pure
from isa.semantics.mode import Array


class RowPermute(Struct, frozen=True):
    """Each lane reads a lane of its own row of 16, or of the `other` row of its pair.

    The lane is chosen by 4 bits of a 64-bit scalar pair, or by the lane's own value (`of_lane`).
    """

    other: bool
    of_lane: bool = False

    def lanes(self, selectors: list[Array], count: int) -> Array:
        """[wave or 1, lane]: the lane that each reads; the selectors are [wave or 1, 1], or [wave, lane]."""
        lane = np.arange(count)
        row = (lane & ~15) ^ (16 if self.other else 0)
        if self.of_lane:
            return row + (selectors[0].astype(np.int64) & 15)
        low, high = (np.asarray(selector).astype(np.uint64) for selector in selectors)
        both = low | high << np.uint64(32)
        return row + (both >> (np.uint64(4) * (lane & 15).astype(np.uint64)) & np.uint64(15)).astype(np.int64)


class HalfExchange(Struct, frozen=True):
    """Each lane of a wave of 64 reads the lane 32 away; waves of 32 do nothing."""


def swap_rows(first: Array, second: Array) -> tuple[Array, Array]:
    """The odd rows of the first exchanged for the even rows of the second."""
    return _swap(first, second, 16)


def swap_halves(first: Array, second: Array) -> tuple[Array, Array]:
    """The upper half of the first exchanged for the lower half of the second."""
    return _swap(first, second, 32)


def _swap(first: Array, second: Array, reach: int) -> tuple[Array, Array]:
    lane: Array = np.arange(int(first.shape[1]))
    upper = (lane & reach) != 0
    return np.where(upper, second[:, lane ^ reach], first), np.where(upper, second, first[:, lane ^ reach])


EXCHANGES: dict[str, Any] = {
    "v_permlane16_b32": RowPermute(False), "v_permlanex16_b32": RowPermute(True),
    "v_permlane16_var_b32": RowPermute(False, True), "v_permlanex16_var_b32": RowPermute(True, True),
    "v_permlane64_b32": HalfExchange(), "v_permlane16_swap_b32": pure(swap_rows),
    "v_permlane32_swap_b32": pure(swap_halves),
}  # fmt: skip
