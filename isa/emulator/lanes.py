"""Lane controls of DPP operands: which lane each lane reads, and whether there is one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

_LANES = np.arange(64)
_ROW = _LANES & ~15
_IN_ROW = _LANES & 15


@dataclass(frozen=True, slots=True, eq=False)
class LaneMap:
    """Lane i reads lane `source[i]` where `valid[i]`; elsewhere there is no source."""

    source: NDArray[np.intp]
    valid: NDArray[np.bool_]


@cache
def dpp_map(control: int) -> LaneMap:
    """The map of a 9-bit DPP_CTRL (CDNA3 ISA, section 4.5, "DPP_CTRL"). ValueError for a reserved one."""
    source, valid = _decode(control)
    return LaneMap(np.where(valid, source, 0).astype(np.intp), np.broadcast_to(valid, (64,)))


def _decode(control: int) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    everywhere = np.ones(64, np.bool_)
    if control <= 0xFF:
        return (_LANES & ~3) | (control >> (2 * (_LANES & 3)) & 3), everywhere
    amount = control & 15
    kind = control & 0x1F0
    if kind == 0x100 and amount:
        return _LANES + amount, _IN_ROW + amount < 16
    if kind == 0x110 and amount:
        return _LANES - amount, _IN_ROW - amount >= 0
    if kind == 0x120 and amount:
        return _ROW | ((_IN_ROW - amount) & 15), everywhere
    if kind == 0x150:
        return _ROW | amount, everywhere
    table = {
        0x130: (_LANES + 1, _LANES < 63),
        0x134: ((_LANES + 1) & 63, everywhere),
        0x138: (_LANES - 1, _LANES > 0),
        0x13C: ((_LANES - 1) & 63, everywhere),
        0x140: (_ROW | (15 - _IN_ROW), everywhere),
        0x141: ((_LANES & ~7) | (7 - (_LANES & 7)), everywhere),
        0x142: (_ROW - 1, _LANES >= 16),
        0x143: ((_LANES & ~31) - 1, _LANES >= 32),
    }
    if control not in table:
        raise ValueError(f"{control:#x} is a reserved DPP control")
    return table[control]


@cache
def dpp_written(row_mask: int, bank_mask: int) -> NDArray[np.bool_]:
    """The lanes whose row and bank (four lanes of a row) are enabled."""
    rows = (row_mask >> (_LANES // 16)) & 1
    banks = (bank_mask >> (_IN_ROW // 4)) & 1
    return (rows & banks).astype(np.bool_)
