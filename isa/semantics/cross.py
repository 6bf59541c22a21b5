"""Instructions in which a lane's result depends on other lanes. Vector values are [wave, lane], scalar values
[wave]."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from msgspec import Struct

from isa.semantics.lane import LaneFunction, moded
from isa.semantics.mode import Array, Mode

LARGEST_WAVE = 64


class LaneRead(Struct, frozen=True):
    """VGPR to SGPR: `call(source [wave, lane], exec [wave], *scalars) -> [wave]`."""

    call: Callable[..., Array]


class LaneWrite(Struct, frozen=True):
    """v_writelane_b32: a lane of the destination := the scalar source."""


class LdsExchange(Struct, frozen=True):
    """Lane exchange through the LDS crossbar: `call(address or pattern, data, active) -> [wave, lane]`, no
    LDS is touched."""

    call: Callable[..., Array]


def first_lane(exec_mask: Array) -> Array:
    """The lowest set bit of each mask; 0 if no bit is set (V_READFIRSTLANE_B32)."""
    lowest = exec_mask & (~exec_mask + exec_mask.dtype.type(1))
    exponent = np.frexp(lowest.astype(np.float64))[1] - 1
    return np.where(exec_mask == 0, 0, exponent)


def read_first_lane(source: Array, exec_mask: Array) -> Array:
    return source[np.arange(len(source)), first_lane(exec_mask)]


def read_lane(source: Array, exec_mask: Array, lane: Array) -> Array:
    lanes = (lane & np.uint32(source.shape[1] - 1)).astype(np.intp)
    if lanes.size == 1:
        return source[:, int(lanes.reshape(-1)[0])]
    return source[np.arange(len(source)), lanes]


def _addressed(address: Array, lanes: int) -> Array:
    """The lane that a byte address means."""
    return ((address >> np.uint32(2)) & np.uint32(lanes - 1)).astype(np.intp)


def bpermute(address: Array, data: Array, active: Array) -> Array:
    """Each lane reads the data of lane address / 4; an inactive source gives 0 (DS_BPERMUTE_B32)."""
    lanes = _addressed(address, data.shape[1])
    return np.take_along_axis(np.where(active, data, np.uint32(0)), lanes, 1)


def bpermute_any(address: Array, data: Array, active: Array) -> Array:
    """As `bpermute`, from inactive lanes too (DS_BPERMUTE_FI_B32)."""
    return np.take_along_axis(data, _addressed(address, data.shape[1]), 1)


def permute(address: Array, data: Array, active: Array) -> Array:
    """Each lane writes its data to lane address / 4; the highest-numbered source wins, others get 0
    (DS_PERMUTE_B32)."""
    lanes = _addressed(address, data.shape[1])
    result = np.zeros_like(data)
    waves = np.arange(len(data))
    for source in range(data.shape[1]):
        on = active[:, source]
        result[waves[on], lanes[on, source]] = data[on, source]
    return result


def swizzle(lanes: Array, data: Array, active: Array) -> Array:
    """Each lane reads the data of lane `lanes`; an inactive source gives 0."""
    return np.take_along_axis(np.where(active, data, np.uint32(0)), lanes, 1)


def swizzle_lanes(pattern: int, count: int) -> Array:
    """The lane each of `count` lanes reads under a DS_SWIZZLE_B32 offset (CDNA3 ISA, DS_SWIZZLE_B32)."""
    lanes = np.arange(count)
    if pattern >= 0xE000:
        return lanes  # the decoder refuses the FFT patterns
    if pattern >= 0xC000:
        amount, mask = pattern >> 5 & 31, pattern & 31
        step = np.where(pattern >> 10 & 1, -amount, amount)
        within = lanes & 31
        return (lanes & 32) | (within & mask) | ((within + step) & ~mask & 31)
    if pattern >= 0x8000:
        return (lanes & ~3) | (pattern >> (2 * (lanes & 3)) & 3)
    and_mask, or_mask, xor_mask = pattern & 31, pattern >> 5 & 31, pattern >> 10 & 31
    return (lanes & 32) | ((((lanes & 31) & and_mask) | or_mask) ^ xor_mask)


def _below(low: bool) -> Callable[[Mode, Array, Array], Array]:
    """The number of set bits of a mask half below each lane, added to the second source (V_MBCNT)."""
    lanes = np.arange(LARGEST_WAVE, dtype=np.int64)
    shift = np.clip(lanes if low else lanes - 32, 0, 32)
    masks = ((np.int64(1) << shift) - 1).astype(np.uint32)

    def call(mode: Mode, bits: Array, base: Array) -> Array:
        return np.bitwise_count(bits & masks[: mode.lanes]).astype(np.uint32) + base

    return call


CROSS_LANE: dict[str, Any] = {
    "v_readfirstlane_b32": LaneRead(read_first_lane),
    "v_readlane_b32": LaneRead(read_lane),
    "v_writelane_b32": LaneWrite(),
    "ds_bpermute_b32": LdsExchange(bpermute),
    "ds_bpermute_fi_b32": LdsExchange(bpermute_any),
    "ds_permute_b32": LdsExchange(permute),
    "ds_swizzle_b32": LdsExchange(swizzle),
}
COUNTS: dict[str, LaneFunction] = {
    "v_mbcnt_lo_u32_b32": moded(_below(True)),
    "v_mbcnt_hi_u32_b32": moded(_below(False)),
}
