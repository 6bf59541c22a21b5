"""Between the lanes of a wave: votes, DPP, swizzles, permutations, lanes read by number, reductions."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from isa.table import table_of
from isa.targets import TargetId
from tests.unit.isa.kernel_cases import Array, Case, kernels_of, lanes

COUNT = 128


def numbers(seed: int) -> Array:
    return np.random.default_rng(seed).integers(-1000, 1000, COUNT).astype(np.int32)


def by_wave(target: TargetId, a: Array, function: Callable[[Array], list[Array]]) -> Array:
    """Columns of results for the lanes of each wave."""
    parts = [np.stack(function(wave), -1) for wave in a.reshape(-1, target.target.wave_size)]
    return np.concatenate(parts)


def mask_of(lanes_in: Array) -> int:
    return sum(1 << int(lane) for lane in np.flatnonzero(lanes_in))


def votes(target: TargetId) -> Case:
    a = numbers(1)

    def columns(x: Array) -> list[Array]:
        positive, odd, some = mask_of(x > 0), x & 1, (x & 2).astype(np.bool_)
        of_some = mask_of(odd.astype(np.bool_) & some)
        first = (positive & -positive).bit_length() - 1 if positive else 63
        values = [
            positive, not (x & 4).any(), True, np.where(some, np.uint64(of_some), np.uint64(7)), np.cumsum(odd) - odd + 100,
            positive.bit_count() * 100 + first,
        ]  # fmt: skip
        return [np.broadcast_to(np.asarray(value, np.uint64), x.shape) for value in values]

    return lanes([a], [by_wave(target, a, columns)])


def dpp_scan(target: TargetId) -> Case:
    a, b = numbers(2), np.random.default_rng(3).uniform(-4, 4, COUNT).astype(np.float32)
    lane = np.arange(COUNT)
    in_row, row = lane & 15, lane >> 4 & (target.target.wave_size // 16 - 1)
    mirrored = lane ^ 15
    sums = np.cumsum(a.reshape(-1, 16), axis=1, dtype=np.int32).ravel()
    shifted = np.where(in_row < 15, np.roll(a, -1), a)
    rotated = np.where((row & 1 == 0) & (in_row < 8), a[(lane & ~15) | (in_row - 4 & 15)], -5)
    partner = a[lane ^ 1]
    out = np.stack([sums, shifted, rotated, np.maximum(a, a[mirrored]), np.where(a & 1, np.where(partner & 1, partner, 0), 0)], -1)
    z = b + b[lane ^ 1]
    z = z + z[lane ^ 2]
    z = np.maximum(z, z[lane ^ 7])
    return lanes([a, b], [out.astype(np.int32), z * b[lane & ~3]])


def lds_exchanges(target: TargetId) -> Case:
    a = numbers(4)
    lane = np.arange(COUNT)
    half, low = lane & ~31, lane & 31
    pushed = np.zeros_like(a)
    pushed[half | (low * 5 + 1 & 31)] = a
    active = (low & 3) != 0
    columns = [
        a[lane ^ 1], a[lane ^ 31], a[half | 7], a[lane ^ 3], a[half | (low & 24)], pushed, a[half | (low + 9 & 31)],
        np.where(active, np.where(active[lane ^ 1], a[lane ^ 1], 0), -1),
    ]  # fmt: skip
    return lanes([a], [np.stack(columns, -1).astype(np.int32)])


def lane_reads(target: TargetId) -> Case:
    a, which = numbers(5), 77
    wave = target.target.wave_size

    def columns(x: Array) -> list[Array]:
        eights = x[(x & 8) != 0]
        total = 0
        for lane in range(0, wave, 5):
            total = total * 3 + int(x[lane])
        total = (total + 2**31) % 2**32 - 2**31
        low = x & 7
        return [
            np.full_like(x, x[31]), np.full_like(x, x[which & wave - 1]), np.where(x & 8, eights[0], 0), np.full_like(x, total),
            low * 100 + np.bincount(low, minlength=8)[low],
        ]  # fmt: skip

    return lanes([a], [by_wave(target, a, columns).astype(np.int32)], [np.uint32(which)])


def rows_of_lanes(target: TargetId) -> Case:
    a = numbers(6)
    wave, table = target.target.wave_size, table_of(target.target)
    lane = np.arange(wave)
    row, in_row = lane >> 4, lane & 15

    def permuted(x: Array) -> list[Array]:
        own, other = [7, 6, 5, 4, 3, 2, 1, 0, *range(8, 16)], list(range(16))
        return [
            x[lane & ~15 | np.array(own)[in_row]], x[(lane & ~15 ^ 16) | np.array(other)[in_row]], x[lane ^ 5],
            x[lane & ~7 | np.array([7, 6, 5, 4, 0, 0, 1, 2])[lane & 7]], x[lane ^ 32] if wave == 64 else x, x[lane & ~15 | 3],
        ]  # fmt: skip

    def broadcast(x: Array) -> list[Array]:
        exchanged = [np.zeros_like(x)] * 2
        if table.find("v_permlane32_swap_b32_e32") is not None:
            y = x * 3
            first = np.where(row & 1, y[lane ^ 16], x), np.where(row & 1, y, x[lane ^ 16])
            second = np.where(row & 2, y[lane ^ 32], x), np.where(row & 2, y, x[lane ^ 32])
            exchanged = [first[0] * 5 + first[1], second[0] * 5 + second[1]]
        return [
            np.where(row & 1, x[(lane & ~15) - 1], 7), np.where(row & 2, x[31], 7), np.where(lane, x[lane - 1], 7), np.roll(x, -1), *exchanged,
        ]  # fmt: skip

    columns = permuted if table.find("v_permlane16_b32") is not None else broadcast
    return lanes([a], [by_wave(target, a, columns).astype(np.int32)])


def wave_reductions(target: TargetId) -> Case:
    a = numbers(7)
    wave = target.target.wave_size

    def over(lanes_of: int, x: Array, function: Callable[..., Array]) -> Array:
        return np.repeat(function(x.reshape(-1, lanes_of), axis=1), lanes_of)

    longs = over(32, a.astype(np.int64) * 0x10001, np.sum).view(np.uint64)
    columns = [over(32, a, np.sum), over(32, a, np.max), over(wave, a, np.sum), over(wave, a & 0xFFFF, np.max)]
    return lanes([a], [np.stack(columns, -1).astype(np.int32), longs])


KERNELS = kernels_of("wave", votes, dpp_scan, lds_exchanges, lane_reads, rows_of_lanes, wave_reductions)
