"""Lane controls of DPP operands: the lane that each lane reads, if any."""

from __future__ import annotations

from functools import cache

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray


class LaneMap(Struct, frozen=True, eq=False):
    """Lane i reads lane `source[i]` if `valid[i]`; otherwise it has no source."""

    source: NDArray[np.intp]
    valid: NDArray[np.bool_]


@cache
def dpp_map(control: int, lanes: int) -> LaneMap:
    """The map of a 9-bit DPP_CTRL in waves of `lanes` lanes (CDNA3 ISA, section 4.5, RDNA3 ISA, section 7.9,
    "DPP_CTRL").

    Raises ValueError for a reserved control.
    """
    source, valid = _decode(control, np.arange(lanes))
    return LaneMap(np.where(valid, source, 0).astype(np.intp), np.broadcast_to(valid, (lanes,)))


@cache
def dpp8_map(selects: tuple[int, ...], lanes: int) -> LaneMap:
    """Lane i of every eight reads lane `selects[i]` of them."""
    lane = np.arange(lanes)
    return LaneMap((lane & ~7) | np.array(selects)[lane & 7], np.ones(lanes, np.bool_))


def _decode(control: int, lane: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    everywhere = np.ones(len(lane), np.bool_)
    last = len(lane) - 1
    row, in_row = lane & ~15, lane & 15
    if control <= 0xFF:
        return (lane & ~3) | (control >> (2 * (lane & 3)) & 3), everywhere
    amount = control & 15
    kind = control & 0x1F0
    if kind == 0x100 and amount:
        return lane + amount, in_row + amount < 16
    if kind == 0x110 and amount:
        return lane - amount, in_row - amount >= 0
    if kind == 0x120 and amount:
        return row | ((in_row - amount) & 15), everywhere
    if kind == 0x150:
        return row | amount, everywhere
    if kind == 0x160:
        return row | (in_row ^ amount), everywhere
    table = {
        0x130: (lane + 1, lane < last),
        0x134: ((lane + 1) & last, everywhere),
        0x138: (lane - 1, lane > 0),
        0x13C: ((lane - 1) & last, everywhere),
        0x140: (row | (15 - in_row), everywhere),
        0x141: ((lane & ~7) | (7 - (lane & 7)), everywhere),
        0x142: (row - 1, lane >= 16),
        0x143: ((lane & ~31) - 1, lane >= 32),
    }
    if control not in table:
        raise ValueError(f"{control:#x} is a reserved DPP control")
    return table[control]


@cache
def dpp_written(row_mask: int, bank_mask: int, lanes: int) -> NDArray[np.bool_]:
    """The lanes in enabled rows and banks (four lanes of a row)."""
    lane = np.arange(lanes)
    rows = (row_mask >> (lane // 16)) & 1
    banks = (bank_mask >> ((lane & 15) // 4)) & 1
    return (rows & banks).astype(np.bool_)
