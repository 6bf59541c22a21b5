"""Lanes of a wave that read each other's registers."""

from __future__ import annotations

import numpy as np

from isa.targets import TargetId
from tests.compiled.case import Array, Case, Out, case, is_rdna, kernels_of, random, words


def wave_rows(target: TargetId, seed: int) -> tuple[Array, Array]:
    """128 random words by waves, and the numbers of a wave's lanes."""
    x = random(seed).integers(0, 100, 128).astype(np.int32)
    return x.reshape(-1, target.target.wave_size), np.arange(target.target.wave_size)


def of_waves(target: TargetId, x: Array, *columns: Array) -> Case:
    """A case with a row of columns for each lane."""
    out = np.stack([np.broadcast_to(column, x.shape) for column in columns], -1)
    return case(2, 64, x.ravel(), Out(out.reshape(128, -1).astype(np.int32)))


def reversed_lanes(target: TargetId) -> Case:
    x, lane = wave_rows(target, 1)
    pushed = np.zeros_like(x)
    pushed[:, (lane * 5 + 1) & 31 | lane & 32] = x
    return of_waves(target, x, x[:, 31 - (lane & 31) + (lane & 32)], pushed)


def broadcast_lanes(target: TargetId) -> Case:
    x, _ = wave_rows(target, 2)
    first = np.array([row[np.flatnonzero(row & 1)[0]] for row in x])[:, None]
    shown = of_waves(target, x, x[:, 7:8], x[:, 11:12], np.where(x & 1, first, -1))
    return case(2, 64, *shown.arguments, np.uint32(11))


def row_scans(target: TargetId) -> Case:
    x, _ = wave_rows(target, 3)
    return of_waves(target, x, np.cumsum(x.reshape(-1, 16), 1).reshape(x.shape))


def quad_swaps(target: TargetId) -> Case:
    x, lane = wave_rows(target, 4)
    return of_waves(target, x, x[:, lane ^ 1], x[:, lane ^ 3] - x, x[:, lane ^ 15] * 2, x[:, lane ^ 7] ^ x)


def masked_moves(target: TargetId) -> Case:
    x, lane = wave_rows(target, 5)
    row, bank, at = lane >> 4, lane >> 2 & 3, lane & 15
    shifted = np.where((row & 1 == 0) & (at >= 3), x[:, np.maximum(lane - 3, 0)], -5)
    left = np.where((bank & 1 == 1) & (at < 14), x[:, np.minimum(lane + 2, len(lane) - 1)], -6)
    return of_waves(target, x, shifted, left, x[:, lane & ~15 | (lane - 1) & 15])


def swizzled_lanes(target: TargetId) -> Case:
    x, lane = wave_rows(target, 6)
    return of_waves(target, x, x[:, lane ^ 16], x[:, lane & 32 | (lane & 28) ^ 3], x[:, lane ^ 3])


def voting_lanes(target: TargetId) -> Case:
    x, _ = wave_rows(target, 7)
    big, odd = x > 50, x & 1 == 1
    rank = np.cumsum(big, 1) - big
    inner = np.where(odd, (big & odd).sum(1, keepdims=True), 0)
    first = np.where(big.any(1), big.argmax(1), 63)[:, None]
    last = (~big.any(1, keepdims=True)) + odd.any(1, keepdims=True) * 2 + first * 4
    return of_waves(target, x, big.sum(1, keepdims=True) * 100 + rank, inner, last)


def ranks_by_key(target: TargetId) -> Case:
    x, _ = wave_rows(target, 8)
    out = np.zeros_like(x)
    for row, result in zip(x, out, strict=True):
        seen: dict[int, int] = {}
        for i, key in enumerate((row & 7).tolist()):
            _ = seen.setdefault(key, len(seen) + 1)
            result[i] = int(((row[:i] & 7) == key).sum()) * 16 + seen[key]
    return of_waves(target, x, out)


def transposed_by_lanes(target: TargetId) -> Case:
    x = words(9, 16, 8, 8).view(np.int32)
    return case(2, 64, x, Out(np.ascontiguousarray(x.transpose(0, 2, 1))))


def shuffled_longs(target: TargetId) -> Case:
    x = random(10).integers(0, 1 << 63, 128, np.uint64)
    lane = np.arange(128)
    return case(2, 64, x, Out(x[lane & ~31 | (lane + 9) & 31] + x))


def lanes_in_branches(target: TargetId) -> Case:
    x, lane = wave_rows(target, 11)
    near = x[:, lane ^ 1]
    rest = x.copy()
    for k in range(3):
        on = (lane % 4 >= 2) & ((x & 3) > k)
        rest = np.where(on, rest * 5 + on.sum(1, keepdims=True), rest)
    return of_waves(target, x, np.where(lane % 4 < 2, near * 3 + near, rest))


def crossed_rows(target: TargetId) -> Case:
    x, lane = wave_rows(target, 12)
    same = np.where(lane & 8, lane ^ 1, lane)
    # the nibbles of both words, lowest first, name the lane of the other row
    chosen = [0xF, 0xE, 0xD, 0xC, 0xB, 0xA, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]
    other = (lane ^ 16) & ~15 | np.array(chosen)[lane & 15]
    return of_waves(target, x, x[:, same], x[:, other])


def written_lanes(target: TargetId) -> Case:
    x, _ = wave_rows(target, 13)
    out = x.copy()
    out[:, 3], out[:, 30] = -77, x[:, 5]
    return case(2, 64, x.ravel(), Out(out.ravel()), np.int32(-77))


KERNELS = kernels_of(
    "lanes.cl",
    reversed_lanes,
    broadcast_lanes,
    row_scans,
    quad_swaps,
    masked_moves,
    swizzled_lanes,
    voting_lanes,
    ranks_by_key,
    transposed_by_lanes,
    shuffled_longs,
    lanes_in_branches,
    written_lanes,
) | kernels_of("lanes.cl", crossed_rows, runs_on=is_rdna)
